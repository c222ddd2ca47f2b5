import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

/// Notes of lists on the command line beside the rows: why an interval is missing, and that there is more.
@Suite(.timeLimit(.minutes(3))) struct ListingTests {
    private static func daily(_ name: String, from start: Int64, to end: Int64) -> ActivityDefinition {
        ActivityDefinition(
            name: name,
            schedule: Schedule(
                intervalStart: DateComponents(hour: start), intervalEnd: DateComponents(hour: end),
                repeats: true))
    }

    @Test func aClockChangeIsExplainedWhereIntervalsAreListed() async throws {
        let environment = ["TZ": "America/New_York"]
        try await World.with(environment: environment, clock: "2026-03-05T12:00:00Z") { world in
            let activities = [Self.daily("night", from: 2, to: 3), Self.daily("noon", from: 12, to: 13)]
            _ = try await world.call(MonitoringStart.self, MonitoringStart.Params(activities: activities))
            let expected =
                "night: 2026-03-08 02:00: left out, because the clock goes from 02:00 to 03:00, which leaves no time "
                + "between its start and its end, by the clock of the member's time zone."
            func explanations(_ words: String...) async throws -> [String] {
                try await world.command(words).lines.filter { $0.contains("because the clock") }
            }
            #expect(try await explanations("monitor", "list") == [expected])
            #expect(try await explanations("delivery", "list") == [expected])
            #expect(try await explanations("delivery", "list", "noon") == [])
            try await world.clock.advance(.hours(24 * 5))
            #expect(try await explanations("monitor", "list") == [expected], "also afterwards")
            let told = try await world.call(DeliveryList.self, DeliveryList.Params(activity: "night"))
            #expect(told.deliveries.count == 8, "four nights of five")
            try await world.clock.advance(.hours(24 * 8))
            #expect(try await explanations("monitor", "list") == [])
            try await Self.pages(world)
        }
    }

    @LoopActor private static func pages(_ world: World) async throws {
        let whole = try await world.call(DeliveryList.self, DeliveryList.Params(limit: 1_000))
        #expect(whole.previous == nil && whole.deliveries.count > 20)
        var ids: [Int64] = []
        var before: Int64?
        repeat {
            let page = try await world.call(DeliveryList.self, DeliveryList.Params(limit: 7, before: before))
            #expect(page.deliveries.count == 7 || page.previous == nil)
            ids = page.deliveries.map(\.id) + ids
            before = page.previous
        } while before != nil
        #expect(ids == whole.deliveries.map(\.id))
        let first = try await world.command("delivery", "list", "--limit", "3")
        let last = try #require(whole.deliveries.dropLast(2).last)
        let next = "screentime delivery list --limit 3 --before \(last.id)`"
        #expect(first.errors.contains(next), "\(first.errors)")
        let second = try await world.command("delivery", "list", "--limit", "3", "--before", "\(last.id)")
        #expect(second.status == 0 && second.lines.count == 4, "a header and three; nothing to come")
        #expect(try await world.command("delivery", "list", "--before", "0").status == 64)
    }
}
