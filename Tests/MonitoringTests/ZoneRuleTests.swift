import Contract
import Monitoring
import Schedules
import Testing
import Units

/// A member's zone changes while their activities run.
struct ZoneRuleTests {
    typealias Time = DateComponents

    /// From Berlin to New York, six hours back: the day gets longer, and the next one follows it.
    @Test func westwardTheOpenDayEndsWhereItEndsThere() throws {
        var scene = try Scene("2026-02-02T20:00", "Europe/Berlin")
        try scene.register(Time(hour: 0), Time(hour: 0))
        #expect(scene.news() == ["02-02T00:00:00 intervalDidStart a"])
        try scene.move(to: "America/New_York")
        #expect(scene.news() == [])
        try scene.pass(until: "2026-02-03T12:00")
        #expect(scene.news() == ["02-03T00:00:00 intervalDidEnd a", "02-03T00:00:00 intervalDidStart a"])
    }

    /// The other way: the day is over at once, and the next one has begun.
    @Test func eastwardADayThatIsOverThereEndsAtOnce() throws {
        var scene = try Scene("2026-02-02T20:00", "America/New_York")
        try scene.register(Time(hour: 0), Time(hour: 0))
        _ = scene.news()
        try scene.move(to: "Europe/Berlin")
        #expect(scene.news() == ["02-03T02:00:00 intervalDidEnd a", "02-03T02:00:00 intervalDidStart a"])
        try scene.pass(until: "2026-02-04T12:00")
        #expect(scene.news() == ["02-04T00:00:00 intervalDidEnd a", "02-04T00:00:00 intervalDidStart a"])
    }

    @Test func anOccurrenceThatIsOverDoesNotComeBack() throws {
        var scene = try Scene("2026-02-02T08:00", "Europe/Berlin")
        try scene.register(Time(hour: 9), Time(hour: 17), warning: Time(minute: 10))
        try scene.pass(until: "2026-02-02T17:30")
        #expect(scene.news().count == 4)
        try scene.move(to: "America/New_York")
        try scene.pass(until: "2026-02-03T09:00")
        #expect(
            scene.news() == [
                "02-03T08:50:00 intervalWillStartWarning a", "02-03T09:00:00 intervalDidStart a",
            ])
    }

    @Test func thereAndBackAgainTellsNothingTwice() throws {
        var scene = try Scene("2026-02-02T09:00", "Europe/Berlin")
        try scene.register(Time(hour: 0), Time(hour: 0), events: [.minutes(5)])
        try scene.use("game")
        try scene.pass(until: "2026-02-02T10:00")
        _ = scene.news()
        try scene.move(to: "America/New_York")
        try scene.pass(until: "2026-02-02T06:00")
        try scene.move(to: "Europe/Berlin")
        try scene.pass(until: "2026-02-02T23:00")
        #expect(scene.news() == [])
        try scene.pass(until: "2026-02-03T00:05")
        #expect(
            scene.news() == [
                "02-03T00:00:00 intervalDidEnd a", "02-03T00:00:00 intervalDidStart a",
                "02-03T00:05:00 eventDidReachThreshold a/e",
            ])
    }

    /// A start that was warned of, and lies elsewhere now, is not warned of again.
    @Test func aWarningThatWasToldIsNotToldAgain() throws {
        var scene = try Scene("2026-02-02T08:55", "Europe/Berlin")
        try scene.register(Time(hour: 9), Time(hour: 17), warning: Time(minute: 10))
        #expect(scene.news() == ["02-02T08:50:00 intervalWillStartWarning a"])
        try scene.move(to: "Europe/London")
        try scene.pass(until: "2026-02-02T09:00")
        #expect(scene.news() == ["02-02T09:00:00 intervalDidStart a"])
    }

    @Test func everyDayHappensOnceWhereverOneGoes() throws {
        let zones = [
            "Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu", "Pacific/Honolulu",
        ]
        for seed in UInt64(0)..<200 {
            var chance = Chance(seed: seed)
            var scene = try Scene("2026-02-02T09:00", "Europe/Berlin")
            try scene.register(Time(hour: 0), Time(hour: 0))
            for _ in 0..<20 {
                try scene.pass(until: scene.now + .hours(.random(in: 0...90, using: &chance)))
                try scene.move(to: zones.randomElement(using: &chance) ?? "UTC")
            }
            let told = scene.told
            let turns: [CallbackName] = told.indices.map { $0 % 2 == 0 ? .intervalDidStart : .intervalDidEnd }
            #expect(told.map(\.callback) == turns)
            for (end, start) in zip(told.dropFirst(), told.dropFirst(2))
            where end.callback == .intervalDidEnd {
                #expect(start.at == end.at, "seed \(seed): a hole, or a second twice")
            }
        }
    }
}
