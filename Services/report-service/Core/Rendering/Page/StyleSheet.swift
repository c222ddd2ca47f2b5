internal import Contract

/// A report's CSS, parsed and generated again from what ``PageRules`` allows.
struct StyleSheet {
    /// What was removed, as `style property NAME`.
    private(set) var leftOut: [String] = []

    enum Limits {
        /// Rules of one sheet.
        static let rulesMax = 20_000
        /// Bytes of one value.
        static let valueBytesMax = 65_536
        /// Depth of nested functions.
        static let depthMax = 8
    }

    /// Filters a complete sheet.
    mutating func sheet(_ text: String) throws(Markup.Refusal) -> String {
        var reader = StyleReader(text)
        var rules: [String] = []
        reader.skipSpace()
        while !reader.isAtEnd {
            let selector = try reader.selector()
            let declarations = try reader.block()
            let kept = declarations.compactMap { passed($0.property, $0.value) }
            if !kept.isEmpty { rules.append("\(selector){\(kept.joined(separator: ";"))}") }
            guard rules.count <= Limits.rulesMax else {
                throw reader.refusal("a style sheet has more than \(Limits.rulesMax) rules")
            }
            reader.skipSpace()
        }
        return rules.joined(separator: "\n")
    }

    /// The value of a `style` attribute; nil if nothing remains.
    mutating func attribute(_ text: String) throws(Markup.Refusal) -> String? {
        var reader = StyleReader(text)
        let declarations = try reader.declarations()
        guard reader.isAtEnd else { throw reader.refusal("a style attribute does not end") }
        let kept = declarations.compactMap { passed($0.property, $0.value) }
        return kept.isEmpty ? nil : kept.joined(separator: ";")
    }

    /// The value of an attribute with CSS syntax; nil if it is not allowed.
    static func value(_ text: String) -> String? {
        var reader = StyleReader(text)
        guard let value = reader.value(0), reader.isAtEnd else { return nil }
        return value
    }

    private mutating func passed(_ property: String, _ value: String) -> String? {
        guard PageRules.properties.contains(property), let value = Self.value(value) else {
            leftOut.append("style property \(property)")
            return nil
        }
        if property == "position", !["static", "relative", "absolute", "sticky"].contains(value) {
            leftOut.append("style property \(property)")
            return nil
        }
        return "\(property):\(value)"
    }
}

