import Contract

/// A text for the terminal. What a literal says is ours; what is put into it is escaped, unless it is such a
/// text itself. So no name, title or sentence of others reaches the terminal as it is.
package struct ConsoleText: ExpressibleByStringInterpolation {
    /// As it is written.
    package let written: String

    /// Text of others, on one line.
    package init(_ text: String) { written = VisibleText.escaped(text) }

    /// Text of others that has lines.
    package init(lines text: String) { written = VisibleText.escaped(text, isLines: true) }

    package init(stringLiteral literal: String) { written = literal }

    package init(stringInterpolation parts: StringInterpolation) { written = parts.written }

    fileprivate init(safe text: String) { written = text }

    /// The text in a style, or as it is when colours are not wanted.
    package func styled(_ style: Console.Style) -> ConsoleText {
        Console.hasColours ? ConsoleText(safe: "\u{1b}[\(style.rawValue)m\(written)\u{1b}[0m") : self
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var written = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { written += literal }

        package mutating func appendInterpolation(_ text: ConsoleText) { written += text.written }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            written += VisibleText.escaped(value.description)
        }
    }
}

extension Sequence<ConsoleText> {
    package func joined(separator: ConsoleText) -> ConsoleText {
        ConsoleText(safe: map(\.written).joined(separator: separator.written))
    }
}
