public import FoundationExtras
public import SwiftUI

/// A value that a chart can place: a number, a date or a category.
public protocol Plottable {
    associatedtype PrimitivePlottable: PrimitivePlottableProtocol
    /// What is placed.
    var primitivePlottable: PrimitivePlottable { get }
    /// The value of what was placed; nil where there is none.
    init?(primitivePlottable: PrimitivePlottable)
}

/// One of the values that charts place themselves: numbers, dates and text.
public protocol PrimitivePlottableProtocol {
    /// Where a chart places the value; used by this module only.
    var _plot: ChartPlot { get }
    /// The value at a place; nil where the place is of another kind.
    static func _value(at plot: ChartPlot) -> Self?
}

/// Where a value stands. Programs have no use for it.
public struct ChartPlot: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case number(Double)
        case date(Date)
        case category(String)
    }

    var kind: Kind
    /// End of the day, hour or range that the value stands for; nil: an instant, a point.
    var end: Double?

    init(_ kind: Kind, end: Double? = nil) {
        self.kind = kind
        self.end = end
    }

    /// A number for places on a line: seconds since 1970 for dates; nil for categories.
    var position: Double? {
        switch kind {
        case .number(let number): number
        case .date(let date): date.timeIntervalSince1970
        case .category: nil
        }
    }

    /// Whether it can be drawn at all: infinity and what is no number cannot.
    var isDrawable: Bool { position?.isFinite ?? true }
    var isNumber: Bool { if case .number = kind { true } else { false } }
    var isDate: Bool { if case .date = kind { true } else { false } }
    var category: String? { if case .category(let name) = kind { name } else { nil } }
    /// The middle of the range, or the point itself.
    var middle: Double? { position.map { ($0 + (end ?? $0)) / 2 } }
}

extension PrimitivePlottableProtocol where Self: BinaryInteger {
    public var _plot: ChartPlot { ChartPlot(.number(Double(self))) }
    public static func _value(at plot: ChartPlot) -> Self? {
        guard case .number(let number) = plot.kind, number.isFinite else { return nil }
        return Self(exactly: number.rounded())
    }
}
extension PrimitivePlottableProtocol where Self: BinaryFloatingPoint {
    public var _plot: ChartPlot { ChartPlot(.number(Double(self))) }
    public static func _value(at plot: ChartPlot) -> Self? {
        if case .number(let number) = plot.kind { Self(number) } else { nil }
    }
}

extension Plottable where Self: PrimitivePlottableProtocol {
    public var primitivePlottable: Self { self }
    public init?(primitivePlottable: Self) { self = primitivePlottable }
}

extension Int: Plottable, PrimitivePlottableProtocol {}
extension Int8: Plottable, PrimitivePlottableProtocol {}
extension Int16: Plottable, PrimitivePlottableProtocol {}
extension Int32: Plottable, PrimitivePlottableProtocol {}
extension Int64: Plottable, PrimitivePlottableProtocol {}
extension UInt: Plottable, PrimitivePlottableProtocol {}
extension UInt8: Plottable, PrimitivePlottableProtocol {}
extension UInt16: Plottable, PrimitivePlottableProtocol {}
extension UInt32: Plottable, PrimitivePlottableProtocol {}
extension UInt64: Plottable, PrimitivePlottableProtocol {}
extension Double: Plottable, PrimitivePlottableProtocol {}
extension Float: Plottable, PrimitivePlottableProtocol {}
extension CGFloat: Plottable, PrimitivePlottableProtocol {}

extension Decimal: Plottable, PrimitivePlottableProtocol {
    public var _plot: ChartPlot { ChartPlot(.number(NSDecimalNumber(decimal: self).doubleValue)) }
    public static func _value(at plot: ChartPlot) -> Decimal? {
        Double._value(at: plot).map { Decimal($0) }
    }
}

extension Date: Plottable, PrimitivePlottableProtocol {
    public var _plot: ChartPlot { ChartPlot(.date(self)) }
    public static func _value(at plot: ChartPlot) -> Date? {
        if case .date(let date) = plot.kind { date } else { nil }
    }
}

extension String: Plottable, PrimitivePlottableProtocol {
    public var _plot: ChartPlot { ChartPlot(.category(self)) }
    public static func _value(at plot: ChartPlot) -> String? { plot.category }
}

extension Plottable where Self: RawRepresentable, RawValue: PrimitivePlottableProtocol {
    public var primitivePlottable: RawValue { rawValue }
    public init?(primitivePlottable: RawValue) { self.init(rawValue: primitivePlottable) }
}

/// A value with the words for it.
public struct PlottableValue<Value: Plottable> {
    let label: String
    let plot: ChartPlot

    private init(_ label: String, _ plot: ChartPlot) {
        self.label = label
        self.plot = plot
    }

    /// - Parameter labelKey: what the value is, for readers who cannot see the chart, and above its axis.
    public static func value(_ labelKey: LocalizedStringKey, _ value: Value) -> PlottableValue<Value> {
        PlottableValue(ChartWords.text(labelKey), value.primitivePlottable._plot)
    }

    @_disfavoredOverload
    public static func value<S: StringProtocol>(_ label: S, _ value: Value) -> PlottableValue<Value> {
        PlottableValue(String(label), value.primitivePlottable._plot)
    }

    public static func value(_ label: Text, _ value: Value) -> PlottableValue<Value> {
        PlottableValue(ChartWords.text(label), value.primitivePlottable._plot)
    }
}

extension PlottableValue where Value: Comparable {
    /// From the beginning of the range to its end.
    public static func value(
        _ labelKey: LocalizedStringKey, _ range: Range<Value>
    ) -> PlottableValue<Value> {
        var plot = range.lowerBound.primitivePlottable._plot
        plot.end = range.upperBound.primitivePlottable._plot.position
        return PlottableValue(ChartWords.text(labelKey), plot)
    }
}

extension PlottableValue where Value == Date {
    /// The whole hour, day, week … that `value` lies in.
    public static func value(
        _ labelKey: LocalizedStringKey, _ value: Date, unit: Calendar.Component,
        calendar: Calendar = Calendar.autoupdatingCurrent
    ) -> PlottableValue<Date> {
        PlottableValue(ChartWords.text(labelKey), whole(value, unit, calendar))
    }

    @_disfavoredOverload
    public static func value<S: StringProtocol>(
        _ label: S, _ value: Date, unit: Calendar.Component,
        calendar: Calendar = Calendar.autoupdatingCurrent
    ) -> PlottableValue<Date> {
        PlottableValue(String(label), whole(value, unit, calendar))
    }

    private static func whole(_ date: Date, _ unit: Calendar.Component, _ calendar: Calendar) -> ChartPlot {
        guard let interval = calendar.dateInterval(of: unit, for: date) else {
            return ChartPlot(.date(date))
        }
        return ChartPlot(.date(interval.start), end: interval.end.timeIntervalSince1970)
    }
}

/// Words of a chart's labels.
enum ChartWords {
    static func text(_ key: LocalizedStringKey) -> String { text(Text(key)) }
    static func text(_ text: Text) -> String { text.plain(in: EnvironmentValues()) }
}
