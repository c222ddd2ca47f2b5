public import Foundation

/// A drawing made of steps, as SVG. Its size is the one that the page offers.
nonisolated public struct Canvas<Symbols: View>: View, PrimitiveView {
    public typealias Body = Never
    let draw: (inout GraphicsContext, CGSize) -> Void
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let size = CGSize(width: context.proposal.width ?? 300, height: context.proposal.height ?? 150)
        var graphics = GraphicsContext(environment: context.environment, log: GraphicsContext.Log())
        draw(&graphics, size)
        var svg = RenderNode(
            "svg", style: ["position": "absolute", "inset": "0", "width": "100%", "height": "100%"])
        svg[attribute: "viewBox"] = "0 0 \(CSS.number(size.width)) \(CSS.number(size.height))"
        svg[attribute: "preserveAspectRatio"] = "none"
        svg[attribute: "aria-hidden"] = "true"
        svg.children = graphics.log.steps.flatMap { $0.nodes(size, context) }
        var node = RenderNode.shape(["position": "relative"])
        if context.proposal.height == nil { node.style["min-height"] = CSS.points(size.height) }
        node.children = [svg]
        node.layout.readsWidth = true
        return [node]
    }
}
nonisolated extension Canvas where Symbols == EmptyView {
    /// The renderer is called once. The other parameters are ignored.
    public init(
        opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear, rendersAsynchronously: Bool = false,
        renderer: @escaping (inout GraphicsContext, CGSize) -> Void
    ) { draw = renderer }
}

/// The drawing commands of a `Canvas`. Lengths are in points, angles clockwise.
nonisolated public struct GraphicsContext {
    /// How a path is filled.
    nonisolated public struct Shading {
        let paint: (EnvironmentValues) -> Paint
        /// One colour.
        public static func color(_ color: Color) -> Shading { Shading { color.paint(in: $0) } }
        /// Any shape style.
        public static func style<S: ShapeStyle>(_ style: S) -> Shading { Shading { style.paint(in: $0) } }
        /// The foreground style of the environment.
        public static var foreground: Shading { style(ForegroundStyle()) }
        /// - Parameters: start and end in points of the canvas.
        public static func linearGradient(
            _ gradient: Gradient, startPoint: CGPoint, endPoint: CGPoint
        ) -> Shading {
            Shading { _ in .linear(gradient, from: .init(place: startPoint), to: .init(place: endPoint)) }
        }
        /// - Parameters: centre and radii in points of the canvas.
        public static func radialGradient(
            _ gradient: Gradient, center: CGPoint, startRadius: CGFloat, endRadius: CGFloat
        ) -> Shading {
            Shading { _ in
                .radial(
                    gradient, center: .init(place: center), startRadius: Double(startRadius),
                    endRadius: Double(endRadius))
            }
        }
    }
    /// A text prepared for drawing.
    nonisolated public struct ResolvedText {
        let text: Text
        let environment: EnvironmentValues
        /// The estimated size of the text, at most as wide as `size`.
        public func measure(in size: CGSize) -> CGSize {
            let font = text.font(in: environment)
            return CGSize(
                width: min(font.width(of: text.plain(in: environment), scale: 1), Double(size.width)),
                height: font.size * 1.3)
        }
    }
    final class Log { var steps: [Step] = [] }
    enum Mark {
        case fill(Path, Paint, isEvenOdd: Bool)
        case stroke(Path, Paint, StrokeStyle)
        case text(String, Font, Paint, CGPoint, UnitPoint)
    }
    struct Step {
        var mark: Mark
        var transform: String
        var opacity: Double
        var clip: Path?
    }
    /// The environment values of the canvas.
    public let environment: EnvironmentValues
    let log: Log
    /// From 0 to 1. Applies to the following steps.
    public var opacity = 1.0
    private var transform = ""
    private var clip: Path?

    init(environment: EnvironmentValues, log: Log) {
        self.environment = environment
        self.log = log
    }
    private func add(_ mark: Mark) {
        log.steps.append(Step(mark: mark, transform: transform, opacity: opacity, clip: clip))
    }
    /// Fills a path.
    public func fill(_ path: Path, with shading: Shading, style: FillStyle = FillStyle()) {
        add(.fill(path, shading.paint(environment), isEvenOdd: style.isEOFilled))
    }
    /// Strokes a path with a stroke style.
    public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {
        add(.stroke(path, shading.paint(environment), style))
    }
    /// Strokes a path. - Parameter lineWidth: in points.
    public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {
        stroke(path, with: shading, style: StrokeStyle(lineWidth: lineWidth))
    }
    /// Prepares a text with the environment of the canvas.
    public func resolve(_ text: Text) -> ResolvedText { ResolvedText(text: text, environment: environment) }
    /// Draws a text with its `anchor` at `point`. Text does not wrap.
    public func draw(_ text: ResolvedText, at point: CGPoint, anchor: UnitPoint = .center) {
        add(
            .text(
                text.text.plain(in: environment), text.text.font(in: environment),
                text.text.paint(in: environment), point, anchor))
    }
    /// Draws a text with its `anchor` at `point`. Text does not wrap.
    public func draw(_ text: Text, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(resolve(text), at: point, anchor: anchor)
    }
    /// Draws a text centred in `rect`. Text does not wrap.
    public func draw(_ text: Text, in rect: CGRect) {
        draw(resolve(text), at: CGPoint(x: rect.midX, y: rect.midY), anchor: .center)
    }
    /// Moves the origin of the following steps.
    public mutating func translateBy(x: CGFloat, y: CGFloat) {
        transform += "translate(\(CSS.number(x)) \(CSS.number(y)))"
    }
    /// Scales the following steps.
    public mutating func scaleBy(x: CGFloat, y: CGFloat) {
        transform += "scale(\(CSS.number(x)) \(CSS.number(y)))"
    }
    /// Rotates the following steps clockwise around the origin.
    public mutating func rotate(by angle: Angle) { transform += "rotate(\(CSS.number(angle.degrees)))" }
    /// Clips the following steps. Only the last clip applies.
    public mutating func clip(to path: Path, style: FillStyle = FillStyle()) { clip = path }
    /// Draws steps with separate settings.
    public func drawLayer(content: (inout GraphicsContext) throws -> Void) rethrows {
        var layer = self
        try content(&layer)
    }
}

