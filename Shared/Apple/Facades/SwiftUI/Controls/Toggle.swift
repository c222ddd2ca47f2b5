/// A switch. Rendered in its present position; readers cannot change it.
nonisolated public struct Toggle<Label: View>: View, PrimitiveView {
    public typealias Body = Never
    let isOn: Binding<Bool>
    let label: Label
    /// The binding is read once.
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let configuration = ToggleStyleConfiguration(label: .init(view: label), isOn: isOn)
        let style: any ToggleStyle = context.environment.styles.toggle ?? SwitchToggleStyle()
        return context.nodes(styledBy: style, configuration)
    }
}
nonisolated extension Toggle where Label == Text {
    /// With a localized label.
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(titleKey) }
    }
    /// With a label that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(title) } }
}
nonisolated extension Toggle where Label == SwiftUI.Label<Text, Image> {
    /// With a symbol and a localized label.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }
}
nonisolated extension Toggle where Label == ToggleStyleConfiguration.Label {
    /// A switch for styles that wrap another one.
    public init(_ configuration: ToggleStyleConfiguration) {
        isOn = configuration.$isOn
        label = configuration.label
    }
}

/// Defines how switches look.
@MainActor @preconcurrency public protocol ToggleStyle {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = ToggleStyleConfiguration
}
/// The parts of a switch that a style arranges.
nonisolated public struct ToggleStyleConfiguration {
    /// The label of a switch.
    nonisolated public struct Label: View, PrimitiveView {
        public typealias Body = Never
        let view: any View
        @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
            context.nodes(of: view, at: "label")
        }
    }
    /// As the program passed it.
    public let label: Label
    /// The binding that the program passed.
    @Binding public var isOn: Bool
    /// Always false.
    public var isMixed: Bool { false }
}
/// The label with a switch at the other end of the row.
nonisolated public struct SwitchToggleStyle: ToggleStyle, Sendable {
    let tint: Color?
    /// In the tint of the environment, by default green.
    public init() { tint = nil }
    /// In a colour of its own.
    public init(tint: Color) { self.tint = tint }
    public func makeBody(configuration: Configuration) -> some View {
        HStack {
            configuration.label
            Spacer()
            SwitchDrawing(isOn: configuration.isOn, tint: tint)
        }
    }
}
/// A button that is filled while it is on.
nonisolated public struct ButtonToggleStyle: ToggleStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label.padding(.horizontal, 12).padding(.vertical, 7)
            .background(
                configuration.isOn
                    ? AnyShapeStyle(TintShapeStyle().opacity(0.2)) : AnyShapeStyle(Color.clear),
                in: RoundedRectangle(cornerRadius: 8))
    }
}
nonisolated extension ToggleStyle where Self == SwitchToggleStyle {
    /// A switch at the end of the row.
    public static var automatic: SwitchToggleStyle { SwitchToggleStyle() }
    /// A switch at the end of the row.
    public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}
nonisolated extension ToggleStyle where Self == ButtonToggleStyle {
    /// A button that is filled while it is on.
    public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}
extension RenderContext {
    @MainActor fileprivate func nodes<S: ToggleStyle>(
        styledBy style: S, _ configuration: ToggleStyleConfiguration
    ) -> [RenderNode] {
        guard install(propertiesOf: style) else { return [] }
        var inner = self
        inner.environment.styles.toggle = nil
        return inner.nodes(of: style.makeBody(configuration: configuration), at: "toggle")
    }
}
nonisolated extension View {
    /// Sets the style of switches inside this view.
    public func toggleStyle<S: ToggleStyle>(_ style: S) -> some View {
        drawn(with: style) { style, context in context.environment.styles.toggle = style }
    }
}

/// The switch of a `Toggle`.
nonisolated struct SwitchDrawing: View, PrimitiveView {
    typealias Body = Never
    let isOn: Bool
    let tint: Color?
    @MainActor func nodes(in context: RenderContext) -> [RenderNode] {
        let off = "light-dark(rgba(120,120,128,.24),rgba(120,120,128,.4))"
        let on = (tint ?? context.environment.tintColor ?? .green).resolved(in: context.environment).css
        let thumb = RenderNode(
            "span",
            style: [
                "position": "absolute", "top": "2px", "width": "27px", "height": "27px", "background": "#fff",
                "border-radius": "50%", "box-shadow": "0 1px 3px rgba(0,0,0,.25)",
                isOn ? "right" : "left": "2px",
            ])
        var node = RenderNode(
            "span",
            style: [
                "position": "relative", "display": "block", "width": "51px", "height": "31px", "flex": "none",
                "border-radius": "16px", "background": isOn ? on : off,
            ], children: [thumb])
        node[attribute: "role"] = "switch"
        node[attribute: "aria-checked"] = isOn ? "true" : "false"
        node[attribute: "aria-disabled"] = "true"
        node[attribute: "aria-label"] = isOn ? "on" : "off"
        node.reading = .text(isOn ? "on" : "off")
        node.layout.width = 51
        node.layout.height = 31
        return [node]
    }
}
