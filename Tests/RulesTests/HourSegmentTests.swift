import Contract
import Foundation
import Rules
import Schedules
import Testing
import Units

/// Hours of local days and their labels, against the wall clock of each minute and Foundation's formatter.
struct HourSegmentTests {
    @Test(arguments: [
        ("UTC", "2025-01-01"), ("Europe/Berlin", "2024-03-30"), ("Europe/Berlin", "2024-10-26"),
        ("America/New_York", "2023-11-04"), ("Australia/Lord_Howe", "2024-10-05"),
        ("Australia/Lord_Howe", "2024-04-06"), ("Pacific/Apia", "2011-12-29"),
        ("Asia/Kathmandu", "1985-12-31"), ("Africa/Monrovia", "1972-01-06"),
    ])
    func hoursFollowTheWallClock(zoneName: String, day: String) throws {
        let zone = try Zone(zoneName)
        let from = try #require(LocalDate(day))
        for dayStart in [0, .minutes(61)] as [Milliseconds] {
            let to = from.advanced(by: 2)
            let whole = try #require(zone.interval(from: from, through: to, dayStart: dayStart))
            let segments = zone.segments(.hourly, from: from, through: to, dayStart: dayStart)
            #expect(segments.first?.interval.start == whole.start)
            #expect(segments.last?.interval.end == whole.end)
            for (segment, next) in zip(segments, segments.dropFirst()) {
                #expect(segment.interval.end == next.interval.start)
            }
            for segment in segments {
                #expect(segment.label == Self.label(segment.interval.start, zoneName))
                let first = zone.wall(at: segment.interval.start).flooredQuotient(Milliseconds.hour)
                let offset = zone.offset(at: segment.interval.start)
                for instant in stride(
                    from: segment.interval.start.milliseconds, to: segment.interval.end.milliseconds,
                    by: 60_000)
                {
                    let instant = Instant(milliseconds: instant)
                    #expect(zone.wall(at: instant).flooredQuotient(Milliseconds.hour) == first)
                    #expect(zone.offset(at: instant) == offset)
                }
                // No longer than it must be: at its end the wall clock or the offset changes.
                let end = segment.interval.end
                let isHour = zone.wall(at: end).flooredRemainder(.hour) == 0
                #expect(isHour || zone.offset(at: end) != offset || end == whole.end)
            }
        }
    }

    private static func label(_ instant: Instant, _ zoneName: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: zoneName)
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssxxx"
        return formatter.string(from: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1_000))
    }
}
