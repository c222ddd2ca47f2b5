public import Foundation
public import FoundationExtras

/// A text of one look, or several texts joined.
nonisolated public struct Text: Equatable, Sendable {
    /// Where a long line is cut.
    nonisolated public enum TruncationMode: Hashable, Sendable {
        case head
        case tail
        case middle
    }
    /// How letters are changed for display.
    nonisolated public enum Case: Hashable, Sendable {
        case uppercase
        case lowercase
    }
    indirect enum Content: Equatable, Sendable {
        case verbatim(String)
        case key(LocalizedStringKey, table: String?, bundlePath: String?)
        case date(Date, DateStyle)
        case dates(ClosedRange<Date>)
        case timer(ClosedRange<Date>, pauseTime: Date?, countsDown: Bool, showsHours: Bool)
        case image(Image)
        case attributed(AttributedString)
        case joined(Text, Text)
    }
    /// A property of the look that belongs to the text.
    enum Modifier: Equatable, Sendable {
        case font(Font?)
        case weight(Font.Weight?)
        case italic(Bool)
        case underline(Bool, LineStyle)
        case strikethrough(Bool, LineStyle)
        case kerning(Double)
        case baselineOffset(Double)
        case monospaced(Bool)
        case equalDigits
        case design(Font.Design?)
        case ink(Ink)
    }
    /// The colour of a text.
    struct Ink: Equatable, Sendable {
        let style: any ShapeStyle
        static func == (one: Ink, other: Ink) -> Bool { "\(one.style)" == "\(other.style)" }
    }
    var content: Content
    var modifiers: [Modifier] = []
    /// The text for assistive technology.
    var label: String?

    init(content: Content) { self.content = content }

    /// Shows `content` unchanged, without a lookup.
    public init(verbatim content: String) { self.content = .verbatim(content) }
    /// Shows `content` unchanged, without a lookup.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ content: S) { self.content = .verbatim(String(content)) }
    /// The text of the bundle's string table, or the key itself if the table does not contain it. Markdown in
    /// it (emphasis, code, links) is rendered.
    public init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) { content = .key(key, table: tableName, bundlePath: bundle?.bundlePath) }
    /// A text of a string table, looked up now.
    @_disfavoredOverload
    public init(_ resource: LocalizedStringResource) { content = .verbatim(String(localized: resource)) }
    /// An image in the line.
    public init(_ image: Image) { content = .image(image) }
    /// A text with attributes. Only links are rendered; Apple renders fonts, colours and lines too.
    @_disfavoredOverload
    public init(_ attributedContent: AttributedString) { content = .attributed(attributedContent) }
    /// A formatted value.
    public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String { content = .verbatim(format.format(input)) }
    /// A formatted value.
    public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == AttributedString {
        content = .attributed(format.format(input))
    }
    /// A value formatted by a formatter.
    public init(_ subject: NSObject, formatter: Formatter) {
        content = .verbatim(formatter.string(for: subject) ?? "")
    }
    /// A value formatted by a formatter.
    public init<Subject: ReferenceConvertible>(_ subject: Subject, formatter: Formatter) {
        content = .verbatim(formatter.string(for: subject) ?? "")
    }
    /// A date, or the time until or since it when the page is rendered.
    public init(_ date: Date, style: DateStyle) { content = .date(date, style) }
    /// Two dates with a dash.
    public init(_ dates: ClosedRange<Date>) { content = .dates(dates) }
    /// The start and the end of an interval.
    public init(_ interval: DateInterval) { content = .dates(interval.start...interval.end) }
    /// The time until the end of an interval, or since its start, when the page is rendered.
    public init(
        timerInterval: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true,
        showsHours: Bool = true
    ) {
        content = .timer(timerInterval, pauseTime: pauseTime, countsDown: countsDown, showsHours: showsHours)
    }

    /// Joins two texts. Each keeps its look.
    public static func + (one: Text, other: Text) -> Text { Text(content: .joined(one, other)) }

    /// How `Text(_:style:)` shows a date.
    nonisolated public struct DateStyle: Hashable, Codable, Sendable {
        let name: String
        /// The time of day.
        public static let time = DateStyle(name: "time")
        /// The day.
        public static let date = DateStyle(name: "date")
        /// The time until or since the date, in words.
        public static let relative = DateStyle(name: "relative")
        /// As `relative`, with a sign.
        public static let offset = DateStyle(name: "offset")
        /// The time until or since the date, as a clock.
        public static let timer = DateStyle(name: "timer")
    }
}

