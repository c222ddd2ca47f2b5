import Contract
import Rules
import Schedules
import Testing
import Units

/// The real phone's month against what an independent oracle computed, to the millisecond.
@Suite(.enabled(if: SharedData.has("android-wellbeing/events.csv"), SharedData.absence))
struct PhoneMonthTests {
    static let folder = "android-wellbeing/"

    @Test(arguments: ["UTC", "America/New_York"])
    func appsByDay(zone: String) throws {
        let expected = try SharedData.rows(Self.folder + "expected.csv").filter { $0["zone"] == zone }
        let rows = try Self.report(try Self.month(), zone, by: .app)
        #expect(
            rows == expected.map { "\($0["date"] ?? ""),\($0["package"] ?? ""),\($0["foreground_ms"] ?? "")" }
        )
        #expect(rows.count > 300)
    }

    @Test(arguments: ["UTC", "America/New_York"], [ReportGrouping.device, .total])
    func anyAppByDay(zone: String, key: ReportGrouping) throws {
        let expected = try SharedData.rows(Self.folder + "expected_device.csv").filter { $0["zone"] == zone }
        let name = key == .device ? "phone" : "all"
        let rows = try Self.report(try Self.month(), zone, by: key)
        #expect(rows == expected.map { "\($0["date"] ?? ""),\(name),\($0["any_app_foreground_ms"] ?? "")" })
        #expect(rows.count == 31)
    }

    @Test(arguments: ["autumn2023", "spring2023"])
    func appsByDayOverAChangeOfTheClock(variant: String) throws {
        let expected = try SharedData.rows(Self.folder + "expected_dst.csv").filter {
            $0["variant"] == variant
        }
        let zone = try #require(expected.first?["zone"])
        let shift = Milliseconds(try #require(expected.first?["shift_ms"].flatMap { Int64($0) }))
        let moved = try Self.month().map {
            UsageChange(at: $0.at + shift, ordinal: $0.ordinal, $0.kind)
        }
        let rows = try Self.report(moved, zone, by: .app)
        #expect(
            rows == expected.map { "\($0["date"] ?? ""),\($0["package"] ?? ""),\($0["foreground_ms"] ?? "")" }
        )
    }

    @Test func everyRowIsAccountedFor() throws {
        let log = try DigitalWellbeing.parse(try SharedData.bytes(Self.folder + "events.csv"))
        #expect(log.counts.rows == 11_663)
        #expect(log.counts.repeated == 0)
        #expect(
            log.counts.taken == [
                "opened": 2885, "closed": 2872 + 2634, "reset": 12, "unlocked": 543, "notification": 1829,
            ])
        #expect(log.counts.skipped == [19: 444, 20: 444])
    }

    @Test func everyUnlockIsAPickup() throws {
        var machine = UsageMachine()
        var output = machine.apply(try Self.month())
        output.marks += machine.closing().marks
        #expect(output.marks.count { $0.kind == .pickup } == 543)
        #expect(output.marks.count { $0.kind == .notification } == 1829)
        #expect(machine.openSubjects == [])
    }

    static func month() throws -> [UsageChange] {
        try DigitalWellbeing.parse(try SharedData.bytes(folder + "events.csv")).changes
    }

    /// `date,key,milliseconds` for every local day the changes touch.
    static func report(_ changes: [UsageChange], _ zoneName: String, by key: ReportGrouping) throws
        -> [String]
    {
        var machine = UsageMachine()
        let phone = DeviceUse(device: "phone", uses: machine.apply(changes).uses)
        let zone = try Zone(zoneName)
        guard let first = changes.first, let last = changes.last else { return [] }
        let segments = zone.segments(
            .daily, from: zone.date(at: first.at), through: zone.date(at: last.at))
        return Totals.durations(of: [phone], by: key, in: segments.map(\.interval))
            .map { "\(segments[$0.segment].label),\($0.key),\($0.value)" }
    }
}
