import Foundation
import UIKit

/// A shape that CSS can render as a box with rounded corners.
nonisolated protocol BoxShape {
    /// The value of `border-radius`.
    var corners: String { get }
}
extension Rectangle: BoxShape { var corners: String { "0" } }
extension ContainerRelativeShape: BoxShape { var corners: String { "0" } }
extension Capsule: BoxShape { var corners: String { "9999px" } }
extension Ellipse: BoxShape { var corners: String { "50%" } }
extension RoundedRectangle: BoxShape {
    var corners: String {
        cornerSize.width == cornerSize.height
            ? CSS.points(max(cornerSize.width, 0))
            : "\(CSS.points(max(cornerSize.width, 0)))/\(CSS.points(max(cornerSize.height, 0)))"
    }
}
extension UnevenRoundedRectangle: BoxShape {
    var corners: String {
        [
            cornerRadii.topLeading, cornerRadii.topTrailing, cornerRadii.bottomTrailing,
            cornerRadii.bottomLeading,
        ]
        .map { CSS.points(max($0, 0)) }.joined(separator: " ")
    }
}

/// A shape filled with a style.
nonisolated public struct _ShapeView<Content: Shape, Style: ShapeStyle>: View, PrimitiveView {
    public typealias Body = Never
    let shape: Content
    let style: Style
    let fillStyle: FillStyle

    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let paint = style.paint(in: context.environment)
        if let stroked = shape as? any StrokedShape {
            return [stroked.strokeNode(paint, context)]
        }
        if let box = (shape.boxed as? any BoxShape) {
            var node = RenderNode.shape(paint.fill(in: context.environment))
            if box.corners != "0" { node.style["border-radius"] = box.corners }
            return [node]
        }
        var drawing = ShapeDrawing(shape, context)
        drawing.fill(paint, isEvenOdd: fillStyle.isEOFilled, context)
        return [drawing.node]
    }
}

/// The outline of a shape in a style.
nonisolated public struct _StrokeView<Content: Shape, Style: ShapeStyle>: View, PrimitiveView {
    public typealias Body = Never
    let shape: Content
    let style: Style
    let stroke: StrokeStyle
    let isInside: Bool

    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        [shape.outline(style.paint(in: context.environment), stroke, isInside: isInside, context)]
    }
}

/// A shape that is a line.
nonisolated protocol StrokedShape {
    @MainActor func strokeNode(_ paint: Paint, _ context: RenderContext) -> RenderNode
}
extension _StrokedShape: StrokedShape {
    @MainActor func strokeNode(_ paint: Paint, _ context: RenderContext) -> RenderNode {
        shape.outline(paint, style, isInside: false, context)
    }
}

extension Shape {
    /// The shape itself, or the one wrapped by `AnyShape`.
    nonisolated var boxed: any Shape { (self as? AnyShape)?.base.boxed ?? self }

    @MainActor func outline(
        _ paint: Paint, _ stroke: StrokeStyle, isInside: Bool, _ context: RenderContext
    ) -> RenderNode {
        if let box = boxed as? any BoxShape, paint.isPlain, stroke.dash.isEmpty {
            let width = max(stroke.lineWidth, 0)
            let color = paint.color(in: context.environment).css
            var node = RenderNode.shape(["outline": "\(CSS.points(width)) solid \(color)"])
            node.style["outline-offset"] = CSS.points(isInside ? -width : -width / 2)
            if box.corners != "0" { node.style["border-radius"] = box.corners }
            return node
        }
        if isInside {
            var drawing = ShapeDrawing(_InsetShape(shape: self, amount: stroke.lineWidth / 2), context)
            drawing.stroke(paint, stroke, context)
            return drawing.node
        }
        var drawing = ShapeDrawing(self, context)
        drawing.stroke(paint, stroke, context)
        return drawing.node
    }
}

