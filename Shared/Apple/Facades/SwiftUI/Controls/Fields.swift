public import Foundation

/// Shared by controls that show text: a read-only field.
extension RenderNode {
    static func field(_ text: String, placeholder: String, isSecret: Bool, lines: Bool = false) -> RenderNode
    {
        let shown = isSecret ? String(repeating: "•", count: min(text.count, 32)) : text
        var node = RenderNode("p", children: [RenderNode(text: shown.isEmpty ? placeholder : shown)])
        node[attribute: "class"] = "t"
        node[attribute: "role"] = "textbox"
        node[attribute: "aria-readonly"] = "true"
        if !placeholder.isEmpty { node[attribute: "aria-label"] = placeholder }
        node.style["width"] = "100%"
        node.style["text-align"] = "start"
        if shown.isEmpty { node.style["color"] = "light-dark(rgba(60,60,67,.72),rgba(235,235,245,.6))" }
        if lines { node.style["min-height"] = "4em" }
        node.reading = .text(shown.isEmpty ? placeholder : shown)
        node.layout.growsWidth = true
        node.layout.height = 22
        return node
    }
}

/// A line of text. Rendered read-only.
nonisolated public struct TextField<Label: View>: View, PrimitiveView {
    public typealias Body = Never
    let text: String
    let prompt: Text?
    let label: Label
    init(text: String, prompt: Text?, label: Label) {
        self.text = text
        self.prompt = prompt
        self.label = label
    }
    /// Shows the text, or the prompt if it is empty.
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.init(text: text.wrappedValue, prompt: prompt, label: label())
    }
    /// The axis is ignored: long text wraps.
    public init(text: Binding<String>, prompt: Text? = nil, axis: Axis, @ViewBuilder label: () -> Label) {
        self.init(text: text.wrappedValue, prompt: prompt, label: label())
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let name = PlainText.of(context.measuring.nodes(of: label, at: "label"))
        let words = prompt?.plain(in: context.environment) ?? name.trimmingCharacters(in: .newlines)
        return [.field(text, placeholder: words, isSecret: false).fielded(context)]
    }
}
nonisolated extension TextField where Label == Text {
    /// A field with a localized label.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.init(text: text.wrappedValue, prompt: nil, label: Text(titleKey))
    }
    /// A field with a label that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.init(text: text.wrappedValue, prompt: nil, label: Text(title))
    }
    /// A field with a prompt, shown while the text is empty.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        self.init(text: text.wrappedValue, prompt: prompt, label: Text(titleKey))
    }
    /// The axis is ignored: long text wraps.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, axis: Axis) {
        self.init(text: text.wrappedValue, prompt: nil, label: Text(titleKey))
    }
    /// The axis is ignored: long text wraps.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, axis: Axis) {
        self.init(text: text.wrappedValue, prompt: nil, label: Text(title))
    }
    /// Shows a formatted value. Nothing is parsed.
    public init<F: ParseableFormatStyle>(
        _ titleKey: LocalizedStringKey, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {
        self.init(text: format.format(value.wrappedValue), prompt: prompt, label: Text(titleKey))
    }
    /// Shows a formatted value, or the prompt if it is nil. Nothing is parsed.
    public init<F: ParseableFormatStyle>(
        _ titleKey: LocalizedStringKey, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {
        self.init(text: value.wrappedValue.map(format.format) ?? "", prompt: prompt, label: Text(titleKey))
    }
    /// Shows a value formatted by a formatter.
    public init<V>(_ titleKey: LocalizedStringKey, value: Binding<V>, formatter: Formatter) {
        self.init(text: formatter.string(for: value.wrappedValue) ?? "", prompt: nil, label: Text(titleKey))
    }
}

/// A line of secret text. Rendered as at most 32 dots.
nonisolated public struct SecureField<Label: View>: View, PrimitiveView {
    public typealias Body = Never
    let text: String
    let label: Label
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let name = PlainText.of(context.measuring.nodes(of: label, at: "label"))
        let words = name.trimmingCharacters(in: .newlines)
        return [.field(text, placeholder: words, isSecret: true).fielded(context)]
    }
}
nonisolated extension SecureField where Label == Text {
    /// A field with a localized label.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.init(text: text.wrappedValue, label: Text(titleKey))
    }
    /// A field with a label that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.init(text: text.wrappedValue, label: Text(title))
    }
    /// A field with a prompt in place of its label.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        self.init(text: text.wrappedValue, label: prompt ?? Text(titleKey))
    }
}

/// Text of several lines. Rendered read-only.
nonisolated public struct TextEditor: View, PrimitiveView {
    public typealias Body = Never
    let text: Binding<String>
    /// The binding is read once.
    public init(text: Binding<String>) { self.text = text }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        [.field(text.wrappedValue, placeholder: "", isSecret: false, lines: true).growing(height: true)]
    }
}

extension RenderNode {
    fileprivate func fielded(_ context: RenderContext) -> RenderNode {
        guard context.environment.bordersFields else { return self }
        return .box(
            self,
            [
                "padding": "7px", "border-radius": "6px",
                "border": "1px solid light-dark(rgba(60,60,67,.29),rgba(84,84,88,.6))",
            ])
    }
}

