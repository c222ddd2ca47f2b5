/// Writes one JSON document into bytes, without white space. It inserts the commas. The caller must write a
/// key before each member's value, and an end for each begin.
@usableFromInline
package struct JSONWriter: Sendable {
    /// The buffer. All of it is initialised; the first `count` bytes are the document so far.
    var storage: [UInt8]
    var count = 0
    var needsComma = false

    /// - Parameter capacity: bytes allocated at first; the buffer grows as needed.
    package init(capacity: Int = 768) {
        storage = [UInt8](repeating: 0, count: capacity)
    }

    /// A copy of the bytes written so far.
    package var bytes: [UInt8] { Array(storage[..<count]) }

    /// The bytes written, without a copy. The writer is then empty.
    package mutating func finish() -> [UInt8] {
        // Taken out: a second owner would copy the buffer.
        var bytes: [UInt8] = []
        swap(&bytes, &storage)
        bytes.removeLast(bytes.count - count)
        count = 0
        needsComma = false
        return bytes
    }

    /// Writes `{`. Then a key and a value in turns.
    @usableFromInline
    package mutating func beginObject() { open(ASCII.openBrace) }
    /// Writes `}`.
    @usableFromInline
    package mutating func endObject() { close(ASCII.closeBrace) }
    /// Writes `[`. Then the elements.
    @usableFromInline
    package mutating func beginArray() { open(ASCII.openBracket) }
    /// Writes `]`.
    @usableFromInline
    package mutating func endArray() { close(ASCII.closeBracket) }

    /// Writes a key of the contract: plain ASCII without escapes (checked in debug builds).
    @usableFromInline
    package mutating func key(_ name: StaticString) {
        assert(name.hasPointerRepresentation && Self.isPlain(name), "a field name needs no escapes")
        let length = name.utf8CodeUnitCount
        reserve(length + 4)
        var end = count
        let comma = needsComma
        storage.withUnsafeMutableBytes { out in
            // reserve() allocated room for the comma, both quotes, the colon and the name.
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

    /// Writes any key, with escapes where needed.
    @usableFromInline
    package mutating func key(_ name: String) {
        string(name)
        append(ASCII.colon)
        needsComma = false
    }

    /// Writes a string, with escapes where needed.
    @usableFromInline
    package mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { quote($0) }
    }

    /// Writes an integer.
    @usableFromInline
    package mutating func integer(_ value: Int64) { digits(value.magnitude, negative: value < 0) }
    /// Writes an integer that may exceed `Int64`.
    package mutating func unsigned(_ value: UInt64) { digits(value, negative: false) }
    /// Writes `true` or `false`.
    @usableFromInline
    package mutating func boolean(_ value: Bool) { plain(value ? "true" : "false") }
    /// Writes `null`.
    package mutating func null() { plain("null") }

    /// Writes the shortest decimal that reads back as the same number. `value` must be finite, because JSON
    /// has no other numbers.
    @usableFromInline
    package mutating func number(_ value: Double) {
        precondition(value.isFinite, "JSON has no infinity and no NaN; check before writing")
        separate()
        var text = value.description
        text.withUTF8 { append($0) }
    }

    /// Writes one valid JSON value as it is, without checking it.
    package mutating func raw(_ value: UnsafeBufferPointer<UInt8>) {
        separate()
        append(value)
    }

    /// Writes one valid JSON value as it is, without checking it.
    package mutating func raw(_ value: [UInt8]) { value.withUnsafeBufferPointer { raw($0) } }

    /// Writes values whose parts are prepared, straight into the buffer, with a comma before the first if
    /// needed.
    /// - Parameters:
    ///   - count: how many bytes `body` may write at most.
    ///   - body: writes one value or more, with commas between them.
    package mutating func prepared(_ count: Int, _ body: (inout PreparedOutput) -> Void) {
        separate()
        reserve(count)
        let start = self.count
        self.count += storage.withUnsafeMutableBytes { out in
            var output = PreparedOutput(UnsafeMutableRawBufferPointer(rebasing: out[start..<start + count]))
            body(&output)
            return output.count
        }
    }

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

    /// Writes a comma if a value precedes; the next value then needs one.
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

    /// Makes room for `extra` more bytes.
    @inline(__always)
    mutating func reserve(_ extra: Int) {
        if storage.count - count < extra { grow(extra) }
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        storage.append(contentsOf: repeatElement(0, count: max(storage.count, extra)))
    }
}
