import Foundation
import Schedules
import Testing
import Units

/// The end of the day that contains an instant.
@Suite struct DayEndTests {
    /// Where a day does not exist, and by a slow search, minute by minute.
    @Test func theEndIsTheNextStart() throws {
        let apia = try Zone("Pacific/Apia")
        // 2011-12-29 in Apia; the 30th does not exist.
        let last = try instant("2011-12-30T09:00:00Z")
        #expect(apia.dayEnd(after: last) == (try instant("2011-12-30T10:00:00Z")))
        let berlin = try Zone("Europe/Berlin")
        for text in ["2026-03-28T20:00:00Z", "2026-10-24T20:00:00Z"] {
            for start in [0, 90, 150, 180, 240, 1_439] as [Int64] {
                var expected: Instant?
                let first = try instant(text)
                for minute in stride(from: Int64(2_880), to: 0, by: -15) {
                    let now = first + .minutes(minute)
                    let begins = [-1, 0, 1, 2, 3].map { day in
                        berlin.start(of: berlin.date(at: first).advanced(by: day), .minutes(start))
                    }
                    expected = begins.filter { $0 > now }.min()
                    #expect(berlin.dayEnd(after: now, dayStart: .minutes(start)) == expected)
                }
            }
        }
    }

    private func instant(_ text: String) throws -> Instant {
        let date = try #require(ISO8601DateFormatter().date(from: text))
        return Instant(milliseconds: Int64(date.timeIntervalSince1970) * 1_000)
    }
}
