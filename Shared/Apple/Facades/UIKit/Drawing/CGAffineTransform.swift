public import FoundationExtras

/// An affine transformation: x' = a·x + c·y + tx, y' = b·x + d·y + ty.
public struct CGAffineTransform: Sendable, Hashable, Codable {
    /// A coefficient of the matrix.
    public var a: CGFloat
    /// A coefficient of the matrix.
    public var b: CGFloat
    /// A coefficient of the matrix.
    public var c: CGFloat
    /// A coefficient of the matrix.
    public var d: CGFloat
    /// In points.
    public var tx: CGFloat
    /// In points.
    public var ty: CGFloat

    /// The matrix.
    public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }
    /// The identity.
    public init() { self = .identity }
    /// Moves by points.
    public init(translationX tx: CGFloat, y ty: CGFloat) {
        self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty)
    }
    /// Scales from the origin.
    public init(scaleX sx: CGFloat, y sy: CGFloat) { self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0) }
    /// - Parameter angle: in radians, clockwise where y grows downwards.
    public init(rotationAngle angle: CGFloat) {
        self.init(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0)
    }

    /// Changes nothing.
    public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
    /// Whether it changes nothing.
    public var isIdentity: Bool { self == .identity }

    /// Applies this transformation first, then `t2`.
    public func concatenating(_ t2: CGAffineTransform) -> CGAffineTransform {
        CGAffineTransform(
            a: a * t2.a + b * t2.c, b: a * t2.b + b * t2.d, c: c * t2.a + d * t2.c, d: c * t2.b + d * t2.d,
            tx: tx * t2.a + ty * t2.c + t2.tx, ty: tx * t2.b + ty * t2.d + t2.ty)
    }
    /// Applies the new transformation first, then this one.
    public func translatedBy(x tx: CGFloat, y ty: CGFloat) -> CGAffineTransform {
        CGAffineTransform(translationX: tx, y: ty).concatenating(self)
    }
    /// Applies the new transformation first, then this one.
    public func scaledBy(x sx: CGFloat, y sy: CGFloat) -> CGAffineTransform {
        CGAffineTransform(scaleX: sx, y: sy).concatenating(self)
    }
    /// Applies the new transformation first, then this one.
    public func rotated(by angle: CGFloat) -> CGAffineTransform {
        CGAffineTransform(rotationAngle: angle).concatenating(self)
    }
    /// The inverse. The transformation itself if it has none.
    public func inverted() -> CGAffineTransform {
        let area = a * d - b * c
        guard area != 0 else { return self }
        return CGAffineTransform(
            a: d / area, b: -b / area, c: -c / area, d: a / area, tx: (c * ty - d * tx) / area,
            ty: (b * tx - a * ty) / area)
    }

    var attribute: String {
        "transform=\"matrix(\([a, b, c, d, tx, ty].map { SVG.number($0) }.joined(separator: " ")))\""
    }
}

extension CGPoint {
    /// The transformed point.
    public func applying(_ t: CGAffineTransform) -> CGPoint {
        CGPoint(x: t.a * x + t.c * y + t.tx, y: t.b * x + t.d * y + t.ty)
    }
}

/// A direction with a length.
public struct CGVector: Sendable, Hashable, Codable {
    /// In points.
    public var dx: CGFloat
    /// In points.
    public var dy: CGFloat
    /// In points.
    public init(dx: CGFloat, dy: CGFloat) { (self.dx, self.dy) = (dx, dy) }
    /// Without length.
    public init() { self.init(dx: 0, dy: 0) }
    /// Without length.
    public static let zero = CGVector(dx: 0, dy: 0)
}

/// The form of the ends of a line.
public enum CGLineCap: Int32, Sendable, Hashable {
    case butt = 0
    case round, square
    /// The value in CSS and SVG.
    package var css: String { "\(self)" }
}

/// The form of the corners of a line.
public enum CGLineJoin: Int32, Sendable, Hashable {
    case miter = 0
    case round, bevel
    /// The value in CSS and SVG.
    package var css: String { "\(self)" }
}

/// Distances from four edges, in points.
public struct UIEdgeInsets: Sendable, Hashable {
    /// In points.
    public var top: CGFloat
    /// In points.
    public var left: CGFloat
    /// In points.
    public var bottom: CGFloat
    /// In points.
    public var right: CGFloat
    /// In points.
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
    /// Zero on all sides.
    public init() { self.init(top: 0, left: 0, bottom: 0, right: 0) }
    /// Zero on all sides.
    public static let zero = UIEdgeInsets()
}

extension CGRect {
    /// The rectangle without the insets. Negative insets enlarge it.
    public func inset(by insets: UIEdgeInsets) -> CGRect {
        CGRect(
            x: origin.x + insets.left, y: origin.y + insets.top,
            width: size.width - insets.left - insets.right, height: size.height - insets.top - insets.bottom
        )
    }
}

/// A set of corners of a rectangle.
public struct UIRectCorner: OptionSet, Sendable {
    /// Apple's bits.
    public var rawValue: UInt
    /// Unknown bits are ignored.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let topLeft = UIRectCorner(rawValue: 1)
    public static let topRight = UIRectCorner(rawValue: 2)
    public static let bottomLeft = UIRectCorner(rawValue: 4)
    public static let bottomRight = UIRectCorner(rawValue: 8)
    /// All four corners.
    public static let allCorners: UIRectCorner = [.topLeft, .topRight, .bottomLeft, .bottomRight]
}