extension UnitPoint {
    /// A point in points, which rendering divides by the size.
    fileprivate init(place: CGPoint) { self.init(x: place.x, y: place.y) }
}
extension Text {
    fileprivate func font(in environment: EnvironmentValues) -> Font {
        var font = environment.font ?? .body
        for case .font(let own?) in modifiers { font = own }
        for case .weight(let weight?) in modifiers { font.weight = weight }
        return font
    }
    fileprivate func paint(in environment: EnvironmentValues) -> Paint {
        var paint = environment.foregroundStyles.first ?? Color.primary.paint(in: environment)
        for case .ink(let ink) in modifiers { paint = ink.style.paint(in: environment) }
        return paint
    }
}

extension GraphicsContext.Step {
    @MainActor func nodes(_ size: CGSize, _ context: RenderContext) -> [RenderNode] {
        var group = RenderNode("g")
        if !transform.isEmpty { group[attribute: "transform"] = transform }
        if opacity < 1 { group.style["opacity"] = CSS.number(opacity) }
        switch mark {
        case .fill(let path, let paint, let isEvenOdd):
            var shape = RenderNode("path").with("d", path.svg)
            if isEvenOdd { shape = shape.with("fill-rule", "evenodd") }
            group.children = SVGPaint.painted(shape, paint, isStroke: false, unit(paint, size), context)
        case .stroke(let path, let paint, let style):
            let shape = RenderNode("path").with("d", path.svg).stroked(style)
            group.children = SVGPaint.painted(shape, paint, isStroke: true, unit(paint, size), context)
        case .text(let words, let font, let paint, let point, let anchor):
            var text = RenderNode("text", style: font.style(scale: 1), children: [RenderNode(text: words)])
            text.style["fill"] = paint.color(in: context.environment).css
            text[attribute: "x"] = CSS.number(point.x)
            text[attribute: "y"] = CSS.number(point.y)
            text[attribute: "text-anchor"] = anchor.x < 0.25 ? "start" : anchor.x > 0.75 ? "end" : "middle"
            text[attribute: "dominant-baseline"] =
                anchor.y < 0.25 ? "hanging" : anchor.y > 0.75 ? "auto" : "central"
            group.children = [text]
        }
        guard let clip else { return [group] }
        let name = context.pass.name("c")
        let outline = RenderNode("path").with("d", clip.svg)
        group[attribute: "clip-path"] = "url(#\(name))"
        return [RenderNode("clipPath", children: [outline]).with("id", name), group]
    }

    /// Gradients of a canvas may be in points already.
    private func unit(_ paint: Paint, _ size: CGSize) -> CGSize {
        switch paint {
        case .linear(_, let from, let to):
            abs(from.x) > 1 || abs(to.x) > 1 || abs(from.y) > 1 || abs(to.y) > 1
                ? CGSize(width: 1, height: 1) : size
        case .radial(_, let center, _, _):
            abs(center.x) > 1 || abs(center.y) > 1 ? CGSize(width: 1, height: 1) : size
        default: size
        }
    }
}
