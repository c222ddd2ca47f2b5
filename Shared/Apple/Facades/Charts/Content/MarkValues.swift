public import FoundationExtras
public import SwiftUI

/// The width or height of a mark, or a radius of a sector.
public struct MarkDimension: Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    enum Kind: Sendable {
        case automatic
        case fixed(Double)
        case ratio(Double)
        case inset(Double)
    }
    let kind: Kind

    /// Chosen by the chart.
    public static let automatic = MarkDimension(kind: .automatic)
    /// In points.
    public static func fixed(_ value: CGFloat) -> MarkDimension { MarkDimension(kind: .fixed(value)) }
    /// A fraction of the available length, 0 to 1.
    public static func ratio(_ value: CGFloat) -> MarkDimension { MarkDimension(kind: .ratio(value)) }
    /// In points less than the available length: on each side of a bar; for a radius, from the outside.
    public static func inset(_ value: CGFloat) -> MarkDimension { MarkDimension(kind: .inset(value)) }

    init(kind: Kind) { self.kind = kind }
    /// In points.
    public init(floatLiteral value: Double) { kind = .fixed(value) }
    /// In points.
    public init(integerLiteral value: Int) { kind = .fixed(Double(value)) }

    /// The length in points, if `whole` is available.
    func points(of whole: Double, automatic: Double) -> Double {
        let result: Double =
            switch kind {
            case .automatic: automatic
            case .fixed(let points): points
            case .ratio(let ratio): whole * ratio
            case .inset(let inset): whole - 2 * inset
            }
        return result.isFinite ? max(result, 0) : automatic
    }

    /// The radius in points, if `outer` is the maximum.
    func radius(of outer: Double, automatic: Double) -> Double {
        let result: Double =
            switch kind {
            case .automatic: automatic
            case .fixed(let points): points
            case .ratio(let ratio): outer * ratio
            case .inset(let inset): outer - inset
            }
        return result.isFinite ? min(max(result, 0), outer) : automatic
    }
}

/// How marks at the same position are combined.
public struct MarkStackingMethod: Sendable, Hashable {
    enum Kind: Sendable { case standard, normalized, center, unstacked }
    let kind: Kind
    /// Stacked from zero; negative values downwards.
    public static let standard = MarkStackingMethod(kind: .standard)
    /// As fractions of the total, 0 to 1.
    public static let normalized = MarkStackingMethod(kind: .normalized)
    /// Stacked symmetrically around zero.
    public static let center = MarkStackingMethod(kind: .center)
    /// In front of each other.
    public static let unstacked = MarkStackingMethod(kind: .unstacked)
}

/// How a line runs between its points.
public struct InterpolationMethod: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case linear, monotone, stepStart, stepCenter, stepEnd
        case cardinal(Double)
        case catmullRom(Double)
    }
    let kind: Kind
    /// Straight lines.
    public static let linear = InterpolationMethod(kind: .linear)
    /// A curve that is monotonic where its points are.
    public static let monotone = InterpolationMethod(kind: .monotone)
    /// Steps at the first of two points.
    public static let stepStart = InterpolationMethod(kind: .stepStart)
    /// Steps in the middle.
    public static let stepCenter = InterpolationMethod(kind: .stepCenter)
    /// Steps at the second of two points.
    public static let stepEnd = InterpolationMethod(kind: .stepEnd)
    /// A cardinal spline with tension 0.5.
    public static let cardinal = InterpolationMethod(kind: .cardinal(0.5))
    /// A Catmull-Rom spline.
    public static let catmullRom = InterpolationMethod(kind: .catmullRom(0.5))
    /// - Parameter tension: 0 to 1; 1 gives straight lines.
    public static func cardinal(tension: CGFloat) -> InterpolationMethod {
        InterpolationMethod(kind: .cardinal(tension))
    }
    /// - Parameter alpha: ignored: the knots are evenly spaced.
    public static func catmullRom(alpha: CGFloat) -> InterpolationMethod {
        InterpolationMethod(kind: .catmullRom(alpha))
    }
}

/// The symbol of a point.
public protocol ChartSymbolShape: Sendable {
    /// Internal to this module.
    var _symbol: BasicChartSymbolShape { get }
}

/// The built-in symbols.
public struct BasicChartSymbolShape: ChartSymbolShape, Hashable {
    enum Kind: Sendable, Hashable, CaseIterable {
        case circle, square, triangle, diamond, pentagon, plus, cross, asterisk
    }
    var kind: Kind
    /// In points. If nil, the symbol is filled.
    var lineWidth: Double?

