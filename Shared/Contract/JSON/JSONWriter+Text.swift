extension JSONWriter {
    /// `-9223372036854775808` and `18446744073709551615` both have 20 bytes.
    private static let integerBytesMax = 20

    /// Writes a decimal integer, with a comma before it if needed.
    mutating func digits(_ magnitude: UInt64, negative: Bool) {
        separate()
        reserve(Self.integerBytesMax)
        let start = count
        count += storage.withUnsafeMutableBytes { out in
            // Writes digits from the right of the reserved bytes, then moves them to the left: sign and 19
            // digits, or 20 digits.
            var place = start &+ Self.integerBytesMax
            var rest = magnitude
            while rest >= 100 {
                let quotient = rest / 100
                let pair = UInt16(truncatingIfNeeded: rest &- quotient &* 100)
                place &-= 2
                let digits = ((pair / 10) | ((pair % 10) << 8)) &+ 0x3030
                out.storeBytes(of: digits.littleEndian, toByteOffset: place, as: UInt16.self)
                rest = quotient
            }
            repeat {
                place &-= 1
                out[place] = ASCII.zero &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest != 0
            if negative {
                place &-= 1
                out[place] = ASCII.minus
            }
            let length = start &+ Self.integerBytesMax &- place
            if let base = out.baseAddress { (base + start).copyMemory(from: base + place, byteCount: length) }
            return length
        }
    }

    /// Writes `text` in quotes with escapes, with a comma before it if needed. Copies eight bytes at a time
    /// up to the first that needs an escape.
    mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
        reserve(text.count + 3)
        let source = UnsafeRawBufferPointer(text)
        let (start, comma) = (count, needsComma)
        let (end, copied) = storage.withUnsafeMutableBytes {
            Self.quote(source, to: $0, at: start, comma: comma)
        }
        count = end
        needsComma = true
        if copied == text.count { return }
        escape(UnsafeBufferPointer(rebasing: text[copied...]))
        append(ASCII.quote)
    }

    /// Writes a string of `length` bytes, which `fill` puts in place: ASCII without anything that needs an
    /// escape.
    package mutating func string(length: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        separate()
        reserve(length + 2)
        let start = count + 1
        storage.withUnsafeMutableBytes { out in
            out[start - 1] = ASCII.quote
            fill(UnsafeMutableRawBufferPointer(rebasing: out[start..<start + length]))
            out[start + length] = ASCII.quote
        }
        count = start + length + 1
    }

    /// Writes comma, quote and text into the bytes reserved at `start`, and the closing quote if nothing
    /// needs an escape. Returns where that ends, and how many bytes of the text were copied.
    private static func quote(
        _ source: UnsafeRawBufferPointer, to out: UnsafeMutableRawBufferPointer, at start: Int, comma: Bool
    ) -> (end: Int, copied: Int) {
        var end = start
        if comma {
            out[end] = ASCII.comma
            end += 1
        }
        out[end] = ASCII.quote
        end += 1
        let copied = copyPlain(source, to: UnsafeMutableRawBufferPointer(rebasing: out[end...]))
        end += copied
        guard copied == source.count else { return (end, copied) }
        out[end] = ASCII.quote
        return (end + 1, copied)
    }

    /// Copies up to the first byte that needs an escape, and returns the number of bytes. `out` must have
    /// room for all of `source`.
    @inline(__always)
    private static func copyPlain(_ source: UnsafeRawBufferPointer, to out: UnsafeMutableRawBufferPointer)
        -> Int
    {
        var done = 0
        while done + 8 <= source.count {
            let word = source.loadUnaligned(fromByteOffset: done, as: UInt64.self)
            if StringWord.stops(UInt64(littleEndian: word)) != 0 { break }
            out.storeBytes(of: word, toByteOffset: done, as: UInt64.self)
            done += 8
        }
        if done + 8 > source.count, source.count >= 8 {
            // The remaining bytes, together with bytes copied already, as one word.
            let last = source.count - 8
            let word = source.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            if StringWord.stops(UInt64(littleEndian: word)) == 0 {
                out.storeBytes(of: word, toByteOffset: last, as: UInt64.self)
                return source.count
            }
        }
        while done < source.count, !needsEscape(source[done]) {
            out[done] = source[done]
            done += 1
        }
        return done
    }

    @inline(never)
    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        for byte in text {
            guard Self.needsEscape(byte) else {
                append(byte)
                continue
            }
            append(ASCII.backslash)
            switch byte {
            case ASCII.quote, ASCII.backslash: append(byte)
            case 0x08: append(UInt8(ascii: "b"))
            case 0x09: append(UInt8(ascii: "t"))
            case 0x0A: append(UInt8(ascii: "n"))
            case 0x0C: append(UInt8(ascii: "f"))
            case 0x0D: append(UInt8(ascii: "r"))
            default: escapeCode(byte)
            }
        }
    }

    /// Writes `u00XX` for a control character.
    private mutating func escapeCode(_ byte: UInt8) {
        let low = byte & 0xF
        append(UInt8(ascii: "u"))
        append(ASCII.zero)
        append(ASCII.zero)
        append(ASCII.zero + byte >> 4)
        append(low < 10 ? ASCII.zero + low : UInt8(ascii: "a") + low - 10)
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash
    }

    static func isPlain(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { $0.allSatisfy { !needsEscape($0) && $0 < 0x7F } }
    }
}
