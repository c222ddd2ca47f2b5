public import Foundation

/// A choice between several views with a `tag(_:)`. The selected one is shown; the segmented, inline and
/// wheel styles show all. Readers cannot change it.
nonisolated public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let selection: Binding<SelectionValue>
    let label: Label
    let content: Content
    /// - Parameter selection: compared with the tags; read once.
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
        @ViewBuilder label: () -> Label
    ) {
        self.selection = selection
        self.content = content()
        self.label = label()
    }
    /// The same with a label value; deprecated by Apple.
    public init(selection: Binding<SelectionValue>, label: Label, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
        self.label = label
    }

    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var inner = context
        inner.axis = nil
        inner.isInsideControl = true
        let options = inner.nodes(of: content, at: "options").flatMap(\.unsectioned)
        let chosen = AnyHashable(selection.wrappedValue)
        let marked = options.map { ($0, $0.traits.tag.map { Self.same($0, chosen) } ?? false) }
        switch context.environment.styles.picker {
        case .segmented: return [Self.segments(marked, name(context))]
        case .inline, .wheel: return Self.rows(marked, context)
        case .menu: return [menu(marked, context)]
        }
    }

    /// Tags of an optional selection may be of the wrapped type.
    private static func same(_ tag: AnyHashable, _ chosen: AnyHashable) -> Bool {
        tag == chosen || AnyHashable(Optional(tag)) == chosen || tag == AnyHashable(Optional(chosen))
    }

    @MainActor private func name(_ context: RenderContext) -> String {
        PlainText.of(context.measuring.nodes(of: label, at: "name")).trimmingCharacters(in: .newlines)
    }

    private static func segments(_ options: [(RenderNode, Bool)], _ name: String) -> RenderNode {
        let segments = options.map { node, isChosen in
            var segment = RenderNode.box(
                node, ["flex": "1 1 0", "padding": "5px 6px", "border-radius": "7px", "text-align": "center"])
            if isChosen {
                segment.style["background"] = "light-dark(#fff,#636366)"
                segment.style["box-shadow"] = "0 1px 3px rgba(0,0,0,.18)"
            }
            segment[attribute: "role"] = "radio"
            segment[attribute: "aria-checked"] = isChosen ? "true" : "false"
            segment[attribute: "aria-disabled"] = "true"
            return segment
        }
        var group = RenderNode.stack(segments, axis: .horizontal, gap: 0, cross: "stretch")
        group.style = group.style.merging([
            "background": "light-dark(rgba(120,120,128,.16),rgba(120,120,128,.28))", "border-radius": "9px",
            "padding": "2px", "width": "100%", "font-size": "0.8125rem", "font-weight": "500",
        ])
        group[attribute: "role"] = "radiogroup"
        if !name.isEmpty { group[attribute: "aria-label"] = name }
        group.layout.growsWidth = true
        return group
    }

    @MainActor private static func rows(_ options: [(RenderNode, Bool)], _ context: RenderContext)
        -> [RenderNode]
    {
        options.map { node, isChosen in
            guard isChosen else { return node }
            let check = context.node(
                of: Image(systemName: "checkmark").foregroundStyle(TintShapeStyle()), at: "check")
            let spacer = RenderNode("div").traiting { $0.isSpacer = true }
            return .stack([node, spacer, check], axis: .horizontal, gap: 8, cross: "center")
        }
    }

    @MainActor private func menu(_ options: [(RenderNode, Bool)], _ context: RenderContext) -> RenderNode {
        let chosen = options.first { $0.1 }?.0 ?? RenderNode("span")
        let ink = TintShapeStyle().paint(in: context.environment).ink(in: context.environment)
        let arrows = context.node(
            of: Image(systemName: "chevron.up.chevron.down").imageScale(.small)
                .foregroundStyle(TintShapeStyle()), at: "arrows")
        var value = RenderNode.stack(
            [RenderNode.box(chosen, ink), arrows], axis: .horizontal, gap: 4, cross: "center")
        value[attribute: "role"] = "combobox"
        value[attribute: "aria-disabled"] = "true"
        value[attribute: "aria-expanded"] = "false"
        let name = name(context)
        if !name.isEmpty { value[attribute: "aria-label"] = name }
        guard !context.environment.hidesLabels, context.isRow, !name.isEmpty else { return value }
        let spacer = RenderNode("div").traiting { $0.isSpacer = true }
        return .stack(
            [context.node(of: label, at: "label"), spacer, value], axis: .horizontal, gap: 8, cross: "center")
    }
}
nonisolated extension Picker where Label == Text {
    /// A picker with a localized label.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, label: Text(titleKey), content: content) }
    /// A picker with a label that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, label: Text(title), content: content) }
}
nonisolated extension Picker where Label == SwiftUI.Label<Text, Image> {
    /// A picker with a symbol and a localized label.
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(
            selection: selection, label: SwiftUI.Label(titleKey, systemImage: systemImage), content: content)
    }
}

