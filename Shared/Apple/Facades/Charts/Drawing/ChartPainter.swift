internal import FoundationExtras
internal import SwiftUI

/// Draws marks in the plot.
@MainActor struct ChartPainter {
    let data: ChartData
    let x: ChartScale
    let y: ChartScale
    let plot: CGRect
    let inks: ChartInks
    let context: RenderContext
    /// Whether marks have tooltips. Not if there are too many.
    var hasTips: Bool { data.marks.count <= 500 }

    /// The nodes of a mark or line, with its order.
    struct Drawn {
        var order: Double
        var nodes: [RenderNode]
        /// The frames for annotations, with their marks.
        var notes: [(frame: CGRect, mark: Mark)] = []
    }

    func draw() -> [Drawn] {
        if data.hasSectors { return sectors() }
        var drawn: [Drawn] = []
        var lines: [String: Int] = [:]
        var series: [[PlacedMark]] = []
        for placed in data.marks {
            switch placed.mark.kind {
            case .line, .area:
                let key = "\(placed.mark.kind) \(self.series(placed.mark))"
                if let known = lines[key] {
                    series[known].append(placed)
                } else {
                    lines[key] = series.count
                    series.append([placed])
                    drawn.append(Drawn(order: Double.nan, nodes: []))
                }
            case .bar, .rectangle: drawn.append(box(placed))
            case .rule: drawn.append(rule(placed))
            case .point: drawn.append(point(placed))
            case .sector: break
            }
        }
        var next = 0
        return drawn.map { item in
            guard item.order.isNaN else { return item }
            defer { next += 1 }
            return series[next][0].mark.kind == .line ? line(series[next]) : area(series[next])
        }
    }

    private func series(_ mark: Mark) -> String {
        if let series = mark.series { return series.plot.words }
        var name = ""
        if case .by(let by) = mark.style.ink { name = by.plot.words }
        if let by = mark.style.symbolBy { name += "\u{1F}" + by.plot.words }
        return name
    }

    // MARK: boxes

    private func box(_ placed: PlacedMark) -> Drawn {
        let frame = frame(placed)
        let mark = placed.mark
        guard frame.width.isFinite, frame.height.isFinite else { return Drawn(order: 0, nodes: []) }
        let origin = mark.style.sharesGradient ? .zero : frame.origin
        let own = CGRect(
            x: frame.minX - origin.x, y: frame.minY - origin.y, width: frame.width, height: frame.height)
        let size = mark.style.sharesGradient ? CGSize(width: plot.maxX, height: plot.maxY) : frame.size
        let nodes = SVGPaint.painted(
            outline(mark, own), inks.paint(of: mark), isStroke: false, size, context)
        return Drawn(
            order: mark.style.order, nodes: [moved(nodes, to: origin, mark, placed)],
            notes: [(frame, mark)])
    }

    private func outline(_ mark: Mark, _ frame: CGRect) -> RenderNode {
        if let outline = mark.style.outline { return RenderNode("path").with("d", outline(frame).svg) }
        var rect = RenderNode("rect")
        if frame.minX != 0 { rect[attribute: "x"] = CSS.number(frame.minX) }
        if frame.minY != 0 { rect[attribute: "y"] = CSS.number(frame.minY) }
        rect[attribute: "width"] = CSS.number(frame.width)
        rect[attribute: "height"] = CSS.number(frame.height)
        let radius = mark.style.cornerRadius ?? (mark.kind == .bar ? 2 : 0)
        let corner = min(max(radius, 0), frame.width / 2, frame.height / 2)
        if corner > 0 { rect[attribute: "rx"] = CSS.number(corner) }
        return rect
    }

    private func frame(_ placed: PlacedMark) -> CGRect {
        let isBar = placed.mark.kind == .bar
        let isWide = isBar ? placed.isHorizontal : placed.mark.xEnd != nil
        let isHigh = isBar ? !placed.isHorizontal : placed.mark.yEnd != nil
        let across = side(placed.x, x, placed.mark.width, isAlong: isWide, placed, plot.width)
        let up = side(placed.y, y, placed.mark.height, isAlong: isHigh, placed, plot.height)
        return CGRect(x: across.lower, y: up.lower, width: across.length, height: up.length)
    }

