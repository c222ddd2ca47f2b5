internal import FoundationExtras
internal import SwiftUI
internal import UIKit

/// Draws the lines, ticks and labels of an axis.
@MainActor struct ChartAxisPainter {
    let plot: CGRect
    let size: CGSize
    let context: RenderContext

    static let gridColor = "light-dark(rgba(60,60,67,.2),rgba(235,235,245,.22))"
    static let wordsColor = "light-dark(rgba(60,60,67,.8),rgba(235,235,245,.7))"

    func lines(_ axis: ChartAxis, _ scale: ChartScale) -> [RenderNode] {
        axis.places.flatMap { place in
            place.parts.compactMap { part -> RenderNode? in
                guard part.kind != .label else { return nil }
                let isCentered = part.isCentered ?? false
                let at = scale.point(isCentered ? (place.value + place.next) / 2 : place.value)
                guard at.isFinite else { return nil }
                return line(part, axis, at)
            }
        }
    }

    private func line(_ part: AxisPart, _ axis: ChartAxis, _ at: Double) -> RenderNode {
        let length = part.length ?? 4
        let ends: (CGPoint, CGPoint) =
            switch (part.kind, axis.side) {
            case (.gridLine, .leading), (.gridLine, .trailing):
                (CGPoint(x: plot.minX, y: at), CGPoint(x: plot.maxX, y: at))
            case (.gridLine, _): (CGPoint(x: at, y: plot.minY), CGPoint(x: at, y: plot.maxY))
            case (_, .leading): (CGPoint(x: plot.minX - length, y: at), CGPoint(x: plot.minX, y: at))
            case (_, .trailing): (CGPoint(x: plot.maxX, y: at), CGPoint(x: plot.maxX + length, y: at))
            case (_, .top): (CGPoint(x: at, y: plot.minY - length), CGPoint(x: at, y: plot.minY))
            case (_, .bottom): (CGPoint(x: at, y: plot.maxY), CGPoint(x: at, y: plot.maxY + length))
            }
        var node = RenderNode("line")
        for (name, value) in [
            ("x1", ends.0.x), ("y1", ends.0.y), ("x2", ends.1.x), ("y2", ends.1.y),
        ] {
            node[attribute: name] = CSS.number(value)
        }
        let color = part.ink?.paint(in: context.environment).color(in: context.environment).css
        let stroke = part.stroke ?? StrokeStyle(lineWidth: 0.75)
        node = node.stroked(by: stroke)
        node.style["stroke"] = color ?? Self.gridColor
        return node
    }

    // MARK: words

    /// The labels in order. A label that would overlap an earlier one is omitted.
    func words(_ axis: ChartAxis, _ scale: ChartScale) -> [RenderNode] {
        var taken: [Span] = []
        var nodes: [RenderNode] = []
        for place in axis.places {
            guard let words = place.words, !words.isEmpty,
                let part = place.parts.first(where: { $0.kind == .label })
            else { continue }
            let box =
                axis.isVertical ? vertical(place, axis, scale, part) : horizontal(place, axis, scale, part)
            guard let box else { continue }
            let isFree = taken.allSatisfy { box.span.upper <= $0.lower || box.span.lower >= $0.upper }
            guard isFree || part.overlaps else { continue }
            taken.append(box.span)
            nodes.append(text(box, part))
        }
        return nodes
    }

    private struct Box {
        var words: String
        var at: CGPoint
        var anchor: String
        var span: Span
        var turns = false
    }

    private func middle(_ place: ChartAxis.Place, _ axis: ChartAxis, _ part: AxisPart) -> Double {
        part.isCentered ?? axis.isBinned ? (place.value + place.next) / 2 : place.value
    }

