public import Foundation

nonisolated extension View {
    private func moved(_ transform: @escaping @MainActor (RenderContext) -> String) -> some View {
        node { node, context in .box(node, ["transform": transform(context)]).solid(like: node) }
    }
    /// Draws the view elsewhere, in points; its place stays.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View {
        moved { "translate(\($0.width(x)),\(CSS.points(y)))" }
    }
    public func offset(_ offset: CGSize) -> some View { self.offset(x: offset.width, y: offset.height) }
    /// Puts the middle of the view at a place of what contains it, in points.
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
    public func position(_ position: CGPoint) -> some View { self.position(x: position.x, y: position.y) }
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View {
        transformed("rotate(\(CSS.number(angle.degrees))deg)", anchor)
    }
    public func rotation3DEffect(
        _ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center,
        anchorZ: CGFloat = 0, perspective: CGFloat = 1
    ) -> some View {
        let direction = [axis.x, axis.y, axis.z].map { CSS.number($0) }.joined(separator: ",")
        return transformed(
            "perspective(600px) rotate3d(\(direction),\(CSS.number(angle.degrees))deg)", anchor)
    }
    public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some View {
        transformed("scale(\(CSS.number(x)),\(CSS.number(y)))", anchor)
    }
    public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some View {
        scaleEffect(x: scale, y: scale, anchor: anchor)
    }
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

    /// Keeps the proportions of the view, or gives it some: width divided by height.
    public func aspectRatio(_ ratio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        node { node, _ in node.keepingProportions(ratio, contentMode) }
    }
    public func aspectRatio(_ ratio: CGSize, contentMode: ContentMode) -> some View {
        aspectRatio(ratio.height == 0 ? nil : ratio.width / ratio.height, contentMode: contentMode)
    }
    public func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }
    public func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }
    /// Never smaller than the content.
    public func fixedSize() -> some View { fixedSize(horizontal: true, vertical: true) }
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
    /// Who gets place first in a stack.
    public func layoutPriority(_ value: Double) -> some View {
        node { node, _ in node.traiting { $0.priority = value } }
    }
    /// Which layer of a `ZStack` is in front.
    public func zIndex(_ value: Double) -> some View {
        node { node, _ in node.traiting { $0.order = value } }
    }
    /// The place of the view in a stack, calculated by hand: only a plain edge or the middle can be drawn.
    public func alignmentGuide(
        _ guide: HorizontalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat
    ) -> some View { self }
    public func alignmentGuide(
        _ guide: VerticalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat
    ) -> some View { self }
    /// Keeps the place of the view and draws nothing in it.
    public func hidden() -> some View {
        node { node, _ in
            var hidden = RenderNode.box(node, ["visibility": "hidden"]).silent
            hidden[attribute: "aria-hidden"] = "true"
            return hidden
        }
    }

    /// Cuts off what is outside of `shape`.
    public func clipShape<S: Shape>(_ shape: S, style: FillStyle = FillStyle()) -> some View {
        node { node, context in RenderNode.box(node, shape.clip(node, context)).solid(like: node) }
    }
    /// Cuts off what is outside of the place.
    public func clipped(antialiased: Bool = false) -> some View {
        node { node, _ in RenderNode.box(node, ["overflow": "hidden"]).solid(like: node) }
    }
    /// The view seen through the opaque parts of another one. Shapes are seen through exactly; of
    /// anything else
    /// only the place counts.
    public func mask<Mask: View>(alignment: Alignment = .center, @ViewBuilder _ mask: () -> Mask) -> some View
    {
        self.mask(mask())
    }
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

    // What has no meaning on a page that scrolls as a whole, or that the browser decides.
    public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View {
        self
    }
    public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { self }
    /// Puts a view at an edge of this one.
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
    public func safeAreaPadding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        padding(edges, length ?? 0)
    }
    public func safeAreaPadding(_ length: CGFloat) -> some View { padding(length) }
    /// A share of the width that the page has.
    public func containerRelativeFrame(_ axes: Axis.Set, alignment: Alignment = .center) -> some View {
        frame(maxWidth: axes.contains(.horizontal) ? .infinity : nil, alignment: alignment)
    }
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
    public func coordinateSpace(_ name: NamedCoordinateSpace) -> some View { self }
    public func coordinateSpace<T: Hashable>(name: T) -> some View { self }
}

/// What `alignmentGuide` calculates with.
nonisolated public struct ViewDimensions: Sendable {
    public let width: CGFloat
    public let height: CGFloat
    public subscript(guide: HorizontalAlignment) -> CGFloat {
        guide == .leading ? 0 : guide == .trailing ? width : width / 2
    }
    public subscript(guide: VerticalAlignment) -> CGFloat {
        guide == .top ? 0 : guide == .bottom ? height : height / 2
    }
}

/// The parts of a screen that something else covers. A page has none.
nonisolated public struct SafeAreaRegions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let container = SafeAreaRegions(rawValue: 1)
    public static let keyboard = SafeAreaRegions(rawValue: 2)
    public static let all = SafeAreaRegions(rawValue: .max)
}

extension RenderNode {
    func traiting(_ change: (inout LayoutTraits) -> Void) -> RenderNode {
        var node = self
        change(&node.layout)
        return node
    }

    /// An image fitted into its place, or filling it; anything else in a box of these proportions.
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

/// A view that a mask can be made of.
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
    /// The declarations that cut a box to this shape.
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
