/// Scans Swift source, skipping comments, strings and brackets.
struct Scanner {
    private let bytes: [UInt8]
    private(set) var offset = 0
    /// What would be lost or read wrongly without an error.
    private(set) var faults: [(message: String, offset: Int)] = []

    init(_ source: String) { bytes = Array(source.utf8) }

    var isAtEnd: Bool { offset >= bytes.count }
    /// The byte at `offset` as a character.
    var next: Character? { isAtEnd ? nil : Character(UnicodeScalar(bytes[offset])) }

    private func begins(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }
    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private mutating func skipSpaces() { while let next, next == " " || next == "\t" { offset += 1 } }

    /// Advances to the next word or sign. Documentation that a comment separates from it is a fault, because
    /// it would be lost; so is documentation behind code on the same line, because the next declaration would
    /// get it.
    /// - Returns: the lines of `///` directly before it, without the slashes.
    mutating func documentation() -> [String] {
        var lines: [String] = []
        var start = offset
        while !isAtEnd {
            if begins("///"), !begins("////") {
                if lines.isEmpty { start = offset }
                if !isFirstOnItsLine { lose(offset) }
                let end = endOfLine()
                let line = text(offset + 3..<end).filter { $0 != "\r" }
                lines.append(line.hasPrefix(" ") ? String(line.dropFirst()) : line)
                offset = end
            } else if begins("//") || begins("/*") {
                if !lines.isEmpty { lose(start) }
                skipComment()
                lines = []
            } else if next?.isWhitespace == true || next == ";" {
                offset += 1
            } else {
                return lines
            }
        }
        return lines
    }

    /// Advances to the next word or sign, where no documentation may be.
    private mutating func skipBlanks() {
        let start = offset
        guard !documentation().isEmpty else { return }
        lose(bytes[start...].firstRange(of: Array("///".utf8))?.lowerBound ?? start)
    }

    private mutating func lose(_ place: Int) {
        let message = "documentation stands on lines of its own directly before what it describes"
        if faults.last?.offset != place { faults.append((message, place)) }
    }

    private var isFirstOnItsLine: Bool {
        bytes[..<offset].reversed().prefix { $0 != UInt8(ascii: "\n") }.allSatisfy { $0 <= 0x20 }
    }

    private func endOfLine() -> Int { bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count }

    private mutating func skipComment() {
        if begins("//") {
            offset = endOfLine()
            return
        }
        var depth = 0
        repeat {
            if begins("/*") {
                depth += 1
                offset += 2
            } else if begins("*/") {
                depth -= 1
                offset += 2
            } else {
                offset += 1
            }
        } while depth > 0 && !isAtEnd
    }

    /// Consumes `sign` if it is next after spaces.
    mutating func take(_ sign: Character) -> Bool {
        skipSpaces()
        guard next == sign else { return false }
        offset += 1
        return true
    }

    /// Consumes a word; nil if something else is next.
    mutating func word() -> String? {
        skipBlanks()
        let start = offset
        while let next, next.isLetter || next.isNumber || next == "_" || next == "`" || !next.isASCII {
            offset += 1
        }
        return start == offset ? nil : text(start..<offset)
    }

    /// Consumes an attribute with the content of its parentheses.
    mutating func attribute() -> (name: String, arguments: String)? {
        skipBlanks()
        guard take("@"), let name = word() else { return nil }
        return (name, next == "(" ? parentheses() ?? "" : "")
    }

    /// Consumes parentheses and returns their content; nil if there are none.
    mutating func parentheses() -> String? {
        guard next == "(" else { return nil }
        let start = offset + 1
        skipGroup()
        return text(start..<max(start, offset - 1))
    }

    /// The first word inside the braces at `offset`, which stay.
    func firstWordInBraces() -> String? {
        var inner = self
        inner.offset += 1
        while inner.attribute() != nil {}
        return inner.word()
    }

    /// Advances past the bracket that closes the one at `offset`.
    private mutating func skipGroup() {
        var depth = 0
        while !isAtEnd {
            if skipText() { continue }
            switch next {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            default: break
            }
            offset += 1
            if depth == 0 { return }
        }
    }

