public import Foundation

/// A button. Rendered as disabled, because no code runs behind a page.
nonisolated public struct Button<Label: View>: View, PrimitiveView {
    public typealias Body = Never
    let role: ButtonRole?
    let action: @MainActor () -> Void
    let label: Label

    /// The action is never called.
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }
    /// - Parameter role: `destructive` is rendered in red.
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role
        self.action = action
        self.label = label()
    }

    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let style: any PrimitiveButtonStyle = context.environment.styles.button ?? DefaultButtonStyle()
        let configuration = PrimitiveButtonStyleConfiguration(
            role: role, label: ButtonStyleConfiguration.Label(view: label), action: action)
        return context.nodes(styledBy: style, configuration)
    }
}

nonisolated extension Button where Label == Text {
    /// A button with a localized title.
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(role: nil, action: action) { Text(titleKey) }
    }
    /// A button with a title that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(role: nil, action: action) { Text(title) }
    }
    /// A button with a localized title and a role.
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }
    /// A button with a title that is not localized and a role.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(title) }
    }
}
nonisolated extension Button where Label == SwiftUI.Label<Text, Image> {
    /// A button with a symbol and a localized title.
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void
    ) { self.init(role: role, action: action) { SwiftUI.Label(titleKey, systemImage: systemImage) } }
    /// A button with a symbol and a title that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) { self.init(role: role, action: action) { SwiftUI.Label(title, systemImage: systemImage) } }
}
nonisolated extension Button where Label == PrimitiveButtonStyleConfiguration.Label {
    /// A button for styles that wrap another button.
    public init(_ configuration: PrimitiveButtonStyleConfiguration) {
        role = configuration.role
        action = configuration.action
        label = configuration.label
    }
}

extension RenderContext {
    /// A button rendered by `style`, with its label inside the control.
    @MainActor func nodes<S: PrimitiveButtonStyle>(
        styledBy style: S, _ configuration: PrimitiveButtonStyleConfiguration
    ) -> [RenderNode] {
        guard install(propertiesOf: style) else { return [] }
        var inner = self
        inner.axis = nil
        let wasInside = isInsideControl
        inner.isInsideControl = true
        // A button inside a style must not use the same style again.
        inner.environment.styles.button = nil
        let node = inner.node(of: style.makeBody(configuration: configuration), at: "button")
        guard !wasInside, !node.isButton else { return [node] }
        var button = RenderNode.box(node, Style())
        button.tag = "button"
        button[attribute: "type"] = "button"
        button[attribute: "disabled"] = ""
        return [button]
    }
}

extension RenderNode {
    var isButton: Bool { tag == "button" || children.count == 1 && children[0].isButton }
}

/// The default button style: the label in the tint colour.
nonisolated public struct DefaultButtonStyle: PrimitiveButtonStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label.buttonInk(configuration.role)
    }
}
/// A label without decoration.
nonisolated public struct PlainButtonStyle: PrimitiveButtonStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
/// A label in the tint colour.
nonisolated public struct BorderlessButtonStyle: PrimitiveButtonStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label.buttonInk(configuration.role)
    }
}
/// A label on a light background in the tint colour.
nonisolated public struct BorderedButtonStyle: PrimitiveButtonStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label.buttonInk(configuration.role).fontWeight(.medium)
            .padding(.horizontal, 14).padding(.vertical, 8)
            .background(RoundedRectangle(cornerRadius: 10).fill(TintShapeStyle().opacity(0.15)))
    }
}
/// A white label on a background in the tint colour.
nonisolated public struct BorderedProminentButtonStyle: PrimitiveButtonStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label.foregroundStyle(Color.white).fontWeight(.semibold)
            .padding(.horizontal, 16).padding(.vertical, 9)
            .background(
                configuration.role == .destructive
                    ? AnyShapeStyle(Color.red) : AnyShapeStyle(TintShapeStyle()),
                in: RoundedRectangle(cornerRadius: 10))
    }
}
/// A label on a translucent background.
nonisolated public struct GlassButtonStyle: PrimitiveButtonStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label.padding(.horizontal, 16).padding(.vertical, 9).background(
            .thinMaterial, in: Capsule())
    }
}

nonisolated extension View {
    fileprivate func buttonInk(_ role: ButtonRole?) -> some View {
        foregroundStyle(role == .destructive ? AnyShapeStyle(Color.red) : AnyShapeStyle(TintShapeStyle()))
    }
}

nonisolated extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    /// The label in the tint colour.
    public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}
nonisolated extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// The label without decoration.
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}
nonisolated extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// The label in the tint colour.
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}
nonisolated extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    /// The label on a light background in the tint colour.
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
nonisolated extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    /// The white label on a background in the tint colour, or in red for destructive buttons.
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}
nonisolated extension PrimitiveButtonStyle where Self == GlassButtonStyle {
    /// The label on a translucent capsule.
    public static var glass: GlassButtonStyle { GlassButtonStyle() }
}

