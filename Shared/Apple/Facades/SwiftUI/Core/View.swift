/// A part of a user interface. Here a view is drawn once, to HTML, from the initial values of its state.
///
/// `body` is evaluated on the main actor, once for each drawing. A view whose `body` contains itself without
/// end is refused with an error that names its type.
@MainActor @preconcurrency
public protocol View {
    /// What `body` returns.
    associatedtype Body: View
    /// The views that this view consists of.
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

/// The body of views that this module draws itself; nobody ever asks for it.
extension View where Body == Never {
    public var body: Never {
        preconditionFailure("\(Self.self) is drawn as it is; it has no body to ask for.")
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

/// A view that draws nothing and takes no place.
nonisolated public struct EmptyView: View, PrimitiveView, Sendable {
    public typealias Body = Never
    public init() {}
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] { [] }
}

/// A view of any type, behind one type.
nonisolated public struct AnyView: View, PrimitiveView {
    public typealias Body = Never
    let view: any View
    /// Wraps `view`.
    public init<V: View>(_ view: V) { self.view = view }
    /// Wraps `view`.
    public init<V: View>(erasing view: V) { self.view = view }
    /// Wraps `value` when it is a view, and is nil otherwise.
    public init?(_fromValue value: Any) {
        guard let view = value as? any View else { return nil }
        self.view = view
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        context.nodes(of: view, at: "any")
    }
}

/// Views that are treated one by one by what surrounds them: a modifier of the group applies to each.
nonisolated public struct Group<Content> {
    let content: Content
}

extension Group: View where Content: View {
    public typealias Body = Never
    /// Groups `content`.
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

extension Group: PrimitiveView where Content: View {
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        context.nodes(of: content, at: "group")
    }
}

/// A view compared by `==` before it is drawn anew; here it is drawn like its content.
nonisolated public struct EquatableView<Content: View & Equatable>: View, PrimitiveView {
    public typealias Body = Never
    /// What is drawn.
    public var content: Content
    /// Wraps `content`.
    public init(content: Content) { self.content = content }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        context.nodes(of: content, at: "equatable")
    }
}

nonisolated extension View where Self: Equatable {
    /// The same view; there is no second drawing that could be saved.
    public func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}
