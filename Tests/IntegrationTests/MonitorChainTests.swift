import Contract
import JSON
import ScreenTimeTesting
import Testing
import Units

/// From a registration to its delivery through all processes, by the virtual clock.
@Suite struct MonitorChainTests {
    private static func allDay(_ minutes: Int64, past: Bool = true) -> ActivityDefinition {
        .daily(
            "daily", from: (0, 0), to: (0, 0),
            events: [
                EventDefinition(
                    name: "minute", applications: ["game"], threshold: DateComponents(minute: minutes),
                    includesPastActivity: past)
            ])
    }

    /// The counter of iOS apps: each callback registers the next minute, and once dies just after it did.
    @Test func anExtensionThatRegistersAgainFromItsCallbackGetsEachMinuteOnce() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            let bundle = try await world.approvedFixture()
            try bundle.write("", "counter")
            try await world.monitor([Self.allDay(1)], client: bundle.client)
            let begin = try world.clock.now
            try await world.use("game", for: .seconds(150))
            try bundle.write("", "crash-once")
            try await world.clock.advance(.seconds(10))
            try await world.use("game", for: .seconds(300))
            let told = try await world.deliveries().filter { $0.callback == "eventDidReachThreshold" }
            let expected = (1...7).map { begin + $0 * 60_000 + ($0 > 2 ? 10_000 : 0) }
            #expect(told.map(\.about.at) == expected, "ten seconds without use after the second")
            #expect(told.map(\.about.total) == (1...7).map { $0 * 60_000 })
            #expect(told.allSatisfy { $0.state == .delivered && $0.about.past == nil })
            #expect(told.map(\.attempt) == [1, 1, 2, 1, 1, 1, 1])
            #expect(told.map(\.failures) == [nil, nil, 1, nil, nil, nil, nil])
        }
    }

    @Test func deliveryListTellsWhatIsArmedAndWhatLateDataSay() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            let bundle = try await world.approvedFixture()
            try await world.monitor([Self.allDay(10)], client: bundle.client)
            let begin = try world.clock.now
            func report() async throws -> JSONValue {
                try await world.command("delivery", "list", "daily", "--json").json()
            }
            func reached(in report: JSONValue) -> JSONValue? {
                report["deliveries"]?.arrayValue?.first {
                    $0["delivery"]?["callback"] == "eventDidReachThreshold"
                }
            }
            let before = try await report()
            let armed = before["pending"]?.arrayValue?.first { $0["event"] == "minute" }
            #expect(armed?["due_ms"] == nil && armed?["total_ms"] == 0, "nothing is in use")
            try await world.use("game", for: .minutes(11))
            let delivered = try #require(reached(in: try await report()))
            #expect(delivered["delivery"]?["about"]?["at_ms"] == .integer((begin + 600_000).milliseconds))
            #expect(delivered["delivery"]?["started_ms"] == .integer((begin + 600_000).milliseconds))
            #expect(delivered["delivery"]?["finished_ms"] == .integer((begin + 600_000).milliseconds))
            #expect(delivered["delivery"]?["about"]?["registered_ms"] == .integer(begin.milliseconds))
            #expect(delivered["recounted"]?["at_ms"] == .integer((begin + 600_000).milliseconds))
            let early = [
                Observation(at: begin - 3_600_000, kind: .opened, app: "game", instance: 1),
                Observation(at: begin - 3_360_000, kind: .closed, app: "game", instance: 1),
            ]
            try await world.observe(early, device: "phone", model: "android")
            let late = try #require(reached(in: try await report()))
            #expect(late["delivery"] == delivered["delivery"], "a delivered crossing is final")
            #expect(late["recounted"]?["at_ms"] == .integer((begin + 360_000).milliseconds))
            let table = try await world.command("delivery", "list").output
            #expect(table.contains("eventDidReachThreshold") && table.contains("ARMED FOR"))
        }
    }

    @Test func aMembersSchedulesFollowTheirZone() async throws {
        try await World.with(clock: "2026-02-02T12:00:00Z") { world in
            let recorder = try world.record(.activity)
            let me = try await world.call(MemberList.self, Nothing()).members[0]
            func move(_ zone: String) async throws {
                _ = try await world.call(MemberSet.self, MemberSet.Params(name: me.name, zone: zone))
                try await world.clock.settle()
            }
            try await move("Europe/Berlin")
            try await world.monitor([.daily("day", from: (0, 0), to: (0, 0))])
            try await move("America/New_York")
            try await world.clock.advance(to: "2026-02-03T12:00:00Z")
            // In Kolkata it is half past ten in the evening of the same day.
            try await world.clock.advance(to: "2026-02-03T17:00:00Z")
            try await move("Asia/Kolkata")
            try await world.clock.advance(to: "2026-02-03T20:00:00Z")
            let told = try await world.callbacks(recorder).map { $0.replacing("2026-", with: "") }
            #expect(
                told == [
                    "02-02T12:00:00.000Z intervalDidStart day", "02-03T05:00:00.000Z intervalDidEnd day",
                    "02-03T05:00:00.000Z intervalDidStart day", "02-03T18:30:00.000Z intervalDidEnd day",
                    "02-03T18:30:00.000Z intervalDidStart day",
                ])
        }
    }

    @Test func applesLimitsHoldWhereStrictIsOn() async throws {
        try await World.with([]) { world in
            try await world.start("activity-center", environment: ["SCREENTIME_STRICT": "1"])
            func refusal(_ activities: [ActivityDefinition]) async -> ErrorName? {
                do {
                    try await world.monitor(activities)
                    return nil
                } catch { return (error as? ServiceError)?.name }
            }
            #expect(await refusal([.daily("a", from: (8, 0), to: (8, 14))]) == .intervalTooShort)
            let many = (1...21).map { ActivityDefinition.allDay("a\($0)") }
            #expect(await refusal(many) == .excessiveActivities)
            #expect(await refusal(Array(many.dropLast())) == nil)
            #expect(await refusal([many[0]]) == nil, "the same name again is no other activity")
            #expect(await refusal([many[20]]) == .excessiveActivities)
        }
    }

    @Test func stopWithoutNamesStopsAll() async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            let recorder = try world.record(.activity)
            try await world.monitor([.allDay("a"), .allDay("b")])
            let nameless = try await world.command("monitor", "stop")
            #expect(nameless.status == 64)
            let stopped = try await world.command("monitor", "stop", "--all")
            #expect(stopped.lines == ["Stopped 'a'.", "Stopped 'b'."])
            let left = try await world.call(MonitoringList.self, MonitoringList.Params()).activities
            #expect(left.isEmpty)
            _ = try await recorder.wait(for: "two ends") {
                try $0.all(IntervalDidEnd.self).count == 2 ? true : nil
            }
        }
    }
}
