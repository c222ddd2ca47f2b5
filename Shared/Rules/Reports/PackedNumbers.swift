package import Units

/// Whole numbers from 0 in few bytes: seven bits each, the lowest first, the top bit says that more follow.
package struct PackedWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// `value` must not be negative.
    package mutating func number(_ value: Int64) {
        precondition(value >= 0, "packed numbers have no sign")
        var rest = UInt64(value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    package mutating func number(_ time: Milliseconds) { number(time.count) }
    package mutating func number(_ value: Int) { number(Int64(value)) }

    package mutating func append(_ other: PackedWriter) { bytes += other.bytes }
}

/// Reads what a `PackedWriter` wrote. The bytes must stay where they are as long as it is used.
package struct PackedReader {
    /// The bytes are not what was written.
    package struct Damaged: Error { package init() {} }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var isAtEnd: Bool { offset >= bytes.count }

    package mutating func number() throws(Damaged) -> Int64 {
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

    /// At most a million years.
    package mutating func time() throws(Damaged) -> Milliseconds {
        let count = try number()
        guard count < 1 << 55 else { throw Damaged() }
        return Milliseconds(count)
    }

    package mutating func integer() throws(Damaged) -> Int { Int(try number()) }

    /// Passes over `count` bytes.
    package mutating func skip(_ count: Int) throws(Damaged) {
        guard count >= 0, count <= bytes.count - offset else { throw Damaged() }
        offset += count
    }
}
