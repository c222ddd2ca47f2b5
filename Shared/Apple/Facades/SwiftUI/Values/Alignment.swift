/// The alignment of views in a column.
nonisolated public struct HorizontalAlignment: Hashable, Sendable {
    let css: String
    init(css: String) { self.css = css }
    /// The left edge in languages written from left to right.
    public static let leading = HorizontalAlignment(css: "start")
    /// The middle.
    public static let center = HorizontalAlignment(css: "center")
    /// The right edge in languages written from left to right.
    public static let trailing = HorizontalAlignment(css: "end")
}

/// The alignment of views in a row.
nonisolated public struct VerticalAlignment: Hashable, Sendable {
    let css: String
    init(css: String) { self.css = css }
    /// The upper edge.
    public static let top = VerticalAlignment(css: "start")
    /// The middle.
    public static let center = VerticalAlignment(css: "center")
    /// The lower edge.
    public static let bottom = VerticalAlignment(css: "end")
    /// The baseline of the first line.
    public static let firstTextBaseline = VerticalAlignment(css: "baseline")
    /// The baseline of the last line.
    public static let lastTextBaseline = VerticalAlignment(css: "last baseline")
}

/// The alignment of a view in its frame.
nonisolated public struct Alignment: Hashable, Sendable {
    /// In the direction of the text.
    public var horizontal: HorizontalAlignment
    /// From top to bottom.
    public var vertical: VerticalAlignment
    /// Any combination.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
    /// See the edges in its name; otherwise centred.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// See the edges in its name; otherwise centred.
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    /// See the edges in its name; otherwise centred.
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    /// See the edges in its name; otherwise centred.
    public static let top = Alignment(horizontal: .center, vertical: .top)
    /// See the edges in its name; otherwise centred.
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    /// See the edges in its name; otherwise centred.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    /// See the edges in its name; otherwise centred.
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    /// See the edges in its name; otherwise centred.
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    /// See the edges in its name; otherwise centred.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
    /// Aligned to baselines, which only rows support.
    public static let centerFirstTextBaseline = Alignment(horizontal: .center, vertical: .firstTextBaseline)
    /// Aligned to baselines, which only rows support.
    public static let leadingFirstTextBaseline = Alignment(horizontal: .leading, vertical: .firstTextBaseline)
    /// Aligned to baselines, which only rows support.
    public static let trailingFirstTextBaseline = Alignment(
        horizontal: .trailing, vertical: .firstTextBaseline)
    /// Aligned to baselines, which only rows support.
    public static let centerLastTextBaseline = Alignment(horizontal: .center, vertical: .lastTextBaseline)
    /// Aligned to baselines, which only rows support.
    public static let leadingLastTextBaseline = Alignment(horizontal: .leading, vertical: .lastTextBaseline)
    /// Aligned to baselines, which only rows support.
    public static let trailingLastTextBaseline = Alignment(horizontal: .trailing, vertical: .lastTextBaseline)
    /// The value of the CSS property `place-items`.
    var css: String { "\(vertical.css) \(horizontal.css)" }
}

/// The alignment of the lines of a text.
nonisolated public enum TextAlignment: Hashable, CaseIterable, Sendable {
    case leading
    case center
    case trailing
}

/// Whether a view fits in its frame, or fills it and may exceed its edges.
nonisolated public enum ContentMode: Hashable, CaseIterable, Sendable {
    case fit
    case fill
}

/// Whether the page is light or dark. Without `preferredColorScheme` the browser decides.
nonisolated public enum ColorScheme: Hashable, CaseIterable, Sendable {
    case light
    case dark
}

/// How strongly colours differ.
nonisolated public enum ColorSchemeContrast: Hashable, CaseIterable, Sendable {
    case standard
    case increased
}

/// The direction of the script.
nonisolated public enum LayoutDirection: Hashable, CaseIterable, Sendable {
    case leftToRight
    case rightToLeft
}

/// How much space there is in one direction.
nonisolated public enum UserInterfaceSizeClass: Hashable, Sendable {
    case compact
    case regular
}

/// The preferred text size.
nonisolated public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5
    /// Whether it is one of the sizes for accessibility.
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
    /// Relative to `large`.
    var scale: Double {
        switch self {
        case .xSmall: 0.82
        case .small: 0.88
        case .medium: 0.94
        case .large: 1
        case .xLarge: 1.12
        case .xxLarge: 1.24
        case .xxxLarge: 1.35
        case .accessibility1: 1.65
        case .accessibility2: 1.94
        case .accessibility3: 2.35
        case .accessibility4: 2.76
        case .accessibility5: 3.12
        }
    }
}

/// The size of controls.
nonisolated public enum ControlSize: Hashable, CaseIterable, Sendable {
    case mini, small, regular, large, extraLarge
}

/// Whether the header of a section is large.
nonisolated public enum Prominence: Hashable, Sendable {
    case standard
    case increased
}

/// Why content is replaced by placeholders.
nonisolated public struct RedactionReasons: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: Int
    /// Unknown bits are kept.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Texts are replaced by bars.
    public static let placeholder = RedactionReasons(rawValue: 1)
    /// Has no effect.
    public static let privacy = RedactionReasons(rawValue: 2)
    /// Has no effect.
    public static let invalidated = RedactionReasons(rawValue: 4)
}

/// Whether the program is in the foreground. Always `active` while a page is rendered.
nonisolated public enum ScenePhase: Hashable, Comparable, Sendable {
    case background
    case inactive
    case active
}
