public import Foundation

/// A text with an image before it.
nonisolated public struct Label<Title: View, Icon: View>: View, PrimitiveView {
    public typealias Body = Never
    let title: Title
    let icon: Icon
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let configuration = LabelStyleConfiguration(
            title: LabelStyleConfiguration.Title(view: title), icon: LabelStyleConfiguration.Icon(view: icon))
        let style: any LabelStyle = context.environment.styles.label ?? DefaultLabelStyle()
        return context.nodes(styledBy: style, configuration)
    }
}
nonisolated extension Label where Title == Text, Icon == Image {
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(systemName: name)
        }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init {
            Text(title)
        } icon: {
            Image(systemName: name)
        }
    }
    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(name)
        }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, image name: String) {
        self.init {
            Text(title)
        } icon: {
            Image(name)
        }
    }
}
nonisolated extension Label
where Title == LabelStyleConfiguration.Title, Icon == LabelStyleConfiguration.Icon {
    public init(_ configuration: LabelStyleConfiguration) {
        title = configuration.title
        icon = configuration.icon
    }
}

extension RenderContext {
    @MainActor fileprivate func nodes<S: LabelStyle>(
        styledBy style: S, _ configuration: LabelStyleConfiguration
    ) -> [RenderNode] {
        guard install(propertiesOf: style) else { return [] }
        var inner = self
        // A style may hold a label of its own, which looks as labels do without it.
        inner.environment.styles.label = nil
        return inner.nodes(of: style.makeBody(configuration: configuration), at: "label")
    }
}

/// The image, then the text.
nonisolated public struct DefaultLabelStyle: LabelStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        HStack(spacing: 8) {
            configuration.icon
            configuration.title
        }
    }
}
nonisolated public struct TitleAndIconLabelStyle: LabelStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        HStack(spacing: 8) {
            configuration.icon
            configuration.title
        }
    }
}
nonisolated public struct TitleOnlyLabelStyle: LabelStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View { configuration.title }
}
/// The image alone; the text is read by assistive technology.
nonisolated public struct IconOnlyLabelStyle: LabelStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        configuration.icon.accessibilityNamed(by: configuration.title)
    }
}
nonisolated extension LabelStyle where Self == DefaultLabelStyle {
    public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}
nonisolated extension LabelStyle where Self == TitleAndIconLabelStyle {
    public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}
nonisolated extension LabelStyle where Self == TitleOnlyLabelStyle {
    public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}
nonisolated extension LabelStyle where Self == IconOnlyLabelStyle {
    public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}
nonisolated extension View {
    /// The style of labels inside.
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View {
        drawn(with: style) { style, context in context.environment.styles.label = style }
    }
    /// Hides the labels of controls inside; assistive technology reads them all the same.
    public func labelsHidden() -> some View { values { $0.hidesLabels = true } }

    func accessibilityNamed<V: View>(by title: V) -> some View {
        node(with: title) { node, title, context in
            let words = PlainText.of(context.measuring.nodes(of: title, at: "name"))
            return node.named(words.trimmingCharacters(in: .newlines))
        }
    }
}

/// A label with a value on the other side of the row.
nonisolated public struct LabeledContent<Label: View, Content: View>: View {
    let label: Label
    let content: Content
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.content = content()
    }
    public var body: some View {
        HStack {
            label
            Spacer()
            content.foregroundStyle(.secondary)
        }
    }
}
nonisolated extension LabeledContent where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}
nonisolated extension LabeledContent where Label == Text, Content == Text {
    public init<S: StringProtocol>(_ titleKey: LocalizedStringKey, value: S) {
        self.init {
            Text(value)
        } label: {
            Text(titleKey)
        }
    }
    @_disfavoredOverload
    public init<S1: StringProtocol, S2: StringProtocol>(_ title: S1, value: S2) {
        self.init {
            Text(value)
        } label: {
            Text(title)
        }
    }
    public init<F: FormatStyle>(_ titleKey: LocalizedStringKey, value: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String {
        self.init {
            Text(value, format: format)
        } label: {
            Text(titleKey)
        }
    }
}
