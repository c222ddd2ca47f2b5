public import Foundation
public import UIKit

/// A form that fills the area it is given.
nonisolated public protocol Shape: Sendable, Animatable, View {
    /// The outline inside `rect`, in points.
    func path(in rect: CGRect) -> Path
    /// The size that the shape takes if `proposal` is offered.
    func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize
}

nonisolated extension Shape {
    /// Takes all of the proposal, or 10 points where it is nil.
    public func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
        CGSize(width: proposal.width ?? 10, height: proposal.height ?? 10)
    }
}

extension Shape {
    /// The shape filled with the environment's foreground style.
    public var body: _ShapeView<Self, ForegroundStyle> {
        _ShapeView(shape: self, style: ForegroundStyle(), fillStyle: FillStyle())
    }
}

/// A shape that can be reduced on all sides.
nonisolated public protocol InsettableShape: Shape {
    associatedtype InsetShape: InsettableShape
    /// The shape reduced by `amount` points on each side.
    func inset(by amount: CGFloat) -> InsetShape
}

/// Which areas of a path with crossing lines are filled.
nonisolated public struct FillStyle: Equatable, Sendable {
    /// True for the even-odd rule, false for the nonzero winding rule.
    public var isEOFilled: Bool
    /// Kept only; the browser smooths edges.
    public var isAntialiased: Bool
    /// - Parameter eoFill: true for the even-odd rule.
    public init(eoFill: Bool = false, antialiased: Bool = true) {
        isEOFilled = eoFill
        isAntialiased = antialiased
    }
}

/// The properties of a line. Lengths are in points.
nonisolated public struct StrokeStyle: Equatable, Sendable {
    /// In points.
    public var lineWidth: CGFloat
    /// The form of the ends.
    public var lineCap: CGLineCap
    /// The form of the corners.
    public var lineJoin: CGLineJoin
    /// Kept only; the browser's limit applies.
    public var miterLimit: CGFloat
    /// Lengths of dashes and gaps. Empty for a continuous line.
    public var dash: [CGFloat]
    /// Where in the pattern the line starts.
    public var dashPhase: CGFloat
    /// By default a continuous line 1 point wide.
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
    /// Fills the shape.
    public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> _ShapeView<Self, S> {
        _ShapeView(shape: self, style: content, fillStyle: style)
    }
    /// Fills the shape with the foreground style.
    public func fill(style: FillStyle = FillStyle()) -> _ShapeView<Self, ForegroundStyle> {
        _ShapeView(shape: self, style: ForegroundStyle(), fillStyle: style)
    }
    /// Strokes the outline of the shape.
    public func stroke<S: ShapeStyle>(
        _ content: S, style: StrokeStyle, antialiased: Bool = true
    ) -> _StrokeView<Self, S> { _StrokeView(shape: self, style: content, stroke: style, isInside: false) }
    /// Strokes the outline of the shape, `lineWidth` points wide.
    public func stroke<S: ShapeStyle>(
        _ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true
    ) -> _StrokeView<Self, S> { stroke(content, style: StrokeStyle(lineWidth: lineWidth)) }
    /// The outline as a shape, which is stroked when it is filled.
    public func stroke(style: StrokeStyle) -> _StrokedShape<Self> { _StrokedShape(shape: self, style: style) }
    /// The outline as a shape, `lineWidth` points wide.
    public func stroke(lineWidth: CGFloat = 1) -> _StrokedShape<Self> {
        stroke(style: StrokeStyle(lineWidth: lineWidth))
    }
    /// The part of the outline between two fractions of its length, 0 to 1.
    public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> _ChangedShape<Self> {
        changed { shape, rect in shape.path(in: rect).trimmedPath(from: startFraction, to: endFraction) }
    }
    /// The shape moved by points.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> _ChangedShape<Self> {
        changed { shape, rect in shape.path(in: rect).offsetBy(dx: x, dy: y) }
    }
    /// The same with one value.
    public func offset(_ offset: CGSize) -> _ChangedShape<Self> {
        self.offset(x: offset.width, y: offset.height)
    }
    /// The shape rotated clockwise.
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
    /// The shape scaled from `anchor`.
    public func scale(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> _ChangedShape<Self> {
        changed { shape, rect in
            let (cx, cy) = (rect.minX + anchor.x * rect.width, rect.minY + anchor.y * rect.height)
            return shape.path(in: rect).mapPoints {
                CGPoint(x: cx + ($0.x - cx) * x, y: cy + ($0.y - cy) * y)
            }
        }
    }
    /// The same factor in both directions.
    public func scale(_ scale: CGFloat, anchor: UnitPoint = .center) -> _ChangedShape<Self> {
        self.scale(x: scale, y: scale, anchor: anchor)
    }
    /// The shape in a fixed size in points, at the top left of its area.
    public func size(width: CGFloat, height: CGFloat) -> _ChangedShape<Self> {
        changed { shape, rect in
            shape.path(in: CGRect(x: rect.minX, y: rect.minY, width: width, height: height))
        }
    }
    /// The same with one value.
    public func size(_ size: CGSize) -> _ChangedShape<Self> {
        self.size(width: size.width, height: size.height)
    }

    /// The shape transformed relative to the origin of its area.
    public func transform(_ transform: CGAffineTransform) -> _ChangedShape<Self> {
        changed { shape, rect in shape.path(in: rect).applying(transform) }
    }

    private func changed(_ change: @escaping @Sendable (Self, CGRect) -> Path) -> _ChangedShape<Self> {
        _ChangedShape(shape: self, change: change)
    }
}

