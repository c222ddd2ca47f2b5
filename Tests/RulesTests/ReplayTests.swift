import Units
import Schedules
import Contract
import Replay
import Testing

@testable import Rules

/// Recorded time against answers computed another way.
struct ReplayTests {
    static func policy(
        _ events: [EventDefinition], start: DateComponents = DateComponents(hour: 0, minute: 0),
        end: DateComponents = DateComponents(hour: 23, minute: 59, second: 59),
        warning: DateComponents? = nil
    ) -> [ActivityDefinition] {
        [
            ActivityDefinition(
                name: "daily",
                schedule: Schedule(
                    intervalStart: start, intervalEnd: end, repeats: true, warningTime: warning),
                events: events)
        ]
    }

    static func event(
        _ name: String, _ seconds: Int64, apps: [String] = [], domains: [String] = [],
        categories: [String] = [], past: Bool = false
    ) -> EventDefinition {
        EventDefinition(
            name: name, applications: apps, categories: categories, webDomains: domains,
            threshold: DateComponents(second: seconds), includesPastActivity: past)
    }

    static func text(_ callbacks: [ReplayedCallback], from base: Instant = 0) -> [String] {
        callbacks.map {
            let total = $0.total.map(\.description) ?? "-"
            return "\($0.at - base) \($0.callback.rawValue) \($0.event ?? "-") \(total)"
        }
    }

    /// 2024-05-01T10:00:00Z
    static let t: Instant = 1_714_557_600_000

    static func visits(_ rows: [(Milliseconds, String)], _ panelist: String = "p") -> ImportedDevice {
        ImportedDevice(
            name: panelist,
            changes: rows.map { UsageChange(at: t + $0.0 * 1000, ordinal: 0, .visit($0.1)) })
    }