/// A shape as SVG. If its size is known it is rendered for that size; otherwise for 100 points, and
/// stretched.
struct ShapeDrawing {
    private let path: Path
    private let size: CGSize
    private let keepsProportions: Bool
    private let isMeasured: Bool
    private var parts: [RenderNode] = []
    private let knowsHeight: Bool

    @MainActor init<S: Shape>(_ shape: S, _ context: RenderContext) {
        let (width, height) = (context.proposal.width, context.proposal.height)
        keepsProportions = shape.isRound
        var place = CGSize(width: width ?? height ?? 100, height: height ?? width ?? 100)
        if shape.isRound {
            let side = min(place.width, place.height)
            place = CGSize(width: side, height: side)
        }
        if place.width < 0.5 || place.height < 0.5 { place = CGSize(width: 1, height: 1) }
        size = place
        knowsHeight = height != nil
        isMeasured = width != nil
        path = shape.path(in: CGRect(origin: .zero, size: place))
    }

    @MainActor mutating func fill(_ paint: Paint, isEvenOdd: Bool, _ context: RenderContext) {
        var shape = RenderNode("path").with("d", path.svg)
        if isEvenOdd { shape = shape.with("fill-rule", "evenodd") }
        parts += SVGPaint.painted(shape, paint, isStroke: false, size, context)
    }

    @MainActor mutating func stroke(_ paint: Paint, _ stroke: StrokeStyle, _ context: RenderContext) {
        let shape = RenderNode("path").with("d", path.svg).stroked(stroke)
        parts += SVGPaint.painted(shape, paint, isStroke: true, size, context)
    }

    var node: RenderNode {
        var svg = RenderNode(
            "svg", style: ["position": "absolute", "inset": "0", "width": "100%", "height": "100%"],
            children: parts)
        svg[attribute: "viewBox"] = "0 0 \(CSS.number(size.width)) \(CSS.number(size.height))"
        if !keepsProportions { svg[attribute: "preserveAspectRatio"] = "none" }
        svg[attribute: "aria-hidden"] = "true"
        var node = RenderNode.shape(["position": "relative"])
        if keepsProportions && !knowsHeight { node.style["aspect-ratio"] = "1" }
        node.children = [svg]
        node.layout.readsWidth = true
        return node
    }
}

extension Shape {
    /// Whether the shape is derived from a circle, whose width equals its height.
    nonisolated var isRound: Bool {
        let shape = boxed
        return shape is Circle || (shape as? any ShapeWrapper)?.inner.isRound == true
    }
}
nonisolated protocol ShapeWrapper { var inner: any Shape { get } }
extension _ChangedShape: ShapeWrapper { var inner: any Shape { shape } }
extension _InsetShape: ShapeWrapper { var inner: any Shape { shape } }
extension _StrokedShape: ShapeWrapper { var inner: any Shape { shape } }

extension RenderNode {
    /// A box that takes all available space.
    static func shape(_ style: Style) -> RenderNode {
        var node = RenderNode("div", style: style)
        node.reading = .silent
        node.layout.growsWidth = true
        node.layout.growsHeight = true
        node.layout.isShape = true
        return node
    }

    /// An SVG element rendered as a line.
    package func stroked(_ stroke: StrokeStyle) -> RenderNode {
        var node = with("fill", "none").with("stroke-width", CSS.number(max(stroke.lineWidth, 0)))
        node[attribute: "vector-effect"] = "non-scaling-stroke"
        if stroke.lineCap != .butt { node[attribute: "stroke-linecap"] = stroke.lineCap.css }
        if stroke.lineJoin != .miter { node[attribute: "stroke-linejoin"] = stroke.lineJoin.css }
        if !stroke.dash.isEmpty {
            node[attribute: "stroke-dasharray"] = stroke.dash.map { CSS.number($0) }.joined(separator: " ")
            if stroke.dashPhase != 0 { node[attribute: "stroke-dashoffset"] = CSS.number(stroke.dashPhase) }
        }
        return node
    }
}
