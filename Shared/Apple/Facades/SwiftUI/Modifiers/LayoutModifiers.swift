public import Foundation

nonisolated extension View {
    private func moved(_ transform: @escaping @MainActor (RenderContext) -> String) -> some View {
        node { node, context in .box(node, ["transform": transform(context)]).solid(like: node) }
    }
    /// Renders the view at an offset in points. Its layout frame does not move.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View {
        moved { "translate(\($0.width(x)),\(CSS.points(y)))" }
    }
    /// The same with one value.
    public func offset(_ offset: CGSize) -> some View { self.offset(x: offset.width, y: offset.height) }
    /// Centres the view at a point of its container, in points.
    public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View {
        node { node, context in
            var inner = node
            inner.style["position"] = "absolute"
            inner.style["left"] = context.width(x)
            inner.style["top"] = CSS.points(y)
            var holder = RenderNode("div", style: ["position": "relative"], children: [inner])
            inner.style["transform"] = "translate(-50%,-50%)"
            holder.children = [inner]
            holder.reading = .lines
            holder.layout.growsWidth = true
            holder.layout.growsHeight = true
            return holder
        }
    }
    /// The same with one value.
    public func position(_ position: CGPoint) -> some View { self.position(x: position.x, y: position.y) }
    /// Rotates the rendering clockwise. The layout frame does not change.
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View {
        transformed("rotate(\(CSS.number(angle.degrees))deg)", anchor)
    }
    /// Rotates the rendering in space. `anchorZ` and `perspective` are ignored.
    public func rotation3DEffect(
        _ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center,
        anchorZ: CGFloat = 0, perspective: CGFloat = 1
    ) -> some View {
        let direction = [axis.x, axis.y, axis.z].map { CSS.number($0) }.joined(separator: ",")
        return transformed(
            "perspective(600px) rotate3d(\(direction),\(CSS.number(angle.degrees))deg)", anchor)
    }
    /// Scales the rendering. The layout frame does not change.
    public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some View {
        transformed("scale(\(CSS.number(x)),\(CSS.number(y)))", anchor)
    }
    /// The same with one value.
    public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some View {
        scaleEffect(x: scale, y: scale, anchor: anchor)
    }
    /// The same with one value.
    public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> some View {
        scaleEffect(x: scale.width, y: scale.height, anchor: anchor)
    }
    private func transformed(_ transform: String, _ anchor: UnitPoint) -> some View {
        node { node, _ in
            var style: Style = ["transform": transform]
            if anchor != .center {
                style["transform-origin"] =
                    "\(CSS.percent(Double(anchor.x))) \(CSS.percent(Double(anchor.y)))"
            }
            return RenderNode.box(node, style).solid(like: node)
        }
    }

    /// Keeps the proportions of the view, or sets them: width divided by height.
    public func aspectRatio(_ ratio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        node { node, _ in node.keepingProportions(ratio, contentMode) }
    }
    /// The same with the proportions of a size. A height of 0 keeps the view's own.
    public func aspectRatio(_ ratio: CGSize, contentMode: ContentMode) -> some View {
        aspectRatio(ratio.height == 0 ? nil : ratio.width / ratio.height, contentMode: contentMode)
    }
    /// Fits the view into its frame and keeps its proportions.
    public func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }
    /// Fills the frame with the view and keeps its proportions.
    public func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }
    /// Keeps the view at least as large as its content.
    public func fixedSize() -> some View { fixedSize(horizontal: true, vertical: true) }
    /// Keeps the view as wide as its content, and from growing in height.
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View {
        node { node, _ in
            var fixed = node
            if horizontal {
                fixed.style["min-width"] = "max-content"
                fixed.layout.growsWidth = false
                fixed.layout.isRigid = true
            }
            if vertical { fixed.layout.growsHeight = false }
            return fixed
        }
    }
    /// A view with a priority above 0 keeps its width in a row.
    public func layoutPriority(_ value: Double) -> some View {
        node { node, _ in node.traiting { $0.priority = value } }
    }
    /// Views with a higher value are in front in a `ZStack`.
    public func zIndex(_ value: Double) -> some View {
        node { node, _ in node.traiting { $0.order = value } }
    }
    /// Has no effect: alignment to computed positions cannot be rendered.
    public func alignmentGuide(
        _ guide: HorizontalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat
    ) -> some View { self }
    /// Has no effect, as for horizontal guides.
    public func alignmentGuide(
        _ guide: VerticalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat
    ) -> some View { self }
    /// Keeps the frame of the view without rendering it.
    public func hidden() -> some View {
        node { node, _ in
            var hidden = RenderNode.box(node, ["visibility": "hidden"]).silent
            hidden[attribute: "aria-hidden"] = "true"
            return hidden
        }
    }

    /// Clips the view to `shape`.
    public func clipShape<S: Shape>(_ shape: S, style: FillStyle = FillStyle()) -> some View {
        node { node, context in RenderNode.box(node, shape.clip(node, context)).solid(like: node) }
    }
    /// Clips the view to its frame.
    public func clipped(antialiased: Bool = false) -> some View {
        node { node, _ in RenderNode.box(node, ["overflow": "hidden"]).solid(like: node) }
    }
    /// Shows the view through the opaque parts of another view. Shapes and gradients are exact; any other
    /// view clips to the frame.
    public func mask<Mask: View>(alignment: Alignment = .center, @ViewBuilder _ mask: () -> Mask) -> some View
    {
        self.mask(mask())
    }
    /// The same with a view instead of a builder.
    public func mask<Mask: View>(_ mask: Mask) -> some View {
        node(with: mask) { node, mask, context in
            if let shape = (mask as? any MaskShape)?.maskShape {
                return RenderNode.box(node, shape.clip(node, context)).solid(like: node)
            }
            if let gradient = mask as? any PaintSource {
                let paint = gradient.paint(in: context.environment).background(in: context.environment)
                return RenderNode.box(node, ["mask": paint]).solid(like: node)
            }
            return RenderNode.box(node, ["overflow": "hidden"]).solid(like: node)
        }
    }

    // Modifiers without meaning on a page that scrolls as a whole.
    /// Ignored: a page has no safe area.
    public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View {
        self
    }
    /// Ignored: a page has no safe area.
    public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { self }
    /// Places a view above or below this one.
    public func safeAreaInset<V: View>(
        edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View {
        VStack(alignment: alignment, spacing: spacing) {
            if edge == .top { content() }
            self
            if edge == .bottom { content() }
        }
    }
    /// Adds padding, since a page has no safe area.
    public func safeAreaPadding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        padding(edges, length ?? 0)
    }
    /// Adds padding, since a page has no safe area.
    public func safeAreaPadding(_ length: CGFloat) -> some View { padding(length) }
    /// Fills the width of the page if `axes` contains horizontal. The vertical axis is ignored.
    public func containerRelativeFrame(_ axes: Axis.Set, alignment: Alignment = .center) -> some View {
        frame(maxWidth: axes.contains(.horizontal) ? .infinity : nil, alignment: alignment)
    }
    /// Sets the width to `span` of `count` columns of the page.
    public func containerRelativeFrame(
        _ axes: Axis.Set, count: Int, span: Int = 1, spacing: CGFloat, alignment: Alignment = .center
    ) -> some View {
        Wrapped(content: self) { view, context in
            let whole = CGFloat(context.proposal.width ?? 358)
            let part = (whole - spacing * CGFloat(max(count, 1) - 1)) / CGFloat(max(count, 1))
            let width = part * CGFloat(span) + spacing * CGFloat(span - 1)
            return context.nodes(of: view.frame(width: width, alignment: alignment), at: "part")
        }
    }
    /// Ignored: every space starts at the view itself.
    public func coordinateSpace(_ name: NamedCoordinateSpace) -> some View { self }
    /// Ignored: every space starts at the view itself.
    public func coordinateSpace<T: Hashable>(name: T) -> some View { self }
}

