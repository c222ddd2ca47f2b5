public import Foundation

/// The key of a text in a string table, with the values put into it.
nonisolated public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable, Sendable {
    enum Argument: Equatable, Sendable {
        case string(String)
        case text(Text)
    }
    /// As the string table writes it: `%@`, `%lld` and `%lf` where values stand.
    let key: String
    let arguments: [Argument]

    /// `value` is the key, without values: what looks like a place for one in it stays as it is.
    public init(_ value: String) {
        key = value
        arguments = []
    }
    public init(stringLiteral value: String) { self.init(value) }
    public init(stringInterpolation: StringInterpolation) {
        key = stringInterpolation.key
        arguments = stringInterpolation.arguments
    }

    nonisolated public struct StringInterpolation: StringInterpolationProtocol {
        var key = ""
        var arguments: [Argument] = []

        public init(literalCapacity: Int, interpolationCount: Int) { key.reserveCapacity(literalCapacity) }
        public mutating func appendLiteral(_ literal: String) {
            key += literal.replacingOccurrences(of: "%", with: "%%")
        }
        private mutating func append(_ placeholder: String, _ argument: Argument) {
            key += placeholder
            arguments.append(argument)
        }
        public mutating func appendInterpolation(_ string: String) { append("%@", .string(string)) }
        public mutating func appendInterpolation(_ text: Substring) { append("%@", .string(String(text))) }
        public mutating func appendInterpolation(_ text: Text) { append("%@", .text(text)) }
        public mutating func appendInterpolation(_ image: Image) { append("%@", .text(Text(image))) }
        public mutating func appendInterpolation(_ text: AttributedString) { append("%@", .text(Text(text))) }
        public mutating func appendInterpolation(_ key: LocalizedStringKey) { append("%@", .text(Text(key))) }
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            append("%@", .text(Text(date, style: style)))
        }
        public mutating func appendInterpolation(_ dates: ClosedRange<Date>) {
            append("%@", .text(Text(dates)))
        }
        public mutating func appendInterpolation(
            timerInterval: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true,
            showsHours: Bool = true
        ) {
            append(
                "%@",
                .text(
                    Text(
                        timerInterval: timerInterval, pauseTime: pauseTime, countsDown: countsDown,
                        showsHours: showsHours)))
        }
        public mutating func appendInterpolation<F: FormatStyle>(_ input: F.FormatInput, format: F)
        where F.FormatInput: Equatable, F.FormatOutput == String {
            append("%@", .string(format.format(input)))
        }
        public mutating func appendInterpolation<Subject: NSObject>(
            _ subject: Subject, formatter: Formatter? = nil
        ) {
            append("%@", .string(formatter?.string(for: subject) ?? subject.description))
        }
        public mutating func appendInterpolation<Subject: ReferenceConvertible>(
            _ subject: Subject, formatter: Formatter
        ) { append("%@", .string(formatter.string(for: subject) ?? "\(subject)")) }
        /// A number, grouped as the reader's language does it.
        public mutating func appendInterpolation<T: FixedWidthInteger & CVarArg>(_ value: T) {
            append("%lld", .string("\(value)"))
        }
        public mutating func appendInterpolation(_ value: Double) {
            append("%lf", .string(Self.decimal(value)))
        }
        public mutating func appendInterpolation(_ value: Float) {
            append("%f", .string(Self.decimal(Double(value))))
        }
        public mutating func appendInterpolation(_ value: CGFloat) {
            append("%lf", .string(Self.decimal(Double(value))))
        }
        /// A number as `specifier` (as in `printf`) writes it.
        public mutating func appendInterpolation<T: CVarArg>(_ value: T, specifier: String) {
            append(specifier, .string(String(format: specifier, value)))
        }
        /// Any other value, as it describes itself.
        @_disfavoredOverload
        public mutating func appendInterpolation<T>(_ value: T) { append("%@", .string("\(value)")) }

        private static func decimal(_ value: Double) -> String { String(format: "%f", value) }
    }
}

extension LocalizedStringKey {
    /// A piece of the text that a key stands for.
    enum Piece: Equatable {
        case literal(String)
        case argument(Argument)
    }

    /// The text of the string table with its arguments in their places.
    func pieces(table: String?, bundlePath: String?) -> [Piece] {
        let bundle = bundlePath.flatMap { Bundle(path: $0) } ?? Bundle.main
        let format = bundle.localizedString(forKey: key, value: key, table: table)
        if arguments.isEmpty { return format.isEmpty ? [] : [.literal(format)] }
        var pieces: [Piece] = []
        var literal = ""
        var next = 0
        var rest = Substring(format)
        while let character = rest.popFirst() {
            guard character == "%" else {
                literal.append(character)
                continue
            }
            if rest.first == "%" {
                rest.removeFirst()
                literal.append("%")
                continue
            }
            guard let (position, after) = Self.placeholder(rest) else {
                literal.append("%")
                continue
            }
            rest = after
            let index = position ?? next
            if position == nil { next += 1 }
            guard arguments.indices.contains(index) else { continue }
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = ""
            pieces.append(.argument(arguments[index]))
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        return pieces
    }

    /// The position (from 0) that a placeholder after its `%` names, and what stands behind it.
    private static func placeholder(_ text: Substring) -> (Int?, Substring)? {
        var rest = text
        var position: Int?
        let digits = rest.prefix(while: \.isNumber)
        if !digits.isEmpty, rest.dropFirst(digits.count).first == "$" {
            position = Int(digits).map { $0 - 1 }
            rest = rest.dropFirst(digits.count + 1)
        }
        let flags = rest.prefix { "0123456789.+-#' ".contains($0) }
        rest = rest.dropFirst(flags.count)
        let sizes = rest.prefix { "hlqzLj".contains($0) }
        rest = rest.dropFirst(sizes.count)
        guard let kind = rest.first, "@dDiuUxXoOfeEgGcCsSaAF".contains(kind) else { return nil }
        return (position, rest.dropFirst())
    }
}
