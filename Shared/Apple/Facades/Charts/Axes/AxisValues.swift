public import FoundationExtras
internal import SwiftUI

/// The side of a chart on which an axis is placed.
public struct AxisMarkPosition: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case automatic, leading, trailing, top, bottom }
    let kind: Kind
    /// The bottom for x axes. For y axes the trailing side, or the leading side for categories.
    public static let automatic = AxisMarkPosition(kind: .automatic)
    /// For y axes.
    public static let leading = AxisMarkPosition(kind: .leading)
    /// For y axes.
    public static let trailing = AxisMarkPosition(kind: .trailing)
    /// For x axes.
    public static let top = AxisMarkPosition(kind: .top)
    /// For x axes.
    public static let bottom = AxisMarkPosition(kind: .bottom)
}

/// How the labels of an axis are arranged.
public struct AxisMarkPreset: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case automatic, extended, aligned, inset }
    let kind: Kind
    /// Labels may extend beyond the plot.
    public static let automatic = AxisMarkPreset(kind: .automatic)
    /// The same as `automatic`.
    public static let extended = AxisMarkPreset(kind: .extended)
    /// Labels stay within the plot.
    public static let aligned = AxisMarkPreset(kind: .aligned)
    /// The same as `aligned`.
    public static let inset = AxisMarkPreset(kind: .inset)
}

/// The positions of axis marks.
public struct AxisMarkValues: Sendable {
    enum Kind: Sendable {
        case automatic(count: Int?, minimumStride: Double?)
        case numbers(Double)
        case dates(Calendar.Component, Int, Calendar?)
        case list([ChartPlot])
    }
    let kind: Kind

    /// Round values that fit in the space.
    public static let automatic = AxisMarkValues(kind: .automatic(count: nil, minimumStride: nil))
    /// - Parameter desiredCount: the approximate number of marks; round values take precedence.
    public static func automatic(
        desiredCount: Int? = nil, roundLowerBound: Bool? = nil, roundUpperBound: Bool? = nil
    ) -> AxisMarkValues { AxisMarkValues(kind: .automatic(count: desiredCount, minimumStride: nil)) }
    /// - Parameter minimumStride: the smallest distance between marks.
    public static func automatic<P: Plottable & BinaryFloatingPoint>(
        minimumStride: P, desiredCount: Int? = nil, roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil
    ) -> AxisMarkValues {
        AxisMarkValues(kind: .automatic(count: desiredCount, minimumStride: Double(minimumStride)))
    }
    /// Multiples of `stepSize`.
    public static func stride<P: Plottable & BinaryFloatingPoint>(
        by stepSize: P, roundLowerBound: Bool? = nil, roundUpperBound: Bool? = nil
    ) -> AxisMarkValues { AxisMarkValues(kind: .numbers(Double(stepSize))) }
    /// Multiples of `stepSize`.
    public static func stride<P: Plottable & BinaryInteger>(
        by stepSize: P, roundLowerBound: Bool? = nil, roundUpperBound: Bool? = nil
    ) -> AxisMarkValues { AxisMarkValues(kind: .numbers(Double(stepSize))) }
    /// The starts of hours, days, weeks and so on.
    /// - Parameter calendar: if nil, that of the environment.
    public static func stride(
        by component: Calendar.Component, count: Int = 1, roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil, calendar: Calendar? = nil
    ) -> AxisMarkValues { AxisMarkValues(kind: .dates(component, max(count, 1), calendar)) }
}

/// A position on an axis.
public struct AxisValue {
    let plot: ChartPlot
    /// Starts at 0.
    public let index: Int
    /// The number of positions on the axis.
    public let count: Int

    /// The value, or nil if it is of another kind.
    public func `as`<P: Plottable>(_ type: P.Type) -> P? {
        P.PrimitivePlottable._value(at: plot).flatMap { P(primitivePlottable: $0) }
    }
}

/// The direction of axis labels.
public struct AxisValueLabelOrientation: Sendable, Hashable {
    let isVertical: Bool
    /// From left to right.
    public static let automatic = AxisValueLabelOrientation(isVertical: false)
    /// From left to right.
    public static let horizontal = AxisValueLabelOrientation(isVertical: false)
    /// Rotated by 90 degrees, read upwards.
    public static let vertical = AxisValueLabelOrientation(isVertical: true)
    /// Rotated by 90 degrees, read upwards.
    public static let verticalReversed = AxisValueLabelOrientation(isVertical: true)
}

/// How overlapping labels are resolved.
public struct AxisValueLabelCollisionResolution: Sendable, Hashable {
    let isDisabled: Bool
    /// Labels that overlap an earlier one are omitted.
    public static let automatic = AxisValueLabelCollisionResolution(isDisabled: false)
    /// The same as `automatic`.
    public static let greedy = AxisValueLabelCollisionResolution(isDisabled: false)
    /// The same as `automatic`.
    public static let truncate = AxisValueLabelCollisionResolution(isDisabled: false)
    /// All labels are shown.
    public static let disabled = AxisValueLabelCollisionResolution(isDisabled: true)
}
