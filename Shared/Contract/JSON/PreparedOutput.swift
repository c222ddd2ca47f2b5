/// Bytes of parts of values, encoded once and written often. Each part has a number, from 0 in the order in
/// which they were added.
package struct PreparedParts: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]

    package init() {}

    /// Adds a part.
    package mutating func add(_ part: some Sequence<UInt8>) {
        bytes += part
        ends.append(bytes.count)
    }

    /// Number of bytes of a part.
    package func count(of part: Int) -> Int { ends[part + 1] - ends[part] }

    /// Lends the parts, which are valid only inside `body`.
    package func lend(_ body: (LentParts) -> Void) {
        bytes.withUnsafeBytes { bytes in
            ends.withUnsafeBufferPointer { body(LentParts(bytes: bytes, ends: $0)) }
        }
    }
}

/// Borrowed parts of a ``PreparedParts``, which counts no references.
package struct LentParts {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline let ends: UnsafeBufferPointer<Int>

    @inlinable subscript(part: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[ends[part]..<ends[part + 1]])
    }
}

/// Room for prepared values in the buffer of a ``JSONWriter``. Writing more than was reserved stops the
/// program.
package struct PreparedOutput {
    @usableFromInline let out: UnsafeMutableRawBufferPointer
    /// Number of bytes written.
    @usableFromInline var count = 0

    /// `-9223372036854775808` has 20 bytes.
    package static let integerBytesMax = 20

    init(_ out: UnsafeMutableRawBufferPointer) { self.out = out }

    /// Writes one of the parts.
    @inlinable
    package mutating func add(_ part: Int, of parts: LentParts) { add(parts[part]) }

    /// Writes one byte.
    @inlinable
    package mutating func add(_ byte: UInt8) {
        precondition(count < out.count, "more was written than was reserved")
        out[count] = byte
        count += 1
    }

    /// Writes a decimal integer that is not negative.
    @inlinable
    package mutating func add(_ value: Int64) {
        precondition(value >= 0 && out.count - count >= Self.integerBytesMax, "no room for an integer")
        var digits = 1
        var bound: UInt64 = 10
        var rest = value.magnitude
        while rest >= bound, digits < 19 {
            digits += 1
            bound *= 10
        }
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            out[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digits
    }

    /// Writes bytes.
    @inlinable
    package mutating func add(_ source: UnsafeRawBufferPointer) {
        precondition(out.count - count >= source.count, "more was written than was reserved")
        guard let start = source.baseAddress else { return }
        out.baseAddress?.advanced(by: count).copyMemory(from: start, byteCount: source.count)
        count += source.count
    }
}
