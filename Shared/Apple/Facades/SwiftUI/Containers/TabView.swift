/// Several views of which one is visible. Readers can switch: the tabs are radio buttons without a script.
nonisolated public struct TabView<SelectionValue: Hashable, Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let selection: Binding<SelectionValue>?
    let content: Content
    /// The tab whose tag equals the selection is shown first. The binding is not updated.
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var inner = context
        inner.axis = nil
        inner.proposal.height = nil
        let tabs = inner.nodes(of: content, at: "tabs").flatMap(\.unsectioned)
        guard !tabs.isEmpty else { return [] }
        if case .pages = context.environment.styles.tabs { return [pages(tabs)] }
        let chosen = selection.map { AnyHashable($0.wrappedValue) }
        let index = tabs.firstIndex { $0.traits.tag != nil && $0.traits.tag == chosen } ?? 0
        return [TabDrawing(tabs: tabs, chosen: index, context).node]
    }

    /// Pages side by side that readers can scroll through.
    private func pages(_ tabs: [RenderNode]) -> RenderNode {
        var pages = RenderNode("div")
        pages.children = tabs.map {
            RenderNode.box($0.growing(width: true), ["flex": "0 0 100%", "scroll-snap-align": "start"])
        }
        pages.style = [
            "display": "flex", "overflow-x": "auto", "scroll-snap-type": "x mandatory", "width": "100%",
        ]
        pages[attribute: "tabindex"] = "0"
        pages.reading = .lines
        pages.layout.growsWidth = true
        pages.layout.growsHeight = true
        return pages
    }
}
nonisolated extension TabView where SelectionValue == Int {
    /// Shows the first tab at first.
    public init(@ViewBuilder content: () -> Content) { self.init(selection: nil, content: content) }
}

/// Tabs rendered as radio buttons: their labels form the bar, and CSS shows and hides the panels.
struct TabDrawing {
    let tabs: [RenderNode]
    let chosen: Int
    private let name: String

    @MainActor init(tabs: [RenderNode], chosen: Int, _ context: RenderContext) {
        (self.tabs, self.chosen) = (Array(tabs.prefix(8)), chosen)
        name = context.pass.name("tabs")
    }

    var node: RenderNode {
        var bar = RenderNode("div")
        bar[attribute: "class"] = "tb"
        bar.reading = .silent
        var view = RenderNode("div")
        view[attribute: "class"] = "ts"
        view.reading = .lines
        for (index, tab) in tabs.enumerated() {
            let id = "\(name)-\(index)"
            var input = RenderNode("input").with("type", "radio").with("name", name).with("id", id)
            input[attribute: "class"] = "n"
            if index == chosen { input[attribute: "checked"] = "" }
            view.children.append(input)
            let items = tab.traits.tabItem ?? [RenderNode(text: "\(index + 1)")]
            bar.children.append(RenderNode("label", children: items).with("for", id))
        }
        for tab in tabs {
            var panel = RenderNode.box(tab.growing(width: true), Style())
            panel[attribute: "class"] = "b tp"
            // The text alternative contains the titles of hidden tabs too.
            let words = PlainText.of(tab.traits.tabItem ?? [])
            panel.reading = .lines
            if !words.isEmpty {
                var heading = RenderNode("span", children: [])
                heading[attribute: "class"] = "n"
                heading.reading = .text(words)
                heading[attribute: "aria-hidden"] = "true"
                panel.children.insert(heading, at: 0)
            }
            view.children.append(panel)
        }
        view.children.append(bar)
        view.layout.growsWidth = true
        view.layout.growsHeight = true
        return view
    }
}

/// A tab with its label.
nonisolated public struct Tab<Value, Content: View, Label: View>: View, PrimitiveView {
    public typealias Body = Never
    let tag: AnyHashable?
    let content: Content
    let label: Label
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let labelled = content.tabItem { label }
        return context.nodes(of: labelled, at: "tab").map { node in
            var node = node
            if let tag { node.traits.tag = tag }
            return node
        }
    }
}
nonisolated extension Tab where Value == Never, Label == SwiftUI.Label<Text, Image> {
    /// A tab with a symbol and a localized title.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content) {
        self.init(tag: nil, content: content(), label: SwiftUI.Label(titleKey, systemImage: systemImage))
    }
    /// A tab with a symbol and a title that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, @ViewBuilder content: () -> Content) {
        self.init(tag: nil, content: content(), label: SwiftUI.Label(title, systemImage: systemImage))
    }
}
nonisolated extension Tab where Value: Hashable, Label == SwiftUI.Label<Text, Image> {
    /// The same with a value that the selection is compared with.
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, value: Value, @ViewBuilder content: () -> Content
    ) {
        self.init(
            tag: AnyHashable(value), content: content(),
            label: SwiftUI.Label(titleKey, systemImage: systemImage))
    }
    /// The same with a title that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, value: Value, @ViewBuilder content: () -> Content
    ) {
        self.init(
            tag: AnyHashable(value), content: content(), label: SwiftUI.Label(title, systemImage: systemImage)
        )
    }
}

