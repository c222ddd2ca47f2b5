/// Reads one JSON document from bytes, value after value: the caller says what it expects next.
///
/// Strict: every byte read or skipped follows RFC 8259, strings are valid UTF-8, nesting is bounded. The one
/// thing left to the caller is to refuse the same key twice when it walks an object by `nextKey` (`Record`,
/// dictionaries, `JSONValue` and `skipValue` do). The bytes are borrowed: a reader must not be used after
/// they are gone.
@usableFromInline
package struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    /// The next byte to look at, from 0; never beyond `bytes.count`.
    @usableFromInline
    package internal(set) var position = 0
    /// Whether records refuse members that none of their fields reads; else they are checked and ignored.
    @usableFromInline
    package var refusesUnknownFields = false
    var depth = 0
    /// Directly after the `{` or `[` of the container that is open.
    var atStart = false

    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    // MARK: - Objects and arrays

    /// Steps into an object. Then `nextKey` and a value in turns, until `nextKey` is nil.
    @usableFromInline
    package mutating func beginObject() throws(JSONError) {
        guard next() == ASCII.openBrace else { throw unexpected("an object") }
        try descend()
    }

    /// The next key, or nil when the object ended; it then was left.
    @usableFromInline
    package mutating func nextKey() throws(JSONError) -> String? {
        guard let key = try nextKeyText() else { return nil }
        return text(key)
    }

    /// Steps into an array. Then a value after each `nextElement` that is true.
    @usableFromInline
    package mutating func beginArray() throws(JSONError) {
        guard next() == ASCII.openBracket else { throw unexpected("an array") }
        try descend()
    }

    /// Whether another element follows; false when the array ended, which then was left.
    @usableFromInline
    package mutating func nextElement() throws(JSONError) -> Bool {
        if try ends(with: ASCII.closeBracket, "',' or ']'") { return false }
        return true
    }

    /// Nothing but white space is left, or the error.
    package mutating func requireEnd() throws(JSONError) {
        guard next() == nil else {
            throw JSONError(.trailingBytes, at: position, "something follows the value")
        }
    }

    // MARK: - Small values

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

    /// Takes `null` when it is next; anything else stays where it is.
    @usableFromInline
    package mutating func takeNull() throws(JSONError) -> Bool {
        guard next() == UInt8(ascii: "n") else { return false }
        try word("null")
        return true
    }

    /// What kind of value is next, by its first byte.
    package mutating func peek() throws(JSONError) -> JSONKind {
        guard let byte = next(), let kind = JSONKind(firstByte: byte) else { throw unexpected("a value") }
        return kind
    }

    // MARK: - Steps shared by the extensions

    /// The next byte that is not white space, without taking it; nil at the end.
    @inline(__always)
    mutating func next() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            if byte > ASCII.space || !isWhiteSpace(byte) { return byte }
            position += 1
        }
        return nil
    }

    /// The four of RFC 8259 part 2.
    @inline(__always)
    private func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == ASCII.space || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Takes the bracket at `position` and is inside.
    private mutating func descend() throws(JSONError) {
        guard depth < JSONLimits.depthMax else {
            throw JSONError(.depthExceeded, at: position, "nested deeper than \(JSONLimits.depthMax)")
        }
        position += 1
        depth += 1
        atStart = true
    }

    /// Takes the `end` of the container, or the comma before its next value.
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

    /// The next key and its colon; nil when the object ended.
    mutating func nextKeyText() throws(JSONError) -> JSONText? {
        if try ends(with: ASCII.closeBrace, "',' or '}'") { return nil }
        guard next() == ASCII.quote else { throw syntax("a key in quotes") }
        let key = try scanString()
        guard next() == ASCII.colon else { throw syntax("':' after the key") }
        position += 1
        return key
    }

    /// Takes the key `name` with its comma and colon when it is next, spelt without escapes; else nothing
    /// moves.
    @usableFromInline
    package mutating func takeKey(_ name: StaticString) -> Bool {
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

    /// Leaves the object when its end is next.
    @usableFromInline
    package mutating func takeObjectEnd() -> Bool {
        guard next() == ASCII.closeBrace else { return false }
        position += 1
        depth -= 1
        atStart = false
        return true
    }

    /// The caller checked that `name` fits into the bytes at `offset`.
    @inline(__always)
    private func matches(_ name: StaticString, at offset: Int) -> Bool {
        let start = name.utf8Start
        for index in 0..<name.utf8CodeUnitCount where bytes[offset + index] != start[index] { return false }
        return true
    }

    /// Takes the letters of `true`, `false` or `null`.
    mutating func word(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard position < bytes.count, bytes[position] == word.utf8Start[index] else { throw syntax(word) }
            position += 1
        }
    }

    // MARK: - Errors

    /// Where a value of one kind should be: another kind, the end, or no value at all.
    @inline(never)
    mutating func unexpected(_ expected: StaticString) -> JSONError {
        guard let byte = next(), let found = JSONKind(firstByte: byte) else { return syntax(expected) }
        return JSONError(.wrongType, at: position, "expected \(expected), found \(found.rawValue)")
    }

    /// Where the grammar is broken.
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

/// What a value is, told by its first byte; the raw value is how errors call it.
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
