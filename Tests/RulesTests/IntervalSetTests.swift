import Rules
import Testing
import Units

struct IntervalSetTests {
    /// The obvious model: one flag per millisecond.
    struct Flags: Equatable {
        var on = [Bool](repeating: false, count: 64)

        init() {}
        init(_ set: IntervalSet) { for range in set.intervals { add(range) } }

        mutating func add(_ range: TimeRange) {
            for index in range.start.milliseconds..<range.end.milliseconds { on[Int(index)] = true }
        }

        static func combine(_ left: Flags, _ right: Flags, _ rule: (Bool, Bool) -> Bool) -> Flags {
            var flags = Flags()
            flags.on = zip(left.on, right.on).map(rule)
            return flags
        }
    }

    static func ranges(_ chance: inout Chance, upTo count: Int) -> [TimeRange] {
        (0..<Int.random(in: 0...count, using: &chance)).compactMap { _ in
            let start = Instant.random(in: 0..<60, using: &chance)
            let end = start + Milliseconds.random(in: 0...9, using: &chance)
            return TimeRange(start: start, end: min(64, end))
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
        #expect(set.total == Milliseconds(flags.on.count { $0 }))
        for (result, rule) in [
            (set.union(other), { $0 || $1 }), (set.intersection(other), { $0 && $1 }),
            (set.subtracting(other), { $0 && !$1 }),
        ] as [(IntervalSet, (Bool, Bool) -> Bool)] {
            #expect(Flags(result) == .combine(flags, otherFlags, rule))
            #expect(isNormal(result))
        }
        #expect(IntervalSet.union(of: loose.map { IntervalSet($0) }) == set)
        for (at, isOn) in flags.on.enumerated() {
            #expect(set.contains(Instant(Milliseconds(at))) == isOn)
        }

        var grown = IntervalSet()
        for range in loose { grown.insert(range) }
        #expect(grown == set)
        let window = try #require(TimeRange(start: 10, end: .random(in: 11...64, using: &chance)))
        #expect(set.clipped(to: window) == set.intersection(IntervalSet(window)))
        let cuts = Set((0..<5).map { _ in Instant.random(in: 0..<64, using: &chance) }).sorted()
        let parts = set.cut(at: cuts)
        #expect(IntervalSet(parts) == set)
        #expect(parts.reduce(0) { $0 + $1.duration } == set.total)
        #expect(parts.allSatisfy { part in !cuts.contains { part.start < $0 && $0 < part.end } })
        let bounds = [0] + cuts + [64]
        let segments = zip(bounds, bounds.dropFirst()).compactMap { TimeRange(start: $0, end: $1) }
        var totals: [Int: Milliseconds] = [:]
        set.forEachTotal(in: segments) { totals[$0] = $1 }
        for (index, segment) in segments.enumerated() {
            #expect(totals[index, default: 0] == set.clipped(to: segment).total)
        }
    }

    func isNormal(_ set: IntervalSet) -> Bool {
        zip(set.intervals, set.intervals.dropFirst()).allSatisfy { $0.end < $1.start }
    }

    @Test func emptyAndInvertedRangesCannotBeMade() {
        #expect(TimeRange(start: 5, end: 5) == nil)
        #expect(TimeRange(start: 6, end: 5) == nil)
    }
}
