public import Foundation

/// A view larger than its place. Downwards the page itself scrolls; a row can be scrolled sideways.
nonisolated public struct ScrollView<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    public var content: Content
    public var axes: Axis.Set
    public var showsIndicators: Bool
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

/// Scrolls to views by id; a page begins at its top.
nonisolated public struct ScrollViewReader<Content: View>: View {
    let content: (ScrollViewProxy) -> Content
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }
    public var body: some View { content(ScrollViewProxy()) }
}
/// Scrolls to views by id; a page begins at its top.
nonisolated public struct ScrollViewProxy {
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {}
}

nonisolated extension View {
    // How a page scrolls is the browser's business.
    public func scrollIndicators(_ visibility: ScrollIndicatorVisibility, axes: Axis.Set = [.vertical])
        -> some View
    {
        self
    }
    public func scrollDisabled(_ disabled: Bool) -> some View { self }
    public func scrollTargetLayout(isEnabled: Bool = true) -> some View { self }
    public func scrollTargetBehavior<S: ScrollTargetBehavior>(_ behavior: S) -> some View { self }
    public func scrollPosition<ID: Hashable>(id: Binding<ID?>, anchor: UnitPoint? = nil) -> some View { self }
    public func scrollBounceBehavior(_ behavior: ScrollBounceBehavior, axes: Axis.Set = [.vertical])
        -> some View
    {
        self
    }
    public func scrollClipDisabled(_ disabled: Bool = true) -> some View { self }
    public func scrollDismissesKeyboard(_ mode: ScrollDismissesKeyboardMode) -> some View { self }
    public func defaultScrollAnchor(_ anchor: UnitPoint?) -> some View { self }
    /// Only the state of a view in sight can be seen on a page.
    public func scrollTransition<E: VisualEffect>(
        _ transition: @escaping @Sendable (EmptyVisualEffect, ScrollTransitionPhase) -> E
    ) -> some View { self }
}
/// When scroll bars are shown.
nonisolated public struct ScrollIndicatorVisibility: Equatable, Sendable {
    private let name: String
    public static let automatic = ScrollIndicatorVisibility(name: "automatic")
    public static let visible = ScrollIndicatorVisibility(name: "visible")
    public static let hidden = ScrollIndicatorVisibility(name: "hidden")
    public static let never = ScrollIndicatorVisibility(name: "never")
}
/// When a scroll view springs back.
nonisolated public struct ScrollBounceBehavior: Sendable {
    private let name: String
    public static let automatic = ScrollBounceBehavior(name: "automatic")
    public static let always = ScrollBounceBehavior(name: "always")
    public static let basedOnSize = ScrollBounceBehavior(name: "basedOnSize")
}
/// What scrolling does to a keyboard.
nonisolated public struct ScrollDismissesKeyboardMode: Sendable {
    private let name: String
    public static let automatic = ScrollDismissesKeyboardMode(name: "automatic")
    public static let immediately = ScrollDismissesKeyboardMode(name: "immediately")
    public static let interactively = ScrollDismissesKeyboardMode(name: "interactively")
    public static let never = ScrollDismissesKeyboardMode(name: "never")
}
/// Where scrolling stops.
public protocol ScrollTargetBehavior {}
nonisolated public struct PagingScrollTargetBehavior: ScrollTargetBehavior, Sendable { public init() {} }
nonisolated public struct ViewAlignedScrollTargetBehavior: ScrollTargetBehavior, Sendable { public init() {} }
nonisolated extension ScrollTargetBehavior where Self == PagingScrollTargetBehavior {
    public static var paging: PagingScrollTargetBehavior { PagingScrollTargetBehavior() }
}
nonisolated extension ScrollTargetBehavior where Self == ViewAlignedScrollTargetBehavior {
    public static var viewAligned: ViewAlignedScrollTargetBehavior { ViewAlignedScrollTargetBehavior() }
}
/// Where a view is on its way through a scroll view.
nonisolated public enum ScrollTransitionPhase: Sendable {
    case topLeading
    case identity
    case bottomTrailing
    public var isIdentity: Bool { self == .identity }
    public var value: Double { 0 }
}
/// A change of look that does not change the layout.
nonisolated public protocol VisualEffect: Sendable {}
nonisolated public struct EmptyVisualEffect: VisualEffect {
    public init() {}
}
nonisolated extension VisualEffect {
    public func opacity(_ opacity: Double, isEnabled: Bool = true) -> some VisualEffect { self }
    public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some VisualEffect { self }
    public func scaleEffect(
        x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center
    ) -> some VisualEffect { self }
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some VisualEffect { self }
    public func blur(radius: CGFloat, isEnabled: Bool = true) -> some VisualEffect { self }
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some VisualEffect { self }
}