/// A `ButtonStyle` as a `PrimitiveButtonStyle`.
nonisolated struct AdaptedButtonStyle<Style: ButtonStyle>: PrimitiveButtonStyle {
    let style: Style
    func makeBody(configuration: Configuration) -> some View {
        StyledLabel(
            style: style,
            configuration: ButtonStyleConfiguration(
                role: configuration.role, label: configuration.label, isPressed: false))
    }
}
/// What a `ButtonStyle` makes. The style's dynamic properties are installed first.
nonisolated struct StyledLabel<Style: ButtonStyle>: View, PrimitiveView {
    typealias Body = Never
    let style: Style
    let configuration: ButtonStyleConfiguration
    @MainActor func nodes(in context: RenderContext) -> [RenderNode] {
        guard context.install(propertiesOf: style) else { return [] }
        return context.nodes(of: style.makeBody(configuration: configuration), at: "styled")
    }
}

nonisolated extension View {
    /// Sets the style of buttons inside this view.
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
        drawn(with: style) { style, context in context.environment.styles.button = style }
    }
    /// Sets the style of buttons inside this view.
    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
        drawn(with: style) { style, context in
            context.environment.styles.button = AdaptedButtonStyle(style: style)
        }
    }
    /// The shape of bordered buttons. Ignored: they are rounded rectangles.
    public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View { self }
    /// Sets the size of controls inside. Only rings without a value use it.
    public func controlSize(_ size: ControlSize) -> some View { values { $0.controlSize = size } }
    /// Renders the controls inside faintly, as disabled.
    public func disabled(_ disabled: Bool) -> some View {
        values { if disabled { $0.isEnabled = false } }.node { node, _ in
            disabled ? RenderNode.box(node, ["opacity": "0.55"]) : node
        }
    }
}

/// The shape of bordered buttons. Ignored.
nonisolated public struct ButtonBorderShape: Hashable, Sendable {
    private let name: String
    public static let automatic = ButtonBorderShape(name: "automatic")
    public static let capsule = ButtonBorderShape(name: "capsule")
    public static let circle = ButtonBorderShape(name: "circle")
    public static let roundedRectangle = ButtonBorderShape(name: "roundedRectangle")
    /// - Parameter radius: in points. Ignored.
    public static func roundedRectangle(radius: CGFloat) -> ButtonBorderShape {
        ButtonBorderShape(name: "roundedRectangle(\(radius))")
    }
}

/// A link to a web page. Readers can follow it.
nonisolated public struct Link<Label: View>: View, PrimitiveView {
    public typealias Body = Never
    let destination: URL
    let label: Label
    /// - Parameter destination: followed only if its scheme is safe (http, https, mailto, tel); otherwise
    /// just the label is shown.
    public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var inner = context
        inner.isInsideControl = true
        if inner.environment.foregroundStyles.isEmpty {
            inner.environment.foregroundStyles = [LinkShapeStyle().paint(in: inner.environment)]
        }
        let node = inner.node(of: label, at: "link")
        guard let target = SafeLink.target(destination.absoluteString), !context.isInsideControl else {
            return [node]
        }
        var link = RenderNode.box(node, Style())
        link.tag = "a"
        link[attribute: "href"] = target
        link[attribute: "rel"] = "noreferrer"
        return [link]
    }
}
nonisolated extension Link where Label == Text {
    /// A link with a localized title.
    public init(_ titleKey: LocalizedStringKey, destination: URL) {
        self.init(destination: destination) { Text(titleKey) }
    }
    /// A link with a title that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: URL) {
        self.init(destination: destination) { Text(title) }
    }
}

/// A button that would share an item with other apps. Does nothing here.
nonisolated public struct ShareLink<Label: View>: View {
    let label: Label
    /// The item is ignored.
    public init<Item>(item: Item, @ViewBuilder label: () -> Label) { self.label = label() }
    public var body: some View { Button(action: {}, label: { label }) }
}
nonisolated extension ShareLink where Label == SwiftUI.Label<Text, Image> {
    /// With the title "Share…"; the item is ignored.
    public init<Item>(item: Item) {
        self.init(item: item) { SwiftUI.Label("Share…", systemImage: "square.and.arrow.up") }
    }
    /// With a localized title; the item is ignored.
    public init<Item>(_ titleKey: LocalizedStringKey, item: Item) {
        self.init(item: item) { SwiftUI.Label(titleKey, systemImage: "square.and.arrow.up") }
    }
}
/// A button that would switch lists to editing. Does nothing here.
nonisolated public struct EditButton: View {
    /// With the title "Edit", in English.
    public init() {}
    public var body: some View { Button("Edit") {} }
}
