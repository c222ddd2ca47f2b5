public import Foundation
public import FoundationExtras

/// Text, of one look or put together from texts of several looks.
nonisolated public struct Text: Equatable, Sendable {
    /// Where a line that is too long is cut.
    nonisolated public enum TruncationMode: Hashable, Sendable {
        case head
        case tail
        case middle
    }
    /// How letters are changed before they are shown.
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
    /// A change of look that is kept with the text.
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
    /// What assistive technology reads instead.
    var label: String?

    init(content: Content) { self.content = content }

    /// `content` as it is.
    public init(verbatim content: String) { self.content = .verbatim(content) }
    /// `content` as it is: a value, not a key.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ content: S) { self.content = .verbatim(String(content)) }
    /// A text of the bundle's string table, or the key itself where the table does not have it. Markdown
    /// in it
    /// (emphasis, code, links) is shown as such.
    public init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) { content = .key(key, table: tableName, bundlePath: bundle?.bundlePath) }
    /// Words of a string table.
    @_disfavoredOverload
    public init(_ resource: LocalizedStringResource) { content = .verbatim(String(localized: resource)) }
    /// An image in the line.
    public init(_ image: Image) { content = .image(image) }
    /// Text with attributes. Fonts, colours, lines and links in it are shown.
    @_disfavoredOverload
    public init(_ attributedContent: AttributedString) { content = .attributed(attributedContent) }
    /// A value as `format` writes it.
    public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String { content = .verbatim(format.format(input)) }
    /// A value as `format` writes it.
    public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == AttributedString {
        content = .attributed(format.format(input))
    }
    /// A value as `formatter` writes it.
    public init(_ subject: NSObject, formatter: Formatter) {
        content = .verbatim(formatter.string(for: subject) ?? "")
    }
    /// A value as `formatter` writes it.
    public init<Subject: ReferenceConvertible>(_ subject: Subject, formatter: Formatter) {
        content = .verbatim(formatter.string(for: subject) ?? "")
    }
    /// A date, or the time from or to it at the moment of the drawing.
    public init(_ date: Date, style: DateStyle) { content = .date(date, style) }
    /// Two dates.
    public init(_ dates: ClosedRange<Date>) { content = .dates(dates) }
    /// The beginning and the end of an interval.
    public init(_ interval: DateInterval) { content = .dates(interval.start...interval.end) }
    /// The time left until the end of an interval, or passed since its beginning, at the moment of the
    /// drawing.
    public init(
        timerInterval: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true,
        showsHours: Bool = true
    ) {
        content = .timer(timerInterval, pauseTime: pauseTime, countsDown: countsDown, showsHours: showsHours)
    }

    /// One text after the other; each keeps its look.
    public static func + (one: Text, other: Text) -> Text { Text(content: .joined(one, other)) }

    /// How `Text(_:style:)` shows a date.
    nonisolated public struct DateStyle: Hashable, Codable, Sendable {
        let name: String
        /// Its time of day.
        public static let time = DateStyle(name: "time")
        /// Its day.
        public static let date = DateStyle(name: "date")
        /// How long ago or ahead it is, in words.
        public static let relative = DateStyle(name: "relative")
        /// As `relative`, with a sign.
        public static let offset = DateStyle(name: "offset")
        /// How long ago or ahead it is, as a clock.
        public static let timer = DateStyle(name: "timer")
    }
}

nonisolated extension Text {
    func adding(_ modifier: Modifier) -> Text {
        var text = self
        text.modifiers.append(modifier)
        return text
    }
    public func font(_ font: Font?) -> Text { adding(.font(font)) }
    public func fontWeight(_ weight: Font.Weight?) -> Text { adding(.weight(weight)) }
    public func fontDesign(_ design: Font.Design?) -> Text { adding(.design(design)) }
    public func bold() -> Text { adding(.weight(.bold)) }
    public func bold(_ isActive: Bool) -> Text { isActive ? bold() : self }
    public func italic() -> Text { adding(.italic(true)) }
    public func italic(_ isActive: Bool) -> Text { adding(.italic(isActive)) }
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> Text {
        adding(.underline(isActive, LineStyle(color: color)))
    }
    public func underline(_ isActive: Bool = true, pattern: LineStyle.Pattern, color: Color? = nil) -> Text {
        adding(.underline(isActive, LineStyle(pattern: pattern, color: color)))
    }
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text {
        adding(.strikethrough(isActive, LineStyle(color: color)))
    }
    public func strikethrough(_ isActive: Bool = true, pattern: LineStyle.Pattern, color: Color? = nil)
        -> Text
    {
        adding(.strikethrough(isActive, LineStyle(pattern: pattern, color: color)))
    }
    /// In points.
    public func kerning(_ kerning: CGFloat) -> Text { adding(.kerning(Double(kerning))) }
    /// In points.
    public func tracking(_ tracking: CGFloat) -> Text { adding(.kerning(Double(tracking))) }
    /// In points, upwards.
    public func baselineOffset(_ offset: CGFloat) -> Text { adding(.baselineOffset(Double(offset))) }
    public func monospaced(_ isActive: Bool = true) -> Text { adding(.monospaced(isActive)) }
    public func monospacedDigit() -> Text { adding(.equalDigits) }
    public func foregroundColor(_ color: Color?) -> Text {
        color.map { adding(.ink(Ink(style: $0))) } ?? self
    }
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text { adding(.ink(Ink(style: style))) }
    /// What assistive technology reads instead of the text.
    public func accessibilityLabel(_ label: Text) -> Text {
        accessibilityLabel(label.plain(in: EnvironmentValues()))
    }
    /// What assistive technology reads instead of the text.
    public func accessibilityLabel(_ key: LocalizedStringKey) -> Text { accessibilityLabel(Text(key)) }
    /// What assistive technology reads instead of the text.
    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> Text {
        var text = self
        text.label = String(label)
        return text
    }

    /// A line under or through text. Dashes with dots are drawn as dashes or dots.
    nonisolated public struct LineStyle: Hashable, Sendable {
        public let pattern: Pattern
        public let color: Color?
        public init(pattern: Pattern = .solid, color: Color? = nil) {
            self.pattern = pattern
            self.color = color
        }
        nonisolated public struct Pattern: Hashable, Sendable {
            let css: String
            public static let solid = Pattern(css: "solid")
            public static let dot = Pattern(css: "dotted")
            public static let dash = Pattern(css: "dashed")
            public static let dashDot = Pattern(css: "dashed")
            public static let dashDotDot = Pattern(css: "dotted")
        }
    }
}
