import Contract
import Monitoring
import Rules
import Schedules
import Testing
import Units

/// Thresholds over registrations, late data and restarts.
struct EventRuleTests {
    typealias Time = DateComponents

    @Test func pastActivityIsToldAsSuchAndFreshOnesCountFromRegistration() throws {
        var scene = try Scene("2026-03-02T08:00")
        try scene.use("game")
        try scene.pass(until: "2026-03-02T08:30")
        try scene.register(
            Time(hour: 0), Time(hour: 0), events: [.minutes(10, "past", past: true), .minutes(10, "fresh")])
        try scene.pass(until: "2026-03-02T09:00")
        #expect(scene.told.map(\.total) == [nil, 600_000, 600_000])
        #expect(
            scene.news() == [
                "03-02T00:00:00 intervalDidStart a",
                "03-02T08:10:00 eventDidReachThreshold a/past late past",
                "03-02T08:40:00 eventDidReachThreshold a/fresh",
            ])
    }

    @Test func anUnchangedEventKeepsItsCountAndIsNotToldAgain() throws {
        var scene = try Scene("2026-03-02T08:00")
        let all: [EventDefinition] = [
            .minutes(10, "ten"), .minutes(20, "twenty"), .minutes(5, "past", past: true),
        ]
        try scene.register(Time(hour: 0), Time(hour: 0), events: all)
        try scene.use("game")
        try scene.pass(until: "2026-03-02T08:12")
        _ = scene.news()
        var changed = all
        changed[0].threshold = Time(minute: 11)
        changed[2].message = "other words"
        // Another schedule whose occurrence begins at the same instant.
        try scene.register(Time(hour: 0), Time(hour: 23), events: changed)
        try scene.pass(until: "2026-03-02T09:00")
        #expect(
            scene.news() == [
                "03-02T00:00:00 intervalDidStart a", "03-02T08:20:00 eventDidReachThreshold a/twenty",
                "03-02T08:23:00 eventDidReachThreshold a/ten",
            ])
    }

    @Test func stoppedAndStartedAnewEverythingIsToldAgain() throws {
        var scene = try Scene("2026-03-02T08:00")
        try scene.register(Time(hour: 0), Time(hour: 0), events: [.minutes(5, past: true)])
        try scene.use("game")
        try scene.pass(until: "2026-03-02T08:06")
        scene.stop()
        _ = scene.news()
        try scene.register(Time(hour: 0), Time(hour: 0), events: [.minutes(5, past: true)])
        #expect(
            scene.news() == [
                "03-02T00:00:00 intervalDidStart a", "03-02T08:05:00 eventDidReachThreshold a/e late past",
            ])
    }

    /// The counter of iOS apps: from its own callback it registers the next minute. Each minute comes once,
    /// in order, with its own instant, however late it registers and however often a callback is repeated.
    @Test(arguments: (0..<50).map { UInt64($0) }) func theCounterTrick(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        var scene = try Scene("2026-03-02T08:00")
        func register(_ minute: Int64) throws {
            try scene.register(Time(hour: 0), Time(hour: 0), events: [.minutes(minute, past: true)])
        }
        try register(1)
        try scene.use("game")
        let begin = scene.now
        var seen: [DueCallback] = []
        var told = 0
        while seen.count < 60 {
            if told == scene.told.count, let due = scene.rules.nextDue { try scene.pass(until: due) }
            // The queue of a host that brings one callback after the other.
            guard told < scene.told.count else { continue }
            let one = scene.told[told]
            told += 1
            guard one.callback == .eventDidReachThreshold else { continue }
            seen.append(one)
            let delay = Bool.random(using: &chance) ? 20 : Int64.random(in: 0...400_000, using: &chance)
            try scene.pass(until: scene.now + Milliseconds(delay))
            try register(Int64(seen.count) + 1)
            // Killed after it had registered: the same callback again.
            if Int.random(in: 0..<4, using: &chance) == 0 { try register(Int64(seen.count) + 1) }
        }
        #expect(seen.map(\.at) == (1...60).map { begin + .minutes($0) }, "seed \(seed)")
        #expect(seen.map(\.total) == (1...60).map { .minutes($0) })
    }

    @Test func lateDataTellsWhatIsOwedInAnOpenOccurrenceOnly() throws {
        var scene = try Scene("2026-03-02T08:00")
        try scene.register("day", Time(hour: 0), Time(hour: 0), events: [.minutes(10, past: true)])
        try scene.register("early", Time(hour: 6), Time(hour: 9), events: [.minutes(10, past: true)])
        try scene.pass(until: "2026-03-02T10:00")
        _ = scene.news()
        try scene.learn("game", "2026-03-02T07:00", "2026-03-02T07:30")
        #expect(scene.news() == ["03-02T07:10:00 eventDidReachThreshold day/e late past"])
    }

    @Test func aDeliveredCrossingIsFinalAndItsRecountIsKnown() throws {
        var scene = try Scene("2026-03-02T08:00")
        try scene.register(Time(hour: 0), Time(hour: 0), events: [.minutes(10, past: true)])
        try scene.use("game")
        try scene.pass(until: "2026-03-02T08:10")
        let told = try #require(scene.told.last?.about)
        #expect(told.at == (try scene.instant("2026-03-02T08:10")))
        try scene.learn("game", "2026-03-02T07:00", "2026-03-02T07:04")
        let recounted = try #require(try scene.rules.recount(told))
        #expect(recounted.at == (try scene.instant("2026-03-02T08:06")))
        #expect(recounted.total == .minutes(14))
        #expect(scene.told.last?.about == told)
    }

    @Test func whatIsToComeIsListed() throws {
        var scene = try Scene("2026-03-02T08:00")
        try scene.register(
            Time(hour: 0), Time(hour: 9), warning: Time(minute: 5),
            events: [.minutes(30, "soon"), .minutes(90, "tooMuch")])
        try scene.use("game")
        try scene.pass(until: "2026-03-02T08:10")
        let pending = scene.rules.pending(
            client: nil, member: "me", activity: "a", limit: 10, now: scene.now)
        let texts = pending.map { one in
            let minute = (one.due ?? 0).sinceEpoch.flooredRemainder(.day) / .minute
            return "\(one.callback) \(one.event ?? "-") \(minute)"
        }
        #expect(
            texts == [
                "eventWillReachThresholdWarning soon 505", "intervalWillEndWarning - 535",
                "intervalDidEnd - 540", "intervalWillStartWarning - 1435", "intervalDidStart - 0",
                "eventWillReachThresholdWarning tooMuch 0",
            ])
        #expect(pending.first?.total == 600_000 && pending.first?.threshold == 1_800_000)
        #expect(scene.rules.pending(client: "other", member: nil, activity: nil, limit: 9, now: 0).isEmpty)
    }
}