/// Defines how pickers look.
public protocol PickerStyle { static var name: String { get } }
/// Rendered as a menu.
nonisolated public struct DefaultPickerStyle: PickerStyle, Sendable {
    public init() {}
    public static let name = "menu"
}
/// Shows the selected view with arrows.
nonisolated public struct MenuPickerStyle: PickerStyle, Sendable {
    public init() {}
    public static let name = "menu"
}
/// Shows all views as segments.
nonisolated public struct SegmentedPickerStyle: PickerStyle, Sendable {
    public init() {}
    public static let name = "segmented"
}
/// Rendered as rows with a check mark.
nonisolated public struct WheelPickerStyle: PickerStyle, Sendable {
    public init() {}
    public static let name = "wheel"
}
/// Rows with a check mark.
nonisolated public struct InlinePickerStyle: PickerStyle, Sendable {
    public init() {}
    public static let name = "inline"
}
/// Rendered as a menu.
nonisolated public struct NavigationLinkPickerStyle: PickerStyle, Sendable {
    public init() {}
    public static let name = "menu"
}
/// Rendered as segments.
nonisolated public struct PalettePickerStyle: PickerStyle, Sendable {
    public init() {}
    public static let name = "segmented"
}
nonisolated extension PickerStyle where Self == DefaultPickerStyle {
    /// Rendered as a menu.
    public static var automatic: DefaultPickerStyle { DefaultPickerStyle() }
}
nonisolated extension PickerStyle where Self == MenuPickerStyle {
    /// Shows the selected view with arrows.
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}
nonisolated extension PickerStyle where Self == SegmentedPickerStyle {
    /// Shows all views as segments.
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}
nonisolated extension PickerStyle where Self == WheelPickerStyle {
    /// Rendered as rows with a check mark.
    public static var wheel: WheelPickerStyle { WheelPickerStyle() }
}
nonisolated extension PickerStyle where Self == InlinePickerStyle {
    /// Rows with a check mark.
    public static var inline: InlinePickerStyle { InlinePickerStyle() }
}
nonisolated extension PickerStyle where Self == NavigationLinkPickerStyle {
    /// Rendered as a menu.
    public static var navigationLink: NavigationLinkPickerStyle { NavigationLinkPickerStyle() }
}
nonisolated extension PickerStyle where Self == PalettePickerStyle {
    /// Rendered as segments.
    public static var palette: PalettePickerStyle { PalettePickerStyle() }
}
nonisolated extension View {
    /// Sets the style of pickers inside this view.
    public func pickerStyle<S: PickerStyle>(_ style: S) -> some View {
        values {
            switch S.name {
            case "segmented": $0.styles.picker = .segmented
            case "wheel": $0.styles.picker = .wheel
            case "inline": $0.styles.picker = .inline
            default: $0.styles.picker = .menu
            }
        }
    }
    /// Identifies this view for a picker, a list or tabs.
    public func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View {
        drawnTag(AnyHashable(tag))
    }
    private func drawnTag(_ tag: AnyHashable) -> some View {
        node(with: tag) { node, tag, _ in
            var node = node
            node.traits.tag = tag
            return node
        }
    }
}

