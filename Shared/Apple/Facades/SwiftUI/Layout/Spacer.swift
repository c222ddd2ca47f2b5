public import Foundation

/// Place that grows along its stack.
nonisolated public struct Spacer: View, PrimitiveView, Sendable {
    public typealias Body = Never
    /// The least length in points; 8 when nil.
    public var minLength: CGFloat?
    public init(minLength: CGFloat? = nil) { self.minLength = minLength }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var node = RenderNode("div")
        node.reading = .silent
        node.layout.isSpacer = true
        let least = CSS.points(minLength ?? 0)
        switch context.axis {
        case .horizontal: node.style["min-width"] = least
        case .vertical: node.style["min-height"] = least
        case nil:
            node.layout.growsWidth = true
            node.layout.growsHeight = true
        }
        return [node]
    }
}

/// A thin line: across a column, down a row.
nonisolated public struct Divider: View, PrimitiveView, Sendable {
    public typealias Body = Never
    public init() {}
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var node = RenderNode("hr")
        node.reading = .silent
        node.traits.isDivider = true
        node[attribute: "aria-hidden"] = "true"
        if context.axis == .horizontal {
            node.style["width"] = "1px"
            node.style["flex"] = "none"
            node.layout.growsHeight = true
            node.layout.width = 1
        } else {
            node.style["height"] = "1px"
            node.style["width"] = "100%"
            node.style["flex"] = "none"
            node.layout.growsWidth = true
            node.layout.height = 1
        }
        return [node]
    }
}
