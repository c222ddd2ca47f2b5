/// W3C trace context: which trace a piece of work belongs to, and which span caused it.
package struct TraceContext: Equatable, Sendable {
    /// Upper half of the trace id.
    package var traceHigh: UInt64
    /// Lower half of the trace id.
    package var traceLow: UInt64
    /// Id of the span that caused this work.
    package var span: UInt64

    /// A context with these ids; see ``root()`` and ``child()`` for new ones.
    package init(traceHigh: UInt64, traceLow: UInt64, span: UInt64) {
        self.traceHigh = traceHigh
        self.traceLow = traceLow
        self.span = span
    }

    /// Parses `00-<32 hex>-<16 hex>-<2 hex>` (Trace Context version 00 and, as it requires, later versions).
    /// Nil if not valid.
    package init?(_ traceparent: String) {
        var text = traceparent
        guard let parsed = text.withUTF8({ TraceContext($0) }) else { return nil }
        self = parsed
    }

    /// The same from the text's bytes.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let text = UnsafeRawBufferPointer(bytes)
        guard bytes.count >= 55, bytes[2] == 0x2d, bytes[35] == 0x2d, bytes[52] == 0x2d else { return nil }
        guard let version = Self.byte(text, 0), version != 0xff, version != 0 || bytes.count == 55,
            let high = Self.number(text, 3), let low = Self.number(text, 19),
            let span = Self.number(text, 36), Self.byte(text, 53) != nil, high | low != 0, span != 0
        else { return nil }
        self.init(traceHigh: high, traceLow: low, span: span)
    }

    /// The header's text, version 00, sampled.
    package var traceparent: String {
        String(unsafeUninitializedCapacity: Self.traceparentBytes) { bytes in
            put(UnsafeMutableRawBufferPointer(bytes))
            return Self.traceparentBytes
        }
    }

    static let traceparentBytes = 55

    /// Puts the header's text into that many bytes.
    func put(_ bytes: UnsafeMutableRawBufferPointer) {
        bytes.storeBytes(of: 0x2d30_30, as: UInt32.self)
        HexText.put(traceHigh, bytes, 3)
        HexText.put(traceLow, bytes, 19)
        bytes[35] = 0x2d
        HexText.put(span, bytes, 36)
        bytes[52] = 0x2d
        bytes[53] = 0x30
        bytes[54] = 0x31
    }

    /// The trace id as 32 hex digits.
    package var traceID: String {
        String(unsafeUninitializedCapacity: 32) { bytes in
            HexText.put(traceHigh, UnsafeMutableRawBufferPointer(bytes), 0)
            HexText.put(traceLow, UnsafeMutableRawBufferPointer(bytes), 16)
            return 32
        }
    }

    /// The span id as 16 hex digits.
    package var spanID: String { Self.hexText(span) }

    /// A number as 16 lowercase hex digits.
    package static func hexText(_ value: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { bytes in
            HexText.put(value, UnsafeMutableRawBufferPointer(bytes), 0)
            return 16
        }
    }

    private static func number(_ text: UnsafeRawBufferPointer, _ start: Int) -> UInt64? {
        guard let upper = HexText.number(text, start), let lower = HexText.number(text, start + 8)
        else { return nil }
        return UInt64(upper) << 32 | UInt64(lower)
    }

    private static func byte(_ text: UnsafeRawBufferPointer, _ start: Int) -> UInt8? {
        guard let upper = HexText.digit(text[start]), let lower = HexText.digit(text[start + 1])
        else { return nil }
        return upper << 4 | lower
    }
}

/// Lowercase hexadecimal digits, eight at a time: one in each byte of a word.
private enum HexText {
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Puts 16 digits at `start`.
    @inline(__always)
    static func put(_ value: UInt64, _ bytes: UnsafeMutableRawBufferPointer, _ start: Int) {
        bytes.storeBytes(of: digits(UInt32(value >> 32)), toByteOffset: start, as: UInt64.self)
        bytes.storeBytes(
            of: digits(UInt32(truncatingIfNeeded: value)), toByteOffset: start + 8, as: UInt64.self)
    }

    /// The digits in the order of memory.
    @inline(__always)
    private static func digits(_ value: UInt32) -> UInt64 {
        var spread = UInt64(value)
        spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff
        spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ff
        spread = (spread | spread << 4) & 0x0f0f_0f0f_0f0f_0f0f
        // 1 in each byte from 10 on, which is a letter: 'a' is 39 above the character after '9'.
        let letters = (spread &+ 6 &* ones) >> 4 & ones
        return (spread &+ 0x30 &* ones &+ letters &* 39).bigEndian
    }

    /// The number that eight digits at `start` express; nil if one is no lowercase digit.
    @inline(__always)
    static func number(_ text: UnsafeRawBufferPointer, _ start: Int) -> UInt32? {
        var value: UInt32 = 0
        for index in start..<start + 8 {
            guard let digit = digit(text[index]) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    @inline(__always)
    static func digit(_ byte: UInt8) -> UInt8? {
        let digit = byte &- 48
        let letter = byte &- 97
        guard digit < 10 || letter < 6 else { return nil }
        return digit < 10 ? digit : letter &+ 10
    }
}

/// Generates ids of spans, traces and idempotency keys by xoshiro256**, seeded by the kernel. They are not
/// secret.
package struct IDGenerator: Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// Seeded from the system's random numbers.
    package init() {
        var random = SystemRandomNumberGenerator()
        state = (random.next(), random.next(), random.next(), random.next() | 1)
    }

    /// Seeded by a number.
    package init(seed: UInt64) {
        state = (seed, 0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb)
        for _ in 0..<16 { _ = next() }
    }

    /// The next 64 random bits.
    package mutating func next() -> UInt64 {
        let result = Self.rotate(state.1 &* 5, 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = Self.rotate(state.3, 45)
        return result == 0 ? 1 : result
    }

    private static func rotate(_ value: UInt64, _ by: UInt64) -> UInt64 { value << by | value >> (64 - by) }
}
