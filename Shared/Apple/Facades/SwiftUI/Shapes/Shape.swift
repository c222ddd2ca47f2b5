public import Foundation
public import UIKit

/// A form that fills the place it is given.
nonisolated public protocol Shape: Sendable, Animatable, View {
    /// The outline inside `rect`, in points.
    func path(in rect: CGRect) -> Path
    /// The size that the shape takes of `proposal`.
    func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize
}

nonisolated extension Shape {
    public func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
        CGSize(width: proposal.width ?? 10, height: proposal.height ?? 10)
    }
}

extension Shape {
    /// The shape in the foreground style of its place.
    public var body: _ShapeView<Self, ForegroundStyle> {
        _ShapeView(shape: self, style: ForegroundStyle(), fillStyle: FillStyle())
    }
}

/// A shape that can be made smaller on all sides.
nonisolated public protocol InsettableShape: Shape {
    associatedtype InsetShape: InsettableShape
    /// The shape `amount` points smaller on each side.
    func inset(by amount: CGFloat) -> InsetShape
}

/// Which parts of a path with crossing lines are filled.
nonisolated public struct FillStyle: Equatable, Sendable {
    public var isEOFilled: Bool
    public var isAntialiased: Bool
    public init(eoFill: Bool = false, antialiased: Bool = true) {
        isEOFilled = eoFill
        isAntialiased = antialiased
    }
}

/// How a line is drawn; lengths in points.
nonisolated public struct StrokeStyle: Equatable, Sendable {
    public var lineWidth: CGFloat
    public var lineCap: CGLineCap
    public var lineJoin: CGLineJoin
    public var miterLimit: CGFloat
    public var dash: [CGFloat]
    public var dashPhase: CGFloat
    public init(
        lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter,
        miterLimit: CGFloat = 10,
        dash: [CGFloat] = [], dashPhase: CGFloat = 0
    ) {
        self.lineWidth = lineWidth
        self.lineCap = lineCap
        self.lineJoin = lineJoin
        self.miterLimit = miterLimit
        self.dash = dash
        self.dashPhase = dashPhase
    }
}

