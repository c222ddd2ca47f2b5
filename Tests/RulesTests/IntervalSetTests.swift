import Rules
import Testing

struct IntervalSetTests {
    /// The obvious model: one flag per millisecond.
    struct Flags: Equatable {
        var on = [Bool](repeating: false, count: 64)

        init() {}
        init(_ set: IntervalSet) { for range in set.intervals { add(range) } }

        mutating func add(_ range: TimeRange) {
            for instant in range.start_ms..<range.end_ms { on[Int(instant)] = true }
        }

        static func combine(_ left: Flags, _ right: Flags, _ rule: (Bool, Bool) -> Bool) -> Flags {
            var flags = Flags()
            flags.on = zip(left.on, right.on).map(rule)
            return flags
        }
    }

    static func ranges(_ chance: inout Chance, upTo count: Int) -> [TimeRange] {
        (0..<Int.random(in: 0...count, using: &chance)).compactMap { _ in
            let start_ms = Int64.random(in: 0..<60, using: &chance)
            return TimeRange(
                start_ms: start_ms, end_ms: min(64, start_ms + .random(in: 0...9, using: &chance)))
        }
    }

    @Test(arguments: (0..<2000).map { UInt64($0) })
    func agreesWithAFlagPerMillisecond(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let loose = Self.ranges(&chance, upTo: 12)
        let other = IntervalSet(Self.ranges(&chance, upTo: 12))
        let set = IntervalSet(loose)
        var flags = Flags()
        for range in loose { flags.add(range) }
        let otherFlags = Flags(other)

        #expect(Flags(set) == flags)
        #expect(isNormal(set))
        #expect(set.total_ms == Int64(flags.on.count { $0 }))
        for (result, rule) in [
            (set.union(other), { $0 || $1 }), (set.intersection(other), { $0 && $1 }),
            (set.subtracting(other), { $0 && !$1 }),
        ] as [(IntervalSet, (Bool, Bool) -> Bool)] {
            #expect(Flags(result) == .combine(flags, otherFlags, rule))
            #expect(isNormal(result))
        }
        #expect(IntervalSet.union(of: loose.map { IntervalSet($0) }) == set)
        for instant in 0..<64 { #expect(set.contains(Int64(instant)) == flags.on[instant]) }

        var grown = IntervalSet()
        for range in loose { grown.insert(range) }
        #expect(grown == set)
        let window = try #require(TimeRange(start_ms: 10, end_ms: .random(in: 11...64, using: &chance)))
        #expect(set.clipped(to: window) == set.intersection(IntervalSet(window)))
        let cuts = Set((0..<5).map { _ in Int64.random(in: 0..<64, using: &chance) }).sorted()
        let parts = set.cut(at: cuts)
        #expect(IntervalSet(parts) == set)
        #expect(parts.reduce(0) { $0 + $1.duration_ms } == set.total_ms)
        #expect(parts.allSatisfy { part in !cuts.contains { part.start_ms < $0 && $0 < part.end_ms } })
        let bounds = [0] + cuts + [64]
        let segments = zip(bounds, bounds.dropFirst()).compactMap { TimeRange(start_ms: $0, end_ms: $1) }
        var totals: [Int: Int64] = [:]
        set.forEachTotal(in: segments) { totals[$0] = $1 }
        for (index, segment) in segments.enumerated() {
            #expect(totals[index, default: 0] == set.clipped(to: segment).total_ms)
        }
    }

    func isNormal(_ set: IntervalSet) -> Bool {
        zip(set.intervals, set.intervals.dropFirst()).allSatisfy { $0.end_ms < $1.start_ms }
    }

    @Test func emptyAndInvertedRangesCannotBeMade() {
        #expect(TimeRange(start_ms: 5, end_ms: 5) == nil)
        #expect(TimeRange(start_ms: 6, end_ms: 5) == nil)
    }
}
