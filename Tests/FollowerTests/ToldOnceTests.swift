import Bus
import CSQLite
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ActivityCore
@testable import ServiceKit
@testable import Store

/// What was told of an occurrence is told once, whatever is stored, undone, moved or forgotten afterwards.
@Suite @LoopActor struct ToldOnceTests {
    /// 2026-03-02T08:00:00Z, a Monday.
    private static let start: Instant = 1_772_438_400_000

    /// activity-center on a clock page; `at` moves it.
    @LoopActor final class Center {
        let directory: TestDirectory
        let configuration: Configuration
        let page: ClockPage
        var core: ActivityCenter

        init() throws {
            directory = try TestDirectory()
            configuration = try directory.configuration()
            try makeDirectories(configuration.stateDirectory, mode: 0o700)
            try ClockPage.create(in: configuration.stateDirectory, at: ToldOnceTests.start)
            page = try #require(try ClockPage.find(in: configuration.stateDirectory, writable: true))
            core = try ActivityCenter(configuration)
            try core.start()
            core.service.endTurn()
        }
        func restart(closing: Bool = true) throws {
            if closing { core.service.close() }
            core = try ActivityCenter(configuration)
            try core.start()
            core.service.endTurn()
        }
        func close() { core.service.close() }
        func move(to instant: Instant) throws {
            page.move(to: instant)
            (core.service.clock as? SystemClock)?.fire()
            core.service.endTurn()
        }
        /// Types of the callback events, with occurrence starts.
        func told() throws -> [String] {
            try core.service.eventLog.read(after: 0, limit: 10_000).compactMap { stored in
                let event = try AnyEvent.decode(stored.body)
                guard let data = event.data, stored.type.contains("nterval") || stored.type.contains("vent")
                else { return nil }
                guard stored.type.hasPrefix("activity.") else { return nil }
                let text = String(decoding: data.bytes, as: UTF8.self)
                let start = text.firstMatch(of: /"occurrence_start_ms":(\d+)/)?.output.1 ?? "?"
                return "\(stored.type) \(start)"
            }
        }
        func client() throws -> RequestClient {
            try RequestClient(to: .activity, in: configuration.runtime, tracer: Tracer(service: "test"))
        }
    }

    static func daily(_ from: Int64, _ to: Int64, warning: Int64? = nil) -> ActivityDefinition {
        var definition = ActivityDefinition()
        definition.name = "a"
        var schedule = Schedule()
        schedule.intervalStart.hour = from
        schedule.intervalEnd.hour = to
        schedule.repeats = true
        if let warning {
            var time = DateComponents()
            time.minute = warning
            schedule.warningTime = time
        }
        definition.schedule = schedule
        return definition
    }

    /// An extension registers its activity again inside intervalDidStart; then activity-center restarts.
    @Test func aStartThatWasToldIsNotToldAgainAfterARestart() async throws {
        let center = try Center()
        var client = try center.client()
        let first = try await client.call(
            MonitoringStart.self, MonitoringStart.Params(activities: [Self.daily(0, 23)]))
        let begun = try center.told()
        let open = try #require(first.activities.first?.intervalStart)
        _ = try await client.call(
            MonitoringStart.self,
            MonitoringStart.Params(activities: [Self.daily(0, 23)], startTold: open))
        let before = try center.told()
        #expect(begun == before, "\(before)")
        client.close()
        try center.restart()
        client = try center.client()
        _ = try await client.call(MonitoringList.self, MonitoringList.Params())
        let after = try center.told()
        #expect(before == after, "after a restart: \(after)")
        client.close()
        center.close()
    }

