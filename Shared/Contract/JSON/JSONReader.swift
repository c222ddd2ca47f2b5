/// A pull parser for one JSON document: the caller requests value after value and says which kind it expects.
///
/// It is strict: every byte that is read or skipped must follow RFC 8259, strings must be valid UTF-8, and
/// nesting is bounded. Only duplicate keys are left to callers that walk an object with `nextKey` (`Record`,
/// dictionaries, `JSONValue` and `skipValue` refuse them). The bytes are borrowed: a reader must not outlive
/// them.
@usableFromInline
package struct JSONReader {
    /// The document; borrowed.
    let bytes: UnsafeBufferPointer<UInt8>
    /// Index of the next byte, from 0 to `bytes.count`.
    @usableFromInline
    package internal(set) var position = 0
    /// Whether records refuse members that are no field. Otherwise such members are validated and ignored.
    @usableFromInline
    package var refusesUnknownFields = false
    var depth = 0
    /// True directly after the `{` or `[` of the innermost open container.
    var atStart = false

    /// A reader at the start of `bytes`, which must outlive it.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    // MARK: - Objects and arrays

    /// Enters an object. Call `nextKey` and read a value in turns until `nextKey` returns nil.
    @usableFromInline
    package mutating func beginObject() throws(JSONError) {
        guard next() == ASCII.openBrace else { throw unexpected("an object") }
        try descend()
    }

    /// Reads the next key. Returns nil at the end of the object, and leaves it.
    @usableFromInline
    package mutating func nextKey() throws(JSONError) -> String? {
        guard let key = try nextKeyText() else { return nil }
        return text(key)
    }

    /// Enters an array. Read a value after each `nextElement` that returns true.
    @usableFromInline
    package mutating func beginArray() throws(JSONError) {
        guard next() == ASCII.openBracket else { throw unexpected("an array") }
        try descend()
    }

    /// Returns true if another element follows. Returns false at the end of the array, and leaves it.
    @usableFromInline
    package mutating func nextElement() throws(JSONError) -> Bool {
        if try ends(with: ASCII.closeBracket, "',' or ']'") { return false }
        return true
    }

    /// Throws `trailingBytes` unless only white space is left.
    package mutating func requireEnd() throws(JSONError) {
        guard next() == nil else {
            throw JSONError(.trailingBytes, at: position, "something follows the value")
        }
    }

    /// Whether only white space is left.
    package var isAtEnd: Bool { mutating get { next() == nil } }

    // MARK: - Small values

    /// Reads `true` or `false`.
    @usableFromInline
    package mutating func boolean() throws(JSONError) -> Bool {
        switch next() {
        case UInt8(ascii: "t"):
            try word("true")
            return true
        case UInt8(ascii: "f"):
            try word("false")
            return false
        default: throw unexpected("true or false")
        }
    }

    /// Consumes `null` if it is next and returns true; otherwise consumes nothing.
    @usableFromInline
    package mutating func takeNull() throws(JSONError) -> Bool {
        guard next() == UInt8(ascii: "n") else { return false }
        try word("null")
        return true
    }

    /// The kind of the next value, determined by its first byte.
    package mutating func peek() throws(JSONError) -> JSONKind {
        guard let byte = next(), let kind = JSONKind(firstByte: byte) else { throw unexpected("a value") }
        return kind
    }

    // MARK: - Steps shared by the extensions

    /// Returns the next byte that is not white space without consuming it; nil at the end.
    @inline(__always)
    mutating func next() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            if byte > ASCII.space || !isWhiteSpace(byte) { return byte }
            position += 1
        }
        return nil
    }

    /// The four characters of RFC 8259 part 2.
    @inline(__always)
    private func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == ASCII.space || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Consumes the opening bracket at `position` and enters the container.
    private mutating func descend() throws(JSONError) {
        guard depth < JSONLimits.depthMax else {
            throw JSONError(.depthExceeded, at: position, "nested deeper than \(JSONLimits.depthMax)")
        }
        position += 1
        depth += 1
        atStart = true
    }

    /// Consumes the `end` of the container, or the comma before its next value.
    private mutating func ends(with end: UInt8, _ expected: StaticString) throws(JSONError) -> Bool {
        let first = atStart
        atStart = false
        guard let byte = next() else { throw unexpected(expected) }
        if byte == end {
            position += 1
            depth -= 1
            return true
        }
        if first { return false }
        guard byte == ASCII.comma else { throw syntax(expected) }
        position += 1
        return false
    }

    /// Consumes the next key and its colon; nil at the end of the object.
    mutating func nextKeyText() throws(JSONError) -> JSONText? {
        if try ends(with: ASCII.closeBrace, "',' or '}'") { return nil }
        guard next() == ASCII.quote else { throw syntax("a key in quotes") }
        let key = try scanString()
        guard next() == ASCII.colon else { throw syntax("':' after the key") }
        position += 1
        return key
    }

    /// Consumes the key `name` with its comma and colon if it is next and written without escapes; otherwise
    /// consumes nothing.
    @usableFromInline
    package mutating func takeKey(_ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        // Usually there is no white space.
        let quote = atStart ? position : position &+ 1
        guard bytes.count &- quote >= length &+ 3, atStart || bytes[position] == ASCII.comma,
            bytes[quote] == ASCII.quote
        else { return takeSpacedKey(name) }
        guard matches(name, at: quote &+ 1), bytes[quote &+ 1 &+ length] == ASCII.quote else { return false }
        guard bytes[quote &+ 2 &+ length] == ASCII.colon else { return takeSpacedKey(name) }
        position = quote &+ 3 &+ length
        atStart = false
        return true
    }

    /// The same with white space, and at the end of an object.
    @inline(never)
    private mutating func takeSpacedKey(_ name: StaticString) -> Bool {
        let before = position
        if !atStart {
            guard next() == ASCII.comma else { return false }
            position += 1
        }
        let length = name.utf8CodeUnitCount
        if next() == ASCII.quote, position + length + 2 < bytes.count, matches(name, at: position + 1),
            bytes[position + 1 + length] == ASCII.quote
        {
            position += length + 2
            if next() == ASCII.colon {
                position += 1
                atStart = false
                return true
            }
        }
        position = before
        return false
    }

    /// Consumes the end of the object if it is next, and leaves the object.
    @usableFromInline
    package mutating func takeObjectEnd() -> Bool {
        guard next() == ASCII.closeBrace else { return false }
        position += 1
        depth -= 1
        atStart = false
        return true
    }

    /// The caller must have checked that `name` fits into the bytes at `offset`.
    @inline(__always)
    private func matches(_ name: StaticString, at offset: Int) -> Bool {
        let document = UnsafeRawBufferPointer(bytes), length = name.utf8CodeUnitCount
        let field = UnsafeRawBufferPointer(start: name.utf8Start, count: length)
        func differ<Word: FixedWidthInteger>(_ at: Int, _ type: Word.Type) -> Bool {
            document.loadUnaligned(fromByteOffset: offset &+ at, as: Word.self)
                != field.loadUnaligned(fromByteOffset: at, as: Word.self)
        }
        var done = 0
        while done &+ 8 <= length {
            if differ(done, UInt64.self) { return false }
            done &+= 8
        }
        if done &+ 4 <= length {
            if differ(done, UInt32.self) { return false }
            done &+= 4
        }
        while done < length {
            if differ(done, UInt8.self) { return false }
            done &+= 1
        }
        return true
    }

    /// Consumes the letters of `true`, `false` or `null`.
    mutating func word(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard position < bytes.count, bytes[position] == word.utf8Start[index] else { throw syntax(word) }
            position += 1
        }
    }

    // MARK: - Errors

    /// The error where a value of another kind, the end, or no value was found.
    @inline(never)
    mutating func unexpected(_ expected: StaticString) -> JSONError {
        guard let byte = next(), let found = JSONKind(firstByte: byte) else { return syntax(expected) }
        return JSONError(.wrongType, at: position, "expected \(expected), found \(found.rawValue)")
    }

    /// The error where the grammar is violated.
    @inline(never)
    mutating func syntax(_ expected: StaticString) -> JSONError {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return JSONError(.byteOrderMark, at: 0, "the bytes begin with a byte order mark")
        }
        guard let byte = next() else {
            return bytes.allSatisfy(isWhiteSpace)
                ? JSONError(.emptyInput, at: position, "there is no value")
                : JSONError(.unexpectedEnd, at: position, "the bytes end where \(expected) should be")
        }
        let shown = "0x" + String(byte, radix: 16)
        return JSONError(.unexpectedByte, at: position, "expected \(expected), found the byte \(shown)")
    }
}

/// The kind of a value, determined by its first byte. The raw value is its name in errors.
package enum JSONKind: String, Sendable {
    case null
    case boolean = "a boolean"
    case number = "a number"
    case string = "a string"
    case array = "an array"
    case object = "an object"

    init?(firstByte byte: UInt8) {
        switch byte {
        case UInt8(ascii: "n"): self = .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
        case ASCII.minus, ASCII.zero...UInt8(ascii: "9"): self = .number
        case ASCII.quote: self = .string
        case ASCII.openBracket: self = .array
        case ASCII.openBrace: self = .object
        default: return nil
        }
    }
}
