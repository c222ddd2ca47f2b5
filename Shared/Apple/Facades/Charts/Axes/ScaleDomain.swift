public import FoundationExtras
internal import SwiftUI

/// Which values an axis reaches over.
public protocol ScaleDomain {
    /// Used by this module only.
    var _domain: ScaleLimits { get }
}

/// The ends of an axis, or its categories. Programs have no use for it.
public struct ScaleLimits {
    var plots: [ChartPlot] = []
    var isList = false
    var includesZero: Bool?
    var isReversed = false
}

extension Array: ScaleDomain where Element: Plottable {
    public var _domain: ScaleLimits {
        ScaleLimits(plots: map { $0.primitivePlottable._plot }, isList: true)
    }
}
extension ClosedRange: ScaleDomain where Bound: Plottable {
    public var _domain: ScaleLimits {
        ScaleLimits(plots: [lowerBound.primitivePlottable._plot, upperBound.primitivePlottable._plot])
    }
}
extension Range: ScaleDomain where Bound: Plottable {
    public var _domain: ScaleLimits {
        ScaleLimits(plots: [lowerBound.primitivePlottable._plot, upperBound.primitivePlottable._plot])
    }
}

/// The values that there are.
public struct AutomaticScaleDomain: ScaleDomain, Sendable {
    let includesZero: Bool?
    let isReversed: Bool
    public var _domain: ScaleLimits { ScaleLimits(includesZero: includesZero, isReversed: isReversed) }
}
extension ScaleDomain where Self == AutomaticScaleDomain {
    public static var automatic: AutomaticScaleDomain { .automatic() }
    /// - Parameter includesZero: nil: for bars and heights, yes.
    public static func automatic(includesZero: Bool? = nil, reversed: Bool? = nil) -> AutomaticScaleDomain {
        AutomaticScaleDomain(includesZero: includesZero, isReversed: reversed ?? false)
    }
}

/// The part of the plot that an axis takes.
public struct PlotDimensionScaleRange: Sendable {
    let start: Double
    let end: Double
    public static let plotDimension = PlotDimensionScaleRange(start: 0, end: 0)
    /// Points that stay free at both ends.
    public static func plotDimension(padding: CGFloat) -> PlotDimensionScaleRange {
        PlotDimensionScaleRange(start: padding, end: padding)
    }
    public static func plotDimension(
        startPadding: CGFloat = 0, endPadding: CGFloat = 0
    ) -> PlotDimensionScaleRange { PlotDimensionScaleRange(start: startPadding, end: endPadding) }
}

/// How values become places.
public struct ScaleType: Sendable, Hashable {
    let isLogarithmic: Bool
    public static let linear = ScaleType(isLogarithmic: false)
    /// Each step is ten times the one before; values of 0 and below stand at the lower end.
    public static let log = ScaleType(isLogarithmic: true)
    public static let date = ScaleType(isLogarithmic: false)
    public static let category = ScaleType(isLogarithmic: false)
}
