public import Foundation

/// Arranges views in a row.
nonisolated public struct HStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: Content
    /// - Parameter spacing: in points. Nil means 8.
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

/// Arranges views in a column.
nonisolated public struct VStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: Content
    /// - Parameter spacing: in points. Nil means 8.
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

/// Places views in front of each other. The first is at the back.
nonisolated public struct ZStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: Alignment
    let content: Content
    /// - Parameter alignment: of all views in the common frame.
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

/// A row. Its views are created at once here, as in `HStack`.
nonisolated public struct LazyHStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: () -> Content
    /// `pinnedViews` is ignored; headers scroll with the page.
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

/// A column. Its views are created at once here, as in `VStack`, and it fills the available width.
nonisolated public struct LazyVStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: () -> Content
    /// `pinnedViews` is ignored; headers scroll with the page.
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

/// Which headings stay visible while scrolling. Ignored: pages scroll as a whole.
nonisolated public struct PinnedScrollableViews: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt32
    /// Unknown bits are ignored.
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
            // Rendered once in advance to determine the width that flexible views share.
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
    /// Whether the rendering of this node or a descendant depends on the available width.
    var needsWidth: Bool { layout.readsWidth || children.contains { $0.needsWidth } }

    /// The node as a layer of a `ZStack`.
    func layer() -> RenderNode {
        var node = cell()
        if layout.order != 0 { node.style["z-index"] = CSS.number(layout.order) }
        return node
    }

    /// Outside of lists a section is replaced by its header, content and footer.
    var unsectioned: [RenderNode] {
        traits.isSection ? traits.header + children.flatMap(\.unsectioned) + traits.footer : [self]
    }
}
