import Bus
import Contract
import Loop
import Testing
import Units

@testable import ActivityCore
@testable import ServiceKit

/// The time until the next callback, in the answer to an observation.
@Suite @LoopActor struct UntilNextCallbackTests {
    @Test func itFollowsTheUse() async throws {
        let center = try ToldOnceTests.Center()
        defer { center.close() }
        let start = center.core.service.clock.now
        let client = try center.client()
        defer { client.close() }
        func untilNext(_ kind: ObservationKind, _ app: String? = nil) async throws -> Milliseconds? {
            let one = Observation(at: center.core.service.clock.now, kind: kind, app: app)
            let params = UsageObserve.Params(device: "here", deviceModel: "linux", observations: [one])
            return try await client.call(UsageObserve.self, params).untilNextCallback
        }
        #expect(try await untilNext(.focus, "mail") == nil)
        var daily = ActivityDefinition(name: "daily")
        daily.schedule = Schedule(
            intervalStart: DateComponents(hour: 0, minute: 0),
            intervalEnd: DateComponents(hour: 0, minute: 0), repeats: true)
        daily.events = [
            EventDefinition(name: "e", applications: ["chess"], threshold: DateComponents(second: 100))
        ]
        _ = try await client.call(MonitoringStart.self, MonitoringStart.Params(activities: [daily]))
        let midnight = try #require(try await untilNext(.alive))
        #expect(midnight > .hours(1))
        // Of two observations of one instant the order is not known.
        try center.move(to: start + .seconds(1))
        #expect(try await untilNext(.focus, "chess") == .seconds(100))
        try center.move(to: start + .seconds(31))
        #expect(try await untilNext(.alive) == .seconds(70))
        #expect(try await untilNext(.locked) == midnight - .seconds(31))
    }

    /// It would tell when another app's callback is due.
    @Test func anAppIsNotTold() async throws {
        let center = try ToldOnceTests.Center()
        defer { center.close() }
        let client = try center.client()
        defer { client.close() }
        let app = "org.example.app"
        let right = Authorization(
            id: "abcdef", client: app, member: Household.defaultMember, status: .approved, access: true,
            restrictions: true, requested: 1)
        try center.core.service.transact(trace: nil) { try center.core.service.household.note(right, $0) }
        var daily = ActivityDefinition(name: "daily")
        daily.schedule = Schedule(
            intervalStart: DateComponents(hour: 0, minute: 0),
            intervalEnd: DateComponents(hour: 0, minute: 0), repeats: true)
        _ = try await client.call(MonitoringStart.self, MonitoringStart.Params(activities: [daily]))
        func answer(to caller: String?) async throws -> UsageObserve.Result {
            let one = Observation(at: center.core.service.clock.now, kind: .focus, app: "mail")
            return try await client.call(
                UsageObserve.self,
                UsageObserve.Params(
                    device: caller ?? "here", deviceModel: "linux", observations: [one]),
                options: CallOptions(client: caller))
        }
        let (own, apps) = (try await answer(to: nil), try await answer(to: app))
        #expect(own.untilNextCallback != nil)
        #expect(apps.accepted == 1 && apps.untilNextCallback == nil)
    }
}