    /// Advances past a comment or string that begins at `offset`; false if there is none.
    private mutating func skipText() -> Bool {
        if begins("//") || begins("/*") {
            skipComment()
            return true
        }
        var signs = 0
        while offset + signs < bytes.count, bytes[offset + signs] == UInt8(ascii: "#") { signs += 1 }
        guard offset + signs < bytes.count, bytes[offset + signs] == UInt8(ascii: "\"") else { return false }
        offset += signs
        let start = offset
        // Three quotes begin a text of several lines only where the line ends: `#"""#` is one quote.
        let isMultiline = begins("\"\"\"") && bytes[(offset + 3)..<endOfLine()].allSatisfy { $0 <= 0x20 }
        let quotes = isMultiline ? "\"\"\"" : "\""
        let raw = String(repeating: "#", count: signs)
        offset += quotes.utf8.count
        while !isAtEnd {
            if begins(quotes + raw) {
                offset += quotes.utf8.count + signs
                return true
            }
            if !isMultiline, next == "\n" { break }
            if begins("\\" + raw) {
                offset += 1 + signs
                if next == "(" {
                    skipGroup()
                    continue
                }
            }
            offset += 1
        }
        faults.append(("a string does not end", start))
        return true
    }

    /// Advances past the first such sign outside of brackets, strings and comments.
    mutating func skip(to sign: Character) -> Bool {
        while !isAtEnd {
            if skipText() { continue }
            if next == sign {
                offset += 1
                return true
            }
            if next == "(" || next == "[" { skipGroup() } else { offset += 1 }
        }
        return false
    }

    /// Consumes a type up to the end of the line, or a sign that no type has outside of brackets.
    mutating func type() -> String { expression(until: ["=", "{", ","], withAngles: true) }

    /// Consumes the expression up to the end of the line or one of these signs, outside of brackets. A line
    /// that ends with an operator continues.
    /// - Parameter withAngles: whether `<` and `>` are brackets.
    mutating func expression(until signs: Set<Character>, withAngles: Bool = false) -> String {
        let start = offset
        var angles = 0
        while let next {
            if begins("//") || next == ";" || next == "}" { break }
            if skipText() { continue }
            if signs.contains(next), angles == 0 { break }
            if withAngles, next == "<" { angles += 1 }
            if withAngles, next == ">", bytes[offset - 1] != UInt8(ascii: "-") { angles -= 1 }
            if next == "\n" {
                let last = Self.trimmed(text(start..<offset)).last
                guard last.map({ "=,+-&|.:".contains($0) }) ?? true else { break }
            }
            if "([{".contains(next) { skipGroup() } else { offset += 1 }
        }
        return Self.trimmed(text(start..<offset))
    }

    /// Advances to the end of a declaration: the end of a line on which no bracket is open, or a semicolon.
    mutating func skipDeclaration() {
        while let next {
            if skipText() { continue }
            if next == "}" || next == ";" { return }
            if next == "\n" {
                offset += 1
                return
            }
            if "([{".contains(next) { skipGroup() } else { offset += 1 }
        }
    }

    /// Advances past the next braces, such as those of a function.
    mutating func skipBody() {
        while let next {
            if skipText() { continue }
            if "([{".contains(next) { skipGroup() } else { offset += 1 }
            if next == "{" { return }
        }
    }

    static func trimmed(_ text: String) -> String {
        let inner = text.drop(while: \.isWhitespace)
        return String(inner.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Splits the arguments of a call, with their labels.
    static func arguments(_ text: String) -> [(label: String?, value: String)] {
        var scanner = Scanner(text)
        var found: [(label: String?, value: String)] = []
        while !scanner.isAtEnd {
            let start = scanner.offset
            var colon: Int?
            while let next = scanner.next, next != "," {
                if scanner.skipText() { continue }
                if next == ":", colon == nil { colon = scanner.offset }
                if "([{".contains(next) { scanner.skipGroup() } else { scanner.offset += 1 }
            }
            let label = colon.map { trimmed(scanner.text(start..<$0)) }
            let value = trimmed(scanner.text((colon.map { $0 + 1 } ?? start)..<scanner.offset))
            if !value.isEmpty { found.append((label, value)) }
            scanner.offset += 1
        }
        return found
    }
}
