internal import FoundationExtras
internal import SwiftUI
internal import UIKit

/// The marks of one axis on one side, with their labels.
struct ChartAxis {
    enum Side { case leading, trailing, top, bottom }

    struct Place {
        var value: Double
        /// The position of the next mark, or the end of the axis.
        var next: Double
        var words: String?
        var parts: [AxisPart]
    }

    var side: Side
    var isAligned: Bool
    var places: [Place]
    /// Whether each mark represents a bar, a day or a category up to the next one.
    var isBinned: Bool

    var isVertical: Bool { side == .leading || side == .trailing }
    static let fontSize = 11.0

    /// The space that the labels need next to the plot, in points.
    @MainActor var room: Double {
        let labelled = places.filter { $0.words != nil }
        guard !labelled.isEmpty else {
            return places.contains { $0.parts.contains { $0.kind == .tick } } ? 6 : 0
        }
        guard isVertical else { return 20 }
        let widest = labelled.map { TextMetrics.width($0.words ?? "", size: Self.fontSize) }.max() ?? 0
        return min(widest, 140) + 8
    }

    /// The axes for one direction.
    /// - Parameter length: of the plot in that direction, in points.
    @MainActor static func axes(
        _ scale: ChartScale, _ settings: ChartSettings.AxisSettings, isVertical: Bool, length: Double,
        bin: Double?, _ context: RenderContext
    ) -> [ChartAxis] {
        guard settings.visibility != .hidden, scale.isThere || settings.recipes != nil else { return [] }
        let recipes =
            settings.recipes ?? [
                AxisRecipe(
                    position: .automatic, preset: .automatic, values: .automatic,
                    parts: scale.kind == .category
                        ? { _ in AxisValueLabel()._parts } : AxisMarks.standard(nil))
            ]
        return recipes.map { recipe in
            let ticks = Ticks(scale, recipe.values, isVertical: isVertical, length: length, context)
            let values = ticks.plots.enumerated().map {
                AxisValue(plot: $0.element, index: $0.offset, count: ticks.plots.count)
            }
            var places: [Place] = []
            for (number, value) in values.enumerated() {
                guard let span = scale.span(value.plot), span.upper >= scale.lower - 1e-9,
                    span.lower <= scale.upper + 1e-9
                else { continue }
                let parts = recipe.parts(value)
                let following = number + 1 < values.count ? scale.span(values[number + 1].plot)?.lower : nil
                let next = span.length > 0 ? span.upper : following ?? scale.upper
                let label = parts.first { $0.kind == .label }
                let words = label.map { self.words($0, value, context) ?? ticks.words(value.plot, context) }
                places.append(Place(value: span.lower, next: next, words: words, parts: parts))
            }
            return ChartAxis(
                side: side(recipe.position, scale, isVertical: isVertical),
                isAligned: recipe.preset == .aligned || recipe.preset == .inset, places: places,
                isBinned: scale.kind == .category || ticks.fills(bin))
        }
    }

    /// The label's own text. If nil, the formatted value.
    @MainActor private static func words(
        _ part: AxisPart, _ value: AxisValue, _ context: RenderContext
    ) -> String? {
        guard let view = part.view else { return part.words?(value) }
        return PlainText.of(context.measuring.nodes(of: view, at: "axis\(value.index)"))
            .split(separator: "\n").joined(separator: " ")
    }

    private static func side(
        _ position: AxisMarkPosition, _ scale: ChartScale, isVertical: Bool
    ) -> Side {
        switch (position.kind, isVertical) {
        case (.top, false): .top
        case (_, false): .bottom
        case (.leading, true): .leading
        case (.trailing, true): .trailing
        default: scale.kind == .category ? .leading : .trailing
        }
    }

    /// The values of an axis.
    private struct Ticks {
        var plots: [ChartPlot] = []
        /// The distance between two values, in numbers or seconds.
        var step = 0.0

        @MainActor init(
            _ scale: ChartScale, _ values: AxisMarkValues, isVertical: Bool, length: Double,
            _ context: RenderContext
        ) {
            let calendar = context.environment.calendar
            switch values.kind {
            case .list(let list):
                plots = Array(list.prefix(ChartLimits.ticksMax))
                let places = plots.compactMap(\.position)
                step = zip(places, places.dropFirst()).map { abs($1 - $0) }.filter { $0 > 0 }.min() ?? 0
            case .numbers(let stride): number(scale, stride)
            case .dates(let component, let count, let own):
                let seconds = TimeTicks.strides.first { $0.component == component }?.seconds ?? 86_400
                step = seconds * Double(count)
                time(scale, component, count, own ?? calendar)
            case .automatic(let count, let least):
                switch scale.kind {
                case .category: plots = scale.categories.map { ChartPlot(.category($0)) }
                case .time:
                    let stride = TimeTicks.stride(
                        scale.upper - scale.lower, count: count ?? max(Int(length / 44), 1))
                    step = stride.seconds
                    time(scale, stride.component, stride.count, calendar)
                case .number where scale.isLogarithmic:
                    plots = NumberTicks.logarithmic(scale).map { ChartPlot(.number($0)) }
                case .number:
                    let fitting = isVertical ? scale.steps : min(max(Int(length / 56), 1), 5)
                    let stride = NumberTicks.step(scale.upper - scale.lower, count: count ?? fitting)
                    number(scale, max(stride, least ?? 0))
                }
            }
        }

        private mutating func number(_ scale: ChartScale, _ stride: Double) {
            step = stride
            plots = NumberTicks.values(scale, step: stride).map { ChartPlot(.number($0)) }
        }

        private mutating func time(
            _ scale: ChartScale, _ component: Calendar.Component, _ count: Int, _ calendar: Calendar
        ) {
            plots = TimeTicks.values(scale, component, count, calendar)
                .map { ChartPlot(.date(Date(timeIntervalSince1970: $0))) }
        }

        @MainActor func words(_ plot: ChartPlot, _ context: RenderContext) -> String {
            switch plot.kind {
            case .category(let name): name
            case .number(let number): ChartFormat.number(number, step: step > 0 ? step : nil)
            case .date(let date):
                TimeTicks.words(date.timeIntervalSince1970, step, context.environment)
            }
        }

        /// Whether the space between two marks is one bar.
        func fills(_ bin: Double?) -> Bool { bin.map { step > 0 && step <= $0 * 1.5 } ?? false }
    }
}