/// A date. Rendered as text; readers cannot change it.
nonisolated public struct DatePicker<Label: View>: View {
    /// As Apple names it.
    public typealias Components = DatePickerComponents
    let date: Binding<Date>
    let components: Components
    let label: Label
    @Environment(\.locale) private var locale
    @Environment(\.timeZone) private var timeZone

    /// - Parameter displayedComponents: the parts of the date that are shown.
    public init(
        selection: Binding<Date>, displayedComponents: Components = [.hourAndMinute, .date],
        @ViewBuilder label: () -> Label
    ) {
        date = selection
        components = displayedComponents
        self.label = label()
    }
    /// The range is ignored: the date cannot be changed.
    public init(
        selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> Label
    ) { self.init(selection: selection, displayedComponents: displayedComponents, label: label) }
    /// The range is ignored: the date cannot be changed.
    public init(
        selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> Label
    ) { self.init(selection: selection, displayedComponents: displayedComponents, label: label) }
    /// The range is ignored: the date cannot be changed.
    public init(
        selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> Label
    ) { self.init(selection: selection, displayedComponents: displayedComponents, label: label) }

    public var body: some View {
        LabeledContent {
            Text(words).padding(.horizontal, 10).padding(.vertical, 5)
                .background(FillShapeStyle(), in: RoundedRectangle(cornerRadius: 8))
        } label: {
            label
        }
    }
    private var words: String {
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.timeZone = timeZone
        formatter.dateStyle = components.contains(.date) ? .medium : .none
        formatter.timeStyle = components.contains(.hourAndMinute) ? .short : .none
        return formatter.string(from: date.wrappedValue)
    }
}
/// The parts of a date that are shown.
nonisolated public struct DatePickerComponents: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt
    /// Unknown bits are ignored.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The time in hours and minutes.
    public static let hourAndMinute = DatePickerComponents(rawValue: 1)
    /// Day, month and year.
    public static let date = DatePickerComponents(rawValue: 2)
}
nonisolated extension DatePicker where Label == Text {
    /// With a localized label.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) { self.init(selection: selection, displayedComponents: displayedComponents) { Text(titleKey) } }
    /// With a label that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, selection: Binding<Date>, displayedComponents: Components = [.hourAndMinute, .date]
    ) { self.init(selection: selection, displayedComponents: displayedComponents) { Text(title) } }
    /// The range is ignored: the date cannot be changed.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) { self.init(selection: selection, displayedComponents: displayedComponents) { Text(titleKey) } }
    /// The range is ignored: the date cannot be changed.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) { self.init(selection: selection, displayedComponents: displayedComponents) { Text(titleKey) } }
    /// The range is ignored: the date cannot be changed.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) { self.init(selection: selection, displayedComponents: displayedComponents) { Text(titleKey) } }
}
/// Defines how date pickers look. All are rendered as text.
public protocol DatePickerStyle {}
nonisolated public struct DefaultDatePickerStyle: DatePickerStyle, Sendable { public init() {} }
nonisolated public struct CompactDatePickerStyle: DatePickerStyle, Sendable { public init() {} }
nonisolated public struct WheelDatePickerStyle: DatePickerStyle, Sendable { public init() {} }
nonisolated public struct GraphicalDatePickerStyle: DatePickerStyle, Sendable { public init() {} }
nonisolated extension DatePickerStyle where Self == DefaultDatePickerStyle {
    /// Rendered as text.
    public static var automatic: DefaultDatePickerStyle { DefaultDatePickerStyle() }
}
nonisolated extension DatePickerStyle where Self == CompactDatePickerStyle {
    /// Rendered as text.
    public static var compact: CompactDatePickerStyle { CompactDatePickerStyle() }
}
nonisolated extension DatePickerStyle where Self == WheelDatePickerStyle {
    /// Rendered as text.
    public static var wheel: WheelDatePickerStyle { WheelDatePickerStyle() }
}
nonisolated extension DatePickerStyle where Self == GraphicalDatePickerStyle {
    /// Rendered as text.
    public static var graphical: GraphicalDatePickerStyle { GraphicalDatePickerStyle() }
}
nonisolated extension View {
    /// Ignored: all date pickers are rendered as text.
    public func datePickerStyle<S: DatePickerStyle>(_ style: S) -> some View { self }
}

/// A colour. Rendered as a disc; readers cannot change it.
nonisolated public struct ColorPicker<Label: View>: View {
    let color: Binding<Color>
    let label: Label
    /// The binding is read once.
    public init(selection: Binding<Color>, supportsOpacity: Bool = true, @ViewBuilder label: () -> Label) {
        color = selection
        self.label = label()
    }
    public var body: some View {
        LabeledContent {
            Circle().fill(color.wrappedValue).frame(width: 28, height: 28)
        } label: {
            label
        }
    }
}
nonisolated extension ColorPicker where Label == Text {
    /// With a localized label.
    public init(_ titleKey: LocalizedStringKey, selection: Binding<Color>, supportsOpacity: Bool = true) {
        self.init(selection: selection) { Text(titleKey) }
    }
}
