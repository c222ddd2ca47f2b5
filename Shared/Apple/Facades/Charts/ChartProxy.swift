public import FoundationExtras
public import SwiftUI

/// Converts between values and positions in a chart, for views behind and in front of it. Positions are in
/// points of the chart's coordinates.
public struct ChartProxy {
    let x: ChartScale
    let y: ChartScale
    let plot: CGRect

    /// In points.
    public var plotSize: CGSize { plot.size }
    /// In points.
    public var plotAreaSize: CGSize { plot.size }

    /// For the subscript of a `GeometryProxy` inside `chartOverlay` or `chartBackground`.
    public var plotFrame: Anchor<CGRect>? { Anchor(placed: plot) }
    /// For the subscript of a `GeometryProxy` inside `chartOverlay` or `chartBackground`.
    public var plotAreaFrame: Anchor<CGRect> { Anchor(placed: plot) }

    /// The distance from the plot's left edge in points. Nil for a value that is not on the axis.
    public func position<P: Plottable>(forX value: P) -> CGFloat? {
        x.span(value.primitivePlottable._plot).map { x.point($0.middle) - plot.minX }
    }
    /// The distance from the plot's upper edge in points. Nil for a value that is not on the axis.
    public func position<P: Plottable>(forY value: P) -> CGFloat? {
        y.span(value.primitivePlottable._plot).map { y.point($0.middle) - plot.minY }
    }
    /// The position relative to the plot. Nil if one of the values is not on its axis.
    public func position<X: Plottable, Y: Plottable>(for value: (x: X, y: Y)) -> CGPoint? {
        guard let x = position(forX: value.x), let y = position(forY: value.y) else { return nil }
        return CGPoint(x: x, y: y)
    }
    /// - Parameter position: in points from the plot's left edge.
    public func value<P: Plottable>(atX position: CGFloat, as type: P.Type = P.self) -> P? {
        Self.value(x, position + plot.minX)
    }
    /// - Parameter position: in points from the plot's upper edge.
    public func value<P: Plottable>(atY position: CGFloat, as type: P.Type = P.self) -> P? {
        Self.value(y, position + plot.minY)
    }

    private static func value<P: Plottable>(_ scale: ChartScale, _ point: Double) -> P? {
        let value = scale.value(at: point)
        let plot: ChartPlot? =
            switch scale.kind {
            case .number: ChartPlot(.number(value))
            case .time: ChartPlot(.date(Date(timeIntervalSince1970: value)))
            case .category:
                Int(exactly: value.rounded(.down)).flatMap {
                    scale.categories.indices.contains($0) ? ChartPlot(.category(scale.categories[$0])) : nil
                }
            }
        return plot.flatMap { P.PrimitivePlottable._value(at: $0) }.flatMap { P(primitivePlottable: $0) }
    }
}
