/// Writes one JSON document into bytes, without white space. It sets the commas; the caller keeps the order
/// (a key before each member's value, an end for each begin).
@usableFromInline
package struct JSONWriter: Sendable {
    /// All of it initialised; the first `count` bytes are the document so far.
    var storage: [UInt8]
    var count = 0
    var needsComma = false

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
    mutating func separate() {
        if needsComma { append(ASCII.comma) }
        needsComma = true
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count += 1
    }

    mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
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
    mutating func reserve(_ extra: Int) {
        if storage.count - count < extra { grow(extra) }
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        storage.append(contentsOf: repeatElement(0, count: max(storage.count, extra)))
    }
}
