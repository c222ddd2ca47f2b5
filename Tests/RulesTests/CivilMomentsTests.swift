import Contract
import Schedules
import Testing
import Units

/// Calendar triggers: the next instant that fits.
@Suite("the next instant that fits") struct CivilMomentsTests {
    private func next(
        _ components: DateComponents, after text: String, in zone: String = "UTC"
    ) throws -> String? {
        let moments = try CivilMoments(components, "components", zone: Zone(zone))
        return try moments.next(after: ZoneTests.instant(text)).map { String(UTCTime.text($0).prefix(16)) }
    }

    @Test func eachDay() throws {
        let eight = DateComponents(hour: 8)
        #expect(try next(eight, after: "2026-03-01T07:59") == "2026-03-01T08:00")
        #expect(try next(eight, after: "2026-03-01T08:00") == "2026-03-02T08:00")
        let half = DateComponents(minute: 30)
        #expect(try next(half, after: "2026-03-01T08:30") == "2026-03-01T09:30")
        let sunday = DateComponents(hour: 20, weekday: 1)
        #expect(try next(sunday, after: "2026-03-02T00:00") == "2026-03-08T20:00")
    }

    @Test func clocksThatChange() throws {
        let halfPastTwo = DateComponents(hour: 2, minute: 30)
        // 29 March 2026: 02:30 does not exist in Berlin, and becomes 03:30.
        #expect(
            try next(halfPastTwo, after: "2026-03-29T00:00", in: "Europe/Berlin")
                == "2026-03-29T01:30")
        // 25 October 2026: 02:30 comes twice; once is enough.
        let first = "2026-10-25T00:30"
        #expect(try next(halfPastTwo, after: "2026-10-24T12:00", in: "Europe/Berlin") == first)
        #expect(try next(halfPastTwo, after: first, in: "Europe/Berlin") == "2026-10-26T01:30")
        #expect(
            try next(halfPastTwo, after: "2026-10-25T01:10", in: "Europe/Berlin")
                == "2026-10-26T01:30")
    }

    @Test func whatNeverComes() throws {
        #expect(try next(DateComponents(year: 2020), after: "2026-01-01T00:00") == nil)
        #expect(throws: CivilTimeError.self) {
            try next(DateComponents(hour: 24), after: "2026-01-01T00:00")
        }
    }
}
