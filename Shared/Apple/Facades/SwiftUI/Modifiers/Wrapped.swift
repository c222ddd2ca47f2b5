/// A view whose nodes are changed after they were drawn, or whose context is changed before.
nonisolated package struct Wrapped<Content: View>: View, PrimitiveView {
    package typealias Body = Never
    let content: Content
    let change: @MainActor (Content, RenderContext) -> [RenderNode]

    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] { change(content, context) }
}

nonisolated extension View {
    /// Each node of the view, changed.
    package func node(
        _ change: @escaping @MainActor (RenderNode, RenderContext) -> RenderNode
    ) -> Wrapped<Self> {
        Wrapped(content: self) { view, context in
            context.nodes(of: view, at: "m").map { change($0, context) }
        }
    }
    /// The view drawn in another context.
    package func context(_ change: @escaping @MainActor (inout RenderContext) -> Void) -> Wrapped<Self> {
        Wrapped(content: self) { view, context in
            var inner = context
            change(&inner)
            return inner.nodes(of: view, at: "m")
        }
    }
    /// The view with other environment values.
    package func values(_ change: @escaping @MainActor (inout EnvironmentValues) -> Void) -> Wrapped<Self> {
        context { change(&$0.environment) }
    }
}

/// A view drawn together with something else: a second view, or what to do.
nonisolated package struct Paired<Content: View, Other>: View, PrimitiveView {
    package typealias Body = Never
    let content: Content
    let other: Other
    let draw: @MainActor (Content, Other, RenderContext) -> [RenderNode]

    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] { draw(content, other, context) }
}

nonisolated extension View {
    /// Each node of the view, changed with the help of `other`.
    package func node<Other>(
        with other: Other, _ change: @escaping @MainActor (RenderNode, Other, RenderContext) -> RenderNode
    ) -> Paired<Self, Other> {
        Paired(content: self, other: other) { view, other, context in
            context.nodes(of: view, at: "m").map { change($0, other, context) }
        }
    }
    /// The view, with something done before it is drawn.
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