nonisolated extension Text {
    func adding(_ modifier: Modifier) -> Text {
        var text = self
        text.modifiers.append(modifier)
        return text
    }
    /// Nil keeps the present font.
    public func font(_ font: Font?) -> Text { adding(.font(font)) }
    /// Nil keeps the weight of the font.
    public func fontWeight(_ weight: Font.Weight?) -> Text { adding(.weight(weight)) }
    /// Nil keeps the design of the font.
    public func fontDesign(_ design: Font.Design?) -> Text { adding(.design(design)) }
    /// Sets bold weight.
    public func bold() -> Text { adding(.weight(.bold)) }
    /// Sets bold weight if `isActive` is true.
    public func bold(_ isActive: Bool) -> Text { isActive ? bold() : self }
    /// Sets slanted letters.
    public func italic() -> Text { adding(.italic(true)) }
    /// Sets or removes slanted letters.
    public func italic(_ isActive: Bool) -> Text { adding(.italic(isActive)) }
    /// A nil colour is the colour of the text.
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> Text {
        adding(.underline(isActive, LineStyle(color: color)))
    }
    /// A nil colour is the colour of the text.
    public func underline(_ isActive: Bool = true, pattern: LineStyle.Pattern, color: Color? = nil) -> Text {
        adding(.underline(isActive, LineStyle(pattern: pattern, color: color)))
    }
    /// A nil colour is the colour of the text.
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text {
        adding(.strikethrough(isActive, LineStyle(color: color)))
    }
    /// A nil colour is the colour of the text.
    public func strikethrough(_ isActive: Bool = true, pattern: LineStyle.Pattern, color: Color? = nil)
        -> Text
    {
        adding(.strikethrough(isActive, LineStyle(pattern: pattern, color: color)))
    }
    /// Adds space between letters, in points.
    public func kerning(_ kerning: CGFloat) -> Text { adding(.kerning(Double(kerning))) }
    /// The same as ``kerning(_:)`` here.
    public func tracking(_ tracking: CGFloat) -> Text { adding(.kerning(Double(tracking))) }
    /// Raises the text by points.
    public func baselineOffset(_ offset: CGFloat) -> Text { adding(.baselineOffset(Double(offset))) }
    /// Sets letters of equal width.
    public func monospaced(_ isActive: Bool = true) -> Text { adding(.monospaced(isActive)) }
    /// Sets digits of equal width, if the font has them.
    public func monospacedDigit() -> Text { adding(.equalDigits) }
    /// Nil keeps the present colour.
    public func foregroundColor(_ color: Color?) -> Text {
        color.map { adding(.ink(Ink(style: $0))) } ?? self
    }
    /// Sets a style, which may be a gradient.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text { adding(.ink(Ink(style: style))) }
    /// Sets the text for assistive technology.
    public func accessibilityLabel(_ label: Text) -> Text {
        accessibilityLabel(label.plain(in: EnvironmentValues()))
    }
    /// Sets the text for assistive technology.
    public func accessibilityLabel(_ key: LocalizedStringKey) -> Text { accessibilityLabel(Text(key)) }
    /// Sets the text for assistive technology.
    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> Text {
        var text = self
        text.label = String(label)
        return text
    }

    /// A line under or through text. Patterns of dashes and dots are simplified.
    nonisolated public struct LineStyle: Hashable, Sendable {
        /// The pattern of the line.
        public let pattern: Pattern
        /// Nil means the colour of the text.
        public let color: Color?
        /// A continuous line in the colour of the text by default.
        public init(pattern: Pattern = .solid, color: Color? = nil) {
            self.pattern = pattern
            self.color = color
        }
        /// The pattern of a line.
        nonisolated public struct Pattern: Hashable, Sendable {
            let css: String
            public static let solid = Pattern(css: "solid")
            public static let dot = Pattern(css: "dotted")
            public static let dash = Pattern(css: "dashed")
            /// Rendered as dashes.
            public static let dashDot = Pattern(css: "dashed")
            /// Rendered as dots.
            public static let dashDotDot = Pattern(css: "dotted")
        }
    }
}