nonisolated extension InsettableShape {
    /// Strokes a line inside of the outline.
    public func strokeBorder<S: ShapeStyle>(
        _ content: S, style: StrokeStyle, antialiased: Bool = true
    ) -> _StrokeView<Self, S> { _StrokeView(shape: self, style: content, stroke: style, isInside: true) }
    /// Strokes a line inside of the outline, `lineWidth` points wide.
    public func strokeBorder<S: ShapeStyle>(
        _ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true
    ) -> _StrokeView<Self, S> { strokeBorder(content, style: StrokeStyle(lineWidth: lineWidth)) }
    /// The same in the foreground style.
    public func strokeBorder(
        style: StrokeStyle, antialiased: Bool = true
    ) -> _StrokeView<Self, ForegroundStyle> { strokeBorder(ForegroundStyle(), style: style) }
    /// The same in the foreground style.
    public func strokeBorder(
        lineWidth: CGFloat = 1, antialiased: Bool = true
    ) -> _StrokeView<Self, ForegroundStyle> { strokeBorder(ForegroundStyle(), lineWidth: lineWidth) }
}

/// A shape with a changed path.
nonisolated public struct _ChangedShape<Base: Shape>: Shape {
    let shape: Base
    let change: @Sendable (Base, CGRect) -> Path
    public func path(in rect: CGRect) -> Path { change(shape, rect) }
}
extension _ChangedShape: InsettableShape {
    /// The changed shape, computed for the reduced area.
    public func inset(by amount: CGFloat) -> _ChangedShape<Base> {
        let change = change
        return _ChangedShape(shape: shape) { change($0, $1.insetBy(dx: amount, dy: amount)) }
    }
}

/// The outline of a shape as a shape. It is rendered as a line only by `fill` and on its own.
nonisolated public struct _StrokedShape<Base: Shape>: Shape {
    let shape: Base
    let style: StrokeStyle
    public func path(in rect: CGRect) -> Path { shape.path(in: rect) }
}

/// A shape whose type is hidden.
nonisolated public struct AnyShape: Shape {
    let base: any Shape
    /// Wraps a shape.
    public init<S: Shape>(_ shape: S) { base = shape }
    public func path(in rect: CGRect) -> Path { base.path(in: rect) }
}
