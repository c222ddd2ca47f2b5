internal import FoundationExtras
internal import SwiftUI

/// A mark with its position on the axes.
struct PlacedMark {
    var mark: Mark
    /// If nil, across the whole plot.
    var x: Span?
    var y: Span?
    /// For bars: horizontal instead of vertical.
    var isHorizontal = false
    /// The position among marks side by side: index and count.
    var place = (index: 0, count: 1)
    /// The value that the mark shows, before stacking.
    var value = 0.0
}

/// The marks of a chart, positioned and stacked, in values instead of points.
struct ChartData {
    var marks: [PlacedMark] = []
    var x: ChartScale
    var y: ChartScale
    /// The number of marks that cannot be drawn.
    var leftOut = 0
    let hasSectors: Bool
    /// Values beyond this cannot be drawn.
    static let valueMax = 1e100

    /// - Parameter height: the height available to the chart, in points.
    init(_ all: [Mark], _ settings: ChartSettings, height: Double) {
        let drawable = all.filter {
            $0.isDrawable
                && [$0.x, $0.y, $0.xEnd, $0.yEnd].allSatisfy { abs($0?.position ?? 0) < Self.valueMax }
        }
        hasSectors = drawable.contains { $0.kind == .sector }
        leftOut = all.count - drawable.count
        func scale(_ settings: ChartSettings.AxisSettings, _ plots: [ChartPlot]) -> ChartScale {
            let domain = settings.limits.isList ? settings.limits.plots : []
            let isCategory = (domain + plots).contains { $0.category != nil }
            var scale = ChartScale(isCategory ? domain + plots : plots + settings.limits.plots)
            scale.isLogarithmic = settings.isLogarithmic
            scale.isThere = !plots.isEmpty || !settings.limits.plots.isEmpty
            return scale
        }
        x = scale(settings.x, drawable.flatMap { [$0.x, $0.xEnd].compactMap(\.self) })
        y = scale(settings.y, drawable.flatMap { [$0.y, $0.yEnd].compactMap(\.self) })
        y.steps = min(max(Int(height / 45), 2), 5)
        guard !hasSectors else {
            place(sectors: drawable)
            return
        }
        place(drawable)
        cover(settings)
    }

    private mutating func place(sectors: [Mark]) {
        for mark in sectors {
            guard mark.kind == .sector, let value = mark.y?.position, value >= 0 else {
                leftOut += 1
                continue
            }
            var placed = PlacedMark(mark: mark)
            placed.value = value
            marks.append(placed)
        }
    }

    // MARK: places

    private mutating func place(_ all: [Mark]) {
        var besides: [String] = []
        for mark in all {
            if let by = mark.style.position?.by.plot.words, !besides.contains(by) { besides.append(by) }
        }
        for mark in all {
            var placed = PlacedMark(mark: mark)
            placed.isHorizontal = isHorizontal(mark)
            placed.x = span(mark.x, mark.xEnd, x)
            placed.y = span(mark.y, mark.yEnd, y)
            if let by = mark.style.position?.by.plot.words {
                placed.place = (besides.firstIndex(of: by) ?? 0, besides.count)
            }
            marks.append(placed)
        }
        stack()
    }

    private func span(_ start: ChartPlot?, _ end: ChartPlot?, _ scale: ChartScale) -> Span? {
        guard let start, let first = scale.span(start) else { return nil }
        guard let end, let last = scale.span(end) else { return first }
        return Span(min(first.lower, last.lower), max(first.upper, last.upper))
    }

    private func isHorizontal(_ mark: Mark) -> Bool {
        if mark.yEnd != nil { return false }
        if mark.xEnd != nil { return true }
        guard let first = mark.x else { return false }
        guard let second = mark.y else { return true }
        return first.isNumber && first.end == nil && (!second.isNumber || second.end != nil)
    }

    // MARK: on each other

    private struct Pile: Hashable {
        var place: Double
        var beside: Int
        var isArea: Bool
        var isHorizontal: Bool
    }

    private mutating func stack() {
        var totals: [Pile: Double] = [:]
        for placed in marks {
            if let (pile, value) = pile(placed) { totals[pile, default: 0] += abs(value) }
        }
        var above: [Pile: Double] = [:]
        var below: [Pile: Double] = [:]
        for index in marks.indices {
            guard let (pile, value) = pile(marks[index]) else { continue }
            var (height, base) = (value, 0.0)
            let total = totals[pile] ?? 0
            switch marks[index].mark.stacking.kind {
            case .unstacked: break
            case .standard: base = value < 0 ? below[pile, default: 0] : above[pile, default: 0]
            case .normalized:
                height = total > 0 ? abs(value) / total : 0
                base = above[pile, default: 0]
            case .center:
                height = abs(value)
                base = above[pile] ?? -total / 2
            }
            if height < 0 { below[pile] = base + height } else { above[pile] = base + height }
            marks[index].value = value
            let span = Span(base, base + height)
            if marks[index].isHorizontal { marks[index].x = span } else { marks[index].y = span }
        }
    }

    /// The stack to which a bar or an area belongs, and its height. Nil if it is not stacked.
    private func pile(_ placed: PlacedMark) -> (Pile, Double)? {
        let mark = placed.mark
        guard mark.kind == .bar || mark.kind == .area, mark.xEnd == nil, mark.yEnd == nil,
            let plot = placed.isHorizontal ? mark.x : mark.y, plot.isNumber, plot.end == nil,
            let value = plot.position
        else { return nil }
        let other = placed.isHorizontal ? placed.y : placed.x
        let pile = Pile(
            place: other?.lower ?? 0, beside: placed.place.index, isArea: mark.kind == .area,
            isHorizontal: placed.isHorizontal)
        return (pile, value)
    }

    // MARK: how far the axes reach

    private mutating func cover(_ settings: ChartSettings) {
        let isFlat = marks.contains { $0.mark.kind == .bar && $0.isHorizontal }
        var xs = marks.compactMap(\.x)
        let ys = marks.compactMap(\.y)
        if x.kind != .category, !isFlat, let half = step(of: marks.filter { $0.mark.kind == .bar }) {
            // Half a bar more at both ends.
            xs = xs.map { Span($0.lower - half / 2, $0.upper + half / 2) }
        }
        x.cover(xs, limits: settings.x.limits, includesZero: isFlat, rounds: isFlat)
        if x.kind != .category, let length = settings.visibleLength, length > 0, length < x.upper - x.lower
        {
            if let start = settings.scrollStart?.position, start.isFinite { x.lower = start }
            x.upper = x.lower + length
        }
        y.cover(ys, limits: settings.y.limits, includesZero: true, rounds: true)
        if settings.x.limits.isReversed { x.flip = true }
        if settings.y.limits.isReversed { y.flip = true }
    }

    /// The smallest distance between bars at numeric positions.
    func step(of bars: [PlacedMark]) -> Double? {
        let places = Set(bars.compactMap { $0.x.flatMap { $0.length == 0 ? $0.lower : nil } }).sorted()
        guard !places.isEmpty else { return nil }
        let usual: Double = x.kind == .time ? 86_400 : 1
        return zip(places, places.dropFirst()).map { $1 - $0 }.min() ?? usual
    }
}
