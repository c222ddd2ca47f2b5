public import Foundation

/// A stack of views that lead to each other. Only the root is rendered, below its title.
nonisolated public struct NavigationStack<Data, Root: View>: View, PrimitiveView {
    public typealias Body = Never
    let root: Root
    /// Renders the root.
    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath { self.root = root() }
    /// Renders the root; the path is ignored.
    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.root = root()
    }
    /// Renders the root; the path is ignored.
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where
        Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable
    {
        self.root = root()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] { [context.titled(root)] }
}
/// Same as `NavigationStack`.
nonisolated public struct NavigationView<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let content: Content
    /// Renders the content below its title.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] { [context.titled(content)] }
}
/// Columns that lead to each other. Rendered below each other.
nonisolated public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View, PrimitiveView
{
    public typealias Body = Never
    let sidebar: Sidebar
    let content: Content?
    let detail: Detail
    /// Sidebar, content and detail are rendered below each other.
    public init(
        @ViewBuilder sidebar: () -> Sidebar, @ViewBuilder content: () -> Content,
        @ViewBuilder detail: () -> Detail
    ) { (self.sidebar, self.content, self.detail) = (sidebar(), content(), detail()) }
    /// Sidebar and detail are rendered below each other.
    public init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail)
    where Content == EmptyView { (self.sidebar, content, self.detail) = (sidebar(), nil, detail()) }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        [
            context.titled(
                VStack {
                    sidebar
                    content
                    detail
                })
        ]
    }
}
/// The values that lead to a view. Kept for the program; not used for rendering.
nonisolated public struct NavigationPath: Equatable {
    private var values: [AnyHashable] = []
    /// An empty path.
    public init() {}
    /// A path of these values.
    public init<S: Sequence>(_ elements: S) where S.Element: Hashable {
        values = elements.map { AnyHashable($0) }
    }
    /// How many values the path has.
    public var count: Int { values.count }
    /// Whether only the root is shown.
    public var isEmpty: Bool { values.isEmpty }
    /// Adds a value.
    public mutating func append<V: Hashable>(_ value: V) { values.append(AnyHashable(value)) }
    /// Removes the last `count` values. Traps if there are fewer.
    public mutating func removeLast(_ count: Int = 1) { values.removeLast(count) }
}

/// A link to another view. In lists it is a row with an arrow, elsewhere its label. It cannot be followed.
nonisolated public struct NavigationLink<Label: View, Destination: View>: View, PrimitiveView {
    public typealias Body = Never
    let label: Label
    /// The destination is never built or rendered.
    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        self.label = label()
    }
    /// The destination is never built or rendered.
    public init(destination: Destination, @ViewBuilder label: () -> Label) { self.label = label() }
    /// The destination is never built or rendered.
    public init(
        destination: Destination, isActive: Binding<Bool>, @ViewBuilder label: () -> Label
    ) { self.label = label() }
    init(label: Label) { self.label = label }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        guard context.isRow else {
            return context.nodes(of: Button(action: {}, label: { label }), at: "link")
        }
        let row = HStack {
            label
            Spacer()
            Image(systemName: "chevron.right").font(.footnote).fontWeight(.semibold)
                .foregroundStyle(HierarchicalShapeStyle.tertiary)
        }
        return context.nodes(of: row, at: "link")
    }
}
nonisolated extension NavigationLink where Label == Text {
    /// The destination is never built or rendered.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
        self.init(label: Text(titleKey))
    }
    /// The destination is never built or rendered.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination) {
        self.init(label: Text(title))
    }
    /// The destination is never built or rendered.
    public init(_ titleKey: LocalizedStringKey, destination: Destination) { self.init(label: Text(titleKey)) }
    /// The destination is never built or rendered.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: Destination) { self.init(label: Text(title)) }
}
nonisolated extension NavigationLink where Destination == Never {
    /// The value is ignored.
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) { self.init(label: label()) }
    /// The value is ignored.
    public init<P: Hashable>(_ titleKey: LocalizedStringKey, value: P?) where Label == Text {
        self.init(label: Text(titleKey))
    }
    /// The value is ignored.
    @_disfavoredOverload
    public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) where Label == Text {
        self.init(label: Text(title))
    }
}

/// What navigation shows around its view.
struct NavigationChrome {
    var title: String?
    var items: [RenderNode] = []
    var bottomItems: [RenderNode] = []
}
enum NavigationChromeKey: PreferenceKey {
    static var defaultValue: NavigationChrome { NavigationChrome() }
    static func reduce(value: inout NavigationChrome, nextValue: () -> NavigationChrome) {
        let next = nextValue()
        value.title = value.title ?? next.title
        value.items += next.items
        value.bottomItems += next.bottomItems
    }
}

