import Contract
import Rules
import Schedules
import Testing
import Units

struct TotalsTests {
    static func range(_ start: Instant, _ end: Instant) throws -> TimeRange {
        try #require(TimeRange(start: start, end: end))
    }

    static func text(_ rows: [TotalRow]) -> [String] { rows.map { "\($0.segment) \($0.key) \($0.value)" } }

    static func devices() throws -> [DeviceUse] {
        let laptop = DeviceUse(
            device: "laptop",
            uses: [
                Use(.app("firefox"), try range(0, 100)), Use(.app("mail"), try range(100, 150)),
                Use(.domain("news.example.org"), try range(20, 60)),
                Use(.domain("x.test"), try range(60, 70)),
            ],
            marks: [
                Mark(.pickup, at: 0, subject: .app("firefox")), Mark(.pickup, at: 120, subject: nil),
                Mark(.notification, at: 99, subject: .app("mail")),
                Mark(.notification, at: 100, subject: .app("mail")),
                Mark(.notification, at: 200, subject: .app("mail")),
            ])
        let phone = DeviceUse(
            device: "phone",
            uses: [Use(.app("mail"), try range(140, 180)), Use(.app("firefox"), try range(50, 60))],
            marks: [Mark(.notification, at: 100, subject: .app("chat"))])
        return [laptop, phone]
    }

    static let catalogue = Catalogue(
        appCategories: ["firefox": "productivity", "mail": "social"],
        domainCategories: ["example.org": "reading", "org": "other"], browsers: ["firefox"])

    @Test(arguments: [
        (ReportGrouping.app, ["0 firefox 100", "1 mail 80"]),
        (.domain, ["0 news.example.org 40", "0 x.test 10"]),
        (.device, ["0 laptop 100", "0 phone 10", "1 laptop 50", "1 phone 40"]),
        (.total, ["0 all 100", "1 all 80"]),
        // The phone's firefox has no known domain at 50-60: that time stays the browser's.
        (.category, ["0 other 10", "0 productivity 60", "0 reading 40", "1 social 80"]),
    ])
    func durations(by key: ReportGrouping, expected: [String]) throws {
        let segments = [try Self.range(0, 100), try Self.range(100, 200)]
        let rows = Totals.durations(of: try Self.devices(), by: key, catalogue: Self.catalogue, in: segments)
        #expect(Self.text(rows) == expected)
    }

    @Test(arguments: [
        (Mark.Kind.notification, ReportGrouping.app, ["0 mail 1", "1 chat 1", "1 mail 1"]),
        (.notification, .category, ["0 social 1", "1 other 1", "1 social 1"]),
        (.notification, .device, ["0 laptop 1", "1 laptop 1", "1 phone 1"]),
        (.notification, .total, ["0 all 1", "1 all 2"]),
        (.pickup, .app, ["0 firefox 1"]), (.pickup, .total, ["0 all 1", "1 all 1"]), (.pickup, .domain, []),
    ])
    func counts(of kind: Mark.Kind, by key: ReportGrouping, expected: [String]) throws {
        let segments = [try Self.range(0, 100), try Self.range(100, 200)]
        let rows = Totals.counts(
            of: kind, on: try Self.devices(), by: key, catalogue: Self.catalogue, in: segments)
        #expect(Self.text(rows) == expected)
    }

    /// A month around a change of the clock, in zones of every kind: nothing is lost between segments.
    @Test(
        arguments: [
            "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
            "Pacific/Apia",
            "America/St_Johns", "Africa/Monrovia",
        ], ReportSegment.allCases)
    func segmentsAddUpToTheTotal(zoneName: String, length: ReportSegment) throws {
        var chance = Chance(seed: UInt64(zoneName.utf8.count))
        let zone = try Zone(zoneName)
        let from = try #require(LocalDate("2011-03-01"))
        let to = try #require(LocalDate("2012-01-31"))
        let segments = zone.segments(length, from: from, through: to).map(\.interval)
        let start = zone.start(of: from)
        let end = zone.start(of: to.advanced(by: 1))
        var device = DeviceUse(device: "d")
        for app in ["a", "b", "c"] {
            device.uses[.app(app)] = IntervalSet(
                (0..<2000).compactMap { _ in
                    let begin = Instant.random(in: start..<end, using: &chance)
                    let length = Milliseconds.random(in: 1...7_200_000, using: &chance)
                    return TimeRange(start: begin, end: min(end, begin + length))
                })
        }
        let rows = Totals.durations(of: [device], by: .app, in: segments)
        for (subject, time) in device.uses {
            let sum = rows.filter { $0.key == subject.id }.reduce(0) { $0 + $1.value }
            #expect(sum == time.total.count)
        }
        let union = Totals.durations(of: [device], by: .total, in: segments)
        #expect(union.reduce(0) { $0 + $1.value } == device.union.total.count)
    }

    @Test(arguments: [
        ("Europe/Berlin", "2024-03-31", 23), ("Europe/Berlin", "2024-10-27", 25), ("UTC", "2024-03-31", 24),
    ])
    func aDayOfConstantUseIsAsLongAsThatDay(zoneName: String, day: String, hours: Int64) throws {
        let zone = try Zone(zoneName)
        let date = try #require(LocalDate(day))
        let always = DeviceUse(
            device: "d", uses: [.app("a"): IntervalSet(try Self.range(0, 4_000_000_000_000))])
        for length in [ReportSegment.daily, .hourly] {
            let segments = zone.segments(length, from: date, through: date).map(\.interval)
            let rows = Totals.durations(of: [always], by: .app, in: segments)
            #expect(rows.map(\.value) == segments.map(\.duration.count))
            #expect(rows.reduce(0) { $0 + $1.value } == Milliseconds.hours(hours).count)
        }
    }
}