nonisolated extension View {
    /// Sets what the bar of a `TabView` shows for this view.
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
        node(with: label()) { node, label, context in
            var inner = context
            inner.isInsideControl = true
            inner.environment.font = .system(size: 11, weight: .medium)
            inner.environment.imageScale = .large
            inner.environment.styles.label = TabLabelStyle()
            var node = node
            node.traits.tabItem = inner.nodes(of: label, at: "tab")
            return node
        }
    }
    /// Sets whether tabs inside this view are a bar or scrollable pages.
    public func tabViewStyle<S: TabViewStyle>(_ style: S) -> some View {
        values { $0.styles.tabs = S.isPaged ? .pages : .bar }
    }
    /// Has no effect here.
    public func indexViewStyle<S: IndexViewStyle>(_ style: S) -> some View { self }
    /// Has no effect here.
    public func tabBarMinimizeBehavior(_ behavior: TabBarMinimizeBehavior) -> some View { self }
}
nonisolated struct TabLabelStyle: LabelStyle {
    func makeBody(configuration: Configuration) -> some View {
        VStack(spacing: 3) {
            configuration.icon.font(.system(size: 18))
            configuration.title
        }
    }
}
/// When a tab bar is minimized. Ignored.
nonisolated public struct TabBarMinimizeBehavior: Hashable, Sendable {
    private let name: String
    public static let automatic = TabBarMinimizeBehavior(name: "automatic")
    public static let onScrollDown = TabBarMinimizeBehavior(name: "onScrollDown")
    public static let never = TabBarMinimizeBehavior(name: "never")
}
/// Defines how tabs look.
public protocol TabViewStyle { static var isPaged: Bool { get } }
/// A bar below the visible tab.
nonisolated public struct DefaultTabViewStyle: TabViewStyle, Sendable {
    public init() {}
    public static let isPaged = false
}
/// Pages that scroll horizontally, without dots.
nonisolated public struct PageTabViewStyle: TabViewStyle, Sendable {
    /// Ignored: pages have no dots.
    nonisolated public struct IndexDisplayMode: Sendable {
        private let name: String
        public static let automatic = IndexDisplayMode(name: "automatic")
        public static let always = IndexDisplayMode(name: "always")
        public static let never = IndexDisplayMode(name: "never")
    }
    /// The parameter is ignored: pages have no dots.
    public init(indexDisplayMode: IndexDisplayMode = .automatic) {}
    public static let isPaged = true
}
nonisolated extension TabViewStyle where Self == DefaultTabViewStyle {
    /// A bar below the visible tab.
    public static var automatic: DefaultTabViewStyle { DefaultTabViewStyle() }
}
nonisolated extension TabViewStyle where Self == PageTabViewStyle {
    /// Pages that scroll horizontally.
    public static var page: PageTabViewStyle { PageTabViewStyle() }
    /// The parameter is ignored: pages have no dots.
    public static func page(indexDisplayMode: PageTabViewStyle.IndexDisplayMode) -> PageTabViewStyle {
        PageTabViewStyle(indexDisplayMode: indexDisplayMode)
    }
}
/// Defines how the dots of pages look. Ignored: pages have no dots.
public protocol IndexViewStyle {}
nonisolated public struct PageIndexViewStyle: IndexViewStyle, Sendable {
    /// Has no effect here.
    nonisolated public struct BackgroundDisplayMode: Sendable {
        private let name: String
        public static let automatic = BackgroundDisplayMode(name: "automatic")
        public static let interactive = BackgroundDisplayMode(name: "interactive")
        public static let always = BackgroundDisplayMode(name: "always")
        public static let never = BackgroundDisplayMode(name: "never")
    }
    /// The parameter is ignored.
    public init(backgroundDisplayMode: BackgroundDisplayMode = .automatic) {}
}
nonisolated extension IndexViewStyle where Self == PageIndexViewStyle {
    /// Ignored: pages have no dots.
    public static var page: PageIndexViewStyle { PageIndexViewStyle() }
    /// Ignored: pages have no dots.
    public static func page(backgroundDisplayMode: PageIndexViewStyle.BackgroundDisplayMode)
        -> PageIndexViewStyle
    {
        PageIndexViewStyle(backgroundDisplayMode: backgroundDisplayMode)
    }
}