    /// One dimension of a box in points.
    /// - Parameter isAlong: whether this dimension extends between values.
    private func side(
        _ span: Span?, _ scale: ChartScale, _ dimension: MarkDimension, isAlong: Bool,
        _ placed: PlacedMark, _ whole: Double
    ) -> Span {
        guard let span else {
            // A bar along the whole chart is as thick as the plot, unless a thickness is set.
            let size = dimension.points(of: whole, automatic: whole)
            return Span((scale.from + scale.to) / 2 - size / 2, (scale.from + scale.to) / 2 + size / 2)
        }
        let room = Span(scale.point(span.lower), scale.point(span.upper))
        if isAlong { return room }
        var (start, length) = (room.lower, room.length)
        if length == 0 {
            let step = data.step(of: data.marks.filter { $0.mark.kind == .bar })
            let least = step.map { abs(scale.point(scale.lower + $0) - scale.point(scale.lower)) } ?? 10
            length = placed.mark.kind == .bar ? min(max(least, 2), 60) : 10
            start -= length / 2
        }
        if placed.place.count > 1 {
            let inner = length * 0.84
            start += (length - inner) / 2 + inner / Double(placed.place.count) * Double(placed.place.index)
            length = inner / Double(placed.place.count)
        }
        let usual = placed.mark.kind == .rectangle ? length : length * (placed.place.count > 1 ? 0.9 : 0.7)
        let size = dimension.points(of: length, automatic: max(usual, 1))
        return Span(start + (length - size) / 2, start + (length + size) / 2)
    }

    // MARK: lines

    private func rule(_ placed: PlacedMark) -> Drawn {
        let mark = placed.mark
        let x0 = placed.x.map { x.point(mark.xEnd == nil ? $0.middle : $0.lower) }
        let y0 = placed.y.map { y.point(mark.yEnd == nil ? $0.middle : $0.lower) }
        let x1 = placed.x.map { x.point(mark.xEnd == nil ? $0.middle : $0.upper) }
        let y1 = placed.y.map { y.point(mark.yEnd == nil ? $0.middle : $0.upper) }
        let isFlat = mark.xEnd != nil || placed.x == nil
        let rises = !isFlat && mark.yEnd == nil
        let from = CGPoint(x: x0 ?? plot.minX, y: rises ? plot.minY : y0 ?? plot.minY)
        let to = CGPoint(x: x1 ?? plot.maxX, y: rises ? plot.maxY : y1 ?? plot.maxY)
        let path = RenderNode("path").with("d", ChartCurves.path([from, to], .linear))
            .stroked(by: mark.style.line ?? StrokeStyle(lineWidth: 1))
        let frame = CGRect(
            x: min(from.x, to.x), y: min(from.y, to.y), width: abs(to.x - from.x),
            height: abs(to.y - from.y))
        let nodes = SVGPaint.painted(
            path, inks.paint(of: mark), isStroke: true, plot.size, context)
        return Drawn(
            order: mark.style.order, nodes: [moved(nodes, to: .zero, mark, placed)], notes: [(frame, mark)])
    }

    private func middle(_ placed: PlacedMark) -> CGPoint {
        var point = CGPoint(
            x: placed.x.map { x.point($0.middle) } ?? plot.midX,
            y: placed.y.map { y.point(placed.mark.kind == .area ? $0.upper : $0.middle) } ?? plot.midY)
        if placed.place.count > 1, let span = placed.x, span.length > 0 {
            let room = Span(x.point(span.lower), x.point(span.upper))
            let share = (Double(placed.place.index) + 0.5) / Double(placed.place.count)
            point.x = room.lower + room.length * share
        }
        return point
    }

    private func line(_ points: [PlacedMark]) -> Drawn {
        let first = points[0].mark
        let places = points.map(middle)
        let path = RenderNode("path").with("d", ChartCurves.path(places, first.style.interpolation))
            .stroked(
                by: first.style.line ?? StrokeStyle(lineWidth: 2, lineCap: .round, lineJoin: .round))
        var nodes = SVGPaint.painted(path, inks.paint(of: first), isStroke: true, plot.size, context)
        nodes = [moved(nodes, to: .zero, first, points.count == 1 ? points[0] : nil)]
        var notes: [(CGRect, Mark)] = []
        for (placed, place) in zip(points, places) {
            let shape = inks.symbol(of: placed.mark)
            if shape != nil || placed.mark.style.symbolView != nil || points.count == 1 {
                nodes.append(contentsOf: symbol(shape ?? .circle, placed, place))
            }
            notes.append((CGRect(x: place.x - 3, y: place.y - 3, width: 6, height: 6), placed.mark))
        }
        return Drawn(order: first.style.order, nodes: nodes, notes: notes)
    }

