public import FoundationExtras
public import SwiftUI

/// How wide or high a mark is, or how far from the middle a sector begins and ends.
public struct MarkDimension: Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    enum Kind: Sendable {
        case automatic
        case fixed(Double)
        case ratio(Double)
        case inset(Double)
    }
    let kind: Kind

    public static let automatic = MarkDimension(kind: .automatic)
    /// Points.
    public static func fixed(_ value: CGFloat) -> MarkDimension { MarkDimension(kind: .fixed(value)) }
    /// A part of what there is, 0 to 1.
    public static func ratio(_ value: CGFloat) -> MarkDimension { MarkDimension(kind: .ratio(value)) }
    /// Points less than what there is: on each side of a bar; of a radius, from the outside.
    public static func inset(_ value: CGFloat) -> MarkDimension { MarkDimension(kind: .inset(value)) }

    init(kind: Kind) { self.kind = kind }
    public init(floatLiteral value: Double) { kind = .fixed(value) }
    public init(integerLiteral value: Int) { kind = .fixed(Double(value)) }

    /// Points of `whole`.
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

    /// A radius, where `outer` is the largest there is.
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

/// What becomes of marks at the same place.
public struct MarkStackingMethod: Sendable, Hashable {
    enum Kind: Sendable { case standard, normalized, center, unstacked }
    let kind: Kind
    /// One on the other, from zero; those below zero downwards.
    public static let standard = MarkStackingMethod(kind: .standard)
    /// As parts of the whole, 0 to 1.
    public static let normalized = MarkStackingMethod(kind: .normalized)
    /// One on the other, as much above zero as below.
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
    public static let linear = InterpolationMethod(kind: .linear)
    /// A curve that rises only where its points do.
    public static let monotone = InterpolationMethod(kind: .monotone)
    public static let stepStart = InterpolationMethod(kind: .stepStart)
    public static let stepCenter = InterpolationMethod(kind: .stepCenter)
    public static let stepEnd = InterpolationMethod(kind: .stepEnd)
    public static let cardinal = InterpolationMethod(kind: .cardinal(0.5))
    public static let catmullRom = InterpolationMethod(kind: .catmullRom(0.5))
    /// - Parameter tension: 0 to 1; 1 is straight.
    public static func cardinal(tension: CGFloat) -> InterpolationMethod {
        InterpolationMethod(kind: .cardinal(tension))
    }
    /// - Parameter alpha: 0 to 1; drawn with evenly spaced knots, so it only says how round the curve is.
    public static func catmullRom(alpha: CGFloat) -> InterpolationMethod {
        InterpolationMethod(kind: .catmullRom(alpha))
    }
}

/// The form of a point.
public protocol ChartSymbolShape: Sendable {
    /// Which form; used by this module only.
    var _symbol: BasicChartSymbolShape { get }
}

/// The forms there are.
public struct BasicChartSymbolShape: ChartSymbolShape, Hashable {
    enum Kind: Sendable, Hashable, CaseIterable {
        case circle, square, triangle, diamond, pentagon, plus, cross, asterisk
    }
    var kind: Kind
    /// Points; nil: filled.
    var lineWidth: Double?

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
    /// Only its outline.
    public func strokeBorder(lineWidth: CGFloat = 1) -> BasicChartSymbolShape {
        BasicChartSymbolShape(kind: _symbol.kind, lineWidth: lineWidth)
    }
}

extension Circle: ChartSymbolShape {
    public var _symbol: BasicChartSymbolShape { .circle }
}
extension Rectangle: ChartSymbolShape {
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

/// Where a note stands beside its mark, or a legend or label beside its chart.
public struct AnnotationPosition: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case automatic, overlay, top, bottom, leading, trailing, topLeading, topTrailing, bottomLeading
        case bottomTrailing
    }
    let kind: Kind
    /// Above.
    public static let automatic = AnnotationPosition(kind: .automatic)
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

/// What becomes of a note that would stand outside of the chart.
public struct AnnotationOverflowResolution: Sendable, Hashable {
    /// What to do in one direction.
    public struct Strategy: Sendable, Hashable {
        enum Kind: Sendable, Hashable { case automatic, fit, padScale, disabled }
        let kind: Kind
        /// Moved inside.
        public static let automatic = Strategy(kind: .automatic)
        /// Moved inside.
        public static let fit = Strategy(kind: .fit)
        /// Moved inside.
        public static func fit(to boundary: Boundary) -> Strategy { Strategy(kind: .fit) }
        /// Moved inside: the axis stays as it is.
        public static let padScale = Strategy(kind: .padScale)
        /// Left where it is.
        public static let disabled = Strategy(kind: .disabled)
    }

    /// What a note is kept inside of: the chart in each case.
    public struct Boundary: Sendable, Hashable {
        let name: String
        public static let automatic = Boundary(name: "automatic")
        public static let chart = Boundary(name: "chart")
        public static let plot = Boundary(name: "plot")
    }

    let x: Strategy
    let y: Strategy
    public init(x: Strategy = .automatic, y: Strategy = .automatic) {
        self.x = x
        self.y = y
    }
    public static let automatic = AnnotationOverflowResolution()
}

/// What the maker of a note may know of its place.
public struct AnnotationContext: Sendable {
    /// Points of the mark's size.
    public let targetSize: CGSize
}
