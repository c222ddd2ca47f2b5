import Contract
import Rules
import Schedules
import Testing
import Units

struct ZoneTests {
    static func instant(_ text: String) throws -> Instant {
        // YYYY-MM-DDTHH:MM in UTC.
        let date = try #require(LocalDate(text.prefix(10)))
        let hour = try #require(Int64(text.dropFirst(11).prefix(2)))
        let minute = try #require(Int64(text.dropFirst(14).prefix(2)))
        return Instant(.days(Int64(date.dayNumber)) + .hours(hour) + .minutes(minute))
    }

    @Test func anUnknownZoneIsNamed() {
        #expect(throws: CivilTimeError.unknownZone("Europe/Atlantis")) { try Zone("Europe/Atlantis") }
        #expect(throws: CivilTimeError.unknownZone("")) { try Zone("") }
    }

    @Test func datesGoToDayNumbersAndBack() throws {
        var date = try #require(LocalDate("1969-12-25"))
        #expect(date.dayNumber == -7)
        #expect(date.weekday == 5, "a Thursday")
        var weekday = date.weekday
        while date.year < 2101 {
            #expect(LocalDate(date.description) == date)
            #expect(LocalDate(year: date.year, month: date.month, day: date.day) == date)
            #expect(date.monday.weekday == 2 && (0..<7).contains(date.dayNumber - date.monday.dayNumber))
            date = date.advanced(by: 1)
            weekday = weekday % 7 + 1
            #expect(date.weekday == weekday)
        }
        for text in [
            "2023-02-29", "2023-13-01", "2023-00-10", "2023-1-01", "23-01-01", "2023-01-1x", "+023-01-01",
        ] {
            #expect(LocalDate(text) == nil, "\(text)")
        }
        #expect(LocalDate("2024-02-29") != nil)
    }

    /// Every quarter-hour around changes of the clock against a search through all instants.
    @Test(arguments: [
        ("Europe/Berlin", "2024-03-30"), ("Europe/Berlin", "2024-10-26"), ("America/New_York", "2023-11-04"),
        ("Australia/Lord_Howe", "2024-10-05"), ("Australia/Lord_Howe", "2024-04-06"),
        ("Pacific/Apia", "2011-12-29"),
        ("America/Havana", "2024-11-02"), ("Asia/Beirut", "2023-03-25"), ("Asia/Kathmandu", "2024-01-01"),
    ])
    func wallTimesGoToTheirFirstInstantOrOverTheGap(zoneName: String, day: String) throws {
        let zone = try Zone(zoneName)
        let middle = Milliseconds.days(Int64(try #require(LocalDate(day)).dayNumber))
        let step = Milliseconds.minutes(15)
        var shown: [Milliseconds: Instant] = [:]
        for quarter in -3 * 96..<5 * 96 as Range<Int64> {
            let instant = Instant(middle + quarter * step)
            let wall = zone.wall(at: instant)
            if shown[wall] == nil { shown[wall] = instant }
        }
        for quarter in -96..<3 * 96 as Range<Int64> {
            let wall = middle + quarter * step
            let found = zone.instant(ofWall: wall)
            if let first = shown[wall] {
                #expect(found == first)
            } else {
                var before = wall
                while shown[before] == nil { before -= step }
                var after = wall
                while shown[after] == nil { after += step }
                let gap = after - before - step
                #expect(zone.wall(at: found) == wall + gap)
            }
        }
    }

    static func labels(_ zone: String, _ length: ReportSegment, _ from: String, _ to: String) throws
        -> [String]
    {
        let from = try #require(LocalDate(from))
        let to = try #require(LocalDate(to))
        return try Zone(zone).segments(length, from: from, through: to).map {
            "\($0.label) \($0.interval.duration / .minute)"
        }
    }

    @Test func daysHaveTheLengthTheyHave() throws {
        #expect(
            try Self.labels("Europe/Berlin", .daily, "2024-03-30", "2024-04-01") == [
                "2024-03-30 1440", "2024-03-31 1380", "2024-04-01 1440",
            ])
        #expect(
            try Self.labels("Australia/Lord_Howe", .daily, "2024-04-07", "2024-04-07") == ["2024-04-07 1470"])
        #expect(
            try Self.labels("Pacific/Apia", .daily, "2011-12-29", "2011-12-31") == [
                "2011-12-29 1440", "2011-12-31 1440",
            ])
        #expect(try Self.labels("Pacific/Apia", .daily, "2011-12-30", "2011-12-30") == [])
    }

    @Test func weeksStartOnMonday() throws {
        #expect(
            try Self.labels("Europe/Berlin", .weekly, "2024-10-24", "2024-10-28") == [
                "2024-10-21 10140", "2024-10-28 10080",
            ])
    }

    @Test func hoursAreTheWallClocks() throws {
        #expect(
            try Self.labels("Asia/Kathmandu", .hourly, "2024-01-01", "2024-01-01").prefix(2) == [
                "2024-01-01T00:00:00+05:45 60", "2024-01-01T01:00:00+05:45 60",
            ])
        let autumn = try Self.labels("America/New_York", .hourly, "2023-11-05", "2023-11-05")
        #expect(autumn.count == 25)
        #expect(autumn[1...2] == ["2023-11-05T01:00:00-04:00 60", "2023-11-05T01:00:00-05:00 60"])
        let spring = try Self.labels("Australia/Lord_Howe", .hourly, "2024-10-06", "2024-10-06")
        #expect(
            spring[1...3] == [
                "2024-10-06T01:00:00+10:30 60", "2024-10-06T02:30:00+11:00 30",
                "2024-10-06T03:00:00+11:00 60",
            ])
    }

    @Test func aDayMayStartLater() throws {
        let zone = try Zone("Europe/Berlin")
        let date = try #require(LocalDate("2024-03-30"))
        let day = try #require(
            zone.segments(.daily, from: date, through: date, dayStart: .hours(4)).first)
        #expect(day.interval.start == (try Self.instant("2024-03-30T03:00")))
        #expect(day.interval.end == (try Self.instant("2024-03-31T02:00")))
    }
}
