internal import FoundationExtras
internal import SwiftUI
internal import UIKit

/// The position of the plot between its axes.
@MainActor struct ChartFrame {
    private(set) var plot: CGRect
    private(set) var x: ChartScale
    private(set) var y: ChartScale
    private(set) var xAxes: [ChartAxis] = []
    private(set) var yAxes: [ChartAxis] = []
    /// The view that `chartPlotStyle` places behind the marks.
    private(set) var ground: RenderNode?
    /// Whether marks may exceed the axes.
    let cuts: Bool
    private let size: CGSize
    private let settings: ChartSettings

    init(_ data: ChartData, _ size: CGSize, _ context: RenderContext) {
        settings = context.environment.chart
        self.size = size
        (x, y) = (data.x, data.y)
        cuts =
            !settings.x.limits.plots.isEmpty || !settings.y.limits.plots.isEmpty
            || settings.visibleLength != nil
        plot = CGRect(origin: .zero, size: size)
        guard !data.hasSectors else {
            plot = plot.insetBy(dx: 1, dy: 1)
            return
        }
        let bin = Self.bin(data)
        let (styled, own) = Self.styled(settings, context)
        let above = Self.titleRoom(settings.x, at: .top, usual: .bottom)
        let below =
            Self.titleRoom(settings.x, at: .bottom, usual: .bottom)
            + Self.titleRoom(settings.y, at: .bottom, usual: .top)
        // Labels of the vertical axis extend half a line above their position.
        var top = 7 + above + Self.titleRoom(settings.y, at: .top, usual: .top)
        let rough = ChartAxis.axes(
            x, settings.x, isVertical: false, length: size.width, bin: bin, context)
        let (over, under) = (Self.room(rough, .top), Self.room(rough, .bottom))
        var bottom = size.height - below - max(under, 6)
        let notes = Self.noteRoom(data)
        top += max(over, notes.top)
        if let own, own < bottom - top { bottom = top + own }
        bottom = max(bottom, top + 8)
        (y.from, y.to) = (bottom - settings.y.range.start, top + settings.y.range.end)
        yAxes = ChartAxis.axes(
            y, settings.y, isVertical: true, length: bottom - top, bin: nil, context)
        let side = Self.titleRoom(settings.y, at: .leading, usual: .top)
        let left = Self.room(yAxes, .leading) + side + 1
        let right = max(
            size.width - Self.room(yAxes, .trailing)
                - Self.titleRoom(settings.y, at: .trailing, usual: .top)
                - max(notes.trailing - Self.room(yAxes, .trailing), 0) - 1, left + 8)
        (x.from, x.to) = (left + settings.x.range.start, right - settings.x.range.end)
        xAxes = ChartAxis.axes(
            x, settings.x, isVertical: false, length: right - left, bin: bin, context)
        if y.kind == .category { (y.from, y.to) = (y.to, y.from) }
        plot = CGRect(x: left, y: top, width: right - left, height: bottom - top)
        ground = styled.map {
            ChartNotes.view(
                $0, around: CGPoint(x: plot.midX, y: plot.midY), align: "stretch stretch", size: plot.size)
        }
    }

    /// The space that annotations of bars need above and beside the plot, in points.
    private static func noteRoom(_ data: ChartData) -> (top: Double, trailing: Double) {
        var room = (top: 0.0, trailing: 0.0)
        for placed in data.marks where placed.mark.kind == .bar {
            for note in placed.mark.style.notes {
                switch note.position.kind {
                case .top, .automatic, .topLeading, .topTrailing: if !placed.isHorizontal { room.top = 14 }
                case .trailing: if placed.isHorizontal { room.trailing = 36 }
                default: break
                }
            }
        }
        return room
    }

    /// The length of the days or hours that bars cover.
    private static func bin(_ data: ChartData) -> Double? {
        guard data.x.kind == .time else { return nil }
        return data.marks.compactMap { $0.mark.x?.end != nil ? $0.x?.length : nil }.max()
    }

    /// The view of `chartPlotStyle` and its height.
    private static func styled(
        _ settings: ChartSettings, _ context: RenderContext
    ) -> (nodes: [RenderNode]?, height: Double?) {
        guard let style = settings.plotStyle else { return (nil, nil) }
        let nodes = context.nodes(of: style(ChartPlotContent()), at: "plot")
        return (nodes, nodes.first?.layout.height)
    }

    private static func room(_ axes: [ChartAxis], _ side: ChartAxis.Side) -> Double {
        axes.filter { $0.side == side }.map(\.room).max() ?? 0
    }

    // MARK: words beside the axes

    private static func titleRoom(
        _ axis: ChartSettings.AxisSettings, at side: ChartAxis.Side, usual: ChartAxis.Side
    ) -> Double {
        guard let title = axis.title else { return 0 }
        return titleSide(title.position) == side || (isUsual(title) && side == usual) ? 16 : 0
    }

    private static func isUsual(_ title: ChartTitle) -> Bool { titleSide(title.position) == nil }

    private static func titleSide(_ position: AnnotationPosition) -> ChartAxis.Side? {
        switch position.kind {
        case .top, .topLeading, .topTrailing: .top
        case .bottom, .bottomLeading, .bottomTrailing: .bottom
        case .leading: .leading
        case .trailing: .trailing
        case .automatic, .overlay: nil
        }
    }

    func titles(_ context: RenderContext) -> [RenderNode] {
        var nodes: [RenderNode] = []
        if let title = settings.x.title {
            let isAbove = Self.titleSide(title.position) == .top
            nodes.append(
                text(title.words(context), title.alignment ?? .center, y: isAbove ? 11 : size.height - 3))
        }
        if let title = settings.y.title {
            let words = title.words(context)
            switch Self.titleSide(title.position) {
            case .leading: nodes.append(turned(words, x: 11, -90))
            case .trailing: nodes.append(turned(words, x: size.width - 11, 90))
            case .bottom: nodes.append(text(words, title.alignment ?? .center, y: size.height - 3))
            default: nodes.append(text(words, title.alignment ?? .trailing, y: 11))
            }
        }
        return nodes
    }

    private func text(_ words: String, _ alignment: Alignment, y: Double) -> RenderNode {
        let (x, anchor) =
            switch alignment.horizontal {
            case .leading: (plot.minX, "start")
            case .trailing: (plot.maxX, "end")
            default: (plot.midX, "middle")
            }
        var node = RenderNode("text", children: [RenderNode(text: words)])
        node[attribute: "x"] = CSS.number(x)
        node[attribute: "y"] = CSS.number(y)
        node[attribute: "text-anchor"] = anchor
        node.style = ["font-size": "11px", "fill": ChartAxisPainter.wordsColor]
        return node
    }

    private func turned(_ words: String, x: Double, _ angle: Double) -> RenderNode {
        var node = text(words, .center, y: plot.midY)
        node[attribute: "x"] = CSS.number(x)
        node[attribute: "text-anchor"] = "middle"
        node[attribute: "transform"] =
            "rotate(\(CSS.number(angle)) \(CSS.number(x)) \(CSS.number(plot.midY)))"
        return node
    }
}
