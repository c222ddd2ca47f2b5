import Contract
import Rules
import Schedules
import Testing
import Units

/// Random schedules against a walk through every quarter-hour of the wall clock.
struct ScheduleModelTests {
    static let zones = [
        ("UTC", "2024-03-31"), ("Europe/Berlin", "2024-03-31"), ("Europe/Berlin", "2024-10-27"),
        ("Australia/Lord_Howe", "2024-10-06"), ("Australia/Lord_Howe", "2024-04-07"),
        ("Asia/Kathmandu", "2024-05-05"),
        ("Pacific/Apia", "2011-12-30"), ("America/New_York", "2023-11-05"), ("America/Havana", "2024-03-10"),
    ]

    static func components(_ chance: inout Chance) -> DateComponents {
        let minute: Int64 = [0, 15, 30, 45].randomElement(using: &chance) ?? 0
        var time = DateComponents(minute: minute)
        if Int.random(in: 0..<8, using: &chance) > 0 {
            time.hour = Int64([0, 1, 2, 3, 8, 23].randomElement(using: &chance) ?? 0)
        }
        if Int.random(in: 0..<4, using: &chance) == 0 { time.weekday = .random(in: 1...7, using: &chance) }
        return time
    }

    static func fits(_ time: DateComponents, _ minute: Int) -> Bool {
        let date = LocalDate(dayNumber: minute / 1440)
        return (time.weekday ?? Int64(date.weekday)) == Int64(date.weekday)
            && (time.hour ?? Int64(minute / 60 % 24)) == Int64(minute / 60 % 24)
            && time.minute == Int64(minute % 60)
    }

    /// Nominal minutes of each occurrence from some end on, as (start, end). Quarter-hours are all that
    /// `components` makes.
    static func walk(_ start: DateComponents, _ end: DateComponents, _ minutes: Range<Int>) -> [(Int, Int)] {
        guard
            let first = stride(from: minutes.lowerBound, to: minutes.upperBound, by: 15).first(where: {
                fits(end, $0)
            })
        else { return [] }
        var found: [(Int, Int)] = []
        var open: Int?
        for minute in stride(from: first, to: minutes.upperBound, by: 15) {
            if let begin = open, minute > begin, fits(end, minute) {
                found.append((begin, minute))
                open = nil
            }
            if open == nil, fits(start, minute) { open = minute }
        }
        return found
    }

    @Test(arguments: (0..<1000).map { UInt64($0) })
    func agreesWithAWalkThroughTheWallClock(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let (zoneName, day) = try #require(Self.zones.randomElement(using: &chance))
        let zone = try Zone(zoneName)
        let change = try #require(LocalDate(day))
        let start = Self.components(&chance)
        let end = Self.components(&chance)
        let schedule = try CivilSchedule(
            Schedule(intervalStart: start, intervalEnd: end, repeats: true), zone: zone)

        let minutes = (change.dayNumber - 20) * 1440..<(change.dayNumber + 32) * 1440
        var expected: [TimeRange] = []
        for (begin, finish) in Self.walk(start, end, minutes) {
            let date = LocalDate(dayNumber: begin / 1440)
            guard zone.start(of: date) < zone.start(of: date.advanced(by: 1)) else { continue }
            let start = zone.instant(ofWall: .minutes(Int64(begin)))
            let end = zone.instant(ofWall: .minutes(Int64(finish)))
            guard let range = TimeRange(start: start, end: end) else { continue }
            if let last = expected.last, range.start < last.end { continue }
            expected.append(range)
        }
        let from = zone.start(of: change.advanced(by: -9))
        let to = zone.start(of: change.advanced(by: 9))
        let window = try #require(TimeRange(start: from, end: to))
        let note: Comment = "\(zoneName) \(start) \(end)"
        #expect(schedule.occurrences(in: window) == expected.filter { $0.intersection(window) != nil }, note)
        for _ in 0..<10 {
            let anyTime = Instant.random(in: from..<to, using: &chance)
            let now = anyTime - anyTime.sinceEpoch.flooredRemainder(.minutes(15))
            #expect(schedule.occurrence(containing: now) == expected.first { $0.contains(now) }, note)
            #expect(schedule.nextOccurrence(after: now) == expected.first { $0.start > now }, note)
            #expect(schedule.current(orNextAfter: now) == expected.first { $0.end > now }, note)
        }
    }
}
