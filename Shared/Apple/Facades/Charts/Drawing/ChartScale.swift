internal import FoundationExtras

/// A part of an axis in numbers, seconds since 1970, or category positions (the first from 0 to 1).
struct Span: Hashable {
    var lower: Double
    var upper: Double
    init(_ one: Double, _ other: Double) { (lower, upper) = (min(one, other), max(one, other)) }
    var middle: Double { (lower + upper) / 2 }
    var length: Double { upper - lower }
}

/// Maps values to points of the drawing.
struct ChartScale {
    enum Kind { case number, time, category }

    var kind: Kind
    var categories: [String] = []
    var lower = 0.0
    var upper = 1.0
    /// The positions of `lower` and `upper` in points.
    var from = 0.0
    var to = 1.0
    var isLogarithmic = false
    /// The approximate number of round values on the axis.
    var steps = 5
    /// Whether any mark has a value.
    var isThere = true
    /// Whether the axis is reversed.
    var flip = false

    /// A scale for these values. Categories are in order of appearance.
    init(_ plots: [ChartPlot]) {
        if plots.contains(where: { $0.category != nil }) {
            kind = .category
            var seen: Set<String> = []
            categories = plots.map(\.words).filter { seen.insert($0).inserted }
            upper = Double(max(categories.count, 1))
        } else {
            kind = plots.contains(where: \.isDate) ? .time : .number
        }
    }

    /// The position of a value. Nil if it is not on the axis.
    func span(_ plot: ChartPlot) -> Span? {
        guard kind == .category else {
            return plot.position.map { Span($0, plot.end ?? $0) }
        }
        return categories.firstIndex(of: plot.words).map { Span(Double($0), Double($0) + 1) }
    }

    func point(_ value: Double) -> Double {
        let (value, lower, upper) = (transformed(value), transformed(self.lower), transformed(self.upper))
        guard upper > lower else { return (from + to) / 2 }
        let part = (value - lower) / (upper - lower)
        return from + (to - from) * (flip ? 1 - part : part)
    }

    private func transformed(_ value: Double) -> Double {
        isLogarithmic && kind == .number ? log10(max(value, Self.leastLogarithmic)) : value
    }

    private static let leastLogarithmic = 1e-9

    /// The value at a position in points.
    func value(at point: Double) -> Double {
        guard to != from else { return lower }
        let (lower, upper) = (transformed(self.lower), transformed(self.upper))
        let part = (point - from) / (to - from)
        let value = lower + (upper - lower) * (flip ? 1 - part : part)
        return isLogarithmic && kind == .number ? pow(10, value) : value
    }

    /// Extends the limits to the spans, and rounds them if requested.
    mutating func cover(_ spans: [Span], limits: ScaleLimits, includesZero: Bool, rounds: Bool) {
        guard kind != .category else { return }
        let given = limits.plots.compactMap(\.position).filter(\.isFinite)
        if let least = given.min(), let most = given.max(), most > least {
            (lower, upper) = (least, most)
            return
        }
        var (least, most) = (spans.map(\.lower).min() ?? 0, spans.map(\.upper).max() ?? 1)
        if kind == .number, limits.includesZero ?? includesZero, !isLogarithmic {
            (least, most) = (min(least, 0), max(most, 0))
        }
        if least == most {
            if kind == .time {
                (least, most) = (least - 43_200, most + 43_200)
            } else {
                (least, most) = most == 0 ? (0, 1) : (least - abs(least) / 2, most + abs(most) / 2)
            }
        }
        if kind == .number, rounds, !isLogarithmic {
            let step = NumberTicks.step(most - least, count: steps)
            // Sums of fractions are slightly inexact.
            least = (least / step + 1e-9).rounded(.down) * step
            most = (most / step - 1e-9).rounded(.up) * step
        }
        if isLogarithmic, kind == .number {
            least = pow(10, log10(max(least, Self.leastLogarithmic)).rounded(.down))
            most = pow(10, log10(max(most, least * 10)).rounded(.up))
        }
        (lower, upper) = (least, most)
    }
}

extension ChartPlot {
    /// As a category and in legends.
    var words: String {
        switch kind {
        case .category(let name): name
        case .number(let number): ChartFormat.number(number)
        case .date(let date): date.formatted(.dateTime.year().month().day())
        }
    }
}

/// Formats numbers with few characters.
enum ChartFormat {
    static func number(_ value: Double, step: Double? = nil) -> String {
        let size = abs(value)
        if size >= 1e15 || (size > 0 && size < 1e-6) {
            return value.formatted(.number.notation(.scientific).precision(.significantDigits(1...3)))
        }
        var digits = 2
        if let step {
            digits = step >= 1 && step == step.rounded() ? 0 : min(max(Int(-log10(step)) + 2, 1), 8)
        }
        return value.formatted(.number.precision(.fractionLength(0...digits)))
    }
}
