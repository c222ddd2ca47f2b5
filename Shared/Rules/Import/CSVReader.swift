/// Reads the rows of a CSV file (RFC 4180) from its bytes: LF or CRLF, quoted fields with doubled quotes,
/// blank lines only at the end. The end of the last line may be missing.
struct CSVReader {
    /// A field of the current row as a range of the file.
    struct Field {
        /// Without the surrounding quotes.
        let range: Range<Int>
        /// True if it contains doubled quotes.
        let isEscaped: Bool
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    private var nextLine = 1

    /// Fields of the current row.
    private(set) var fields: [Field] = []
    /// Line in which the current row begins.
    private(set) var line = 0
    /// Whether the current row has no line end: it is the last one and may be truncated.
    private(set) var isUnterminated = false

    /// - Parameter bytes: must outlive the reader. A byte-order mark is skipped.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Advances to the next row; false at the end of the file.
    mutating func next() throws(ImportError) -> Bool {
        guard !restIsBlank else { return false }
        line = nextLine
        fields.removeAll(keepingCapacity: true)
        while true {
            fields.append(try position < bytes.count && bytes[position] == .quote ? quoted() : plain())
            guard position < bytes.count else {
                isUnterminated = true
                return true
            }
            let separator = bytes[position]
            position += 1
            if separator == .comma { continue }
            if separator == .carriageReturn { try finishLineEnd() }
            nextLine += 1
            return true
        }
    }

    func text(_ field: Field) -> String {
        let raw = String(decoding: bytes[field.range], as: UTF8.self)
        guard field.isEscaped else { return raw }
        var text = ""
        var wasQuote = false
        for character in raw.unicodeScalars {
            wasQuote = character == "\"" && !wasQuote
            if !wasQuote { text.unicodeScalars.append(character) }
        }
        return text
    }

    /// The field as a decimal integer; `overflow` if it exceeds 64 bits.
    func integer(_ field: Field) -> Integer {
        var range = field.range
        let isNegative = !range.isEmpty && bytes[range.lowerBound] == UInt8(ascii: "-")
        if isNegative { range = range.lowerBound + 1..<range.upperBound }
        guard !range.isEmpty else { return .notANumber }
        var value: Int64 = 0
        var isTooBig = false
        for byte in bytes[range] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return .notANumber }
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (scaled, over) = value.multipliedReportingOverflow(by: 10)
            let (sum, under) = scaled.subtractingReportingOverflow(digit)
            isTooBig = isTooBig || over || under
            value = sum
        }
        guard !isTooBig, isNegative || value != .min else { return .overflow }
        return .value(isNegative ? value : -value)
    }

    enum Integer { case value(Int64), notANumber, overflow }

    /// Whether only line ends follow.
    private var restIsBlank: Bool {
        var probe = position
        while probe < bytes.count {
            guard bytes[probe] == .lineFeed || bytes[probe] == .carriageReturn else { return false }
            probe += 1
        }
        return true
    }

    private mutating func plain() throws(ImportError) -> Field {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == .comma || byte == .lineFeed || byte == .carriageReturn { break }
            if byte == .quote {
                throw ImportError(
                    .quoting, line: line, expected: "quotes around a field that contains a quote",
                    found: "a quote inside field \(fields.count + 1)")
            }
            position += 1
        }
        return Field(range: start..<position, isEscaped: false)
    }

    private mutating func quoted() throws(ImportError) -> Field {
        position += 1
        let start = position
        var isEscaped = false
        while position < bytes.count {
            let byte = bytes[position]
            if byte == .lineFeed { nextLine += 1 }
            if byte != .quote {
                position += 1
            } else if position + 1 < bytes.count && bytes[position + 1] == .quote {
                isEscaped = true
                position += 2
            } else {
                position += 1
                try checkFieldEnd()
                return Field(range: start..<position - 1, isEscaped: isEscaped)
            }
        }
        throw ImportError(
            .truncated, line: line, expected: "the quote that closes field \(fields.count + 1)",
            found: "the end of the file")
    }

    private func checkFieldEnd() throws(ImportError) {
        guard position < bytes.count else { return }
        let byte = bytes[position]
        guard byte != .comma, byte != .lineFeed, byte != .carriageReturn else { return }
        throw ImportError(
            .quoting, line: line, expected: "a comma or the line's end after the closing quote",
            found: "more text in field \(fields.count + 1)")
    }

    /// Consumes the line feed after a carriage return.
    private mutating func finishLineEnd() throws(ImportError) {
        guard position < bytes.count else {
            throw ImportError(
                .truncated, line: line, expected: "a line feed after the carriage return",
                found: "the end of the file")
        }
        guard bytes[position] == .lineFeed else {
            throw ImportError(
                .controlCharacter, line: line, expected: "a line feed after the carriage return",
                found: "a carriage return inside the row")
        }
        position += 1
    }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let comma = UInt8(ascii: ",")
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
}
