public import Foundation

/// A rectangle.
nonisolated public struct Rectangle: InsettableShape {
    /// Fills its area.
    public init() {}
    public func path(in rect: CGRect) -> Path { Path(rect) }
    /// Reduced on all sides.
    public func inset(by amount: CGFloat) -> _InsetShape<Rectangle> {
        _InsetShape(shape: self, amount: amount)
    }
}

/// A rectangle with equal rounded corners.
nonisolated public struct RoundedRectangle: InsettableShape {
    /// The radii of the corners in points.
    public var cornerSize: CGSize
    /// Ignored: corners are circular.
    public var style: RoundedCornerStyle
    /// The style is ignored.
    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        self.init(cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
    }
    /// The style is ignored.
    public init(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        self.cornerSize = cornerSize
        self.style = style
    }
    public func path(in rect: CGRect) -> Path { Path(roundedRect: rect, cornerSize: cornerSize) }
    /// Reduced on all sides.
    public func inset(by amount: CGFloat) -> _InsetShape<RoundedRectangle> {
        _InsetShape(shape: self, amount: amount)
    }
}

/// A rectangle with different rounded corners.
nonisolated public struct UnevenRoundedRectangle: InsettableShape {
    /// In points.
    public var cornerRadii: RectangleCornerRadii
    /// Ignored: corners are circular.
    public var style: RoundedCornerStyle
    /// The style is ignored.
    public init(cornerRadii: RectangleCornerRadii, style: RoundedCornerStyle = .continuous) {
        self.cornerRadii = cornerRadii
        self.style = style
    }
    /// The style is ignored.
    public init(
        topLeadingRadius: CGFloat = 0, bottomLeadingRadius: CGFloat = 0, bottomTrailingRadius: CGFloat = 0,
        topTrailingRadius: CGFloat = 0, style: RoundedCornerStyle = .continuous
    ) {
        self.init(
            cornerRadii: RectangleCornerRadii(
                topLeading: topLeadingRadius, bottomLeading: bottomLeadingRadius,
                bottomTrailing: bottomTrailingRadius, topTrailing: topTrailingRadius), style: style)
    }
    public func path(in rect: CGRect) -> Path {
        Path { $0.addRoundedRect(in: rect, cornerRadii: cornerRadii) }
    }
    /// Reduced on all sides.
    public func inset(by amount: CGFloat) -> _InsetShape<UnevenRoundedRectangle> {
        _InsetShape(shape: self, amount: amount)
    }
}

/// A rectangle whose shorter sides are semicircles.
nonisolated public struct Capsule: InsettableShape {
    /// Ignored: corners are circular.
    public var style: RoundedCornerStyle
    /// The style is ignored.
    public init(style: RoundedCornerStyle = .continuous) { self.style = style }
    public func path(in rect: CGRect) -> Path {
        Path(roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2)
    }
    /// Reduced on all sides.
    public func inset(by amount: CGFloat) -> _InsetShape<Capsule> { _InsetShape(shape: self, amount: amount) }
}

/// The largest circle that fits in its area.
nonisolated public struct Circle: InsettableShape {
    /// Centred in its area.
    public init() {}
    public func path(in rect: CGRect) -> Path {
        let side = min(rect.width, rect.height)
        return Path(
            ellipseIn: CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side))
    }
    /// Reduced on all sides.
    public func inset(by amount: CGFloat) -> _InsetShape<Circle> { _InsetShape(shape: self, amount: amount) }
}

/// An ellipse.
nonisolated public struct Ellipse: InsettableShape {
    /// Fills its area.
    public init() {}
    public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
    /// Reduced on all sides.
    public func inset(by amount: CGFloat) -> _InsetShape<Ellipse> { _InsetShape(shape: self, amount: amount) }
}

/// The shape of the containing view. Always a rectangle here.
nonisolated public struct ContainerRelativeShape: InsettableShape {
    /// A rectangle here.
    public init() {}
    public func path(in rect: CGRect) -> Path { Path(rect) }
    /// Reduced on all sides.
    public func inset(by amount: CGFloat) -> _InsetShape<ContainerRelativeShape> {
        _InsetShape(shape: self, amount: amount)
    }
}

/// A shape reduced on all sides.
nonisolated public struct _InsetShape<Base: Shape>: InsettableShape {
    let shape: Base
    let amount: CGFloat
    public func path(in rect: CGRect) -> Path { shape.path(in: rect.insetBy(dx: amount, dy: amount)) }
    /// Reduced on all sides.
    public func inset(by amount: CGFloat) -> _InsetShape<Base> {
        _InsetShape(shape: shape, amount: self.amount + amount)
    }
}

extension Path: Shape {
    public func path(in rect: CGRect) -> Path { self }
}

nonisolated extension Shape where Self == Rectangle {
    /// The same as `Rectangle()`.
    public static var rect: Rectangle { Rectangle() }
}
nonisolated extension Shape where Self == RoundedRectangle {
    /// The style is ignored.
    public static func rect(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous)
        -> RoundedRectangle
    {
        RoundedRectangle(cornerRadius: cornerRadius, style: style)
    }
    /// The style is ignored.
    public static func rect(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) -> RoundedRectangle {
        RoundedRectangle(cornerSize: cornerSize, style: style)
    }
}
nonisolated extension Shape where Self == UnevenRoundedRectangle {
    /// Radii in points; the style is ignored.
    public static func rect(
        topLeadingRadius: CGFloat = 0, bottomLeadingRadius: CGFloat = 0, bottomTrailingRadius: CGFloat = 0,
        topTrailingRadius: CGFloat = 0, style: RoundedCornerStyle = .continuous
    ) -> UnevenRoundedRectangle {
        UnevenRoundedRectangle(
            topLeadingRadius: topLeadingRadius, bottomLeadingRadius: bottomLeadingRadius,
            bottomTrailingRadius: bottomTrailingRadius, topTrailingRadius: topTrailingRadius, style: style)
    }
}
nonisolated extension Shape where Self == Capsule {
    /// The same as `Capsule()`.
    public static var capsule: Capsule { Capsule() }
    /// The style is ignored.
    public static func capsule(style: RoundedCornerStyle) -> Capsule { Capsule(style: style) }
}
nonisolated extension Shape where Self == Circle { public static var circle: Circle { Circle() } }
nonisolated extension Shape where Self == Ellipse { public static var ellipse: Ellipse { Ellipse() } }
nonisolated extension Shape where Self == ContainerRelativeShape {
    /// A rectangle here.
    public static var containerRelative: ContainerRelativeShape { ContainerRelativeShape() }
}
