public import Foundation

nonisolated extension View {
    /// A view behind this one.
    public func background<V: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V
    ) -> some View { layered(content(), alignment, isBehind: true) }
    /// A view behind this one.
    @_disfavoredOverload
    public func background<V: View>(_ background: V, alignment: Alignment = .center) -> some View {
        layered(background, alignment, isBehind: true)
    }
    /// A style behind this view.
    public func background<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all)
        -> some View
    {
        node { node, context in
            .box(node, style.paint(in: context.environment).fill(in: context.environment)).solid(like: node)
        }
    }
    /// The place's background style behind this view.
    public func background(ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        background(BackgroundStyle(), ignoresSafeAreaEdges: edges)
    }
    /// A shape filled with a style behind this view.
    public func background<S: ShapeStyle, T: Shape>(
        _ style: S, in shape: T, fillStyle: FillStyle = FillStyle()
    ) -> some View { layered(shape.fill(style, style: fillStyle), .center, isBehind: true) }
    /// A shape filled with the place's background style behind this view.
    public func background<T: Shape>(in shape: T, fillStyle: FillStyle = FillStyle()) -> some View {
        background(BackgroundStyle(), in: shape, fillStyle: fillStyle)
    }
    /// A view in front of this one.
    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        layered(content(), alignment, isBehind: false)
    }
    /// A view in front of this one.
    @_disfavoredOverload
    public func overlay<V: View>(_ overlay: V, alignment: Alignment = .center) -> some View {
        layered(overlay, alignment, isBehind: false)
    }
    /// A style in front of this view.
    public func overlay<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        layered(Rectangle().fill(style), .center, isBehind: false)
    }
    /// A shape filled with a style in front of this view.
    public func overlay<S: ShapeStyle, T: Shape>(
        _ style: S, in shape: T, fillStyle: FillStyle = FillStyle()
    ) -> some View { layered(shape.fill(style, style: fillStyle), .center, isBehind: false) }

    private func layered<V: View>(_ layer: V, _ alignment: Alignment, isBehind: Bool) -> some View {
        node(with: layer) { node, layer, context in
            var inner = context
            inner.axis = nil
            inner.proposal.width = node.layout.growsWidth ? context.proposal.width : node.layout.width
            inner.proposal.height = node.layout.growsHeight ? context.proposal.height : node.layout.height
            let drawn = inner.nodes(of: layer, at: isBehind ? "behind" : "before")
            guard !drawn.isEmpty else { return node }
            return node.layered(with: RenderNode.one(of: drawn), alignment.css, isBehind: isBehind)
        }
    }

    /// A frame `width` points wide inside the edges.
    public func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View {
        node { node, context in
            let color = content.paint(in: context.environment).color(in: context.environment).css
            return .box(
                node,
                ["outline": "\(CSS.points(width)) solid \(color)", "outline-offset": CSS.points(-width)])
        }
    }
    /// How much of the view is seen, from 0 to 1.
    public func opacity(_ opacity: Double) -> some View {
        node { node, _ in
            var box = RenderNode.box(node, ["opacity": CSS.number(min(max(opacity, 0), 1))])
            if opacity <= 0 { box = box.with("aria-hidden", "true").silent }
            return box
        }
    }
    /// Cuts the corners off, `radius` points round.
    public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> some View {
        node { node, _ in
            .box(node, ["border-radius": CSS.points(radius), "overflow": "hidden"]).solid(like: node)
        }
    }
    /// A shadow; lengths in points.
    public func shadow(
        color: Color = Color(white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0
    ) -> some View {
        node { node, context in
            let color = color.resolved(in: context.environment).css
            let lengths = [x, y, radius].map { CSS.points($0) }.joined(separator: " ")
            return .box(node, ["filter": "drop-shadow(\(lengths) \(color))"]).solid(like: node)
        }
    }
    /// A blur of `radius` points.
    public func blur(radius: CGFloat, opaque: Bool = false) -> some View {
        filter("blur(\(CSS.points(max(radius, 0))))")
    }
    public func brightness(_ amount: Double) -> some View { filter("brightness(\(CSS.number(1 + amount)))") }
    public func contrast(_ amount: Double) -> some View { filter("contrast(\(CSS.number(amount)))") }
    public func saturation(_ amount: Double) -> some View { filter("saturate(\(CSS.number(amount)))") }
    public func grayscale(_ amount: Double) -> some View { filter("grayscale(\(CSS.number(amount)))") }
    public func hueRotation(_ angle: Angle) -> some View {
        filter("hue-rotate(\(CSS.number(angle.degrees))deg)")
    }
    public func colorInvert() -> some View { filter("invert(1)") }
    private func filter(_ filter: String) -> some View { node { node, _ in .box(node, ["filter": filter]) } }
    /// How the view is mixed with what is behind it.
    public func blendMode(_ mode: BlendMode) -> some View {
        node { node, _ in .box(node, ["mix-blend-mode": mode.css]) }
    }
    /// As it is: groups are drawn as one here anyway.
    public func compositingGroup() -> some View { node { node, _ in .box(node, ["isolation": "isolate"]) } }
    /// As it is: the browser draws as it sees fit.
    public func drawingGroup(opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear) -> some View {
        compositingGroup()
    }
}

/// How layers are mixed.
nonisolated public enum BlendMode: String, Hashable, Sendable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight
    case difference, exclusion, hue, saturation, color, luminosity, plusDarker, plusLighter
    var css: String {
        switch self {
        case .colorDodge: "color-dodge"
        case .colorBurn: "color-burn"
        case .softLight: "soft-light"
        case .hardLight: "hard-light"
        case .plusLighter: "plus-lighter"
        case .plusDarker: "multiply"
        default: rawValue
        }
    }
}

/// The space that a drawing group is drawn in. Left to the browser.
nonisolated public enum ColorRenderingMode: Hashable, Sendable {
    case nonLinear
    case linear
    case extendedLinear
}

extension RenderNode {
    /// The same box; where its content is a shape it stays one, with the least height of shapes.
    func solid(like node: RenderNode) -> RenderNode {
        var box = self
        box.layout.isShape = node.layout.isShape
        return box
    }

    /// The node with another one in front of it or behind it, on the same place.
    func layered(with layer: RenderNode, _ alignment: String, isBehind: Bool) -> RenderNode {
        var ground = RenderNode("div", children: [layer.cell()])
        ground[attribute: "class"] = "l"
        if alignment != "center center" { ground.style["place-items"] = alignment }
        if isBehind { ground.style["z-index"] = "-1" }
        var box = RenderNode.box(self, Style())
        box[attribute: "class"] = "b o"
        if isBehind { box.children.insert(ground, at: 0) } else { box.children.append(ground) }
        box.reading = .lines
        box.layout.isShape = layout.isShape
        return box
    }
}
