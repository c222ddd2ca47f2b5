import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ActivityCore
@testable import ServiceKit
@testable import Store

/// A sensor that falls silent while nothing can be stored.
@Suite @LoopActor struct UnconfirmedUseTests {
    /// Its use ended at its last heartbeat. When that can be written at last, what the use would have reached
    /// meanwhile is not told.
    @Test(arguments: [110, 130]) func unconfirmedUseReachesNothing(threshold: Int64) async throws {
        let center = try ToldOnceTests.Center()
        let service = center.core.service
        let start = service.clock.now
        let client = try center.client()
        var daily = ActivityDefinition(name: "daily")
        daily.schedule = Schedule(
            intervalStart: DateComponents(hour: 0, minute: 0),
            intervalEnd: DateComponents(hour: 0, minute: 0), repeats: true)
        daily.events = [EventDefinition(name: "e", threshold: DateComponents(second: threshold))]
        _ = try await client.call(
            MonitoringStart.self, MonitoringStart.Params(activities: [daily]))
        func observe(_ kind: ObservationKind, _ app: String? = nil) throws {
            let one = Observation(at: service.clock.now, kind: kind, app: app)
            let params = UsageObserve.Params(device: "here", deviceModel: "linux", observations: [one])
            try service.transact(trace: nil) { _ = try center.core.usage.observe(params, $0) }
            service.endTurn()
        }
        try observe(.focus, "chess")
        for second: Int64 in [30, 60] {
            try center.move(to: start + .seconds(second))
            try observe(.alive)
        }
        let faults = CommitFaults(service.database)
        faults.failsCommit = { true }
        for second: Int64 in 61...140 { try center.move(to: start + .seconds(second)) }
        #expect(faults.failures > 0)
        faults.failsCommit = { false }
        for second: Int64 in 141...150 { try center.move(to: start + .seconds(second)) }
        let told = try center.told().filter { $0.contains("Threshold") }
        #expect(told.isEmpty, "the use ended a minute after its start")
        let open = try center.core.usage.streams.all().filter { !$0.isStale }
        #expect(open.isEmpty, "the use is ended")
        client.close()
        center.close()
    }
}
