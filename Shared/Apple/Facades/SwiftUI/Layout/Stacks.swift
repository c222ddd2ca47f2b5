public import Foundation

/// Views in a row.
nonisolated public struct HStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: Content
    /// `spacing` in points; 8 when nil.
    public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        [context.row(of: content, spacing: spacing, alignment: alignment)]
    }
}

/// Views in a column.
nonisolated public struct VStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: Content
    /// `spacing` in points; 8 when nil.
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        [context.column(of: content, spacing: spacing, alignment: alignment)]
    }
}

/// Views on top of each other, the first at the bottom.
nonisolated public struct ZStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: Alignment
    let content: Content
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var inner = context
        inner.axis = nil
        let nodes = inner.nodes(of: content, at: "z")
        var stack = RenderNode("div", children: nodes.map { $0.layer() })
        stack[attribute: "class"] = "z"
        if alignment != .center { stack.style["place-items"] = alignment.css }
        stack.reading = .lines
        stack.layout.growsWidth = nodes.contains { $0.layout.growsWidth }
        stack.layout.growsHeight = nodes.contains { $0.layout.growsHeight }
        stack.layout.width = nodes.compactMap(\.layout.width).max()
        stack.layout.height = nodes.compactMap(\.layout.height).max()
        return [stack]
    }
}

/// A row that makes its views when they are scrolled to; here it is an `HStack`.
nonisolated public struct LazyHStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: () -> Content
    public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: @escaping () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        [context.row(of: content(), spacing: spacing, alignment: alignment)]
    }
}

/// A column that makes its views when they are scrolled to; here it is a `VStack` as wide as its place.
nonisolated public struct LazyVStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: () -> Content
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [], @ViewBuilder content: @escaping () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        [context.column(of: content(), spacing: spacing, alignment: alignment).growing(width: true)]
    }
}

/// Which headings stay in sight while a page is scrolled. Kept; pages scroll as a whole.
nonisolated public struct PinnedScrollableViews: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
    public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}

extension RenderContext {
    @MainActor func column<V: View>(
        of content: V, spacing: CGFloat?, alignment: HorizontalAlignment
    ) -> RenderNode {
        var inner = self
        inner.axis = .vertical
        inner.proposal.height = nil
        let nodes = inner.nodes(of: content, at: "v").flatMap(\.unsectioned)
        return .stack(
            nodes, axis: .vertical, gap: spacing.map(Double.init) ?? 8, cross: alignment.css)
    }

    @MainActor func row<V: View>(of content: V, spacing: CGFloat?, alignment: VerticalAlignment) -> RenderNode
    {
        var inner = self
        inner.axis = .horizontal
        let gap = spacing.map(Double.init) ?? 8
        if let whole = proposal.width, !isMeasuring {
            // Drawn once to learn how much place the views without a width of their own share.
            let measured = inner.measuring.nodes(of: content, at: "h")
            if measured.contains(where: { $0.needsWidth }) {
                let isFlexible = { (node: RenderNode) in node.layout.growsWidth || node.layout.isSpacer }
                let fixed = measured.filter { !isFlexible($0) }.reduce(0) { $0 + ($1.layout.width ?? 40) }
                let left = whole - fixed - gap * Double(max(measured.count - 1, 0))
                inner.proposal.width = max(left / Double(max(measured.filter(isFlexible).count, 1)), 20)
            }
        }
        let nodes = inner.nodes(of: content, at: "h")
        return .stack(nodes.flatMap(\.unsectioned), axis: .horizontal, gap: gap, cross: alignment.css)
    }
}

extension RenderNode {
    /// Whether the node, or one inside it, was drawn for a width that it was told.
    var needsWidth: Bool { layout.readsWidth || children.contains { $0.needsWidth } }

    /// As one of the layers of a `ZStack`.
    func layer() -> RenderNode {
        var node = cell()
        if layout.order != 0 { node.style["z-index"] = CSS.number(layout.order) }
        return node
    }

    /// A section outside of a list is its header, its content and its footer.
    var unsectioned: [RenderNode] {
        traits.isSection ? traits.header + children.flatMap(\.unsectioned) + traits.footer : [self]
    }
}
