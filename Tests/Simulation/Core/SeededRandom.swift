import Units

/// Random numbers of a seed: xoshiro256**, whose state SplitMix64 makes from the seed (both of
/// prng.di.unimi.it).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    package init(seed: UInt64) {
        var mixed = seed
        func next() -> UInt64 {
            mixed &+= 0x9e37_79b9_7f4a_7c15
            var word = mixed
            word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
            return word ^ word >> 31
        }
        state = (next(), next(), next(), next())
    }

    package mutating func next() -> UInt64 {
        func rotated(_ word: UInt64, _ by: UInt64) -> UInt64 { word << by | word >> (64 - by) }
        let result = rotated(state.1 &* 5, 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = rotated(state.3, 45)
        return result
    }

    /// True with a probability of one in `count`.
    package mutating func oneIn(_ count: UInt64) -> Bool { next() % count == 0 }

    /// A number below `count`.
    package mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    /// A time in a range, in nanoseconds.
    package mutating func time(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// An independent generator: what it draws changes nothing here.
    package mutating func fork() -> SeededRandom { SeededRandom(seed: next()) }
}
