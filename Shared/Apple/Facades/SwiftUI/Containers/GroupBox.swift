/// A view with a title on a ground of its own.
nonisolated public struct GroupBox<Label: View, Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let label: Label
    let content: Content
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.content = content()
    }
    public init(label: Label, @ViewBuilder content: () -> Content) {
        self.label = label
        self.content = content()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let style: any GroupBoxStyle = context.environment.styles.group ?? DefaultGroupBoxStyle()
        let configuration = GroupBoxStyleConfiguration(
            label: .init(view: label.font(.headline)), content: .init(view: content))
        return context.nodes(styledBy: style, configuration)
    }
}
nonisolated extension GroupBox where Label == EmptyView {
    public init(@ViewBuilder content: () -> Content) { self.init(label: EmptyView(), content: content) }
}
nonisolated extension GroupBox where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(label: Text(titleKey), content: content)
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(label: Text(title), content: content)
    }
}
/// How group boxes look.
@MainActor @preconcurrency public protocol GroupBoxStyle {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = GroupBoxStyleConfiguration
}
/// A group box as a style sees it.
nonisolated public struct GroupBoxStyleConfiguration {
    nonisolated public struct Part: View, PrimitiveView {
        public typealias Body = Never
        let view: any View
        @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
            context.nodes(of: view, at: "part")
        }
    }
    public typealias Label = Part
    public typealias Content = Part
    public let label: Label
    public let content: Content
}
nonisolated public struct DefaultGroupBoxStyle: GroupBoxStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        VStack(alignment: .leading) {
            configuration.label
            configuration.content
        }
        .frame(maxWidth: .infinity, alignment: .leading).padding()
        .background(
            Color(dynamic: DynamicRGBA(0xFFFFFF, 0x1C1C1E)), in: RoundedRectangle(cornerRadius: 12))
    }
}
nonisolated extension GroupBoxStyle where Self == DefaultGroupBoxStyle {
    public static var automatic: DefaultGroupBoxStyle { DefaultGroupBoxStyle() }
}
extension RenderContext {
    @MainActor fileprivate func nodes<S: GroupBoxStyle>(
        styledBy style: S, _ configuration: GroupBoxStyleConfiguration
    ) -> [RenderNode] {
        guard install(propertiesOf: style) else { return [] }
        var inner = self
        inner.environment.styles.group = nil
        return inner.nodes(of: style.makeBody(configuration: configuration), at: "group")
    }
}
nonisolated extension View {
    public func groupBoxStyle<S: GroupBoxStyle>(_ style: S) -> some View {
        drawn(with: style) { style, context in context.environment.styles.group = style }
    }
}

/// A view under a title, which readers can open and close.
nonisolated public struct DisclosureGroup<Label: View, Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let isExpanded: Bool
    let label: Label
    let content: () -> Content
    public init(@ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label) {
        isExpanded = false
        self.label = label()
        self.content = content
    }
    public init(
        isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder label: () -> Label
    ) {
        self.isExpanded = isExpanded.wrappedValue
        self.label = label()
        self.content = content
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var inner = context
        inner.isInsideControl = true
        let chevron = Image(systemName: "chevron.down").imageScale(.small).foregroundStyle(TintShapeStyle())
        let title = HStack {
            label
            Spacer()
            chevron
        }
        var summary = RenderNode("summary", children: [inner.node(of: title, at: "title")])
        summary.style = ["list-style": "none", "cursor": "pointer"]
        let rows = RenderNode.stack(
            context.nodes(of: content(), at: "rows"), axis: .vertical, gap: 8, cross: "start")
        var details = RenderNode(
            "details", style: ["width": "100%"],
            children: [summary, RenderNode.box(rows.growing(width: true), ["padding": "8px 0 0 16px"])])
        if isExpanded { details[attribute: "open"] = "" }
        details.reading = .lines
        details.layout.growsWidth = true
        return [details]
    }
}
nonisolated extension DisclosureGroup where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: @escaping () -> Content) {
        self.init(content: content) { Text(title) }
    }
    public init(
        _ titleKey: LocalizedStringKey, isExpanded: Binding<Bool>,
        @ViewBuilder content: @escaping () -> Content
    ) { self.init(isExpanded: isExpanded, content: content) { Text(titleKey) } }
}

/// What is shown where there is nothing to show.
nonisolated public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    let label: Label
    let description: Description
    let actions: Actions
    public init(
        @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        self.label = label()
        self.description = description()
        self.actions = actions()
    }
    public var body: some View {
        VStack(spacing: 12) {
            label.labelStyle(UnavailableLabelStyle())
            description.font(.subheadline).foregroundStyle(.secondary).multilineTextAlignment(.center)
            actions
        }
        .padding(24).frame(maxWidth: .infinity, maxHeight: .infinity)
    }
}
nonisolated struct UnavailableLabelStyle: LabelStyle {
    func makeBody(configuration: Configuration) -> some View {
        VStack(spacing: 12) {
            configuration.icon.font(.system(size: 44)).foregroundStyle(.secondary)
            configuration.title.font(.title2).fontWeight(.bold).multilineTextAlignment(.center)
        }
    }
}
nonisolated extension ContentUnavailableView
where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        self.init {
            SwiftUI.Label(title, systemImage: name)
        } description: {
            description
        } actions: {
            EmptyView()
        }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil) {
        self.init {
            SwiftUI.Label(title, systemImage: name)
        } description: {
            description
        } actions: {
            EmptyView()
        }
    }
    public static var search: ContentUnavailableView<SwiftUI.Label<Text, Image>, Text?, EmptyView> {
        ContentUnavailableView("No Results", systemImage: "magnifyingglass", description: nil)
    }
}

/// Controls that belong together.
nonisolated public struct ControlGroup<Content: View>: View {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: some View { HStack { content } }
}

/// A button that shows others; drawn closed.
nonisolated public struct Menu<Label: View, Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let label: Label
    let content: Content
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.content = content()
    }
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label,
        primaryAction: @escaping () -> Void
    ) { self.init(content: content, label: label) }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        context.nodes(of: Button(action: {}, label: { label }), at: "menu")
    }
}
nonisolated extension Menu where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}
nonisolated extension Menu where Label == SwiftUI.Label<Text, Image> {
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content) {
        self.init(content: content) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }
}
