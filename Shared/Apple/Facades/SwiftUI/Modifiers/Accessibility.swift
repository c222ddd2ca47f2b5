nonisolated extension View {
    /// What assistive technology, and the text alternative of the page, say instead of the view.
    public func accessibilityLabel(_ label: Text) -> some View {
        node { node, context in node.named(label.plain(in: context.environment)) }
    }
    public func accessibilityLabel(_ key: LocalizedStringKey) -> some View { accessibilityLabel(Text(key)) }
    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
        accessibilityLabel(Text(label))
    }
    public func accessibilityValue(_ value: Text) -> some View {
        node { node, context in
            let words = value.plain(in: context.environment)
            guard let label = node[attribute: "aria-label"] else { return node.named(words) }
            return node.named("\(label): \(words)")
        }
    }
    public func accessibilityValue(_ key: LocalizedStringKey) -> some View { accessibilityValue(Text(key)) }
    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
        accessibilityValue(Text(value))
    }
    public func accessibilityHint(_ hint: Text) -> some View {
        node { node, context in node.with("title", hint.plain(in: context.environment)) }
    }
    public func accessibilityHint(_ key: LocalizedStringKey) -> some View { accessibilityHint(Text(key)) }
    @_disfavoredOverload
    public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View { accessibilityHint(Text(hint)) }
    /// Hides the view from assistive technology and from the text alternative.
    public func accessibilityHidden(_ isHidden: Bool) -> some View {
        node { node, _ in isHidden ? node.with("aria-hidden", "true").silent : node }
    }
    /// `ignore` keeps what is inside from being read; labels given to the view itself stay.
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        node { node, _ in
            children == .combine ? node.with("role", "group") : node
        }
    }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        node { node, _ in
            guard traits.contains(.isHeader) else { return node }
            return node.with("role", "heading").with("aria-level", "2")
        }
    }
    public func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View { self }
    /// For tests of an app; becomes `data-id`.
    public func accessibilityIdentifier(_ identifier: String) -> some View {
        node { node, _ in node.with("data-id", identifier) }
    }
    public func accessibilitySortPriority(_ priority: Double) -> some View { self }
    public func accessibilityInputLabels<S: StringProtocol>(_ labels: [S]) -> some View { self }
    public func accessibilityAction(named name: Text, _ handler: @escaping () -> Void) -> some View { self }
    public func accessibilityAction(_ handler: @escaping () -> Void) -> some View { self }
    public func accessibilityHeading(_ level: AccessibilityHeadingLevel) -> some View {
        node { node, _ in node.with("role", "heading").with("aria-level", "\(max(level.rawValue, 1))") }
    }
    public func accessibilityIgnoresInvertColors(_ active: Bool = true) -> some View { self }
    public func accessibilityShowsLargeContentViewer() -> some View { self }
    public func speechAlwaysIncludesPunctuation(_ value: Bool = true) -> some View { self }
}

/// What becomes of the views inside one that is read as a whole.
nonisolated public struct AccessibilityChildBehavior: Hashable, Sendable {
    private let name: String
    public static let ignore = AccessibilityChildBehavior(name: "ignore")
    public static let contain = AccessibilityChildBehavior(name: "contain")
    public static let combine = AccessibilityChildBehavior(name: "combine")
}

/// What a view is for people who do not see it. Headings are written as such; controls are anyway.
nonisolated public struct AccessibilityTraits: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let isButton = AccessibilityTraits(rawValue: 1)
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
    /// The node called `name` by assistive technology.
    func named(_ name: String) -> RenderNode {
        var node = self
        node[attribute: "aria-hidden"] = nil
        node[attribute: "aria-label"] = name
        // A name alone means nothing to a box without a role.
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
