public import Foundation

/// A view that may exceed its frame. Vertically the page itself scrolls; horizontally the view scrolls.
nonisolated public struct ScrollView<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    /// The scrolled view.
    public var content: Content
    /// The directions in which the content may exceed the frame.
    public var axes: Axis.Set
    /// Whether a horizontal scroll bar is shown.
    public var showsIndicators: Bool
    /// Vertical by default.
    public init(
        _ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content
    ) {
        self.axes = axes
        self.showsIndicators = showsIndicators
        self.content = content()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var inner = context
        inner.axis = nil
        if axes.contains(.vertical) { inner.proposal.height = nil }
        if axes.contains(.horizontal) { inner.proposal.width = nil }
        var scroll = RenderNode.box(inner.node(of: content, at: "scroll"), ["align-items": "start"])
        scroll.layout.growsWidth = true
        scroll.layout.growsHeight = axes.contains(.vertical)
        scroll.layout.isShape = false
        if axes.contains(.horizontal) {
            scroll.style["overflow-x"] = "auto"
            scroll.style["justify-items"] = "start"
            scroll.style["grid-template"] = "minmax(0,auto)/max-content"
            scroll[attribute: "tabindex"] = "0"
            if !showsIndicators { scroll.style["scrollbar-width"] = "none" }
        }
        return [scroll]
    }
}

/// Provides programmatic scrolling. Does nothing: a page starts at its top.
nonisolated public struct ScrollViewReader<Content: View>: View {
    let content: (ScrollViewProxy) -> Content
    /// Calls `content` once.
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }
    public var body: some View { content(ScrollViewProxy()) }
}
/// Scrolls to a view by identifier. Does nothing: a page starts at its top.
nonisolated public struct ScrollViewProxy {
    /// Does nothing.
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {}
}

nonisolated extension View {
    // The browser decides how a page scrolls.
    /// Has no effect here.
    public func scrollIndicators(_ visibility: ScrollIndicatorVisibility, axes: Axis.Set = [.vertical])
        -> some View
    {
        self
    }
    /// Has no effect here.
    public func scrollDisabled(_ disabled: Bool) -> some View { self }
    /// Has no effect here.
    public func scrollTargetLayout(isEnabled: Bool = true) -> some View { self }
    /// Has no effect here.
    public func scrollTargetBehavior<S: ScrollTargetBehavior>(_ behavior: S) -> some View { self }
    /// Has no effect here.
    public func scrollPosition<ID: Hashable>(id: Binding<ID?>, anchor: UnitPoint? = nil) -> some View { self }
    /// Has no effect here.
    public func scrollBounceBehavior(_ behavior: ScrollBounceBehavior, axes: Axis.Set = [.vertical])
        -> some View
    {
        self
    }
    /// Has no effect here.
    public func scrollClipDisabled(_ disabled: Bool = true) -> some View { self }
    /// Has no effect here.
    public func scrollDismissesKeyboard(_ mode: ScrollDismissesKeyboardMode) -> some View { self }
    /// Has no effect here.
    public func defaultScrollAnchor(_ anchor: UnitPoint?) -> some View { self }
    /// Ignored: a page shows the state of a visible view only.
    public func scrollTransition<E: VisualEffect>(
        _ transition: @escaping @Sendable (EmptyVisualEffect, ScrollTransitionPhase) -> E
    ) -> some View { self }
}
/// When scroll bars are shown. Ignored.
nonisolated public struct ScrollIndicatorVisibility: Equatable, Sendable {
    private let name: String
    public static let automatic = ScrollIndicatorVisibility(name: "automatic")
    public static let visible = ScrollIndicatorVisibility(name: "visible")
    public static let hidden = ScrollIndicatorVisibility(name: "hidden")
    public static let never = ScrollIndicatorVisibility(name: "never")
}
/// When a scroll view bounces. Ignored.
nonisolated public struct ScrollBounceBehavior: Sendable {
    private let name: String
    public static let automatic = ScrollBounceBehavior(name: "automatic")
    public static let always = ScrollBounceBehavior(name: "always")
    public static let basedOnSize = ScrollBounceBehavior(name: "basedOnSize")
}
/// How scrolling affects a keyboard. Ignored.
nonisolated public struct ScrollDismissesKeyboardMode: Sendable {
    private let name: String
    public static let automatic = ScrollDismissesKeyboardMode(name: "automatic")
    public static let immediately = ScrollDismissesKeyboardMode(name: "immediately")
    public static let interactively = ScrollDismissesKeyboardMode(name: "interactively")
    public static let never = ScrollDismissesKeyboardMode(name: "never")
}
/// Where scrolling stops. Ignored.
public protocol ScrollTargetBehavior {}
nonisolated public struct PagingScrollTargetBehavior: ScrollTargetBehavior, Sendable { public init() {} }
nonisolated public struct ViewAlignedScrollTargetBehavior: ScrollTargetBehavior, Sendable { public init() {} }
nonisolated extension ScrollTargetBehavior where Self == PagingScrollTargetBehavior {
    /// Has no effect here.
    public static var paging: PagingScrollTargetBehavior { PagingScrollTargetBehavior() }
}
nonisolated extension ScrollTargetBehavior where Self == ViewAlignedScrollTargetBehavior {
    /// Has no effect here.
    public static var viewAligned: ViewAlignedScrollTargetBehavior { ViewAlignedScrollTargetBehavior() }
}
/// The position of a view on its way through a scroll view. Always `identity` here.
nonisolated public enum ScrollTransitionPhase: Sendable {
    case topLeading
    case identity
    case bottomTrailing
    /// Whether the view is fully visible.
    public var isIdentity: Bool { self == .identity }
    /// Always 0.
    public var value: Double { 0 }
}
/// A visual change that does not affect layout. Ignored.
nonisolated public protocol VisualEffect: Sendable {}
nonisolated public struct EmptyVisualEffect: VisualEffect {
    /// The effect that scroll transitions start from.
    public init() {}
}
nonisolated extension VisualEffect {
    /// Has no effect here.
    public func opacity(_ opacity: Double, isEnabled: Bool = true) -> some VisualEffect { self }
    /// Has no effect here.
    public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some VisualEffect { self }
    /// Has no effect here.
    public func scaleEffect(
        x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center
    ) -> some VisualEffect { self }
    /// Has no effect here.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some VisualEffect { self }
    /// Has no effect here.
    public func blur(radius: CGFloat, isEnabled: Bool = true) -> some VisualEffect { self }
    /// Has no effect here.
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some VisualEffect { self }
}
