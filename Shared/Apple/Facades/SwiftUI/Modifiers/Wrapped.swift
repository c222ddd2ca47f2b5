/// A view whose context is changed before, or whose nodes are changed after rendering.
nonisolated package struct Wrapped<Content: View>: View, PrimitiveView {
    package typealias Body = Never
    let content: Content
    let change: @MainActor (Content, RenderContext) -> [RenderNode]

    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] { change(content, context) }
}

nonisolated extension View {
    /// Changes each node of the view.
    package func node(
        _ change: @escaping @MainActor (RenderNode, RenderContext) -> RenderNode
    ) -> Wrapped<Self> {
        Wrapped(content: self) { view, context in
            context.nodes(of: view, at: "m").map { change($0, context) }
        }
    }
    /// Renders the view in a changed context.
    package func context(_ change: @escaping @MainActor (inout RenderContext) -> Void) -> Wrapped<Self> {
        Wrapped(content: self) { view, context in
            var inner = context
            change(&inner)
            return inner.nodes(of: view, at: "m")
        }
    }
    /// Renders the view with changed environment values.
    package func values(_ change: @escaping @MainActor (inout EnvironmentValues) -> Void) -> Wrapped<Self> {
        context { change(&$0.environment) }
    }
}

/// A view rendered together with a second view or other value.
nonisolated package struct Paired<Content: View, Other>: View, PrimitiveView {
    package typealias Body = Never
    let content: Content
    let other: Other
    let draw: @MainActor (Content, Other, RenderContext) -> [RenderNode]

    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] { draw(content, other, context) }
}

nonisolated extension View {
    /// Changes each node of the view with the help of `other`.
    package func node<Other>(
        with other: Other, _ change: @escaping @MainActor (RenderNode, Other, RenderContext) -> RenderNode
    ) -> Paired<Self, Other> {
        Paired(content: self, other: other) { view, other, context in
            context.nodes(of: view, at: "m").map { change($0, other, context) }
        }
    }
    /// Does something before the view is rendered.
    package func drawn<Other>(
        with other: Other, _ prepare: @escaping @MainActor (Other, inout RenderContext) -> Void
    ) -> Paired<Self, Other> {
        Paired(content: self, other: other) { view, other, context in
            var inner = context
            prepare(other, &inner)
            return inner.nodes(of: view, at: "m")
        }
    }
}
