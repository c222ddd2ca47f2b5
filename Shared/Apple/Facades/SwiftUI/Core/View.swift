/// A part of a user interface. A view is rendered once to HTML, from the initial values of its state.
///
/// `body` is evaluated on the main actor, once per rendering. A view whose `body` contains itself endlessly
/// is refused with an error that names its type.
@MainActor @preconcurrency
public protocol View {
    /// The type of `body`.
    associatedtype Body: View
    /// The views that make up this view.
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

/// The body of primitive views, which is never evaluated.
extension View where Body == Never {
    public var body: Never {
        preconditionFailure("\(Self.self) is a primitive view and has no body.")
    }
}

extension Never: View {
    public typealias Body = Never
    public var body: Never { preconditionFailure("A value of Never cannot exist.") }
}

extension Optional: View where Wrapped: View {
    public typealias Body = Never
}

extension Optional: PrimitiveView where Wrapped: View {
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        switch self {
        case .none: []
        case .some(let view): context.nodes(of: view, at: "some")
        }
    }
}

/// A view that renders nothing and takes no space.
nonisolated public struct EmptyView: View, PrimitiveView, Sendable {
    public typealias Body = Never
    /// Takes no space.
    public init() {}
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] { [] }
}

/// A view whose type is hidden.
nonisolated public struct AnyView: View, PrimitiveView {
    public typealias Body = Never
    let view: any View
    /// Wraps `view`.
    public init<V: View>(_ view: V) { self.view = view }
    /// Wraps `view`.
    public init<V: View>(erasing view: V) { self.view = view }
    /// Wraps `value` if it is a view; otherwise nil.
    public init?(_fromValue value: Any) {
        guard let view = value as? any View else { return nil }
        self.view = view
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        context.nodes(of: view, at: "any")
    }
}

/// Views that are handled separately by their container: a modifier of the group applies to each.
nonisolated public struct Group<Content> {
    let content: Content
}

extension Group: View where Content: View {
    public typealias Body = Never
    /// Groups the views of `content`.
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

extension Group: PrimitiveView where Content: View {
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        context.nodes(of: content, at: "group")
    }
}

/// A view that is compared before it is updated. Rendered like its content.
nonisolated public struct EquatableView<Content: View & Equatable>: View, PrimitiveView {
    public typealias Body = Never
    /// The rendered view.
    public var content: Content
    /// Wraps `content`.
    public init(content: Content) { self.content = content }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        context.nodes(of: content, at: "equatable")
    }
}

nonisolated extension View where Self: Equatable {
    /// This view. Views are rendered once, so the comparison saves nothing.
    public func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}