/// Parses CSS without at-rules, comments and escapes: rendered views contain none, and each of them allows
/// other spellings of forbidden things.
private struct StyleReader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { at == bytes.count }

    func refusal(_ reason: String) -> Markup.Refusal { Markup.Refusal(reason: reason, offset: at) }

    @discardableResult mutating func skipSpace() -> Bool {
        let start = at
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
        return at > start
    }

    /// Names of elements, classes and four pseudo-classes, with combinators.
    mutating func selector() throws(Markup.Refusal) -> String {
        let text = take { $0 != UInt8(ascii: "{") }
        let names = text.split(whereSeparator: { " \n\t\r>~+,".contains($0) })
        guard !names.isEmpty, names.allSatisfy({ Self.isCompound($0) }) else {
            throw refusal("a style sheet has a selector that may not be used")
        }
        at += at < bytes.count ? 1 : 0
        return text.split(whereSeparator: { " \n\t\r".contains($0) }).joined(separator: " ")
    }

    private static func isCompound(_ text: Substring) -> Bool {
        var text = text
        if text == "*" || text == ":root" { return true }
        var pseudo: Substring = ""
        if let colon = text.firstIndex(of: ":") {
            pseudo = text[colon...]
            text = text[..<colon]
        }
        let isWord: (Substring) -> Bool = { word in
            !word.isEmpty && word.utf8.allSatisfy(PageRules.isNamePart)
        }
        let words = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = words.first, first.isEmpty || isWord(first), words.dropFirst().allSatisfy(isWord),
            !text.isEmpty || !pseudo.isEmpty
        else { return false }
        for part in pseudo.split(separator: ":") where part != "checked" {
            guard part.hasPrefix("nth-of-type("), part.hasSuffix(")"),
                let number = UInt8(part.dropFirst(12).dropLast()), number > 0
            else { return false }
        }
        return true
    }

    mutating func block() throws(Markup.Refusal) -> [(property: String, value: String)] {
        let declarations = try self.declarations()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "}") else {
            throw refusal("a rule of a style sheet does not end")
        }
        at += 1
        return declarations
    }

    /// Reads up to the end or a `}`, which is not consumed. Values are not filtered.
    mutating func declarations() throws(Markup.Refusal) -> [(property: String, value: String)] {
        var declarations: [(property: String, value: String)] = []
        while true {
            skipSpace()
            if isAtEnd || bytes[at] == UInt8(ascii: "}") { return declarations }
            if bytes[at] == UInt8(ascii: ";") {
                at += 1
                continue
            }
            let property = take { PageRules.isNamePart($0) }
            skipSpace()
            guard !property.isEmpty, !isAtEnd, bytes[at] == UInt8(ascii: ":") else {
                throw refusal("a style sheet has a declaration without a property")
            }
            at += 1
            declarations.append((property, try rawValue()))
        }
    }

    /// Strings and brackets are read as a unit, so that a `;` or `}` inside does not end the value.
    private mutating func rawValue() throws(Markup.Refusal) -> String {
        let start = at
        var quote: UInt8?
        while !isAtEnd {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "@")
                || byte == UInt8(ascii: "<")
            {
                throw refusal("a style value has '\\', '{', '@' or '<'")
            }
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ";") || byte == UInt8(ascii: "}") {
                break
            }
            at += 1
        }
        guard quote == nil else { throw refusal("a string in a style value does not end") }
        guard at - start <= StyleSheet.Limits.valueBytesMax else {
            throw refusal("a style value is too long")
        }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    /// Numbers, words, colours, strings and allowed functions, separated by single spaces. Nil if there is
    /// anything else.
    mutating func value(_ depth: Int) -> String? {
        guard depth <= StyleSheet.Limits.depthMax else { return nil }
        var written = ""
        while true {
            if skipSpace(), !written.isEmpty { written += " " }
            guard !isAtEnd, !(depth > 0 && bytes[at] == UInt8(ascii: ")")) else { break }
            guard let token = self.token(depth) else { return nil }
            if token == "*", written.hasSuffix("/") { return nil }
            written += token
        }
        if written.hasSuffix(" ") { written.removeLast() }
        return written.isEmpty ? nil : written
    }

    private mutating func token(_ depth: Int) -> String? {
        switch bytes[at] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return string()
        case UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "%"),
            UInt8(ascii: "."), UInt8(ascii: "#"):
            at += 1
            return String(UnicodeScalar(bytes[at - 1]))
        default: break
        }
        let word = take { PageRules.isNamePart($0) }
        guard !word.isEmpty else { return nil }
        guard !isAtEnd, bytes[at] == UInt8(ascii: "(") else { return word }
        guard PageRules.functions.contains(word) else { return nil }
        at += 1
        guard let inner = value(depth + 1), !isAtEnd, bytes[at] == UInt8(ascii: ")") else { return nil }
        at += 1
        return "\(word)(\(inner))"
    }

    private mutating func string() -> String? {
        let quote = bytes[at]
        at += 1
        let text = take { $0 != quote && $0 >= 0x20 && $0 != UInt8(ascii: "\\") && $0 != 0x7F }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            !"\"'<>&".unicodeScalars.contains(scalar) && !VisibleText.isHidden(scalar)
                && scalar.value & 0xFFFE != 0xFFFE
        }
        guard !isAtEnd, bytes[at] == quote, isPlain else { return nil }
        at += 1
        return "\"\(text)\""
    }

    private mutating func take(while isIncluded: (UInt8) -> Bool) -> String {
        let start = at
        while at < bytes.count, isIncluded(bytes[at]) { at += 1 }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }
}
