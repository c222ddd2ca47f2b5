public import Foundation

/// An angle.
nonisolated public struct Angle: Hashable, Comparable, Sendable {
    /// The stored unit.
    public var radians: Double
    /// Converted from and to radians.
    public var degrees: Double {
        get { radians * 180 / .pi }
        set { radians = newValue * .pi / 180 }
    }
    /// Zero.
    public init() { radians = 0 }
    /// - Parameter radians: a full turn is 2π.
    public init(radians: Double) { self.radians = radians }
    /// - Parameter degrees: a full turn is 360.
    public init(degrees: Double) { radians = degrees * .pi / 180 }
    /// No rotation.
    public static let zero = Angle()
    /// A full turn is 2π.
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }
    /// A full turn is 360.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
    public static func < (one: Angle, other: Angle) -> Bool { one.radians < other.radians }
    public static func + (one: Angle, other: Angle) -> Angle { Angle(radians: one.radians + other.radians) }
    public static func - (one: Angle, other: Angle) -> Angle { Angle(radians: one.radians - other.radians) }
    public static prefix func - (angle: Angle) -> Angle { Angle(radians: -angle.radians) }
    /// Multiplies the angle.
    public static func * (angle: Angle, factor: Double) -> Angle { Angle(radians: angle.radians * factor) }
    /// Divides the angle.
    public static func / (angle: Angle, divisor: Double) -> Angle { Angle(radians: angle.radians / divisor) }
    public static func += (one: inout Angle, other: Angle) { one.radians += other.radians }
    public static func -= (one: inout Angle, other: Angle) { one.radians -= other.radians }
}

/// A point relative to a view: 0 is the leading or top edge, 1 the trailing or bottom edge.
nonisolated public struct UnitPoint: Hashable, Sendable {
    /// 0 at the leading edge, 1 at the trailing one.
    public var x: CGFloat
    /// 0 at the top, 1 at the bottom.
    public var y: CGFloat
    /// The top leading corner.
    public init() { (x, y) = (0, 0) }
    /// Values outside of 0 to 1 are outside of the view.
    public init(x: CGFloat, y: CGFloat) {
        self.x = x
        self.y = y
    }
    /// The top leading corner.
    public static let zero = UnitPoint(x: 0, y: 0)
    public static let center = UnitPoint(x: 0.5, y: 0.5)
    public static let leading = UnitPoint(x: 0, y: 0.5)
    public static let trailing = UnitPoint(x: 1, y: 0.5)
    public static let top = UnitPoint(x: 0.5, y: 0)
    public static let bottom = UnitPoint(x: 0.5, y: 1)
    public static let topLeading = UnitPoint(x: 0, y: 0)
    public static let topTrailing = UnitPoint(x: 1, y: 0)
    public static let bottomLeading = UnitPoint(x: 0, y: 1)
    public static let bottomTrailing = UnitPoint(x: 1, y: 1)
}

/// Distances from the edges of a view, in points.
nonisolated public struct EdgeInsets: Hashable, Sendable {
    /// In points. Negative values extend beyond the edge.
    public var top: CGFloat
    /// In points. Negative values extend beyond the edge.
    public var leading: CGFloat
    /// In points. Negative values extend beyond the edge.
    public var bottom: CGFloat
    /// In points. Negative values extend beyond the edge.
    public var trailing: CGFloat
    /// Zero on all sides.
    public init() { (top, leading, bottom, trailing) = (0, 0, 0, 0) }
    /// In points.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
    init(_ edges: Edge.Set, _ length: CGFloat) {
        self.init(
            top: edges.contains(.top) ? length : 0, leading: edges.contains(.leading) ? length : 0,
            bottom: edges.contains(.bottom) ? length : 0, trailing: edges.contains(.trailing) ? length : 0)
    }
    /// The CSS value. Negative insets become margins and are 0 here.
    var css: String {
        [top, trailing, bottom, leading].map { CSS.points(max($0, 0)) }.joined(separator: " ")
    }
}

