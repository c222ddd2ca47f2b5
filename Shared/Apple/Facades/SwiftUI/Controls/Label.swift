public import Foundation

/// An image followed by a text.
nonisolated public struct Label<Title: View, Icon: View>: View, PrimitiveView {
    public typealias Body = Never
    let title: Title
    let icon: Icon
    /// The style decides which parts are shown.
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
    /// A system symbol and a localized title.
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(systemName: name)
        }
    }
    /// A system symbol and a title that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init {
            Text(title)
        } icon: {
            Image(systemName: name)
        }
    }
    /// An image of the bundle and a localized title.
    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(name)
        }
    }
    /// An image of the bundle and a title that is not localized.
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
    /// A label for styles that wrap another label.
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
        // A label inside a style must not use the same style again.
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
/// The image, then the text.
nonisolated public struct TitleAndIconLabelStyle: LabelStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        HStack(spacing: 8) {
            configuration.icon
            configuration.title
        }
    }
}
/// The text only.
nonisolated public struct TitleOnlyLabelStyle: LabelStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View { configuration.title }
}
/// The image only. Assistive technology reads the text.
nonisolated public struct IconOnlyLabelStyle: LabelStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        configuration.icon.accessibilityNamed(by: configuration.title)
    }
}
nonisolated extension LabelStyle where Self == DefaultLabelStyle {
    /// The image, then the text.
    public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}
nonisolated extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// The image, then the text.
    public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}
nonisolated extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// The text only.
    public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}
nonisolated extension LabelStyle where Self == IconOnlyLabelStyle {
    /// The image only.
    public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}
nonisolated extension View {
    /// Sets the style of labels inside this view.
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View {
        drawn(with: style) { style, context in context.environment.styles.label = style }
    }
    /// Hides the labels of controls inside. Assistive technology still reads them.
    public func labelsHidden() -> some View { values { $0.hidesLabels = true } }

    func accessibilityNamed<V: View>(by title: V) -> some View {
        node(with: title) { node, title, context in
            let words = PlainText.of(context.measuring.nodes(of: title, at: "name"))
            return node.named(words.trimmingCharacters(in: .newlines))
        }
    }
}

/// A label with a value at the other end of the row.
nonisolated public struct LabeledContent<Label: View, Content: View>: View {
    let label: Label
    let content: Content
    /// The content is rendered in the secondary colour.
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
    /// With a localized label.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    /// With a label that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}
nonisolated extension LabeledContent where Label == Text, Content == Text {
    /// A localized label and a text value.
    public init<S: StringProtocol>(_ titleKey: LocalizedStringKey, value: S) {
        self.init {
            Text(value)
        } label: {
            Text(titleKey)
        }
    }
    /// A label and a text value, not localized.
    @_disfavoredOverload
    public init<S1: StringProtocol, S2: StringProtocol>(_ title: S1, value: S2) {
        self.init {
            Text(value)
        } label: {
            Text(title)
        }
    }
    /// A localized label and a formatted value.
    public init<F: FormatStyle>(_ titleKey: LocalizedStringKey, value: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String {
        self.init {
            Text(value, format: format)
        } label: {
            Text(titleKey)
        }
    }
}
