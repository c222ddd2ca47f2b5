/// A reusable change of a view.
@MainActor @preconcurrency
public protocol ViewModifier {
    /// The type that `body(content:)` returns.
    associatedtype Body: View
    /// The modified view.
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
    /// The view that is modified.
    typealias Content = _ViewModifier_Content<Self>
}

/// The view to modify, as `body(content:)` receives it.
nonisolated public struct _ViewModifier_Content<Modifier: ViewModifier>: View, PrimitiveView {
    public typealias Body = Never
    let view: any View
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        context.nodes(of: view, at: "content")
    }
}

extension ViewModifier {
    /// Applies this modifier first, then the other.
    public func concat<Other>(_ modifier: Other) -> ModifiedContent<Self, Other> {
        ModifiedContent(content: self, modifier: modifier)
    }
}

/// A modifier that changes nothing.
nonisolated public struct EmptyModifier: ViewModifier, Sendable {
    /// A modifier that changes nothing.
    public static let identity = EmptyModifier()
    /// Changes nothing.
    public init() {}
    public func body(content: Content) -> some View { content }
}

/// A view or a modifier with a modifier applied to it.
nonisolated public struct ModifiedContent<Content, Modifier> {
    /// The view or modifier that is modified.
    public var content: Content
    /// The modifier that is applied.
    public var modifier: Modifier
    /// Applies `modifier` to `content`.
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
    /// Applies `modifier` to this view.
    public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