    /// Internal to this module.
    public var _symbol: BasicChartSymbolShape { self }
    public static let circle = BasicChartSymbolShape(kind: .circle)
    public static let square = BasicChartSymbolShape(kind: .square)
    public static let triangle = BasicChartSymbolShape(kind: .triangle)
    public static let diamond = BasicChartSymbolShape(kind: .diamond)
    public static let pentagon = BasicChartSymbolShape(kind: .pentagon)
    public static let plus = BasicChartSymbolShape(kind: .plus)
    public static let cross = BasicChartSymbolShape(kind: .cross)
    public static let asterisk = BasicChartSymbolShape(kind: .asterisk)

}

extension ChartSymbolShape {
    /// Shows the outline only. - Parameter lineWidth: in points.
    public func strokeBorder(lineWidth: CGFloat = 1) -> BasicChartSymbolShape {
        BasicChartSymbolShape(kind: _symbol.kind, lineWidth: lineWidth)
    }
}

extension Circle: ChartSymbolShape {
    /// Internal to this module.
    public var _symbol: BasicChartSymbolShape { .circle }
}
extension Rectangle: ChartSymbolShape {
    /// Internal to this module.
    public var _symbol: BasicChartSymbolShape { .square }
}

extension ChartSymbolShape where Self == BasicChartSymbolShape {
    public static var circle: BasicChartSymbolShape { BasicChartSymbolShape(kind: .circle) }
    public static var square: BasicChartSymbolShape { BasicChartSymbolShape(kind: .square) }
    public static var triangle: BasicChartSymbolShape { BasicChartSymbolShape(kind: .triangle) }
    public static var diamond: BasicChartSymbolShape { BasicChartSymbolShape(kind: .diamond) }
    public static var pentagon: BasicChartSymbolShape { BasicChartSymbolShape(kind: .pentagon) }
    public static var plus: BasicChartSymbolShape { BasicChartSymbolShape(kind: .plus) }
    public static var cross: BasicChartSymbolShape { BasicChartSymbolShape(kind: .cross) }
    public static var asterisk: BasicChartSymbolShape { BasicChartSymbolShape(kind: .asterisk) }
}

/// The position of an annotation relative to its mark, or of a legend or label relative to its chart.
public struct AnnotationPosition: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case automatic, overlay, top, bottom, leading, trailing, topLeading, topTrailing, bottomLeading
        case bottomTrailing
    }
    let kind: Kind
    /// Above.
    public static let automatic = AnnotationPosition(kind: .automatic)
    /// On the mark.
    public static let overlay = AnnotationPosition(kind: .overlay)
    public static let top = AnnotationPosition(kind: .top)
    public static let bottom = AnnotationPosition(kind: .bottom)
    public static let leading = AnnotationPosition(kind: .leading)
    public static let trailing = AnnotationPosition(kind: .trailing)
    public static let topLeading = AnnotationPosition(kind: .topLeading)
    public static let topTrailing = AnnotationPosition(kind: .topTrailing)
    public static let bottomLeading = AnnotationPosition(kind: .bottomLeading)
    public static let bottomTrailing = AnnotationPosition(kind: .bottomTrailing)
}

/// How an annotation that exceeds the chart is treated.
public struct AnnotationOverflowResolution: Sendable, Hashable {
    /// The treatment in one direction.
    public struct Strategy: Sendable, Hashable {
        enum Kind: Sendable, Hashable { case automatic, fit, padScale, disabled }
        let kind: Kind
        /// Moves it inside.
        public static let automatic = Strategy(kind: .automatic)
        /// Moves it inside.
        public static let fit = Strategy(kind: .fit)
        /// Moves it inside.
        public static func fit(to boundary: Boundary) -> Strategy { Strategy(kind: .fit) }
        /// Moves it inside: the axis is not extended.
        public static let padScale = Strategy(kind: .padScale)
        /// Leaves it in place.
        public static let disabled = Strategy(kind: .disabled)
    }

    /// The area in which an annotation is kept. Always the chart.
    public struct Boundary: Sendable, Hashable {
        let name: String
        /// Has no effect: it is always the chart.
        public static let automatic = Boundary(name: "automatic")
        /// Has no effect: it is always the chart.
        public static let chart = Boundary(name: "chart")
        /// Has no effect: it is always the chart.
        public static let plot = Boundary(name: "plot")
    }

    let x: Strategy
    let y: Strategy
    /// Treats both directions separately.
    public init(x: Strategy = .automatic, y: Strategy = .automatic) {
        self.x = x
        self.y = y
    }
    /// Moves it inside in both directions.
    public static let automatic = AnnotationOverflowResolution()
}

/// What is known about the mark of an annotation.
public struct AnnotationContext: Sendable {
    /// The size of the mark in points.
    public let targetSize: CGSize
}