/// Defines how text fields look.
@MainActor @preconcurrency public protocol TextFieldStyle { var isBordered: Bool { get } }
/// Without a border.
nonisolated public struct DefaultTextFieldStyle: TextFieldStyle, Sendable {
    public init() {}
    public var isBordered: Bool { false }
}
/// Without a border.
nonisolated public struct PlainTextFieldStyle: TextFieldStyle, Sendable {
    public init() {}
    public var isBordered: Bool { false }
}
/// With a rounded border.
nonisolated public struct RoundedBorderTextFieldStyle: TextFieldStyle, Sendable {
    public init() {}
    public var isBordered: Bool { true }
}
nonisolated extension TextFieldStyle where Self == DefaultTextFieldStyle {
    /// Without a border.
    public static var automatic: DefaultTextFieldStyle { DefaultTextFieldStyle() }
}
nonisolated extension TextFieldStyle where Self == PlainTextFieldStyle {
    /// Without a border.
    public static var plain: PlainTextFieldStyle { PlainTextFieldStyle() }
}
nonisolated extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    /// With a rounded border.
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}
nonisolated extension View {
    /// Sets the style of text fields inside this view.
    public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View {
        drawn(with: style) { style, context in context.environment.bordersFields = style.isBordered }
    }
}

/// A value on a scale. Rendered read-only.
nonisolated public struct Slider<Label: View, ValueLabel: View>: View, PrimitiveView {
    public typealias Body = Never
    let fraction: Double
    let label: Label
    let minimum: ValueLabel?
    let maximum: ValueLabel?

    init<V: BinaryFloatingPoint>(
        _ value: V, _ bounds: ClosedRange<V>, _ label: Label, _ minimum: ValueLabel?, _ maximum: ValueLabel?
    ) {
        let length = Double(bounds.upperBound - bounds.lowerBound)
        let share = length == 0 ? 0 : Double(value - bounds.lowerBound) / length
        fraction = share.isNaN ? 0 : min(max(share, 0), 1)
        (self.label, self.minimum, self.maximum) = (label, minimum, maximum)
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var thumb = RenderNode(
            "span",
            style: [
                "position": "absolute", "top": "-12px", "width": "27px", "height": "27px",
                "background": "#fff",
                "border-radius": "50%", "box-shadow": "0 1px 5px rgba(0,0,0,.3)",
            ])
        thumb.style["left"] = "calc(\(CSS.percent(fraction)) - \(CSS.points(27 * fraction)))"
        var nodes = context.nodes(of: ProgressBar(fraction: fraction, tint: nil), at: "line")
        nodes = nodes.map { line in
            var track = RenderNode(
                "div", style: ["position": "relative", "width": "100%", "margin": "12px 0"])
            var bare = line.silent
            bare.attributes = []
            track.children = [bare, thumb]
            track = track.progress(fraction).with("role", "slider").with("aria-disabled", "true")
            track.layout.growsWidth = true
            return track
        }
        let ends = [minimum, maximum].map { end in end.map { context.node(of: $0, at: "end") } }
        guard ends[0] != nil || ends[1] != nil else { return nodes }
        let row = [ends[0]].compactMap(\.self) + nodes + [ends[1]].compactMap(\.self)
        return [.stack(row, axis: .horizontal, gap: 8, cross: "center")]
    }
}
nonisolated extension Slider where Label == EmptyView, ValueLabel == EmptyView {
    /// Without a visible label. The closure is never called.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value.wrappedValue, bounds, EmptyView(), nil, nil) }
    /// The step is ignored. The closure is never called.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value.wrappedValue, bounds, EmptyView(), nil, nil) }
}
nonisolated extension Slider where ValueLabel == EmptyView {
    /// The label is not rendered. The closure is never called.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value.wrappedValue, bounds, label(), nil, nil) }
    /// The label is not rendered; the step is ignored.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value.wrappedValue, bounds, label(), nil, nil) }
}
nonisolated extension Slider {
    /// With labels at both ends.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value.wrappedValue, bounds, label(), minimumValueLabel(), maximumValueLabel()) }
    /// With labels at both ends; the step is ignored.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.init(value.wrappedValue, bounds, label(), minimumValueLabel(), maximumValueLabel()) }
}

/// A value with buttons to change it. The buttons do nothing.
nonisolated public struct Stepper<Label: View>: View {
    let label: Label
    /// Only the label is rendered; no closure is called.
    public init(
        @ViewBuilder label: () -> Label, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.label = label() }
    /// Only the label is rendered; no closure is called.
    public init<V: Strideable>(
        value: Binding<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.label = label() }
    /// Only the label is rendered; no closure is called.
    public init<V: Strideable>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { self.label = label() }
    public var body: some View {
        HStack {
            label
            Spacer()
            HStack(spacing: 0) {
                Image(systemName: "minus").frame(width: 46, height: 32)
                Divider().frame(height: 18)
                Image(systemName: "plus").frame(width: 46, height: 32)
            }
            .background(FillShapeStyle(), in: RoundedRectangle(cornerRadius: 8)).accessibilityHidden(true)
        }
    }
}
nonisolated extension Stepper where Label == Text {
    /// Only the title is rendered; the value does not change.
    public init(
        _ titleKey: LocalizedStringKey, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { label = Text(titleKey) }
    /// Only the title is rendered; the value does not change.
    public init<V: Strideable>(_ titleKey: LocalizedStringKey, value: Binding<V>, step: V.Stride = 1) {
        label = Text(titleKey)
    }
    /// Only the title is rendered; the value does not change.
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { label = Text(titleKey) }
    /// Only the title is rendered; the value does not change.
    @_disfavoredOverload
    public init<S: StringProtocol, V: Strideable>(
        _ title: S, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { label = Text(title) }
}