nonisolated extension Shape {
    /// The shape filled.
    public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> _ShapeView<Self, S> {
        _ShapeView(shape: self, style: content, fillStyle: style)
    }
    /// The shape filled with the foreground style.
    public func fill(style: FillStyle = FillStyle()) -> _ShapeView<Self, ForegroundStyle> {
        _ShapeView(shape: self, style: ForegroundStyle(), fillStyle: style)
    }
    /// The outline of the shape.
    public func stroke<S: ShapeStyle>(
        _ content: S, style: StrokeStyle, antialiased: Bool = true
    ) -> _StrokeView<Self, S> { _StrokeView(shape: self, style: content, stroke: style, isInside: false) }
    /// The outline of the shape, `lineWidth` points wide.
    public func stroke<S: ShapeStyle>(
        _ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true
    ) -> _StrokeView<Self, S> { stroke(content, style: StrokeStyle(lineWidth: lineWidth)) }
    /// The outline of the shape as a shape.
    public func stroke(style: StrokeStyle) -> _StrokedShape<Self> { _StrokedShape(shape: self, style: style) }
    /// The outline of the shape as a shape, `lineWidth` points wide.
    public func stroke(lineWidth: CGFloat = 1) -> _StrokedShape<Self> {
        stroke(style: StrokeStyle(lineWidth: lineWidth))
    }
    /// The part of the outline between two shares of its length, from 0 to 1.
    public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> _ChangedShape<Self> {
        changed { shape, rect in shape.path(in: rect).trimmedPath(from: startFraction, to: endFraction) }
    }
    /// The shape moved by points.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> _ChangedShape<Self> {
        changed { shape, rect in shape.path(in: rect).offsetBy(dx: x, dy: y) }
    }
    public func offset(_ offset: CGSize) -> _ChangedShape<Self> {
        self.offset(x: offset.width, y: offset.height)
    }
    /// The shape turned clockwise.
    public func rotation(_ angle: Angle, anchor: UnitPoint = .center) -> _ChangedShape<Self> {
        let (sine, cosine) = (CGFloat(sin(angle.radians)), CGFloat(cos(angle.radians)))
        return changed { shape, rect in
            let (cx, cy) = (rect.minX + anchor.x * rect.width, rect.minY + anchor.y * rect.height)
            return shape.path(in: rect).mapPoints {
                let (dx, dy) = ($0.x - cx, $0.y - cy)
                return CGPoint(x: cx + dx * cosine - dy * sine, y: cy + dx * sine + dy * cosine)
            }
        }
    }
    /// The shape made larger.
    public func scale(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> _ChangedShape<Self> {
        changed { shape, rect in
            let (cx, cy) = (rect.minX + anchor.x * rect.width, rect.minY + anchor.y * rect.height)
            return shape.path(in: rect).mapPoints {
                CGPoint(x: cx + ($0.x - cx) * x, y: cy + ($0.y - cy) * y)
            }
        }
    }
    public func scale(_ scale: CGFloat, anchor: UnitPoint = .center) -> _ChangedShape<Self> {
        self.scale(x: scale, y: scale, anchor: anchor)
    }
    /// The shape in a size of its own, in points.
    public func size(width: CGFloat, height: CGFloat) -> _ChangedShape<Self> {
        changed { shape, rect in
            shape.path(in: CGRect(x: rect.minX, y: rect.minY, width: width, height: height))
        }
    }
    public func size(_ size: CGSize) -> _ChangedShape<Self> {
        self.size(width: size.width, height: size.height)
    }

    /// The shape turned, moved or made larger around its top left corner.
    public func transform(_ transform: CGAffineTransform) -> _ChangedShape<Self> {
        changed { shape, rect in shape.path(in: rect).applying(transform) }
    }

    private func changed(_ change: @escaping @Sendable (Self, CGRect) -> Path) -> _ChangedShape<Self> {
        _ChangedShape(shape: self, change: change)
    }
}

nonisolated extension InsettableShape {
    /// A line inside of the outline.
    public func strokeBorder<S: ShapeStyle>(
        _ content: S, style: StrokeStyle, antialiased: Bool = true
    ) -> _StrokeView<Self, S> { _StrokeView(shape: self, style: content, stroke: style, isInside: true) }
    /// A line inside of the outline, `lineWidth` points wide.
    public func strokeBorder<S: ShapeStyle>(
        _ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true
    ) -> _StrokeView<Self, S> { strokeBorder(content, style: StrokeStyle(lineWidth: lineWidth)) }
    public func strokeBorder(
        style: StrokeStyle, antialiased: Bool = true
    ) -> _StrokeView<Self, ForegroundStyle> { strokeBorder(ForegroundStyle(), style: style) }
    public func strokeBorder(
        lineWidth: CGFloat = 1, antialiased: Bool = true
    ) -> _StrokeView<Self, ForegroundStyle> { strokeBorder(ForegroundStyle(), lineWidth: lineWidth) }
}

/// A shape whose path is changed.
nonisolated public struct _ChangedShape<Base: Shape>: Shape {
    let shape: Base
    let change: @Sendable (Base, CGRect) -> Path
    public func path(in rect: CGRect) -> Path { change(shape, rect) }
}
extension _ChangedShape: InsettableShape {
    public func inset(by amount: CGFloat) -> _ChangedShape<Base> {
        let change = change
        return _ChangedShape(shape: shape) { change($0, $1.insetBy(dx: amount, dy: amount)) }
    }
}

/// The outline of a shape as a shape. Only `fill` and the shape alone draw it as a line.
nonisolated public struct _StrokedShape<Base: Shape>: Shape {
    let shape: Base
    let style: StrokeStyle
    public func path(in rect: CGRect) -> Path { shape.path(in: rect) }
}

/// A shape of any type, behind one type.
nonisolated public struct AnyShape: Shape {
    let base: any Shape
    public init<S: Shape>(_ shape: S) { base = shape }
    public func path(in rect: CGRect) -> Path { base.path(in: rect) }
}
