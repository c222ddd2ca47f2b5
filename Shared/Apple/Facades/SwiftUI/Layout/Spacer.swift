public import Foundation

/// Space that grows along its stack.
nonisolated public struct Spacer: View, PrimitiveView, Sendable {
    public typealias Body = Never
    /// The minimum length in points. Nil means 0. (Apple's is about 8.)
    public var minLength: CGFloat?
    /// - Parameter minLength: in points.
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

/// A thin line: horizontal in a column, vertical in a row.
nonisolated public struct Divider: View, PrimitiveView, Sendable {
    public typealias Body = Never
    /// In the separator colour of the browser's scheme.
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