extension RenderContext {
    /// `view` below the title and the items that it requests.
    @MainActor func titled<V: View>(_ view: V) -> RenderNode {
        let outer = preferences.take(NavigationChromeKey.self)
        var inner = self
        inner.axis = nil
        let content = inner.node(of: view, at: "navigation")
        let chrome = preferences.take(NavigationChromeKey.self) ?? NavigationChrome()
        if let outer { preferences.add(outer, for: NavigationChromeKey.self) }
        var parts: [RenderNode] = []
        if !chrome.items.isEmpty {
            var bar = RenderNode.stack(chrome.items, axis: .horizontal, gap: 16, cross: "center")
            bar.style["padding"] = "10px 16px 0"
            bar.style["justify-content"] = "end"
            parts.append(bar.growing(width: true))
        }
        if let title = chrome.title {
            var heading = RenderNode("h1", children: [RenderNode(text: title)])
            heading.style = [
                "font-size": "2.125rem", "line-height": "1.2", "font-weight": "700", "padding": "8px 16px",
                "text-align": "start", "overflow-wrap": "anywhere",
            ]
            parts.append(heading.growing(width: true))
        }
        parts.append(content.cell())
        if !chrome.bottomItems.isEmpty {
            var bar = RenderNode.stack(chrome.bottomItems, axis: .horizontal, gap: 16, cross: "center")
            bar.style["padding"] = "8px 16px"
            parts.append(bar)
        }
        guard parts.count > 1 else { return content }
        var stack = RenderNode.stack(parts, axis: .vertical, gap: 0, cross: "center")
        stack.layout.growsWidth = true
        return stack
    }
}