/// An edge of a view.
nonisolated public enum Edge: Int8, CaseIterable, Sendable {
    case top
    case leading
    case bottom
    case trailing

    /// A set of edges.
    nonisolated public struct Set: OptionSet, Sendable {
        /// A bit for each edge.
        public let rawValue: Int8
        /// Unknown bits are ignored.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// A single edge.
        public init(_ edge: Edge) { rawValue = 1 << edge.rawValue }
        public static let top = Set(.top)
        public static let leading = Set(.leading)
        public static let bottom = Set(.bottom)
        public static let trailing = Set(.trailing)
        /// All edges.
        public static let all: Set = [.top, .leading, .bottom, .trailing]
        /// The leading and trailing edges.
        public static let horizontal: Set = [.leading, .trailing]
        /// The top and bottom edges.
        public static let vertical: Set = [.top, .bottom]
    }
}

/// A leading or trailing edge.
nonisolated public enum HorizontalEdge: Int8, CaseIterable, Codable, Sendable {
    case leading
    case trailing
    /// A set of values.
    nonisolated public struct Set: OptionSet, Sendable {
        /// A bit for each value.
        public let rawValue: Int8
        /// Unknown bits are ignored.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let leading = Set(rawValue: 1)
        public static let trailing = Set(rawValue: 2)
        public static let all = Set(rawValue: 3)
    }
}

/// A top or bottom edge.
nonisolated public enum VerticalEdge: Int8, CaseIterable, Codable, Sendable {
    case top
    case bottom
    /// A set of values.
    nonisolated public struct Set: OptionSet, Sendable {
        /// A bit for each value.
        public let rawValue: Int8
        /// Unknown bits are ignored.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let top = Set(rawValue: 1)
        public static let bottom = Set(rawValue: 2)
        public static let all = Set(rawValue: 3)
    }
}

/// A direction.
nonisolated public enum Axis: Int8, CaseIterable, Sendable {
    case horizontal
    case vertical
    /// A set of values.
    nonisolated public struct Set: OptionSet, Sendable {
        /// A bit for each value.
        public let rawValue: Int8
        /// Unknown bits are ignored.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }
}

/// The radii of the corners of a rectangle, in points.
nonisolated public struct RectangleCornerRadii: Hashable, Sendable {
    /// In points.
    public var topLeading: CGFloat
    /// In points.
    public var bottomLeading: CGFloat
    /// In points.
    public var bottomTrailing: CGFloat
    /// In points.
    public var topTrailing: CGFloat
    /// Square corners by default.
    public init(
        topLeading: CGFloat = 0, bottomLeading: CGFloat = 0, bottomTrailing: CGFloat = 0,
        topTrailing: CGFloat = 0
    ) {
        self.topLeading = topLeading
        self.bottomLeading = bottomLeading
        self.bottomTrailing = bottomTrailing
        self.topTrailing = topTrailing
    }
}

/// The form of rounded corners. Both are rendered as circular arcs.
nonisolated public enum RoundedCornerStyle: Hashable, Sendable {
    case circular
    case continuous
}

/// An offered size. Nil lets the view choose.
nonisolated public struct ProposedViewSize: Hashable, Sendable {
    /// In points, or nil.
    public var width: CGFloat?
    /// In points, or nil.
    public var height: CGFloat?
    /// Nil lets the view choose.
    public init(width: CGFloat?, height: CGFloat?) {
        self.width = width
        self.height = height
    }
    /// Both are fixed.
    public init(_ size: CGSize) { self.init(width: size.width, height: size.height) }
    /// Asks for the minimum size.
    public static let zero = ProposedViewSize(width: 0, height: 0)
    /// Asks for the ideal size.
    public static let unspecified = ProposedViewSize(width: nil, height: nil)
    /// Asks for the maximum size.
    public static let infinity = ProposedViewSize(width: .infinity, height: .infinity)
}
