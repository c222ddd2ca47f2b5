package import Units

/// Writes non-negative integers as varints: seven bits per byte, lowest first; the top bit marks that more
/// follow.
package struct PackedWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Writes a number; `value` must not be negative.
    package mutating func number(_ value: Int64) {
        precondition(value >= 0, "packed numbers have no sign")
        var rest = UInt64(value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes a duration in milliseconds; not negative.
    package mutating func number(_ time: Milliseconds) { number(time.count) }
    /// Writes a number; not negative.
    package mutating func number(_ value: Int) { number(Int64(value)) }

    /// Appends the bytes of another writer.
    package mutating func append(_ other: PackedWriter) { bytes += other.bytes }
}

/// Reads the bytes of a `PackedWriter`, which must stay valid while it is used.
package struct PackedReader {
    /// The bytes are damaged.
    package struct Damaged: Error { package init() {} }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// A reader at the start of borrowed bytes.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Whether no byte is left.
    package var isAtEnd: Bool { offset >= bytes.count }

    /// Reads a number of at most 63 bits.
    @inline(__always)
    package mutating func number() throws(Damaged) -> Int64 {
        guard bytes.count - offset >= 8 else { return try numberByBytes() }
        let word = UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        // The top bit of the last byte of the number is clear.
        let ends = ~word & 0x8080_8080_8080_8080
        guard ends != 0 else { return try numberByBytes() }
        offset += ends.trailingZeroBitCount >> 3 + 1
        // The bytes of this number, then their seven bits moved together by pairs.
        var value = word & (ends ^ (ends &- 1)) & 0x7f7f_7f7f_7f7f_7f7f
        value = value & 0x007f_007f_007f_007f | (value & 0x7f00_7f00_7f00_7f00) >> 1
        value = value & 0x0000_3fff_0000_3fff | (value & 0x3fff_0000_3fff_0000) >> 2
        value = value & 0x0000_0000_0fff_ffff | (value & 0x0fff_ffff_0000_0000) >> 4
        return Int64(bitPattern: value)
    }

    @inline(never)
    private mutating func numberByBytes() throws(Damaged) -> Int64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count, shift < 63 {
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return Int64(bitPattern: value) }
            shift += 7
        }
        throw Damaged()
    }

    /// Reads a duration of at most a million years.
    @inline(__always)
    package mutating func time() throws(Damaged) -> Milliseconds {
        let count = try number()
        guard count < 1 << 55 else { throw Damaged() }
        return Milliseconds(count)
    }

    /// Reads a number as `Int`.
    @inline(__always)
    package mutating func integer() throws(Damaged) -> Int { Int(try number()) }
}
