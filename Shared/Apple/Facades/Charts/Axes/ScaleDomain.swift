public import FoundationExtras
internal import SwiftUI

/// The range of an axis.
public protocol ScaleDomain {
    /// Internal to this module.
    var _domain: ScaleLimits { get }
}

/// The limits of an axis or its categories. Public for protocol requirements only.
public struct ScaleLimits {
    var plots: [ChartPlot] = []
    var isList = false
    var includesZero: Bool?
    var isReversed = false
}

extension Array: ScaleDomain where Element: Plottable {
    /// Internal to this module.
    public var _domain: ScaleLimits {
        ScaleLimits(plots: map { $0.primitivePlottable._plot }, isList: true)
    }
}
extension ClosedRange: ScaleDomain where Bound: Plottable {
    /// Internal to this module.
    public var _domain: ScaleLimits {
        ScaleLimits(plots: [lowerBound.primitivePlottable._plot, upperBound.primitivePlottable._plot])
    }
}
extension Range: ScaleDomain where Bound: Plottable {
    /// Internal to this module.
    public var _domain: ScaleLimits {
        ScaleLimits(plots: [lowerBound.primitivePlottable._plot, upperBound.primitivePlottable._plot])
    }
}

/// The range of the data.
public struct AutomaticScaleDomain: ScaleDomain, Sendable {
    let includesZero: Bool?
    let isReversed: Bool
    /// Internal to this module.
    public var _domain: ScaleLimits { ScaleLimits(includesZero: includesZero, isReversed: isReversed) }
}
extension ScaleDomain where Self == AutomaticScaleDomain {
    /// The range of the data, with zero for bars and areas.
    public static var automatic: AutomaticScaleDomain { .automatic() }
    /// - Parameter includesZero: if nil, whether the axis shows heights.
    public static func automatic(includesZero: Bool? = nil, reversed: Bool? = nil) -> AutomaticScaleDomain {
        AutomaticScaleDomain(includesZero: includesZero, isReversed: reversed ?? false)
    }
}

/// The part of the plot that an axis covers.
public struct PlotDimensionScaleRange: Sendable {
    let start: Double
    let end: Double
    /// The whole plot.
    public static let plotDimension = PlotDimensionScaleRange(start: 0, end: 0)
    /// - Parameter padding: space at both ends in points.
    public static func plotDimension(padding: CGFloat) -> PlotDimensionScaleRange {
        PlotDimensionScaleRange(start: padding, end: padding)
    }
    /// - Parameters: space at the ends in points.
    public static func plotDimension(
        startPadding: CGFloat = 0, endPadding: CGFloat = 0
    ) -> PlotDimensionScaleRange { PlotDimensionScaleRange(start: startPadding, end: endPadding) }
}

/// How values are mapped to positions.
public struct ScaleType: Sendable, Hashable {
    let isLogarithmic: Bool
    /// In proportion to the value.
    public static let linear = ScaleType(isLogarithmic: false)
    /// In proportion to the logarithm. Values of 0 and below are at the lower end.
    public static let log = ScaleType(isLogarithmic: true)
    /// In proportion to the time.
    public static let date = ScaleType(isLogarithmic: false)
    /// At equal distances.
    public static let category = ScaleType(isLogarithmic: false)
}
