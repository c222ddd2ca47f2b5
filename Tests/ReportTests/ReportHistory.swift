import Contract
import Rules
import Units

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
    mutating func time(_ range: ClosedRange<Milliseconds>) -> Milliseconds {
        Milliseconds(number(range.lowerBound.count...range.upperBound.count))
    }
    mutating func instant(_ range: ClosedRange<Instant>) -> Instant {
        Instant(milliseconds: number(range.lowerBound.milliseconds...range.upperBound.milliseconds))
    }
    mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &self)] }
}

/// Events of a made-up household around an instant: overlaps, several devices, browsers, late replacements.
struct ReportHistory {
    static let hour: Milliseconds = 3_600_000
    static let apps = ["a", "b", "firefox", "unknown"]
    static let hosts = ["www.news.org", "news.org", "x.test", "mail.x.test", "localhost.localdomain"]
    static let categories = ["games", "social", "reading"]

    var start: Instant
    var chance: Chance
    var devices: [String]
    /// Added to the name of each app, so that few rows fill an answer.
    var suffix = ""
    /// Few overlaps, as one person makes them; else as it comes.
    var isOrderly: Bool

    init(around instant: Instant, seed: UInt64) {
        chance = Chance(seed: seed)
        start = instant - .days(3)
        devices = Array(["laptop", "phone", "tablet"].prefix(1 + Int(chance.next() % 3)))
        isOrderly = chance.isOne(in: 2)
    }

    static let length: Milliseconds = .days(6)

    mutating func event() -> UsageRecorded {
        let isDomain = chance.isOne(in: 3)
        let app = chance.pick(Self.apps)
        let subject =
            isDomain ? chance.pick(Self.hosts) : chance.isOne(in: 12) ? "" : app + suffix
        let from = start + chance.time(0...Self.length)
        let to = from + chance.time(0...(chance.isOne(in: 3) ? 60 : 4) * Self.hour)
        var event = UsageRecorded(
            member: chance.isOne(in: 5) ? "member-eve" : "uid-0", device: chance.pick(devices),
            deviceModel: chance.isOne(in: 2) ? "android" : nil, kind: isDomain ? .domain : .app,
            subject: subject, category: chance.isOne(in: 3) ? nil : chance.pick(Self.categories),
            browser: isDomain ? nil : app == "firefox" || chance.isOne(in: 4), from: from,
            to: to)
        let count = chance.number(0...4)
        if !subject.isEmpty { event.intervals = intervals(count, from, to) }
        for _ in 0..<chance.number(0...2) where to > from {
            event.pickups.append(chance.instant(from...to - 1))
            if chance.isOne(in: 2) { event.notifications.append(chance.instant(from...to - 1)) }
        }
        if chance.isOne(in: 8), !subject.isEmpty {
            event.openSince = to + chance.time(0...Self.hour)
        }
        return event
    }

    private mutating func intervals(_ count: Int64, _ from: Instant, _ to: Instant) -> [Interval] {
        var intervals: [Interval] = []
        var at = from
        for _ in 0..<count {
            at += chance.time(0...(isOrderly ? Self.hour : Self.hour / 4))
            // Round ones meet at quarters, and touch each other.
            if chance.isOne(in: 3) { at = Instant(.minutes(15 * (at.sinceEpoch / .minutes(15) + 1))) }
            guard at < to else { break }
            var length = chance.time(1...(isOrderly ? Self.hour / 3 : 2 * Self.hour))
            if chance.isOne(in: 4) { length = .minutes(15 * chance.number(1...6)) }
            if chance.isOne(in: 40) { length = 30 * Self.hour }
            if chance.isOne(in: 60) { length = 24 * Self.hour }
            intervals.append(Interval(start: at, end: at + length))
            at += length
        }
        return intervals
    }
}
