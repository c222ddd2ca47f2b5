internal import FoundationExtras
internal import SwiftUI
internal import UIKit

/// Renders a chart as nodes: the drawing, the legend and the table.
@MainActor struct ChartDrawing {
    private let all: [Mark]
    private let data: ChartData
    private let inks: ChartInks
    private let legend: ChartLegend
    private let context: RenderContext
    private let size: CGSize

    /// The height in points if none is offered.
    static let usualHeight = 240.0

    init(_ marks: [Mark], _ context: RenderContext) {
        all = marks
        self.context = context
        var width = context.proposal.width ?? 358
        var height = context.proposal.height ?? Self.usualHeight
        data = ChartData(marks, context.environment.chart, height: height)
        inks = ChartInks(marks, context)
        legend = ChartLegend(inks: inks, context: context)
        if legend.isThere, legend.isBeside { width -= legend.width + 12 }
        if legend.isThere, !legend.isBeside { height -= legend.height(in: width) }
        if data.leftOut > 0 || marks.count >= ChartLimits.marksMax { height -= 18 }
        size = CGSize(width: max(width, 40), height: max(height, 24))
    }

    func node() -> RenderNode {
        let table = ChartTable(data: data, context: context)
        let isEmpty = data.marks.isEmpty || (data.hasSectors && data.marks.allSatisfy { $0.value == 0 })
        var parts = [isEmpty ? nothing() : drawing(table)]
        if legend.isThere, !isEmpty { parts.insert(legend.node, at: legend.isFirst ? 0 : 1) }
        if let remark { parts.append(remark) }
        var node = RenderNode("div", children: parts)
        node.style = [
            "display": "flex", "flex-direction": legend.isBeside ? "row" : "column", "width": "100%",
            "gap": legend.isBeside ? "12px" : "0", "position": "relative",
            "max-width": CSS.points(context.proposal.width ?? 358), "margin": "0 auto",
        ]
        if legend.isBeside { node.style["align-items"] = "center" }
        if !isEmpty { node.children.append(table.node) }
        let said = isEmpty ? "No data" : table.text
        node.reading = .text([said, remarkWords].compactMap(\.self).joined(separator: "\n"))
        node.layout.growsWidth = true
        node.layout.growsHeight = true
        node.layout.readsWidth = true
        node.layout.height = context.proposal.height ?? Self.usualHeight
        return node
    }

    // MARK: nothing to draw, or not all of it

    private func nothing() -> RenderNode {
        var box = RenderNode("div", children: [RenderNode(text: "No data")])
        box[attribute: "role"] = "img"
        box[attribute: "aria-label"] = "Chart without data"
        box.style = [
            "display": "grid", "place-items": "center", "height": CSS.points(size.height),
            "border": "1px dashed \(ChartAxisPainter.gridColor)", "border-radius": "8px",
            "color": ChartAxisPainter.wordsColor, "font-size": CSS.rem(15),
        ]
        return box
    }

    private var remarkWords: String? {
        if all.count >= ChartLimits.marksMax {
            return "Only the first \(ChartLimits.marksMax) marks are shown."
        }
        guard data.leftOut > 0 else { return nil }
        return data.leftOut == 1
            ? "1 value that cannot be drawn is left out."
            : "\(data.leftOut) values that cannot be drawn are left out."
    }

    private var remark: RenderNode? {
        remarkWords.map {
            var node = RenderNode("div", children: [RenderNode(text: $0)])
            node.style = ["font-size": CSS.rem(11), "color": ChartAxisPainter.wordsColor]
            return node
        }
    }

    // MARK: the drawing

    private func drawing(_ table: ChartTable) -> RenderNode {
        let frame = ChartFrame(data, size, context)
        let painter = ChartPainter(
            data: data, x: frame.x, y: frame.y, plot: frame.plot, inks: inks, context: context)
        let axes = ChartAxisPainter(plot: frame.plot, size: size, context: context)
        let drawn = painter.draw().enumerated()
            .sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element)
        let name = context.pass.name("c")
        var svg = RenderNode("svg")
        svg[attribute: "viewBox"] = "0 0 \(CSS.number(size.width)) \(CSS.number(size.height))"
        svg[attribute: "role"] = "img"
        svg[attribute: "aria-labelledby"] = name
        svg.style = Self.place(size)
        svg.children = [
            RenderNode("title", children: [RenderNode(text: table.summary)]).with("id", name)
        ]
        if let ground = frame.ground { svg.children.append(ground) }
        if !data.hasSectors {
            svg.children += frame.xAxes.flatMap { axes.lines($0, frame.x) }
            svg.children += frame.yAxes.flatMap { axes.lines($0, frame.y) }
        }
        svg.children.append(clipped(drawn.flatMap(\.nodes), frame))
        if !data.hasSectors {
            svg.children += frame.xAxes.flatMap { axes.words($0, frame.x) }
            svg.children += frame.yAxes.flatMap { axes.words($0, frame.y) }
            svg.children += frame.titles(context)
        }
        for (place, item) in drawn.flatMap(\.notes).enumerated() {
            for (number, note) in item.mark.style.notes.enumerated() {
                let node = ChartNotes.node(note, item.frame, in: size, context, "note\(place).\(number)")
                if let node { svg.children.append(node) }
            }
        }
        return layered(svg, frame)
    }

    /// As wide as it was drawn for; smaller in less space.
    private static func place(_ size: CGSize) -> Style {
        [
            "width": "100%", "max-width": CSS.points(size.width), "height": "auto", "margin": "0 auto",
            "flex-shrink": "0",
        ]
    }

    /// Marks are clipped to the plot if the axes do not cover all values.
    private func clipped(_ nodes: [RenderNode], _ frame: ChartFrame) -> RenderNode {
        var group = RenderNode("g", children: nodes)
        guard frame.cuts else { return group }
        let name = context.pass.name("p")
        // Half of the first and last bar is outside of a scale whose limits are their middles.
        let isScrolled = context.environment.chart.visibleLength != nil
        let plot = frame.plot.insetBy(dx: isScrolled ? 0 : -12, dy: -1)
        var rect = RenderNode("rect")
        for (attribute, value) in [
            ("x", plot.minX), ("y", plot.minY), ("width", plot.width), ("height", plot.height),
        ] {
            rect[attribute: attribute] = CSS.number(value)
        }
        let clip = RenderNode("clipPath", children: [rect]).with("id", name)
        group[attribute: "clip-path"] = "url(#\(name))"
        return RenderNode("g", children: [clip, group])
    }

    /// The drawing between the views behind and in front of it.
    private func layered(_ svg: RenderNode, _ frame: ChartFrame) -> RenderNode {
        let settings = context.environment.chart
        guard settings.background != nil || settings.overlay != nil else { return svg }
        let proxy = ChartProxy(x: frame.x, y: frame.y, plot: frame.plot)
        let inner = context.offering(width: size.width, height: size.height)
        func layer(_ view: AnyView, _ alignment: Alignment, _ step: String) -> RenderNode {
            let node = RenderNode.one(of: inner.nodes(of: view, at: step))
            return RenderNode.box(
                node, ["position": "absolute", "inset": "0", "pointer-events": "none"],
                align: alignment.placeItems)
        }
        var box = RenderNode("div", style: Self.place(size))
        box.style["position"] = "relative"
        if let background = settings.background {
            box.children.append(layer(background.content(proxy), background.alignment, "background"))
        }
        var drawing = svg
        drawing.style["position"] = "relative"
        box.children.append(drawing)
        if let overlay = settings.overlay {
            box.children.append(layer(overlay.content(proxy), overlay.alignment, "overlay"))
        }
        return box
    }
}