/// The values available to `alignmentGuide`. Never created here.
nonisolated public struct ViewDimensions: Sendable {
    /// In points.
    public let width: CGFloat
    /// In points.
    public let height: CGFloat
    /// The position of the guide in points.
    public subscript(guide: HorizontalAlignment) -> CGFloat {
        guide == .leading ? 0 : guide == .trailing ? width : width / 2
    }
    /// The position of the guide in points.
    public subscript(guide: VerticalAlignment) -> CGFloat {
        guide == .top ? 0 : guide == .bottom ? height : height / 2
    }
}

/// Areas that other elements cover. A page has none.
nonisolated public struct SafeAreaRegions: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt
    /// Unknown bits are ignored.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Has no effect here.
    public static let container = SafeAreaRegions(rawValue: 1)
    /// Has no effect here.
    public static let keyboard = SafeAreaRegions(rawValue: 2)
    /// Has no effect here.
    public static let all = SafeAreaRegions(rawValue: .max)
}

extension RenderNode {
    func traiting(_ change: (inout LayoutTraits) -> Void) -> RenderNode {
        var node = self
        change(&node.layout)
        return node
    }

    /// An image fitted into its frame or filling it; anything else in a box of these proportions.
    func keepingProportions(_ ratio: CGFloat?, _ mode: ContentMode) -> RenderNode {
        var node = self
        if tag == "img" || tag == "svg" || tag == "picture" {
            node.style["object-fit"] = mode == .fit ? "contain" : "cover"
            if tag == "svg" {
                node[attribute: "preserveAspectRatio"] = mode == .fit ? "xMidYMid meet" : "xMidYMid slice"
            }
            if let ratio { node.style["aspect-ratio"] = CSS.number(ratio) }
            return node
        }
        guard let ratio, ratio.isFinite, ratio > 0 else { return node }
        var box = RenderNode.box(node.growing(width: true, height: true), ["aspect-ratio": CSS.number(ratio)])
        box.style["max-width"] = "100%"
        box.layout.growsWidth = layout.growsWidth
        box.layout.growsHeight = false
        return box
    }
}

/// A view that can serve as a mask.
nonisolated protocol MaskShape {
    var maskShape: (any Shape)? { get }
}
extension _ShapeView: MaskShape { nonisolated var maskShape: (any Shape)? { shape } }
extension Rectangle: MaskShape { nonisolated var maskShape: (any Shape)? { self } }
extension RoundedRectangle: MaskShape { nonisolated var maskShape: (any Shape)? { self } }
extension Circle: MaskShape { nonisolated var maskShape: (any Shape)? { self } }
extension Capsule: MaskShape { nonisolated var maskShape: (any Shape)? { self } }
extension Ellipse: MaskShape { nonisolated var maskShape: (any Shape)? { self } }
extension Path: MaskShape { nonisolated var maskShape: (any Shape)? { self } }

extension Shape {
    /// The declarations that clip a box to this shape.
    @MainActor func clip(_ node: RenderNode, _ context: RenderContext) -> Style {
        if let box = boxed as? any BoxShape { return ["border-radius": box.corners, "overflow": "hidden"] }
        if boxed is Circle { return ["clip-path": "circle(closest-side)"] }
        let width = node.layout.growsWidth ? context.proposal.width : node.layout.width
        let height = node.layout.growsHeight ? context.proposal.height : node.layout.height
        guard let width, let height else { return ["overflow": "hidden"] }
        let outline = path(in: CGRect(x: 0, y: 0, width: width, height: height)).svg
        return ["clip-path": "path(\"\(outline)\")"]
    }
}
