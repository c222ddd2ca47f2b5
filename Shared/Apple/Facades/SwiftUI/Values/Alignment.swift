/// Where views stand beside each other in a column.
nonisolated public struct HorizontalAlignment: Hashable, Sendable {
    let css: String
    init(css: String) { self.css = css }
    public static let leading = HorizontalAlignment(css: "start")
    public static let center = HorizontalAlignment(css: "center")
    public static let trailing = HorizontalAlignment(css: "end")
}

/// Where views stand beside each other in a row.
nonisolated public struct VerticalAlignment: Hashable, Sendable {
    let css: String
    init(css: String) { self.css = css }
    public static let top = VerticalAlignment(css: "start")
    public static let center = VerticalAlignment(css: "center")
    public static let bottom = VerticalAlignment(css: "end")
    public static let firstTextBaseline = VerticalAlignment(css: "baseline")
    public static let lastTextBaseline = VerticalAlignment(css: "last baseline")
}

/// Where a view stands in its place.
nonisolated public struct Alignment: Hashable, Sendable {
    public var horizontal: HorizontalAlignment
    public var vertical: VerticalAlignment
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
    public static let center = Alignment(horizontal: .center, vertical: .center)
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    public static let top = Alignment(horizontal: .center, vertical: .top)
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
    public static let centerFirstTextBaseline = Alignment(horizontal: .center, vertical: .firstTextBaseline)
    public static let leadingFirstTextBaseline = Alignment(horizontal: .leading, vertical: .firstTextBaseline)
    public static let trailingFirstTextBaseline = Alignment(
        horizontal: .trailing, vertical: .firstTextBaseline)
    public static let centerLastTextBaseline = Alignment(horizontal: .center, vertical: .lastTextBaseline)
    public static let leadingLastTextBaseline = Alignment(horizontal: .leading, vertical: .lastTextBaseline)
    public static let trailingLastTextBaseline = Alignment(horizontal: .trailing, vertical: .lastTextBaseline)
    /// The CSS property `place-items`.
    var css: String { "\(vertical.css) \(horizontal.css)" }
}

/// Where the lines of a text stand below each other.
nonisolated public enum TextAlignment: Hashable, CaseIterable, Sendable {
    case leading
    case center
    case trailing
}

/// Whether a view fits into its place, or fills it and may overlap its edges.
nonisolated public enum ContentMode: Hashable, CaseIterable, Sendable {
    case fit
    case fill
}

/// Whether the page is light or dark. Without `preferredColorScheme` the reader's browser decides.
nonisolated public enum ColorScheme: Hashable, CaseIterable, Sendable {
    case light
    case dark
}

/// How strongly colours differ.
nonisolated public enum ColorSchemeContrast: Hashable, CaseIterable, Sendable {
    case standard
    case increased
}

/// The direction of writing.
nonisolated public enum LayoutDirection: Hashable, CaseIterable, Sendable {
    case leftToRight
    case rightToLeft
}

/// How much place there is in one direction.
nonisolated public enum UserInterfaceSizeClass: Hashable, Sendable {
    case compact
    case regular
}

/// The size of text that the reader prefers.
nonisolated public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5
    /// Whether it is one of the large sizes for people who see little.
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
    /// Against the usual size.
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

/// Whether the heading of a section is shown large.
nonisolated public enum Prominence: Hashable, Sendable {
    case standard
    case increased
}

/// Why a part of a page is not shown in full.
nonisolated public struct RedactionReasons: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let placeholder = RedactionReasons(rawValue: 1)
    public static let privacy = RedactionReasons(rawValue: 2)
    public static let invalidated = RedactionReasons(rawValue: 4)
}

/// Whether the program is in front. A program that draws a page is `active`.
nonisolated public enum ScenePhase: Hashable, Comparable, Sendable {
    case background
    case inactive
    case active
}