nonisolated extension View {
    private func chrome<Other>(
        _ other: Other, _ change: @escaping @MainActor (Other, RenderContext, inout NavigationChrome) -> Void
    ) -> some View {
        drawn(with: other) { other, context in
            var chrome = NavigationChrome()
            change(other, context, &chrome)
            context.preferences.add(chrome, for: NavigationChromeKey.self)
        }
    }
    /// Sets the title of the surrounding navigation. It is rendered as the first heading.
    public func navigationTitle(_ title: Text) -> some View {
        chrome(title) { title, context, chrome in chrome.title = title.plain(in: context.environment) }
    }
    /// The same with a localized title.
    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
        navigationTitle(Text(titleKey))
    }
    /// The same with a title that is not localized.
    @_disfavoredOverload
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { navigationTitle(Text(title)) }
    /// The same with the present value of the binding, which is not edited.
    public func navigationTitle(_ title: Binding<String>) -> some View {
        navigationTitle(Text(title.wrappedValue))
    }
    /// Same as ``navigationTitle(_:)``.
    public func navigationBarTitle(_ title: Text) -> some View { navigationTitle(title) }
    /// Same as ``navigationTitle(_:)``.
    public func navigationBarTitle(_ titleKey: LocalizedStringKey) -> some View { navigationTitle(titleKey) }
    /// Same as ``navigationTitle(_:)``.
    @_disfavoredOverload
    public func navigationBarTitle<S: StringProtocol>(_ title: S) -> some View { navigationTitle(title) }
    /// Same as ``navigationTitle(_:)``; the display mode is ignored.
    public func navigationBarTitle(
        _ titleKey: LocalizedStringKey, displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View { navigationTitle(titleKey) }
    /// Same as ``navigationTitle(_:)``; the display mode is ignored.
    @_disfavoredOverload
    public func navigationBarTitle<S: StringProtocol>(
        _ title: S, displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View { navigationTitle(title) }
    /// Has no effect here.
    public func navigationSubtitle(_ subtitle: Text) -> some View { self }
    /// Ignored: titles are always large.
    public func navigationBarTitleDisplayMode(_ mode: NavigationBarItem.TitleDisplayMode) -> some View {
        self
    }
    /// Has no effect here.
    public func navigationBarHidden(_ hidden: Bool) -> some View { self }
    /// Has no effect here.
    public func navigationBarBackButtonHidden(_ hides: Bool = true) -> some View { self }
    /// Shows both views in the bar above the content.
    public func navigationBarItems<L: View, T: View>(leading: L, trailing: T) -> some View {
        toolbar {
            HStack {
                leading
                trailing
            }
        }
    }
    /// Shows the view in the bar above the content.
    public func navigationBarItems<T: View>(trailing: T) -> some View { toolbar { trailing } }
    /// Shows the view in the bar above the content.
    public func navigationBarItems<L: View>(leading: L) -> some View { toolbar { leading } }
    /// Has no effect here.
    public func navigationViewStyle<S: NavigationViewStyle>(_ style: S) -> some View { self }
    /// Has no effect here.
    public func navigationSplitViewStyle<S: NavigationSplitViewStyle>(_ style: S) -> some View { self }
    /// Has no effect here.
    public func navigationSplitViewColumnWidth(_ width: CGFloat) -> some View { self }
    /// Has no effect here.
    public func navigationSplitViewColumnWidth(min: CGFloat? = nil, ideal: CGFloat, max: CGFloat? = nil)
        -> some View
    { self }
    /// Ignored: only the root of the navigation is rendered.
    public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { self }
    /// Ignored: only the root of the navigation is rendered.
    public func navigationDestination<V: View>(
        isPresented: Binding<Bool>, @ViewBuilder destination: () -> V
    ) -> some View { self }
    /// Ignored: only the root of the navigation is rendered.
    public func navigationDestination<D: Hashable, C: View>(
        item: Binding<D?>, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { self }

    /// Shows views in the bar above or below the surrounding navigation.
    public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
        chrome(content()) { content, context, chrome in
            var inner = context
            inner.axis = .horizontal
            chrome.items = inner.nodes(of: content, at: "toolbar").filter { !$0.layout.isSpacer }
        }
    }
    /// Shows views in the bar above or below the surrounding navigation.
    public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View {
        chrome(content()) { content, context, chrome in
            var inner = context
            inner.axis = .horizontal
            for item in content.toolbarItems {
                let nodes = inner.nodes(of: item.view, at: "toolbar").filter { !$0.layout.isSpacer }
                switch item.placement {
                case .bottomBar, .keyboard, .status: chrome.bottomItems += nodes
                default: chrome.items += nodes
                }
            }
        }
    }
    /// Has no effect here.
    public func toolbar(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View { self }
    /// Has no effect here.
    public func toolbar(removing defaultItemKind: ToolbarDefaultItemKind?) -> some View { self }
    /// Has no effect here.
    public func toolbarBackground<S: ShapeStyle>(_ style: S, for bars: ToolbarPlacement...) -> some View {
        self
    }
    /// Has no effect here.
    public func toolbarBackground(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        self
    }
    /// Has no effect here.
    public func toolbarColorScheme(_ scheme: ColorScheme?, for bars: ToolbarPlacement...) -> some View {
        self
    }
    /// Has no effect here.
    public func toolbarTitleDisplayMode(_ mode: ToolbarTitleDisplayMode) -> some View { self }
    /// Has no effect here.
    public func toolbarRole(_ role: ToolbarRole) -> some View { self }
    /// Has no effect here.
    public func statusBarHidden(_ hidden: Bool = true) -> some View { self }
    /// Has no effect here.
    public func statusBar(hidden: Bool) -> some View { self }
    /// Has no effect here.
    public func persistentSystemOverlays(_ visibility: Visibility) -> some View { self }
}

/// How a navigation bar shows its title. Ignored: titles are large.
nonisolated public struct NavigationBarItem: Sendable {
    /// Ignored: titles are large.
    nonisolated public enum TitleDisplayMode: Sendable {
        case automatic
        case inline
        case large
    }
}
/// Defines how navigation looks. All styles look alike here.
public protocol NavigationViewStyle {}
nonisolated public struct StackNavigationViewStyle: NavigationViewStyle, Sendable { public init() {} }
nonisolated public struct DefaultNavigationViewStyle: NavigationViewStyle, Sendable { public init() {} }
nonisolated extension NavigationViewStyle where Self == StackNavigationViewStyle {
    /// Looks like every style here.
    public static var stack: StackNavigationViewStyle { StackNavigationViewStyle() }
}
nonisolated extension NavigationViewStyle where Self == DefaultNavigationViewStyle {
    /// Looks like every style here.
    public static var automatic: DefaultNavigationViewStyle { DefaultNavigationViewStyle() }
}
/// Defines how split views look. All are rendered as columns below each other.
public protocol NavigationSplitViewStyle {}
nonisolated public struct BalancedNavigationSplitViewStyle: NavigationSplitViewStyle, Sendable {
    /// Looks like every style here.
    public init() {}
}
nonisolated extension NavigationSplitViewStyle where Self == BalancedNavigationSplitViewStyle {
    /// Looks like every style here.
    public static var balanced: BalancedNavigationSplitViewStyle { BalancedNavigationSplitViewStyle() }
}
