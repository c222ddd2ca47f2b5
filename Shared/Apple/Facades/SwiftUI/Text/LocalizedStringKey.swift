public import Foundation
import FoundationExtras

/// A key of a string table with values for its placeholders.
nonisolated public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable, Sendable {
    enum Argument: Equatable, Sendable {
        case string(String)
        case text(Text)
    }
    /// The parts of the key in order.
    enum Part: Equatable, Sendable {
        case literal(String)
        case whole(Int64, specifier: String?)
        case fraction(Double, specifier: String?)
        case argument(Argument)
    }
    let parts: [Part]

    /// - Parameter value: the key. It has no values, so anything like a placeholder in it is literal.
    public init(_ value: String) { parts = [.literal(value)] }
    public init(stringLiteral value: String) { self.init(value) }
    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// Builds a key from an interpolated literal.
    nonisolated public struct StringInterpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) { parts.append(.literal(literal)) }
        private mutating func append(_ argument: Argument) { parts.append(.argument(argument)) }
        /// A text; the placeholder `%@`.
        public mutating func appendInterpolation(_ string: String) { append(.string(string)) }
        /// A text; the placeholder `%@`.
        public mutating func appendInterpolation(_ text: Substring) { append(.string(String(text))) }
        /// A text with its own look.
        public mutating func appendInterpolation(_ text: Text) { append(.text(text)) }
        /// An image in the line.
        public mutating func appendInterpolation(_ image: Image) { append(.text(Text(image))) }
        /// A text with attributes.
        public mutating func appendInterpolation(_ text: AttributedString) { append(.text(Text(text))) }
        /// The text of another key.
        public mutating func appendInterpolation(_ key: LocalizedStringKey) { append(.text(Text(key))) }
        /// A date as `Text(_:style:)` shows it.
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            append(.text(Text(date, style: style)))
        }
        /// Two dates with a dash.
        public mutating func appendInterpolation(_ dates: ClosedRange<Date>) {
            append(.text(Text(dates)))
        }
        /// The time left or elapsed when the page is rendered.
        public mutating func appendInterpolation(
            timerInterval: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true,
            showsHours: Bool = true
        ) {
            append(
                .text(
                    Text(
                        timerInterval: timerInterval, pauseTime: pauseTime, countsDown: countsDown,
                        showsHours: showsHours)))
        }
        /// A formatted value.
        public mutating func appendInterpolation<F: FormatStyle>(_ input: F.FormatInput, format: F)
        where F.FormatInput: Equatable, F.FormatOutput == String {
            append(.string(format.format(input)))
        }
        /// A value formatted by a formatter.
        public mutating func appendInterpolation<Subject: NSObject>(
            _ subject: Subject, formatter: Formatter? = nil
        ) {
            append(.string(formatter?.string(for: subject) ?? subject.description))
        }
        /// A value formatted by a formatter.
        public mutating func appendInterpolation<Subject: ReferenceConvertible>(
            _ subject: Subject, formatter: Formatter
        ) { append(.string(formatter.string(for: subject) ?? "\(subject)")) }
        /// A number, grouped as in the person's language.
        public mutating func appendInterpolation<T: FixedWidthInteger & CVarArg>(_ value: T) {
            parts.append(.whole(Int64(clamping: value), specifier: nil))
        }
        /// A number with its fraction, as in the person's language.
        public mutating func appendInterpolation(_ value: Double) {
            parts.append(.fraction(value, specifier: nil))
        }
        /// A number with its fraction, as in the person's language.
        public mutating func appendInterpolation(_ value: Float) {
            parts.append(.fraction(Double(value), specifier: nil))
        }
        /// A number with its fraction, as in the person's language.
        public mutating func appendInterpolation(_ value: CGFloat) {
            parts.append(.fraction(Double(value), specifier: nil))
        }
        /// A number formatted by a specifier of `printf`.
        public mutating func appendInterpolation<T: FixedWidthInteger & CVarArg>(
            _ value: T, specifier: String
        ) {
            parts.append(.whole(Int64(clamping: value), specifier: specifier))
        }
        /// A number formatted by a specifier of `printf`.
        public mutating func appendInterpolation<T: BinaryFloatingPoint & CVarArg>(
            _ value: T, specifier: String
        ) {
            parts.append(.fraction(Double(value), specifier: specifier))
        }
        /// A text. The specifier is ignored.
        public mutating func appendInterpolation(_ value: String, specifier: String) {
            append(.string(value))
        }
        /// The description of any other value.
        @_disfavoredOverload
        public mutating func appendInterpolation<T>(_ value: T) { append(.string("\(value)")) }
    }
}

extension LocalizedStringKey {
    /// A part of the text for a key.
    enum Piece: Equatable {
        case literal(String)
        case argument(Argument)
    }
    /// Mark arguments in the text of a table that are more than strings. No language uses these characters.
    private static let open: Character = "\u{F0000}"
    private static let close: Character = "\u{F0001}"

    /// The text of the string table with its arguments inserted.
    func pieces(table: String?, bundlePath: String?, locale: Locale) -> [Piece] {
        let bundle = bundlePath.flatMap { Bundle(path: $0) }
        let (value, arguments) = value()
        var rest = Substring(String(localized: value, table: table, bundle: bundle, locale: locale))
        var pieces: [Piece] = []
        while let start = rest.firstIndex(of: Self.open) {
            let after = rest[start...].dropFirst()
            guard let end = after.firstIndex(of: Self.close), let index = Int(after[..<end]),
                arguments.indices.contains(index)
            else { break }
            if start > rest.startIndex { pieces.append(.literal(String(rest[..<start]))) }
            pieces.append(.argument(arguments[index]))
            rest = after[end...].dropFirst()
        }
        if !rest.isEmpty { pieces.append(.literal(String(rest))) }
        return pieces
    }

    /// The key for Foundation, and the arguments that it represents by number.
    private func value() -> (String.LocalizationValue, [Argument]) {
        if parts.count == 1, case .literal(let literal) = parts[0] {
            return (String.LocalizationValue(literal), [])
        }
        var key = String.LocalizationValue.StringInterpolation(
            literalCapacity: 32, interpolationCount: parts.count)
        var arguments: [Argument] = []
        for part in parts {
            switch part {
            case .literal(let literal): key.appendLiteral(literal)
            case .whole(let number, nil): key.appendInterpolation(number)
            case .whole(let number, let specifier?): key.appendInterpolation(number, specifier: specifier)
            case .fraction(let number, nil): key.appendInterpolation(number)
            case .fraction(let number, let specifier?): key.appendInterpolation(number, specifier: specifier)
            case .argument(let argument):
                key.appendInterpolation("\(Self.open)\(arguments.count)\(Self.close)")
                arguments.append(argument)
            }
        }
        return (String.LocalizationValue(stringInterpolation: key), arguments)
    }
}
