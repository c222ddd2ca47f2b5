/// Builds one view from a closure.
@resultBuilder
nonisolated public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        var parts: [any View] = []
        for part in repeat each content { parts.append(part) }
        return TupleView(value: (repeat each content), parts: parts)
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> _ConditionalContent<First, Second> {
        _ConditionalContent(storage: .first(first))
    }
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> _ConditionalContent<First, Second> {
        _ConditionalContent(storage: .second(second))
    }
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
        AnyView(content)
    }
}

/// Consecutive views, as `ViewBuilder` combines them.
nonisolated public struct TupleView<T>: View, PrimitiveView {
    public typealias Body = Never
    /// The views as a tuple.
    public var value: T
    let parts: [any View]

    init(value: T, parts: [any View]) {
        self.value = value
        self.parts = parts
    }

    /// - Parameter value: a tuple of views; other members are skipped.
    public init(_ value: T) {
        self.init(value: value, parts: Self.views(of: value))
    }

    private static func views(of tuple: T) -> [any View] {
        var views: [any View] = []
        for child in Mirror(reflecting: tuple).children {
            if let view = child.value as? any View { views.append(view) }
        }
        return views
    }

    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var nodes: [RenderNode] = []
        for (index, part) in parts.enumerated() { nodes += context.nodes(of: part, at: "\(index)") }
        return nodes
    }
}

/// One of two views, as `if` and `switch` in a `ViewBuilder` produce it.
nonisolated public struct _ConditionalContent<TrueContent, FalseContent> {
    enum Storage {
        case first(TrueContent)
        case second(FalseContent)
    }
    let storage: Storage
}

extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
    public typealias Body = Never
}

extension _ConditionalContent: PrimitiveView where TrueContent: View, FalseContent: View {
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        switch storage {
        case .first(let view): context.nodes(of: view, at: "if")
        case .second(let view): context.nodes(of: view, at: "else")
        }
    }
}
