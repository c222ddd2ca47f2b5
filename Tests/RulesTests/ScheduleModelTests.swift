import Contract
import Rules
import Schedules
import Testing

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
            guard zone.start_ms(of: date) < zone.start_ms(of: date.advanced(by: 1)) else { continue }
            let start_ms = zone.instant_ms(ofWall: Int64(begin) * 60_000)
            let end_ms = zone.instant_ms(ofWall: Int64(finish) * 60_000)
            guard let range = TimeRange(start_ms: start_ms, end_ms: end_ms) else { continue }
            if let last = expected.last, range.start_ms < last.end_ms { continue }
            expected.append(range)
        }
        let from_ms = zone.start_ms(of: change.advanced(by: -9))
        let to_ms = zone.start_ms(of: change.advanced(by: 9))
        let window = try #require(TimeRange(start_ms: from_ms, end_ms: to_ms))
        let note: Comment = "\(zoneName) \(start) \(end)"
        #expect(schedule.occurrences(in: window) == expected.filter { $0.intersection(window) != nil }, note)
        for _ in 0..<10 {
            let now_ms = Int64.random(in: from_ms..<to_ms, using: &chance) / 900_000 * 900_000
            #expect(schedule.occurrence(containing: now_ms) == expected.first { $0.contains(now_ms) }, note)
            #expect(schedule.nextOccurrence(after: now_ms) == expected.first { $0.start_ms > now_ms }, note)
            #expect(schedule.current(orNextAfter: now_ms) == expected.first { $0.end_ms > now_ms }, note)
        }
    }
}
