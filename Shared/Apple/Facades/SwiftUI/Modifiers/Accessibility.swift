nonisolated extension View {
    /// Sets what assistive technology and the text alternative say instead of the view.
    public func accessibilityLabel(_ label: Text) -> some View {
        node { node, context in node.named(label.plain(in: context.environment)) }
    }
    /// The same with a localized text.
    public func accessibilityLabel(_ key: LocalizedStringKey) -> some View { accessibilityLabel(Text(key)) }
    /// The same with a text that is not localized.
    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
        accessibilityLabel(Text(label))
    }
    /// Adds a value after the label, as "label: value".
    public func accessibilityValue(_ value: Text) -> some View {
        node { node, context in
            let words = value.plain(in: context.environment)
            guard let label = node[attribute: "aria-label"] else { return node.named(words) }
            return node.named("\(label): \(words)")
        }
    }
    /// The same with a localized text.
    public func accessibilityValue(_ key: LocalizedStringKey) -> some View { accessibilityValue(Text(key)) }
    /// The same with a text that is not localized.
    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
        accessibilityValue(Text(value))
    }
    /// Shown as a tooltip.
    public func accessibilityHint(_ hint: Text) -> some View {
        node { node, context in node.with("title", hint.plain(in: context.environment)) }
    }
    /// The same with a localized text.
    public func accessibilityHint(_ key: LocalizedStringKey) -> some View { accessibilityHint(Text(key)) }
    /// The same with a text that is not localized.
    @_disfavoredOverload
    public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View { accessibilityHint(Text(hint)) }
    /// Hides the view from assistive technology and from the text alternative.
    public func accessibilityHidden(_ isHidden: Bool) -> some View {
        node { node, _ in isHidden ? node.with("aria-hidden", "true").silent : node }
    }
    /// With `combine` the view becomes a group. `ignore` and `contain` have no effect; labels of the view
    /// itself apply.
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        node { node, _ in
            children == .combine ? node.with("role", "group") : node
        }
    }
    /// Makes the view a heading if the traits contain `isHeader`. Other traits have no effect.
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        node { node, _ in
            guard traits.contains(.isHeader) else { return node }
            return node.with("role", "heading").with("aria-level", "2")
        }
    }
    /// Has no effect here.
    public func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View { self }
    /// Sets `data-id`, for tests of an app.
    public func accessibilityIdentifier(_ identifier: String) -> some View {
        node { node, _ in node.with("data-id", identifier) }
    }
    /// Has no effect here.
    public func accessibilitySortPriority(_ priority: Double) -> some View { self }
    /// Has no effect here.
    public func accessibilityInputLabels<S: StringProtocol>(_ labels: [S]) -> some View { self }
    /// Has no effect here.
    public func accessibilityAction(named name: Text, _ handler: @escaping () -> Void) -> some View { self }
    /// Has no effect here.
    public func accessibilityAction(_ handler: @escaping () -> Void) -> some View { self }
    /// Makes the view a heading of a level.
    public func accessibilityHeading(_ level: AccessibilityHeadingLevel) -> some View {
        node { node, _ in node.with("role", "heading").with("aria-level", "\(max(level.rawValue, 1))") }
    }
    /// Has no effect here.
    public func accessibilityIgnoresInvertColors(_ active: Bool = true) -> some View { self }
    /// Has no effect here.
    public func accessibilityShowsLargeContentViewer() -> some View { self }
    /// Has no effect here.
    public func speechAlwaysIncludesPunctuation(_ value: Bool = true) -> some View { self }
}

/// How the children of an accessibility element are treated.
nonisolated public struct AccessibilityChildBehavior: Hashable, Sendable {
    private let name: String
    /// Has no effect; see ``View/accessibilityElement(children:)``.
    public static let ignore = AccessibilityChildBehavior(name: "ignore")
    /// Has no effect.
    public static let contain = AccessibilityChildBehavior(name: "contain")
    /// Makes the view a group.
    public static let combine = AccessibilityChildBehavior(name: "combine")
}

/// The purpose of a view for assistive technology. Only `isHeader` has an effect; controls have their roles
/// anyway.
nonisolated public struct AccessibilityTraits: OptionSet, Sendable {
    /// Apple's bits differ.
    public let rawValue: Int
    /// Unknown bits are ignored.
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let isButton = AccessibilityTraits(rawValue: 1)
    /// Makes the view a heading of level 2.
    public static let isHeader = AccessibilityTraits(rawValue: 2)
    public static let isSelected = AccessibilityTraits(rawValue: 4)
    public static let isLink = AccessibilityTraits(rawValue: 8)
    public static let isImage = AccessibilityTraits(rawValue: 16)
    public static let isStaticText = AccessibilityTraits(rawValue: 32)
    public static let isSummaryElement = AccessibilityTraits(rawValue: 64)
    public static let updatesFrequently = AccessibilityTraits(rawValue: 128)
    public static let isSearchField = AccessibilityTraits(rawValue: 256)
    public static let playsSound = AccessibilityTraits(rawValue: 512)
    public static let startsMediaSession = AccessibilityTraits(rawValue: 1_024)
    public static let allowsDirectInteraction = AccessibilityTraits(rawValue: 2_048)
    public static let isModal = AccessibilityTraits(rawValue: 4_096)
    public static let isToggle = AccessibilityTraits(rawValue: 8_192)
    public static let isKeyboardKey = AccessibilityTraits(rawValue: 16_384)
    public static let causesPageTurn = AccessibilityTraits(rawValue: 32_768)
}

/// The level of a heading.
nonisolated public enum AccessibilityHeadingLevel: UInt, Sendable {
    case unspecified, h1, h2, h3, h4, h5, h6
}

extension RenderNode {
    /// The node with `name` as its accessible name.
    func named(_ name: String) -> RenderNode {
        var node = self
        node[attribute: "aria-hidden"] = nil
        node[attribute: "aria-label"] = name
        // An accessible name has no effect on an element without a role.
        if ["div", "svg", "p", "span", "section"].contains(tag), node[attribute: "role"] == nil {
            node[attribute: "role"] = tag == "svg" || isDrawing ? "img" : "group"
        }
        node.reading = .text(name)
        return node
    }

    private var isDrawing: Bool {
        if case .silent = reading { return true }
        return false
    }
}