    /// The same, and any write of the monitor fails.
    @Test func aStartThatWasToldIsNotToldAgainAfterAnUndoneTurn() async throws {
        let center = try Center()
        let client = try center.client()
        let first = try await client.call(
            MonitoringStart.self, MonitoringStart.Params(activities: [Self.daily(0, 23)]))
        let open = try #require(first.activities.first?.intervalStart)
        _ = try await client.call(
            MonitoringStart.self,
            MonitoringStart.Params(activities: [Self.daily(0, 23)], startTold: open))
        let before = try center.told()
        let faults = CommitFaults(center.core.service.database)
        faults.failsCommit = { faults.failures == 0 }
        var other = Self.daily(1, 2)
        other.name = "b"
        do {
            _ = try await client.call(MonitoringStart.self, MonitoringStart.Params(activities: [other]))
            Issue.record("it did not fail")
        } catch {}
        try center.move(to: Self.start + 2_000)
        _ = try await client.call(MonitoringList.self, MonitoringList.Params())
        let after = try center.told()
        #expect(before == after, "after an undone turn: \(after)")
        client.close()
        center.close()
    }

    /// As above; the machine is off when the interval ends.
    @Test func anEndWhoseStartWasToldIsToldThoughTheServiceWasDown() async throws {
        let center = try Center()
        let client = try center.client()
        let first = try await client.call(
            MonitoringStart.self, MonitoringStart.Params(activities: [Self.daily(0, 9)]))
        let open = try #require(first.activities.first?.intervalStart)
        _ = try await client.call(
            MonitoringStart.self,
            MonitoringStart.Params(activities: [Self.daily(0, 9)], startTold: open))
        client.close()
        center.core.service.close()
        center.page.move(to: Self.start + .minutes(180))
        try center.restart(closing: false)
        let after = try center.told()
        #expect(after.contains { $0.contains("intervalDidEnd") }, "\(after)")
        center.close()
    }

    /// The warning of the next start was told; the member moves to another zone, where that start is later;
    /// activity-center restarts.
    @Test(arguments: [false, true])
    func aWarningIsNotToldAgainInAnotherZone(restarts: Bool) async throws {
        let center = try Center()
        let owner = try RestorableOwner(.auth, in: center.directory)
        try await untilTurn("it follows") { center.core.service.isLive(.auth) }
        let client = try center.client()
        func set(_ zone: String) async throws {
            let member = Member(id: Household.defaultMember, name: "me", zone: zone)
            try owner.service.transact(trace: nil) { _ = try $0.emit(MemberChanged(member: member)) }
            try owner.service.endTurn()
            try await untilTurn("the zone is applied") {
                center.core.service.household.member(Household.defaultMember)?.zone == zone
            }
            center.core.service.endTurn()
        }
        try await set("UTC")
        _ = try await client.call(
            MonitoringStart.self, MonitoringStart.Params(activities: [Self.daily(9, 10, warning: 30)]))
        client.close()
        try center.move(to: Self.start + .minutes(31))
        #expect(try center.told().count == 1)
        try await set("Atlantic/Azores")
        if restarts { try center.restart() }
        try center.move(to: Self.start + .minutes(95))
        let told = try center.told()
        #expect(told.count == 1, "\(told)")
        center.close()
        owner.stop()
    }

    /// A warning of the next start was told; the person forgets the day; activity-center restarts.
    @Test func aWarningThatWasToldIsNotToldAgainAfterForgetting() async throws {
        let center = try Center()
        var client = try center.client()
        _ = try await client.call(
            MonitoringStart.self, MonitoringStart.Params(activities: [Self.daily(9, 10, warning: 30)]))
        try center.move(to: Self.start + .minutes(31))
        let before = try center.told()
        #expect(before.count == 1, "\(before)")
        try center.move(to: Self.start + .minutes(32))
        var params = PrivacyForget.Params()
        params.from = Self.start
        params.to = Self.start + .minutes(32)
        _ = try await client.call(PrivacyForget.self, params)
        let forgotten = try center.told()
        client.close()
        try center.restart()
        client = try center.client()
        _ = try await client.call(MonitoringList.self, MonitoringList.Params())
        let after = try center.told()
        #expect(after == forgotten, "told before: \(before); again: \(after)")
        client.close()
        center.close()
    }
}
