public import FoundationExtras
public import SwiftUI

/// A value that a chart can plot: a number, a date or a category.
public protocol Plottable {
    associatedtype PrimitivePlottable: PrimitivePlottableProtocol
    /// The value that is plotted.
    var primitivePlottable: PrimitivePlottable { get }
    /// Restores the value from the plotted one. Nil if there is none.
    init?(primitivePlottable: PrimitivePlottable)
}

/// A value that charts plot directly: a number, a date or a text.
public protocol PrimitivePlottableProtocol {
    /// The position of the value. Internal to this module.
    var _plot: ChartPlot { get }
    /// The value at a position. Nil if the position is of another kind.
    static func _value(at plot: ChartPlot) -> Self?
}

/// A plotted position. Public for protocol requirements only.
public struct ChartPlot: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case number(Double)
        case date(Date)
        case category(String)
    }

    var kind: Kind
    /// The end of the day, hour or range that the value covers. If nil, a single point.
    var end: Double?

    init(_ kind: Kind, end: Double? = nil) {
        self.kind = kind
        self.end = end
    }

    /// The position as a number: for dates, seconds since 1970. Nil for categories.
    var position: Double? {
        switch kind {
        case .number(let number): number
        case .date(let date): date.timeIntervalSince1970
        case .category: nil
        }
    }

    /// Whether it can be drawn; infinite values cannot.
    var isDrawable: Bool { position?.isFinite ?? true }
    var isNumber: Bool { if case .number = kind { true } else { false } }
    var isDate: Bool { if case .date = kind { true } else { false } }
    var category: String? { if case .category(let name) = kind { name } else { nil } }
    /// The middle of the range, or the point itself.
    var middle: Double? { position.map { ($0 + (end ?? $0)) / 2 } }
}

extension PrimitivePlottableProtocol where Self: BinaryInteger {
    /// Internal to this module.
    public var _plot: ChartPlot { ChartPlot(.number(Double(self))) }
    /// Internal to this module.
    public static func _value(at plot: ChartPlot) -> Self? {
        guard case .number(let number) = plot.kind, number.isFinite else { return nil }
        return Self(exactly: number.rounded())
    }
}
extension PrimitivePlottableProtocol where Self: BinaryFloatingPoint {
    /// Internal to this module.
    public var _plot: ChartPlot { ChartPlot(.number(Double(self))) }
    /// Internal to this module.
    public static func _value(at plot: ChartPlot) -> Self? {
        if case .number(let number) = plot.kind { Self(number) } else { nil }
    }
}

extension Plottable where Self: PrimitivePlottableProtocol {
    /// The value itself.
    public var primitivePlottable: Self { self }
    /// Never nil.
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
    /// Internal to this module.
    public var _plot: ChartPlot { ChartPlot(.number(NSDecimalNumber(decimal: self).doubleValue)) }
    /// Internal to this module.
    public static func _value(at plot: ChartPlot) -> Decimal? {
        Double._value(at: plot).map { Decimal($0) }
    }
}

extension Date: Plottable, PrimitivePlottableProtocol {
    /// Internal to this module.
    public var _plot: ChartPlot { ChartPlot(.date(self)) }
    /// Internal to this module.
    public static func _value(at plot: ChartPlot) -> Date? {
        if case .date(let date) = plot.kind { date } else { nil }
    }
}

extension String: Plottable, PrimitivePlottableProtocol {
    /// Internal to this module.
    public var _plot: ChartPlot { ChartPlot(.category(self)) }
    /// Internal to this module.
    public static func _value(at plot: ChartPlot) -> String? { plot.category }
}

extension Plottable where Self: RawRepresentable, RawValue: PrimitivePlottableProtocol {
    /// The raw value.
    public var primitivePlottable: RawValue { rawValue }
    /// Nil if no case has the raw value.
    public init?(primitivePlottable: RawValue) { self.init(rawValue: primitivePlottable) }
}

/// A value with its label.
public struct PlottableValue<Value: Plottable> {
    let label: String
    let plot: ChartPlot

    private init(_ label: String, _ plot: ChartPlot) {
        self.label = label
        self.plot = plot
    }

    /// - Parameter labelKey: what the value is; used in the table for assistive technology and the tips of
    /// marks.
    public static func value(_ labelKey: LocalizedStringKey, _ value: Value) -> PlottableValue<Value> {
        PlottableValue(ChartWords.text(labelKey), value.primitivePlottable._plot)
    }

    /// The same with another kind of label.
    @_disfavoredOverload
    public static func value<S: StringProtocol>(_ label: S, _ value: Value) -> PlottableValue<Value> {
        PlottableValue(String(label), value.primitivePlottable._plot)
    }

    /// The same with another kind of label.
    public static func value(_ label: Text, _ value: Value) -> PlottableValue<Value> {
        PlottableValue(ChartWords.text(label), value.primitivePlottable._plot)
    }
}

extension PlottableValue where Value: Comparable {
    /// A range; the mark covers it.
    public static func value(
        _ labelKey: LocalizedStringKey, _ range: Range<Value>
    ) -> PlottableValue<Value> {
        var plot = range.lowerBound.primitivePlottable._plot
        plot.end = range.upperBound.primitivePlottable._plot.position
        return PlottableValue(ChartWords.text(labelKey), plot)
    }
}

extension PlottableValue where Value == Date {
    /// The hour, day, week or other unit that contains `value`.
    public static func value(
        _ labelKey: LocalizedStringKey, _ value: Date, unit: Calendar.Component,
        calendar: Calendar = Calendar.autoupdatingCurrent
    ) -> PlottableValue<Date> {
        PlottableValue(ChartWords.text(labelKey), whole(value, unit, calendar))
    }

    /// The same with a label that is not localized.
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

/// Resolves the labels of charts.
enum ChartWords {
    static func text(_ key: LocalizedStringKey) -> String { text(Text(key)) }
    static func text(_ text: Text) -> String { text.plain(in: EnvironmentValues()) }
}