    private func vertical(
        _ place: ChartAxis.Place, _ axis: ChartAxis, _ scale: ChartScale, _ part: AxisPart
    ) -> Box? {
        let y = scale.point(middle(place, axis, part))
        guard y.isFinite else { return nil }
        let isLeading = axis.side == .leading
        let words = shortened(place.words ?? "", to: 136)
        return Box(
            words: words, at: CGPoint(x: isLeading ? plot.minX - 6 : plot.maxX + 6, y: y + 4),
            anchor: isLeading ? "end" : "start", span: Span(y - 6, y + 6))
    }

    private func horizontal(
        _ place: ChartAxis.Place, _ axis: ChartAxis, _ scale: ChartScale, _ part: AxisPart
    ) -> Box? {
        var x = scale.point(middle(place, axis, part))
        guard x.isFinite else { return nil }
        var words = place.words ?? ""
        let y = axis.side == .top ? plot.minY - 6 : plot.maxY + 14
        if part.isVertical {
            return Box(
                words: words, at: CGPoint(x: x + 4, y: plot.maxY + 6), anchor: "end",
                span: Span(x - 6, x + 6), turns: true)
        }
        if scale.kind == .category {
            let band = abs(scale.point(place.next) - scale.point(place.value))
            // A few letters are not helpful, so words are not shortened and some are omitted.
            if band >= 30 { words = shortened(words, to: band - 4) }
        }
        let width = TextMetrics.width(words, size: ChartAxis.fontSize)
        let isStarting = scale.kind == .time && !(part.isCentered ?? axis.isBinned)
        var anchor = isStarting ? "start" : "middle"
        var left = isStarting ? x : x - width / 2
        let (first, last) = axis.isAligned ? (plot.minX, plot.maxX) : (0, size.width)
        if left + width > last {
            if isStarting, left > last - width / 2 { return nil }
            (anchor, x, left) = ("end", last, last - width)
        }
        if left < first { (anchor, x, left) = ("start", first, first) }
        return Box(
            words: words, at: CGPoint(x: x, y: y), anchor: anchor, span: Span(left - 3, left + width + 3))
    }

    private func shortened(_ words: String, to width: Double) -> String {
        guard TextMetrics.width(words, size: ChartAxis.fontSize) > width else { return words }
        var rest = words
        while rest.count > 1, TextMetrics.width(rest + "…", size: ChartAxis.fontSize) > width {
            rest.removeLast()
        }
        return rest.trimmingCharacters(in: .whitespaces) + "…"
    }

    private func text(_ box: Box, _ part: AxisPart) -> RenderNode {
        var node = RenderNode("text", children: [RenderNode(text: box.words)])
        node[attribute: "x"] = CSS.number(box.at.x + part.offset.width)
        node[attribute: "y"] = CSS.number(box.at.y + part.offset.height)
        node[attribute: "text-anchor"] = box.anchor
        if box.turns {
            node[attribute: "transform"] = "rotate(-90 \(CSS.number(box.at.x)) \(CSS.number(box.at.y)))"
        }
        node.style = ["font-size": "\(CSS.number(ChartAxis.fontSize))px"]
        if let font = part.font { node.style = node.style.merging(font.declarations) }
        let color = part.ink?.paint(in: context.environment).color(in: context.environment).css
        node.style["fill"] = color ?? Self.wordsColor
        return node
    }
}

extension RenderNode {
    /// A line with the properties of `stroke`.
    func stroked(by stroke: StrokeStyle) -> RenderNode {
        var node = self
        node.style["fill"] = "none"
        node.style["stroke-width"] = CSS.number(stroke.lineWidth)
        node.style["stroke-linecap"] = stroke.lineCap.css
        node.style["stroke-linejoin"] = stroke.lineJoin.css
        if !stroke.dash.isEmpty {
            node.style["stroke-dasharray"] = stroke.dash.map { CSS.number($0) }.joined(separator: " ")
            if stroke.dashPhase != 0 { node.style["stroke-dashoffset"] = CSS.number(stroke.dashPhase) }
        }
        return node
    }
}
