/// A way to change a view, kept apart from the view.
@MainActor @preconcurrency
public protocol ViewModifier {
    /// What `body(content:)` returns.
    associatedtype Body: View
    /// The changed view.
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
    /// The view that is changed.
    typealias Content = _ViewModifier_Content<Self>
}

/// The view that a modifier changes, as its `body(content:)` sees it.
nonisolated public struct _ViewModifier_Content<Modifier: ViewModifier>: View, PrimitiveView {
    public typealias Body = Never
    let view: any View
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        context.nodes(of: view, at: "content")
    }
}

extension ViewModifier {
    /// Both modifiers, this one first.
    public func concat<Other>(_ modifier: Other) -> ModifiedContent<Self, Other> {
        ModifiedContent(content: self, modifier: modifier)
    }
}

/// A modifier that changes nothing.
nonisolated public struct EmptyModifier: ViewModifier, Sendable {
    /// A modifier that changes nothing.
    public static let identity = EmptyModifier()
    public init() {}
    public func body(content: Content) -> some View { content }
}

/// A view, or a modifier, together with a modifier of it.
nonisolated public struct ModifiedContent<Content, Modifier> {
    /// What is changed.
    public var content: Content
    /// How it is changed.
    public var modifier: Modifier
    /// `content` changed by `modifier`.
    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    public typealias Body = Never
}

extension ModifiedContent: PrimitiveView where Content: View, Modifier: ViewModifier {
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let context = context.deeper(at: "modifier")
        guard context.install(propertiesOf: modifier) else { return [] }
        let changed = modifier.body(content: _ViewModifier_Content(view: content))
        return context.nodes(of: changed, at: "body")
    }
}

extension ModifiedContent: ViewModifier where Content: ViewModifier, Modifier: ViewModifier {
    public func body(content view: _ViewModifier_Content<Self>) -> some View {
        view.modifier(content).modifier(modifier)
    }
}

nonisolated extension View {
    /// This view changed by `modifier`.
    public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
