/// A scanned and validated string of the document.
struct JSONText {
    let range: Range<Int>
    let isASCII: Bool
    let hasEscapes: Bool
}

extension JSONReader {
    /// Reads a string, with its escapes decoded.
    @usableFromInline
    package mutating func string() throws(JSONError) -> String {
        guard next() == ASCII.quote else { throw unexpected("a string") }
        return text(try scanString())
    }

    /// Consumes the string that is next and returns its bytes, borrowed from the document, if they are ASCII
    /// without escapes. If it returns nil, the reader is not usable any more.
    package mutating func plainString() -> UnsafeBufferPointer<UInt8>? {
        guard next() == ASCII.quote, let text = try? scanString(), text.isASCII, !text.hasEscapes
        else { return nil }
        return UnsafeBufferPointer(rebasing: bytes[text.range])
    }

    /// Consumes and validates the string whose opening quote is at `position`: no unescaped control
    /// characters, valid escapes, complete surrogate pairs, valid UTF-8.
    @inline(__always)
    mutating func scanString() throws(JSONError) -> JSONText {
        let start = position &+ 1
        var high: UInt64 = 0
        let end = Self.skipPlain(UnsafeRawBufferPointer(bytes), from: start, &high)
        guard end < bytes.count, bytes[end] == ASCII.quote, high & StringWord.highBits == 0 else {
            return try scanUnusualString(from: start, plainTo: end, high)
        }
        position = end &+ 1
        return JSONText(range: Range(uncheckedBounds: (start, end)), isASCII: true, hasEscapes: false)
    }

    /// The same for a string that may have escapes, other bytes than ASCII, or a fault at or after `index`.
    @inline(never)
    private mutating func scanUnusualString(
        from start: Int, plainTo index: Int, _ high: UInt64
    ) throws(JSONError) -> JSONText {
        let raw = UnsafeRawBufferPointer(bytes)
        var (index, high) = (index, high)
        var hasEscapes = false
        while true {
            guard index < bytes.count else {
                throw JSONError(.unexpectedEnd, at: index, "the bytes end inside a string")
            }
            if bytes[index] == ASCII.quote { break }
            guard bytes[index] == ASCII.backslash else {
                throw JSONError(
                    .controlCharacter, at: index, "a control character in a string has to be escaped")
            }
            hasEscapes = true
            index = Self.skipPlain(raw, from: try endOfEscape(at: index), &high)
        }
        position = index + 1
        let isASCII = high & StringWord.highBits == 0
        if !isASCII { try requireUTF8(start..<index) }
        return JSONText(range: start..<index, isASCII: isASCII, hasEscapes: hasEscapes)
    }

    /// The index of the first control character, quote or backslash at or after `start`, or the end. `high`
    /// collects the high bits of the bytes before it, which show whether all were ASCII.
    @inline(__always)
    private static func skipPlain(_ raw: UnsafeRawBufferPointer, from start: Int, _ high: inout UInt64) -> Int
    {
        var index = start
        while index &+ 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let stops = StringWord.stops(word)
            if stops != 0 {
                // The lowest stop's bit is 8 n + 7; the bits below 8 n belong to bytes that are no stop.
                let passed = stops.trailingZeroBitCount & ~7
                high |= word & ((1 << UInt64(passed)) &- 1)
                return index &+ passed &>> 3
            }
            high |= word
            index &+= 8
        }
        while index < raw.count {
            let byte = raw[index]
            if byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash { break }
            high |= UInt64(byte)
            index &+= 1
        }
        return index
    }

    private func requireUTF8(_ range: Range<Int>) throws(JSONError) {
        do {
            _ = try UTF8Span(validating: UnsafeBufferPointer(rebasing: bytes[range]).span)
        } catch {
            throw JSONError(.invalidUTF8, at: range.lowerBound + error.byteOffsets.lowerBound, "not UTF-8")
        }
    }

    /// The content of a string that `scanString` validated.
    @inline(__always)
    func text(_ text: JSONText) -> String {
        if text.hasEscapes { return String(decoding: unescaped(text.range), as: UTF8.self) }
        let part = UnsafeBufferPointer(rebasing: bytes[text.range])
        // Unchecked is sound: scanString validated these bytes as UTF-8 (or as ASCII, if it reports that).
        return String(copying: unsafe UTF8Span(unchecked: part.span, isKnownASCII: text.isASCII))
    }
}

// MARK: - Escapes

extension JSONReader {
    /// Validates the escape whose backslash is at `index`, a surrogate pair as one, and returns its end.
    private func endOfEscape(at index: Int) throws(JSONError) -> Int {
        guard index + 1 < bytes.count else {
            throw JSONError(.unexpectedEnd, at: bytes.count, "the bytes end inside a string")
        }
        guard bytes[index + 1] == UInt8(ascii: "u") else {
            guard Self.shortEscape(bytes[index + 1]) != nil else {
                throw JSONError(.invalidEscape, at: index, "no escape of JSON")
            }
            return index + 2
        }
        let unit = try codeUnit(at: index)
        guard UTF16.isSurrogate(unit) else { return index + 6 }
        guard UTF16.isLeadSurrogate(unit), index + 7 < bytes.count,
            bytes[index + 6] == ASCII.backslash, bytes[index + 7] == UInt8(ascii: "u"),
            UTF16.isTrailSurrogate(try codeUnit(at: index + 6))
        else { throw JSONError(.loneSurrogate, at: index, "half of a surrogate pair") }
        return index + 12
    }

    /// The four hexadecimal digits of the `\u` at `index`.
    private func codeUnit(at index: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for place in index + 2..<index + 6 {
            guard place < bytes.count else {
                throw JSONError(.unexpectedEnd, at: bytes.count, "the bytes end inside a string")
            }
            guard let digit = Self.hexadecimal(bytes[place]) else {
                throw JSONError(.invalidEscape, at: index, "\\u needs four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// The decoded bytes of the validated string in `range`. They are valid UTF-8: the text around an escape
    /// was valid with the escape's ASCII in between, so no sequence of bytes is split by one.
    func unescaped(_ range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            guard bytes[index] == ASCII.backslash else {
                result.append(bytes[index])
                index += 1
                continue
            }
            if let byte = Self.shortEscape(bytes[index + 1]) {
                result.append(byte)
                index += 2
            } else {
                let (scalar, length) = escapedScalar(at: index)
                result.append(contentsOf: String(scalar).utf8)
                index += length
            }
        }
        return result
    }

    /// The scalar of the validated `\u` escape at `index`, and its length of 6 or 12 bytes.
    private func escapedScalar(at index: Int) -> (scalar: Unicode.Scalar, length: Int) {
        func unit(_ start: Int) -> UInt32 {
            bytes[start + 2..<start + 6].reduce(0) { $0 << 4 | UInt32(Self.hexadecimal($1) ?? 0) }
        }
        let first = unit(index)
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        // Only a surrogate is not a scalar, and scanString accepts only complete pairs.
        let pair = 0x1_0000 + (first - 0xD800) << 10 + (unit(index + 6) - 0xDC00)
        return (Unicode.Scalar(pair) ?? "\u{FFFD}", 12)
    }

    private static func shortEscape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "r"): 0x0D
        default: nil
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case ASCII.zero...UInt8(ascii: "9"): byte - ASCII.zero
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
