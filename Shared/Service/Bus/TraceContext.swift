package import Loop

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

    /// A new trace, with a root span.
    @LoopActor package static func root() -> TraceContext {
        TraceContext(traceHigh: freshID(), traceLow: freshID(), span: freshID())
    }

    /// The same trace with a new span id.
    @LoopActor package func child() -> TraceContext {
        TraceContext(traceHigh: traceHigh, traceLow: traceLow, span: freshID())
    }

    /// Parses `00-<32 hex>-<16 hex>-<2 hex>` (Trace Context version 00 and, as it requires, later versions).
    /// Nil if not valid.
    package init?(_ traceparent: String) {
        var text = traceparent
        let parsed: TraceContext? = text.withUTF8 { bytes in
            guard bytes.count >= 55, bytes[2] == 0x2d, bytes[35] == 0x2d, bytes[52] == 0x2d else {
                return nil
            }
            guard let version = Self.hex(bytes[0..<2]), version != 0xff, version != 0 || bytes.count == 55,
                let high = Self.hex(bytes[3..<19]), let low = Self.hex(bytes[19..<35]),
                let span = Self.hex(bytes[36..<52]), Self.hex(bytes[53..<55]) != nil,
                high | low != 0, span != 0
            else { return nil }
            return TraceContext(traceHigh: high, traceLow: low, span: span)
        }
        guard let parsed else { return nil }
        self = parsed
    }

    /// The header's text, version 00, sampled.
    package var traceparent: String {
        String(unsafeUninitializedCapacity: 55) { bytes in
            bytes[0] = 0x30
            bytes[1] = 0x30
            bytes[2] = 0x2d
            Self.put(traceHigh, bytes, 3)
            Self.put(traceLow, bytes, 19)
            bytes[35] = 0x2d
            Self.put(span, bytes, 36)
            bytes[52] = 0x2d
            bytes[53] = 0x30
            bytes[54] = 0x31
            return 55
        }
    }

    /// The trace id as 32 hex digits.
    package var traceID: String {
        String(unsafeUninitializedCapacity: 32) { bytes in
            Self.put(traceHigh, bytes, 0)
            Self.put(traceLow, bytes, 16)
            return 32
        }
    }

    /// The span id as 16 hex digits.
    package var spanID: String { Self.hexText(span) }

    /// A number as 16 lowercase hex digits.
    package static func hexText(_ value: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { bytes in
            put(value, bytes, 0)
            return 16
        }
    }

    private static func put(_ value: UInt64, _ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int) {
        for index in 0..<16 {
            let nibble = UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * index)) & 15
            bytes[start + index] = nibble < 10 ? 48 + nibble : 87 + nibble
        }
    }

    private static func hex(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
        var value: UInt64 = 0
        for index in bytes.startIndex..<bytes.endIndex {
            let byte = bytes.base[index]
            let digit = byte &- 48
            let letter = byte &- 97
            guard digit < 10 || letter < 6 else { return nil }
            value = value << 4 | UInt64(digit < 10 ? digit : letter + 10)
        }
        return value
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

@LoopActor private var generator = IDGenerator()

/// Makes all ids of this process from a seed, for simulations.
@LoopActor package func seedIDs(_ seed: UInt64) { generator = IDGenerator(seed: seed) }

/// A random id; two of them are equal with a probability of 1 in 2^64.
@LoopActor package func freshID() -> UInt64 { generator.next() }
