import Contract
import Rules

/// Repeatable chance: SplitMix64.
struct Chance: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = (seed &+ 1) &* 0xD134_2543_DE82_EF95 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &self) }
    mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &self)] }
}

/// Events of a made-up household around an instant: overlaps, several devices, browsers, late replacements.
struct ReportHistory {
    static let hour_ms: Int64 = 3_600_000
    static let apps = ["a", "b", "firefox", "unknown"]
    static let hosts = ["www.news.org", "news.org", "x.test", "mail.x.test", "localhost.localdomain"]
    static let categories = ["games", "social", "reading"]

    var start_ms: Int64
    var chance: Chance
    var devices: [String]
    /// Few overlaps, as one person makes them; else as it comes.
    var isOrderly: Bool

    init(around instant_ms: Int64, seed: UInt64) {
        chance = Chance(seed: seed)
        start_ms = instant_ms - 3 * 24 * Self.hour_ms
        devices = Array(["laptop", "phone", "tablet"].prefix(1 + Int(chance.next() % 3)))
        isOrderly = chance.isOne(in: 2)
    }

    static let length_ms: Int64 = 6 * 24 * hour_ms

    mutating func event() -> UsageRecorded {
        let isDomain = chance.isOne(in: 3)
        let subject = isDomain ? chance.pick(Self.hosts) : chance.isOne(in: 12) ? "" : chance.pick(Self.apps)
        let from_ms = start_ms + chance.number(0...Self.length_ms)
        let to_ms = from_ms + chance.number(0...(chance.isOne(in: 3) ? 60 : 4) * Self.hour_ms)
        var event = UsageRecorded(
            member: chance.isOne(in: 5) ? "member-eve" : "uid-0", device: chance.pick(devices),
            deviceModel: chance.isOne(in: 2) ? "android" : nil, kind: isDomain ? .domain : .app,
            subject: subject, category: chance.isOne(in: 3) ? nil : chance.pick(Self.categories),
            browser: isDomain ? nil : subject == "firefox" || chance.isOne(in: 4), fromMs: from_ms,
            toMs: to_ms)
        let count = chance.number(0...4)
        if !subject.isEmpty { event.intervals = intervals(count, from_ms, to_ms) }
        for _ in 0..<chance.number(0...2) where to_ms > from_ms {
            event.pickups.append(chance.number(from_ms...to_ms - 1))
            if chance.isOne(in: 2) { event.notifications.append(chance.number(from_ms...to_ms - 1)) }
        }
        if chance.isOne(in: 8), !subject.isEmpty {
            event.openSinceMs = to_ms + chance.number(0...Self.hour_ms)
        }
        return event
    }

    private mutating func intervals(_ count: Int64, _ from_ms: Int64, _ to_ms: Int64) -> [Interval] {
        var intervals: [Interval] = []
        var at_ms = from_ms
        for _ in 0..<count {
            at_ms += chance.number(0...(isOrderly ? Self.hour_ms : Self.hour_ms / 4))
            // Round ones meet at quarters, and touch each other.
            if chance.isOne(in: 3) { at_ms = (at_ms / 900_000 + 1) * 900_000 }
            guard at_ms < to_ms else { break }
            var length_ms = chance.number(1...(isOrderly ? Self.hour_ms / 3 : 2 * Self.hour_ms))
            if chance.isOne(in: 4) { length_ms = 900_000 * chance.number(1...6) }
            if chance.isOne(in: 40) { length_ms = 30 * Self.hour_ms }
            if chance.isOne(in: 60) { length_ms = 24 * Self.hour_ms }
            intervals.append(Interval(startMs: at_ms, endMs: at_ms + length_ms))
            at_ms += length_ms
        }
        return intervals
    }
}
