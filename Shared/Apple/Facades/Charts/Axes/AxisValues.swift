public import FoundationExtras
internal import SwiftUI

/// Which side of a chart an axis stands on.
public struct AxisMarkPosition: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case automatic, leading, trailing, top, bottom }
    let kind: Kind
    /// The bottom; the trailing side for numbers, the leading one for categories.
    public static let automatic = AxisMarkPosition(kind: .automatic)
    public static let leading = AxisMarkPosition(kind: .leading)
    public static let trailing = AxisMarkPosition(kind: .trailing)
    public static let top = AxisMarkPosition(kind: .top)
    public static let bottom = AxisMarkPosition(kind: .bottom)
}

/// How the marks of an axis are arranged.
public struct AxisMarkPreset: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case automatic, extended, aligned, inset }
    let kind: Kind
    public static let automatic = AxisMarkPreset(kind: .automatic)
    /// As `automatic`.
    public static let extended = AxisMarkPreset(kind: .extended)
    /// Labels stay between the ends of the plot.
    public static let aligned = AxisMarkPreset(kind: .aligned)
    /// As `aligned`.
    public static let inset = AxisMarkPreset(kind: .inset)
}

/// Where the marks of an axis stand.
public struct AxisMarkValues: Sendable {
    enum Kind: Sendable {
        case automatic(count: Int?, minimumStride: Double?)
        case numbers(Double)
        case dates(Calendar.Component, Int, Calendar?)
        case list([ChartPlot])
    }
    let kind: Kind

    public static let automatic = AxisMarkValues(kind: .automatic(count: nil, minimumStride: nil))
    /// - Parameter desiredCount: about as many; round values come first.
    public static func automatic(
        desiredCount: Int? = nil, roundLowerBound: Bool? = nil, roundUpperBound: Bool? = nil
    ) -> AxisMarkValues { AxisMarkValues(kind: .automatic(count: desiredCount, minimumStride: nil)) }
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
    public static func stride<P: Plottable & BinaryInteger>(
        by stepSize: P, roundLowerBound: Bool? = nil, roundUpperBound: Bool? = nil
    ) -> AxisMarkValues { AxisMarkValues(kind: .numbers(Double(stepSize))) }
    /// Beginnings of hours, days, weeks …
    /// - Parameter calendar: nil: the one of the place where the chart stands.
    public static func stride(
        by component: Calendar.Component, count: Int = 1, roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil, calendar: Calendar? = nil
    ) -> AxisMarkValues { AxisMarkValues(kind: .dates(component, max(count, 1), calendar)) }
}

/// One place on an axis.
public struct AxisValue {
    let plot: ChartPlot
    /// From 0.
    public let index: Int
    /// How many places the axis has.
    public let count: Int

    /// The value; nil where it is of another kind.
    public func `as`<P: Plottable>(_ type: P.Type) -> P? {
        P.PrimitivePlottable._value(at: plot).flatMap { P(primitivePlottable: $0) }
    }
}

/// Which way the words of an axis run.
public struct AxisValueLabelOrientation: Sendable, Hashable {
    let isVertical: Bool
    public static let automatic = AxisValueLabelOrientation(isVertical: false)
    public static let horizontal = AxisValueLabelOrientation(isVertical: false)
    public static let vertical = AxisValueLabelOrientation(isVertical: true)
    public static let verticalReversed = AxisValueLabelOrientation(isVertical: true)
}

/// What becomes of words that would stand on each other.
public struct AxisValueLabelCollisionResolution: Sendable, Hashable {
    let isDisabled: Bool
    /// The later ones are left out.
    public static let automatic = AxisValueLabelCollisionResolution(isDisabled: false)
    public static let greedy = AxisValueLabelCollisionResolution(isDisabled: false)
    public static let truncate = AxisValueLabelCollisionResolution(isDisabled: false)
    /// All are drawn.
    public static let disabled = AxisValueLabelCollisionResolution(isDisabled: true)
}