    private func area(_ points: [PlacedMark]) -> Drawn {
        let first = points[0].mark
        let tops = points.map(middle)
        let bottoms = points.map { placed in
            CGPoint(x: middle(placed).x, y: placed.y.map { y.point($0.lower) } ?? plot.maxY)
        }
        let outline =
            ChartCurves.path(tops, first.style.interpolation)
            + ChartCurves.path(bottoms.reversed(), first.style.interpolation, starts: false) + "Z"
        let nodes = SVGPaint.painted(
            RenderNode("path").with("d", outline), inks.paint(of: first), isStroke: false,
            CGSize(width: plot.maxX, height: plot.maxY), context)
        return Drawn(
            order: first.style.order,
            nodes: [moved(nodes, to: .zero, first, points.count == 1 ? points[0] : nil)],
            notes: zip(points, tops).map {
                (CGRect(x: $1.x - 3, y: $1.y - 3, width: 6, height: 6), $0.mark)
            })
    }

    // MARK: points

    private func point(_ placed: PlacedMark) -> Drawn {
        let place = middle(placed)
        return Drawn(
            order: placed.mark.style.order,
            nodes: symbol(inks.symbol(of: placed.mark) ?? .circle, placed, place),
            notes: [(CGRect(x: place.x - 4, y: place.y - 4, width: 8, height: 8), placed.mark)])
    }

    private func symbol(
        _ shape: BasicChartSymbolShape, _ placed: PlacedMark, _ place: CGPoint
    ) -> [RenderNode] {
        let mark = placed.mark
        if let view = mark.style.symbolView {
            return [
                ChartNotes.view(
                    context.nodes(of: view, at: "symbol"), around: place, align: "center center",
                    size: CGSize(width: 60, height: 60))
            ]
        }
        let outline = ChartCurves.symbol(shape, area: mark.style.symbolArea ?? 50)
        var path = RenderNode("path").with("d", outline.data)
        let isStroke = outline.isLine || shape.lineWidth != nil
        if isStroke { path = path.stroked(by: StrokeStyle(lineWidth: shape.lineWidth ?? 1.5)) }
        let nodes = SVGPaint.painted(
            path, inks.paint(of: mark), isStroke: isStroke, CGSize(width: 8, height: 8), context)
        return [moved(nodes, to: place, mark, placed)]
    }

    private func sectors() -> [Drawn] {
        ChartSectors(data.marks, in: plot).sectors.map { sector in
            let mark = sector.placed.mark
            var path = RenderNode("path").with("d", sector.path)
            let paint = inks.paint(of: mark)
            if sector.rounding > 0 {
                path.style["stroke"] = paint.color(in: context.environment).css
                path.style["stroke-width"] = CSS.number(2 * sector.rounding)
                path.style["stroke-linejoin"] = "round"
            }
            path.style["fill-rule"] = "evenodd"
            let nodes = SVGPaint.painted(
                path, paint, isStroke: false, CGSize(width: plot.maxX, height: plot.maxY), context)
            return Drawn(
                order: mark.style.order, nodes: [moved(nodes, to: .zero, mark, sector.placed)],
                notes: [(CGRect(origin: sector.middle, size: .zero), mark)])
        }
    }

    /// A group at its position, with the mark's opacity and tooltip.
    private func moved(
        _ nodes: [RenderNode], to origin: CGPoint, _ mark: Mark, _ placed: PlacedMark?
    ) -> RenderNode {
        var group = RenderNode("g", children: nodes)
        let at = CGPoint(x: origin.x + mark.style.offset.width, y: origin.y + mark.style.offset.height)
        if at != .zero { group[attribute: "transform"] = "translate(\(ChartCurves.text(at)))" }
        if mark.style.opacity < 1 { group.style["opacity"] = CSS.number(mark.style.opacity) }
        if hasTips, let placed, !mark.style.isHidden {
            let words = ChartTable.words(placed, context).joined(separator: ", ")
            group.children.insert(RenderNode("title", children: [RenderNode(text: words)]), at: 0)
        }
        return group
    }
}
