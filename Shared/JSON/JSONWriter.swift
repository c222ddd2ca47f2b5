/// Writes one JSON document into bytes, without white space. It sets the commas; the caller keeps the order
/// (a key before each member's value, an end for each begin).
@usableFromInline
package struct JSONWriter: Sendable {
    /// All of it initialised; the first `count` bytes are the document so far.
    private var storage: [UInt8]
    private var count = 0
    private var needsComma = false

    /// `capacity`: bytes set aside at first; it grows by itself.
    package init(capacity: Int = 512) {
        storage = [UInt8](repeating: 0, count: capacity)
    }

    /// A copy of what was written so far.
    package var bytes: [UInt8] { Array(storage[..<count]) }

    /// What was written, without a copy; the writer is used up.
    package consuming func finish() -> [UInt8] {
        storage.removeLast(storage.count - count)
        return storage
    }

    @usableFromInline
    package mutating func beginObject() { open(ASCII.openBrace) }
    @usableFromInline
    package mutating func endObject() { close(ASCII.closeBrace) }
    @usableFromInline
    package mutating func beginArray() { open(ASCII.openBracket) }
    @usableFromInline
    package mutating func endArray() { close(ASCII.closeBracket) }

    /// A key of the contract, in plain ASCII that needs no escapes (checked in debug builds).
    @usableFromInline
    package mutating func key(_ name: StaticString) {
        assert(name.hasPointerRepresentation && Self.isPlain(name), "a field name needs no escapes")
        let length = name.utf8CodeUnitCount
        reserve(length + 4)
        var end = count
        let comma = needsComma
        storage.withUnsafeMutableBytes { out in
            // reserve() made room for the comma, both quotes, the colon and the name.
            if comma {
                out[end] = ASCII.comma
                end += 1
            }
            out[end] = ASCII.quote
            out.baseAddress?.advanced(by: end + 1).copyMemory(from: name.utf8Start, byteCount: length)
            out[end + length + 1] = ASCII.quote
            out[end + length + 2] = ASCII.colon
        }
        count = end + length + 3
        needsComma = false
    }

    @usableFromInline
    package mutating func key(_ name: String) {
        string(name)
        append(ASCII.colon)
        needsComma = false
    }

    @usableFromInline
    package mutating func string(_ text: String) {
        separate()
        var text = text
        text.withUTF8 { quote($0) }
    }

    @usableFromInline
    package mutating func integer(_ value: Int64) { digits(value.magnitude, negative: value < 0) }
    package mutating func unsigned(_ value: UInt64) { digits(value, negative: false) }
    @usableFromInline
    package mutating func boolean(_ value: Bool) { plain(value ? "true" : "false") }
    package mutating func null() { plain("null") }

    /// The shortest decimal that reads back as the same number. `value` has to be finite: JSON has no other.
    @usableFromInline
    package mutating func number(_ value: Double) {
        precondition(value.isFinite, "JSON has no infinity and no NaN; check before writing")
        separate()
        var text = value.description
        text.withUTF8 { append($0) }
    }

    /// One valid value, already in JSON; it is not looked at.
    package mutating func raw(_ value: UnsafeBufferPointer<UInt8>) {
        separate()
        append(value)
    }

    package mutating func raw(_ value: [UInt8]) { value.withUnsafeBufferPointer { raw($0) } }

    // MARK: - Bytes

    private mutating func open(_ byte: UInt8) {
        separate()
        append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        append(byte)
        needsComma = true
    }

    private mutating func plain(_ word: StaticString) {
        separate()
        append(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// A comma when a value went before; afterwards the next value needs one.
    @inline(__always)
    private mutating func separate() {
        if needsComma { append(ASCII.comma) }
        needsComma = true
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count += 1
    }

    private mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
        guard let start = source.baseAddress else { return }
        reserve(source.count)
        let end = count
        storage.withUnsafeMutableBytes { out in
            out.baseAddress?.advanced(by: end).copyMemory(from: start, byteCount: source.count)
        }
        count += source.count
    }

    /// Room for `extra` more bytes.
    @inline(__always)
    private mutating func reserve(_ extra: Int) {
        if storage.count - count < extra { grow(extra) }
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        storage.append(contentsOf: repeatElement(0, count: max(storage.count, extra)))
    }

    private mutating func digits(_ magnitude: UInt64, negative: Bool) {
        separate()
        reserve(20)
        var rest = magnitude
        var length = negative ? 1 : 0
        repeat {
            length += 1
            rest /= 10
        } while rest != 0
        let start = count
        storage.withUnsafeMutableBytes { out in
            // At most 19 digits and a sign, or 20 digits without one: reserved above.
            if negative { out[start] = ASCII.minus }
            var rest = magnitude
            var place = start + length
            repeat {
                place -= 1
                out[place] = ASCII.zero + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest != 0
        }
        count += length
    }

    /// `text`, in quotes, with escapes. Copies eight bytes at a time up to the first that needs an escape.
    private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
        reserve(text.count + 2)
        let source = UnsafeRawBufferPointer(text)
        let start = count
        var done = 0
        storage.withUnsafeMutableBytes { out in
            // Every byte written lies within the reserved start ..< start + text.count + 2.
            out[start] = ASCII.quote
            while done + 8 <= source.count {
                let word = source.loadUnaligned(fromByteOffset: done, as: UInt64.self)
                if StringWord.stops(UInt64(littleEndian: word)) != 0 { break }
                out.storeBytes(of: word, toByteOffset: start + 1 + done, as: UInt64.self)
                done += 8
            }
            while done < source.count, !Self.needsEscape(source[done]) {
                out[start + 1 + done] = source[done]
                done += 1
            }
        }
        count += 1 + done
        if done < text.count { escape(UnsafeBufferPointer(rebasing: text[done...])) }
        append(ASCII.quote)
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

    /// `u00XX` for a control character.
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

    private static func isPlain(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { $0.allSatisfy { !needsEscape($0) && $0 < 0x7F } }
    }
}