    @Test func visitsOfTwoDevicesCountByDomainAndCategory() throws {
        let replay = try #require(
            Replay([
                Self.visits([(0, "www.example.org"), (100, "youtube.com"), (160, "end.org")]),
                Self.visits([(50, "a.example.org"), (120, "youtube.com"), (200, "end.org")], "q"),
            ]))
        let callbacks = try replay.callbacks(
            of: Self.policy([
                Self.event("site", 120, domains: ["example.org"]),
                Self.event("fun", 70, categories: ["entertainment"]), Self.event("all", 150),
            ]), zone: try Zone("UTC"))
        // The two devices' seconds of one site are united: 0-100 and 50-120; of all: 0-200.
        #expect(
            Self.text(callbacks, from: Self.t) == [
                "-36000000 intervalDidStart - -", "120000 eventDidReachThreshold site 120000",
                "150000 eventDidReachThreshold all 150000", "170000 eventDidReachThreshold fun 70000",
            ])
    }

    @Test func registrationLaterCountsFromThereOrFromTheStart() throws {
        let day: [(Milliseconds, UsageChange.Kind)] = [
            (0, .focus(.app("a"))), (600, .idle), (700, .active), (1_300, .focus(.nothing)),
        ]
        let device = ImportedDevice(
            name: "d", model: "linux",
            changes: day.map { UsageChange(at: Self.t + $0.0 * 1000, ordinal: 0, $0.1) })
        let replay = try #require(Replay([device]))
        let events = [
            Self.event("later", 300, apps: ["a"]), Self.event("past", 300, apps: ["a"], past: true),
            Self.event("both", 700, apps: ["a"], past: true),
        ]
        let callbacks = try replay.callbacks(
            of: Self.policy(events), zone: try Zone("UTC"), registered: Self.t + 500_000)
        #expect(
            Self.text(callbacks, from: Self.t) == [
                "-36000000 intervalDidStart - -", "300000 eventDidReachThreshold past 300000",
                "800000 eventDidReachThreshold both 700000", "900000 eventDidReachThreshold later 300000",
            ])
        let tooLate = try replay.callbacks(
            of: Self.policy(events), zone: try Zone("UTC"), registered: Self.t + 1_300_001)
        #expect(tooLate == [])
    }

    @Test func timeEndsWithTheLastObservationItsInstantIncluded() throws {
        func device(_ last_s: Milliseconds, model: String) -> ImportedDevice {
            ImportedDevice(
                name: "d", model: model,
                changes: [
                    UsageChange(at: Self.t, ordinal: 0, .opened(.app("a"), instance: 1)),
                    UsageChange(at: Self.t + last_s * 1000, ordinal: 0, .notification(.app("b"))),
                ])
        }
        func reached(_ device: ImportedDevice) throws -> [String] {
            let replay = try #require(Replay([device]))
            let policy = Self.policy([Self.event("e", 60)])
            return Self.text(try replay.callbacks(of: policy, zone: try Zone("UTC")), from: Self.t)
                .filter { $0.contains("event") }
        }
        #expect(try reached(device(60, model: "linux")) == ["60000 eventDidReachThreshold e 60000"])
        #expect(try reached(device(59, model: "linux")) == [])
        #expect(try reached(device(60, model: "android")) == [], "nothing closes it")
    }

    /// The clock is set back by an hour in a running boot: use continues after the earlier use, nothing
    /// repeats.
    @Test func aClockSetBackRepeatsNothing() throws {
        let told: [(Milliseconds, Milliseconds, UsageChange.Kind)] = [
            (0, 100, .focus(.app("a"))), (60, 160, .alive), (-3_600 + 80, 180, .focus(.app("b"))),
            (-3_600 + 140, 240, .idle),
        ]
        let device = ImportedDevice(
            name: "d", model: "linux",
            changes: told.map { at_s, elapsed_s, kind in
                UsageChange(
                    at: Self.t + at_s * 1000, ordinal: 0,
                    boot: UsageChange.BootTime(id: "one", elapsed: elapsed_s * 1000), kind)
            }.reversed())
        let callbacks = try #require(Replay([device])).callbacks(
            of: Self.policy([Self.event("a", 80, apps: ["a"]), Self.event("all", 140)]),
            zone: try Zone("UTC"))
        #expect(
            Self.text(callbacks, from: Self.t).dropFirst() == [
                "80000 eventDidReachThreshold a 80000", "140000 eventDidReachThreshold all 140000",
            ])
    }

    /// The first millisecond in [from, to) at which some sets have at least this much, found by walking the
    /// edges.
    static func crossing(
        _ sets: [IntervalSet], _ from: Instant, _ to: Instant, _ goal: Milliseconds
    ) -> Instant? {
        let stretches = sets.flatMap {
            $0.intervals.map { (max($0.start, from), min($0.end, to)) }
        }
        .filter { $0.0 < $0.1 }
        let edges = Set(stretches.flatMap { [$0.0, $0.1] }).sorted()
        var total: Milliseconds = 0
        for (edge, next) in zip(edges, edges.dropFirst()) {
            let rate = Int64(stretches.count { $0.0 <= edge && next <= $0.1 })
            if rate > 0, total + rate * (next - edge) >= goal {
                let missing: Milliseconds = goal - total
                return edge + (missing + Milliseconds(rate - 1)) / rate
            }
            total += rate * (next - edge)
        }
        return nil
    }

    @Test(
        .enabled(if: SharedData.has("android-wellbeing/events.csv"), SharedData.absence),
        arguments: [
            ("UTC", 0), ("America/New_York", 11_750_400_000), ("Australia/Lord_Howe", 9_000_000_123),
            ("Asia/Kathmandu", -5), ("Pacific/Apia", -360_400_000_000),
        ])
    func everyDayOfThePhonesMonthIsRightToTheMillisecond(zoneName: String, shift: Milliseconds) throws {
        let file = try ImportFormat.digitalWellbeing.parse(
            try SharedData.bytes("android-wellbeing/events.csv"))
        let changes = file.devices[0].changes.map {
            UsageChange(at: $0.at + shift, ordinal: $0.ordinal, $0.kind)
        }
        let use = UsageTables.use(of: "phone", changes, isLive: false)
        let apps = use.uses.sorted { $0.value.total > $1.value.total }.prefix(6).map(\.key.id)
        let events =
            apps.enumerated().map {
                Self.event("e\($0.offset)", Int64(61 + 977 * $0.offset), apps: [$0.element])
            }
            + [Self.event("three", 3_600, apps: Array(apps.prefix(3))), Self.event("all", 5_000)]
        let zone = try Zone(zoneName)
        var expected: [String] = []
        let last = changes[changes.count - 1].at
        for segment in zone.segments(
            .daily, from: zone.date(at: changes[0].at), through: zone.date(at: last))
        {
            let day = segment.interval
            let counted = max(day.start, changes[0].at)
            for event in events {
                let named = event.applications ?? []
                let sets = named.isEmpty ? [use.union] : named.compactMap { use.uses[.app($0)] }
                let goal = Milliseconds.seconds(try #require(event.threshold.second))
                // The last second of a day is no part of the schedule.
                let at = Self.crossing(sets, counted, day.end - 1_000, goal)
                if let at { expected.append("\(at) \(event.name) \(day.start)") }
            }
        }
        let replay = try #require(Replay(file.devices, shift: shift))
        let found = try replay.callbacks(of: Self.policy(events), zone: zone)
            .filter { $0.callback == .eventDidReachThreshold }
        #expect(
            Set(found.map { "\($0.at) \($0.event ?? "") \($0.occurrenceStart)" }) == Set(expected))
        #expect(found.count == expected.count && expected.count > 30)
    }

    @Test(arguments: (0..<40).map { UInt64($0) })
    func theOrderOfTheFileDecidesNothing(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let start = Instant.random(in: 1_700_000_000_000...1_720_000_000_000, using: &chance)
        let devices = (0..<2).map { number in
            ImportedDevice(
                name: "d\(number)", model: number == 0 ? "linux" : "android",
                changes: UsageModelTests.history(&chance, from: start))
        }
        let policy = Self.policy(
            [Self.event("a", 1, apps: ["a"]), Self.event("b", 600, apps: ["b", "c"]), Self.event("all", 7)],
            warning: DateComponents(second: 30))
        let zone = try Zone("Europe/Berlin")
        let shuffled = devices.reversed().map { device in
            var other = device
            other.changes = device.changes.shuffled(using: &chance)
            return other
        }
        #expect(
            try Replay(devices)?.callbacks(of: policy, zone: zone)
                == Replay(shuffled)?.callbacks(of: policy, zone: zone))
    }
}
