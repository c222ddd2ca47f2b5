/// A titled view on its own background.
nonisolated public struct GroupBox<Label: View, Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let label: Label
    let content: Content
    /// - Parameter label: shown as a headline above the content.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.content = content()
    }
    /// The same with a label value; deprecated by Apple.
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
    /// A group box without a title.
    public init(@ViewBuilder content: () -> Content) { self.init(label: EmptyView(), content: content) }
}
nonisolated extension GroupBox where Label == Text {
    /// A group box with a localized title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(label: Text(titleKey), content: content)
    }
    /// A group box with a title that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(label: Text(title), content: content)
    }
}
/// Defines how group boxes look.
@MainActor @preconcurrency public protocol GroupBoxStyle {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = GroupBoxStyleConfiguration
}
/// The parts of a group box that a style arranges.
nonisolated public struct GroupBoxStyleConfiguration {
    /// The label or the content of a group box.
    nonisolated public struct Part: View, PrimitiveView {
        public typealias Body = Never
        let view: any View
        @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
            context.nodes(of: view, at: "part")
        }
    }
    /// As Apple names it.
    public typealias Label = Part
    /// As Apple names it.
    public typealias Content = Part
    /// In the headline font.
    public let label: Label
    /// The content without a background.
    public let content: Content
}
/// The built-in look: a rounded background with the label above the content.
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
    /// The built-in look.
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
    /// Sets the style of group boxes inside this view.
    public func groupBoxStyle<S: GroupBoxStyle>(_ style: S) -> some View {
        drawn(with: style) { style, context in context.environment.styles.group = style }
    }
}

/// A view below a title. Readers can expand and collapse it.
nonisolated public struct DisclosureGroup<Label: View, Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let isExpanded: Bool
    let label: Label
    let content: () -> Content
    /// Collapsed at first.
    public init(@ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label) {
        isExpanded = false
        self.label = label()
        self.content = content
    }
    /// Expanded at first if `isExpanded` is true. The binding is not updated.
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
    /// A collapsed group with a localized title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    /// A collapsed group with a title that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: @escaping () -> Content) {
        self.init(content: content) { Text(title) }
    }
    /// A group with a localized title, expanded if `isExpanded` is true.
    public init(
        _ titleKey: LocalizedStringKey, isExpanded: Binding<Bool>,
        @ViewBuilder content: @escaping () -> Content
    ) { self.init(isExpanded: isExpanded, content: content) { Text(titleKey) } }
}

/// A placeholder for missing content.
nonisolated public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    let label: Label
    let description: Description
    let actions: Actions
    /// The parts are centred below each other.
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
    /// A large symbol above a localized title.
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        self.init {
            SwiftUI.Label(title, systemImage: name)
        } description: {
            description
        } actions: {
            EmptyView()
        }
    }
    /// A large symbol above a title that is not localized.
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
    /// "No Results" with a magnifying glass. Always English.
    public static var search: ContentUnavailableView<SwiftUI.Label<Text, Image>, Text?, EmptyView> {
        ContentUnavailableView("No Results", systemImage: "magnifyingglass", description: nil)
    }
}

/// Related controls in a row.
nonisolated public struct ControlGroup<Content: View>: View {
    let content: Content
    /// The controls are placed in a row.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: some View { HStack { content } }
}

/// A button that opens a menu. Rendered closed; the menu does not open.
nonisolated public struct Menu<Label: View, Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let label: Label
    let content: Content
    /// Only the label is rendered.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.content = content()
    }
    /// Only the label is rendered; the action is never called.
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label,
        primaryAction: @escaping () -> Void
    ) { self.init(content: content, label: label) }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        context.nodes(of: Button(action: {}, label: { label }), at: "menu")
    }
}
nonisolated extension Menu where Label == Text {
    /// Only the title is rendered.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    /// Only the title is rendered.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}
nonisolated extension Menu where Label == SwiftUI.Label<Text, Image> {
    /// Only the title is rendered.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content) {
        self.init(content: content) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }
}
