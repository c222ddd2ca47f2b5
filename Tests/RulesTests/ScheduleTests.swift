import Contract
import Rules
import Schedules
import Testing
import Units

struct ScheduleTests {
    typealias Time = DateComponents

    static func schedule(
        _ start: Time, _ end: Time, _ zone: String, repeats: Bool = true, warning: Time? = nil
    ) throws -> CivilSchedule {
        let schedule = Schedule(
            intervalStart: start, intervalEnd: end, repeats: repeats, warningTime: warning)
        return try CivilSchedule(schedule, zone: Zone(zone))
    }

    /// The occurrences that touch the UTC days, as local `start/minutes`.
    static func occurrences(_ schedule: CivilSchedule, _ from: String, _ to: String) throws -> [String] {
        let window = try #require(
            TimeRange(start: ZoneTests.instant(from + "T00:00"), end: ZoneTests.instant(to + "T00:00")))
        return schedule.occurrences(in: window).map {
            schedule.zone.timestamp(at: $0.start).dropLast(9) + "/\($0.duration / .minute)"
        }
    }

    static func skipped(_ schedule: CivilSchedule, _ from: String, _ to: String) throws -> [String] {
        let window = try #require(
            TimeRange(start: ZoneTests.instant(from + "T00:00"), end: ZoneTests.instant(to + "T00:00")))
        return schedule.skipped(in: window).map { "\($0.date) \($0.reason)" }
    }

    @Test func aTimeInASpringGapMovesForwardOnItsOwnDay() throws {
        let night = try Self.schedule(Time(hour: 2, minute: 30), Time(hour: 2, minute: 45), "Europe/Berlin")
        #expect(
            try Self.occurrences(night, "2024-03-30", "2024-04-02") == [
                "2024-03-30T02:30/15", "2024-03-31T03:30/15", "2024-04-01T02:30/15",
            ])
        let half = try Self.schedule(
            Time(hour: 2, minute: 10), Time(hour: 2, minute: 20), "Australia/Lord_Howe")
        #expect(try Self.occurrences(half, "2024-10-05", "2024-10-06") == ["2024-10-06T02:40/10"])
    }

    @Test func anEndNotAfterItsStartOnThatDayIsSkippedAndExplained() throws {
        let night = try Self.schedule(Time(hour: 2, minute: 30), Time(hour: 3), "Europe/Berlin")
        #expect(
            try Self.occurrences(night, "2024-03-30", "2024-04-02") == [
                "2024-03-30T02:30/30", "2024-04-01T02:30/30",
            ])
        #expect(try Self.skipped(night, "2024-03-30", "2024-04-02") == ["2024-03-31 endNotAfterStart"])
        #expect(
            try night.nextOccurrence(after: ZoneTests.instant("2024-03-30T12:00"))?.start
                == ZoneTests.instant("2024-04-01T00:30"))
    }

    @Test func whatAChangeOfTheClockDoesIsExplained() throws {
        func altered(_ schedule: CivilSchedule, _ from: String, _ to: String) throws -> [String] {
            let window = try #require(
                TimeRange(
                    start: ZoneTests.instant(from + "T00:00"), end: ZoneTests.instant(to + "T00:00")))
            return schedule.zone.clockChanges(in: window)
                .flatMap { schedule.altered(by: $0, registered: window.start) }.map(\.explanation)
        }
        let (two, three) = (Time(hour: 2), Time(hour: 3))
        let york = try Self.schedule(two, three, "America/New_York")
        #expect(
            try altered(york, "2026-03-01", "2026-04-01") == [
                "2026-03-08 02:00: left out, because the clock goes from 02:00 to 03:00, which leaves no time between "
                    + "its start and its end"
            ])
        let late = try Self.schedule(Time(hour: 2, minute: 30), Time(hour: 4), "America/New_York")
        #expect(
            try altered(late, "2026-03-01", "2026-04-01") == [
                "2026-03-08: begins at 03:30 instead of 02:30, because the clock goes from 02:00 to 03:00"
            ])
        let howe = try Self.schedule(two, Time(hour: 2, minute: 30), "Australia/Lord_Howe")
        #expect(
            try altered(howe, "2026-10-01", "2026-11-01") == [
                "2026-10-04 02:00: left out, because the clock goes from 02:00 to 02:30, which leaves no time between "
                    + "its start and its end"
            ])
        let short = try Self.schedule(
            Time(hour: 2, minute: 10), Time(hour: 2, minute: 20), "Australia/Lord_Howe")
        #expect(
            try altered(short, "2026-10-01", "2026-11-01") == [
                "2026-10-04: begins at 02:40 instead of 02:10 and ends at 02:50 instead of 02:20, because the "
                    + "clock goes from 02:00 to 02:30"
            ])
        let apia = try Self.schedule(Time(hour: 9), Time(hour: 10), "Pacific/Apia")
        #expect(
            try altered(apia, "2011-12-20", "2012-01-05") == [
                "2011-12-30 09:00: left out, because the zone Pacific/Apia has no such day"
            ])
        let apiasNight = try Self.schedule(Time(hour: 22), Time(hour: 6), "Pacific/Apia")
        #expect(
            try altered(apiasNight, "2011-12-20", "2012-01-05") == [
                "2011-12-29: ends at 2011-12-31 06:00 instead of 2011-12-30 06:00, because the clock goes from "
                    + "2011-12-30 00:00 to 2011-12-31 00:00",
                "2011-12-30 22:00: left out, because the zone Pacific/Apia has no such day",
            ])
        let hourly = try Self.schedule(Time(minute: 10), Time(minute: 40), "Antarctica/Troll")
        let troll = try altered(hourly, "2026-03-01", "2026-04-01").filter { $0.contains("left out") }
        #expect(troll.map { $0.prefix(16) } == ["2026-03-29 03:10", "2026-03-29 04:10"], "\(troll)")
        let noon = try Self.schedule(Time(hour: 12), Time(hour: 13), "America/New_York")
        #expect(try altered(noon, "2026-01-01", "2027-01-01") == [], "nothing happens at noon")
        #expect(try altered(york, "2026-10-01", "2026-12-01") == [], "a repeated hour is its first")
        let once = try Self.schedule(two, three, "America/New_York", repeats: false)
        #expect(try altered(once, "2026-03-07", "2026-04-01").count == 1, "it waits for the day after")
        #expect(try altered(york, "2026-03-09", "2026-04-01") == [], "registered after it")
    }

    @Test func aRepeatedTimeIsItsFirst() throws {
        let short = try Self.schedule(Time(hour: 2, minute: 30), Time(hour: 2, minute: 45), "Europe/Berlin")
        #expect(try Self.occurrences(short, "2024-10-27", "2024-10-28") == ["2024-10-27T02:30/15"])
        #expect(try short.occurrence(containing: ZoneTests.instant("2024-10-27T00:35")) != nil)
        #expect(
            try short.occurrence(containing: ZoneTests.instant("2024-10-27T01:35")) == nil, "the second 02:35"
        )
        let long = try Self.schedule(Time(hour: 2, minute: 30), Time(hour: 3, minute: 30), "Europe/Berlin")
        #expect(try Self.occurrences(long, "2024-10-27", "2024-10-28") == ["2024-10-27T02:30/120"])
        let howe = try Self.schedule(Time(hour: 1, minute: 45), Time(hour: 2), "Australia/Lord_Howe")
        #expect(try Self.occurrences(howe, "2024-04-06", "2024-04-07") == ["2024-04-07T01:45/45"])
    }

    @Test func overMidnight() throws {
        let night = try Self.schedule(Time(hour: 22), Time(hour: 6), "Europe/Berlin")
        #expect(
            try Self.occurrences(night, "2024-03-30", "2024-04-01") == [
                "2024-03-29T22:00/480", "2024-03-30T22:00/420", "2024-03-31T22:00/480",
            ])
        let whole = try Self.schedule(Time(hour: 6), Time(hour: 6), "Asia/Kathmandu")
        #expect(
            try Self.occurrences(whole, "2024-01-01", "2024-01-02") == [
                "2023-12-31T06:00/1440", "2024-01-01T06:00/1440",
            ])
        let policy = try Self.schedule(
            Time(hour: 0, minute: 0), Time(hour: 23, minute: 59, second: 59), "UTC")
        let first = try #require(try policy.occurrence(containing: ZoneTests.instant("2024-01-01T23:00")))
        #expect(first.duration == Milliseconds.day - Milliseconds.second)
    }

    /// From midnight to midnight, in both spellings, through clock changes at and away from midnight.
    @Test(arguments: [Time(hour: 0), Time(hour: 0, minute: 0, second: 0), Time(hour: 24)], [
        ("UTC", "2024-02-27"), ("Europe/Berlin", "2024-03-29"), ("Europe/Berlin", "2024-10-25"),
        ("America/Sao_Paulo", "2018-11-02"), ("Asia/Beirut", "2024-03-29"), ("Pacific/Apia", "2011-12-28"),
        ("Australia/Lord_Howe", "2024-04-05"), ("America/Havana", "2024-11-01"),
    ])
    func aWholeDayHasNoHole(end: Time, place: (zone: String, from: String)) throws {
        let day = try Self.schedule(Time(hour: 0), end, place.zone)
        let from = try ZoneTests.instant(place.from + "T12:00")
        var at = from
        while at < from + Milliseconds.days(6) {
            let found = try #require(
                day.occurrence(containing: at), "nothing holds \(day.zone.timestamp(at: at))")
            #expect(day.occurrence(containing: found.end - 1) == found)
            at = found.end
        }
    }

    @Test func twentyFourOClockEndsADay() throws {
        let monday = try Self.schedule(
            Time(hour: 18, weekday: 2), Time(hour: 24, weekday: 2), "Europe/Berlin")
        #expect(
            try Self.occurrences(monday, "2024-03-25", "2024-03-27").first == "2024-03-25T18:00/360")
        let year = try Self.schedule(
            Time(year: 2024, month: 12, day: 31), Time(year: 2024, month: 12, day: 31, hour: 24), "UTC")
        #expect(try Self.occurrences(year, "2024-12-30", "2025-01-03") == ["2024-12-31T00:00/1440"])
        for (start, end) in [
            (Time(hour: 24), Time(hour: 24)), (Time(hour: 0), Time(hour: 24, minute: 1)),
            (Time(hour: 0), Time(hour: 24, second: 1)), (Time(hour: 0), Time(hour: 25)),
            (Time(hour: 0), Time(hour: 24, nanosecond: 1)),
        ] {
            #expect(throws: CivilTimeError.self) { try Self.schedule(start, end, "UTC") }
        }
        // As written for iOS: a minute, or a second, of each day is outside.
        let midnight = try ZoneTests.instant("2024-01-02T00:00")
        for (second, hole): (Int64?, Milliseconds) in [(nil, 60_000), (59, 1000)] {
            let day = try Self.schedule(Time(hour: 0), Time(hour: 23, minute: 59, second: second), "UTC")
            let end = midnight - hole
            #expect(day.occurrence(containing: midnight - 1) == nil)
            #expect(day.occurrence(containing: end - 1)?.end == end)
        }
    }

    @Test func aDayThatDoesNotExistIsSkipped() throws {
        let day = try Self.schedule(Time(hour: 8), Time(hour: 20), "Pacific/Apia")
        #expect(
            try Self.occurrences(day, "2011-12-29", "2012-01-01") == [
                "2011-12-28T08:00/720", "2011-12-29T08:00/720", "2011-12-31T08:00/720",
                "2012-01-01T08:00/720",
            ])
        #expect(try Self.skipped(day, "2011-12-29", "2012-01-01") == ["2011-12-30 dayDoesNotExist"])
        let night = try Self.schedule(Time(hour: 22), Time(hour: 6), "Pacific/Apia")
        #expect(try Self.occurrences(night, "2011-12-30", "2011-12-31") == ["2011-12-29T22:00/480"])
    }

    @Test func weekdays() throws {
        let week = try Self.schedule(Time(hour: 9, weekday: 2), Time(hour: 17, weekday: 6), "Europe/Berlin")
        #expect(
            try Self.occurrences(week, "2024-10-20", "2024-11-01") == [
                "2024-10-21T09:00/6240", "2024-10-28T09:00/6240",
            ])
        let monday = try Self.schedule(Time(hour: 6, weekday: 2), Time(hour: 5, minute: 59), "UTC")
        #expect(
            try Self.occurrences(monday, "2024-01-01", "2024-01-09") == [
                "2024-01-01T06:00/1439", "2024-01-08T06:00/1439",
            ])
        let second = try Self.schedule(
            Time(hour: 6, weekday: 2, weekdayOrdinal: 2), Time(hour: 7, weekday: 2, weekdayOrdinal: 2), "UTC")
        #expect(
            try Self.occurrences(second, "2024-01-01", "2024-02-28") == [
                "2024-01-08T06:00/60", "2024-02-12T06:00/60",
            ])
    }

    @Test func everyHourAndOnceAYear() throws {
        let hourly = try Self.schedule(Time(minute: 0), Time(minute: 45), "Europe/Berlin")
        #expect(try Self.occurrences(hourly, "2024-03-31", "2024-04-01").count == 23 + 1)
        #expect(try Self.skipped(hourly, "2024-03-31", "2024-04-01") == ["2024-03-31 previousStillRuns"])
        let yearly = try Self.schedule(Time(month: 2, day: 29), Time(month: 3, day: 1), "UTC")
        #expect(
            try Self.occurrences(yearly, "2021-01-01", "2029-01-01") == [
                "2024-02-29T00:00/1440", "2028-02-29T00:00/1440",
            ])
    }

    @Test func onceMeansTheFirstThatEndsAfterRegistration() throws {
        let once = try Self.schedule(Time(hour: 8), Time(hour: 20), "UTC", repeats: false)
        let noon = try ZoneTests.instant("2024-01-02T12:00")
        let evening = try ZoneTests.instant("2024-01-02T20:00")
        let first = try #require(once.current(orNextAfter: noon, registered: noon))
        #expect(first.contains(noon))
        #expect(once.nextOccurrence(after: noon, registered: noon) == nil)
        #expect(once.current(orNextAfter: evening, registered: noon) == nil)
        #expect(
            try once.current(orNextAfter: evening, registered: evening)?.start
                == ZoneTests.instant("2024-01-03T08:00"))
        #expect(
            try once.occurrence(containing: ZoneTests.instant("2024-01-03T12:00"), registered: noon) == nil
        )
    }

    @Test func oneDateOnly() throws {
        let once = try Self.schedule(
            Time(year: 2024, month: 5, day: 1, hour: 8), Time(year: 2024, month: 5, day: 3), "UTC")
        #expect(try Self.occurrences(once, "2020-01-01", "2030-01-01") == ["2024-05-01T08:00/2400"])
        try once.requireFuture(now: ZoneTests.instant("2024-05-02T00:00"))
        #expect(throws: CivilTimeError.self) {
            try once.requireFuture(now: ZoneTests.instant("2024-05-03T00:00"))
        }
    }

    @Test(arguments: [
        (Time(hour: 24), "intervalStart.hour"), (Time(hour: -1), "intervalStart.hour"),
        (Time(), "intervalStart is empty"),
        (Time(hour: 1, minute: 60), "intervalStart.minute"), (Time(weekday: 8), "intervalStart.weekday"),
        (Time(second: 5), "intervalStart names a second"), (Time(year: 1969), "intervalStart.year"),
    ])
    func componentsThatFitNothingAreRefused(start: Time, named: String) throws {
        let error = #expect(throws: CivilTimeError.self) { try Self.schedule(start, Time(hour: 5), "UTC") }
        #expect(error?.description.hasPrefix(named) == true)
    }

    @Test func aDateThatNeverComesHasNoFuture() throws {
        let never = try Self.schedule(Time(month: 2, day: 30), Time(hour: 5), "UTC")
        #expect(throws: CivilTimeError.self) { try never.requireFuture(now: 0) }
    }

    @Test func warningsComeBeforeStartAndEndButNeverBeforeTheStart() throws {
        let schedule = try Self.schedule(Time(hour: 8), Time(hour: 9), "UTC", warning: Time(minute: 5))
        let one = try #require(try schedule.current(orNextAfter: ZoneTests.instant("2024-01-01T00:00")))
        #expect(schedule.startWarning(of: one) == one.start - 300_000)
        #expect(schedule.endWarning(of: one) == one.end - 300_000)
        let long = try Self.schedule(Time(hour: 8), Time(hour: 9), "UTC", warning: Time(hour: 2))
        #expect(long.endWarning(of: one) == one.start)
        #expect(throws: CivilTimeError.self) {
            try Self.schedule(Time(hour: 8), Time(hour: 9), "UTC", warning: Time(minute: -1))
        }
    }
}
