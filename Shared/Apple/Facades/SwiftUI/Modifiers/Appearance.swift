public import Foundation

nonisolated extension View {
    /// Places a view behind this one.
    public func background<V: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V
    ) -> some View { layered(content(), alignment, isBehind: true) }
    /// Places a view behind this one.
    @_disfavoredOverload
    public func background<V: View>(_ background: V, alignment: Alignment = .center) -> some View {
        layered(background, alignment, isBehind: true)
    }
    /// Fills the area behind this view with a style.
    public func background<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all)
        -> some View
    {
        node { node, context in
            .box(node, style.paint(in: context.environment).fill(in: context.environment)).solid(like: node)
        }
    }
    /// Fills the area behind this view with the environment's background style.
    public func background(ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        background(BackgroundStyle(), ignoresSafeAreaEdges: edges)
    }
    /// Places a filled shape behind this view.
    public func background<S: ShapeStyle, T: Shape>(
        _ style: S, in shape: T, fillStyle: FillStyle = FillStyle()
    ) -> some View { layered(shape.fill(style, style: fillStyle), .center, isBehind: true) }
    /// Places a shape filled with the environment's background style behind this view.
    public func background<T: Shape>(in shape: T, fillStyle: FillStyle = FillStyle()) -> some View {
        background(BackgroundStyle(), in: shape, fillStyle: fillStyle)
    }
    /// Places a view in front of this one.
    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        layered(content(), alignment, isBehind: false)
    }
    /// Places a view in front of this one.
    @_disfavoredOverload
    public func overlay<V: View>(_ overlay: V, alignment: Alignment = .center) -> some View {
        layered(overlay, alignment, isBehind: false)
    }
    /// Covers this view with a style.
    public func overlay<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        layered(Rectangle().fill(style), .center, isBehind: false)
    }
    /// Places a filled shape in front of this view.
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

    /// Draws a border inside the edges, `width` points wide.
    public func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View {
        node { node, context in
            let color = content.paint(in: context.environment).color(in: context.environment).css
            return .box(
                node,
                ["outline": "\(CSS.points(width)) solid \(color)", "outline-offset": CSS.points(-width)])
        }
    }
    /// Sets the opacity from 0 to 1. At 0 assistive technology ignores the view.
    public func opacity(_ opacity: Double) -> some View {
        node { node, _ in
            var box = RenderNode.box(node, ["opacity": CSS.number(min(max(opacity, 0), 1))])
            if opacity <= 0 { box = box.with("aria-hidden", "true").silent }
            return box
        }
    }
    /// Clips the view to rounded corners of `radius` points.
    public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> some View {
        node { node, _ in
            .box(node, ["border-radius": CSS.points(radius), "overflow": "hidden"]).solid(like: node)
        }
    }
    /// Adds a shadow. Lengths are in points.
    public func shadow(
        color: Color = Color(white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0
    ) -> some View {
        node { node, context in
            let color = color.resolved(in: context.environment).css
            let lengths = [x, y, radius].map { CSS.points($0) }.joined(separator: " ")
            return .box(node, ["filter": "drop-shadow(\(lengths) \(color))"]).solid(like: node)
        }
    }
    /// Blurs the view by `radius` points. `opaque` is ignored.
    public func blur(radius: CGFloat, opaque: Bool = false) -> some View {
        filter("blur(\(CSS.points(max(radius, 0))))")
    }
    /// - Parameter amount: 0 changes nothing, 1 doubles the brightness.
    public func brightness(_ amount: Double) -> some View { filter("brightness(\(CSS.number(1 + amount)))") }
    /// - Parameter amount: 1 changes nothing, 0 is gray.
    public func contrast(_ amount: Double) -> some View { filter("contrast(\(CSS.number(amount)))") }
    /// - Parameter amount: 1 changes nothing, 0 is without colour.
    public func saturation(_ amount: Double) -> some View { filter("saturate(\(CSS.number(amount)))") }
    /// - Parameter amount: 0 changes nothing, 1 is without colour.
    public func grayscale(_ amount: Double) -> some View { filter("grayscale(\(CSS.number(amount)))") }
    /// Rotates all colours on the colour wheel.
    public func hueRotation(_ angle: Angle) -> some View {
        filter("hue-rotate(\(CSS.number(angle.degrees))deg)")
    }
    /// Inverts all colours.
    public func colorInvert() -> some View { filter("invert(1)") }
    private func filter(_ filter: String) -> some View { node { node, _ in .box(node, ["filter": filter]) } }
    /// Sets how the view is blended with what is behind it.
    public func blendMode(_ mode: BlendMode) -> some View {
        node { node, _ in .box(node, ["mix-blend-mode": mode.css]) }
    }
    /// Isolates the view, so that blending does not affect what is behind it.
    public func compositingGroup() -> some View { node { node, _ in .box(node, ["isolation": "isolate"]) } }
    /// The same as ``compositingGroup()``; the browser decides how it draws.
    public func drawingGroup(opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear) -> some View {
        compositingGroup()
    }
}

/// How layers are blended.
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

/// The colour space of a drawing group. Ignored.
nonisolated public enum ColorRenderingMode: Hashable, Sendable {
    case nonLinear
    case linear
    case extendedLinear
}

extension RenderNode {
    /// Marks the box as a shape if its content is one, so that it has a minimum height.
    func solid(like node: RenderNode) -> RenderNode {
        var box = self
        box.layout.isShape = node.layout.isShape
        return box
    }

    /// The node with another one in front of it or behind it.
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
