import Contract
import Foundation
import ScreenTimeTesting
import Testing
import Units

/// Days of odd lengths, to the built activity-center on a moved clock.
@Suite("clock: zones") struct ClockZoneTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var zone: String
        /// Beginning of a day there, and of the days after it, in UTC.
        var midnights: [String]
        var testDescription: String { "\(zone) \(midnights[0])" }
    }

    static let cases = [
        // 23 hours, and 25.
        Case(
            zone: "Europe/Berlin",
            midnights: ["2026-03-27T23:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"]),
        Case(
            zone: "Europe/Berlin",
            midnights: ["2026-10-23T22:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"]),
        Case(
            zone: "America/New_York",
            midnights: ["2026-03-07T05:00:00Z", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"]),
        // 2011-12-30 never was.
        Case(
            zone: "Pacific/Apia",
            midnights: [
                "2011-12-28T10:00:00Z", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z",
                "2011-12-31T10:00:00Z",
            ]),
        Case(
            zone: "Asia/Kathmandu",
            midnights: ["2026-06-14T18:15:00Z", "2026-06-15T18:15:00Z", "2026-06-16T18:15:00Z"]),
        // Half an hour forward, and back.
        Case(
            zone: "Australia/Lord_Howe",
            midnights: ["2026-10-02T13:30:00Z", "2026-10-03T13:30:00Z", "2026-10-04T13:00:00Z"]),
        Case(
            zone: "Australia/Lord_Howe",
            midnights: ["2026-04-03T13:00:00Z", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z"]),
    ]

    private static func instant(_ text: String) throws -> Instant {
        Instant(.seconds(Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970)))
    }

    @Test(arguments: cases) func eachDayBeginsAndEndsAtItsOwnMidnight(_ one: Case) async throws {
        try await World.with([], environment: ["TZ": one.zone]) { world in
            let midnights = try one.midnights.map(Self.instant)
            let home = try await MovedHome(world, startsAt: midnights[0] + MovedHome.hour)
            let event = EventDefinition(
                name: "hour", applications: ["game"], threshold: DateComponents(hour: 1))
            try await world.monitor([.allDay("daily", [event])])
            for (start, end) in zip(midnights, midnights.dropFirst()) {
                try await home.play(MovedHome.hour + MovedHome.minute)
                let reached = try await home.events.first(EventDidReachThreshold.self) {
                    $0.about.occurrenceStart == start
                }
                #expect(reached.about.occurrenceEnd == end)
                #expect(reached.about.total == MovedHome.hour)
                home.clock.pass(end - home.clock.now + 1)
                _ = try await home.events.first(IntervalDidStart.self) {
                    $0.about.occurrenceStart == end
                }
            }
            let starts = try home.events.all(IntervalDidStart.self).map(\.about.occurrenceStart)
            let ends = try home.events.all(IntervalDidEnd.self).map(\.about.at)
            #expect(starts == midnights && ends == Array(midnights.dropFirst()))
        }
    }

    @Test func aMachineThatMovesTakesItsMembersAlong() async throws {
        try await World.with([]) { world in
            let zone = MovableZone(world, "UTC")
            let midnight = try Self.instant("2026-06-15T00:00:00Z")
            let home = try await MovedHome(world, startsAt: midnight + 12 * MovedHome.hour)
            try await world.monitor([.allDay("daily")])
            let first = try await home.events.first(IntervalDidStart.self)
            #expect(first.about.occurrenceStart == midnight)
            zone.move(to: "Asia/Kathmandu")
            // Midnight comes 5 h 45 min earlier there: at 18:15 UTC.
            let day = try Self.instant("2026-06-15T18:15:00Z")
            try await world.eventually("the new zone is known") {
                let list = try await world.call(MonitoringList.self, MonitoringList.Params())
                return list.activities.first?.intervalEnd == day
            }
            home.clock.pass(day - home.clock.now + 1)
            let end = try await home.events.first(IntervalDidEnd.self)
            #expect(end.about.at == day)
            _ = try await home.events.first(IntervalDidStart.self) {
                $0.about.occurrenceStart == day
            }
        }
    }
}
