import Contract
import Glibc
import Loop
import Rules
import ScreenTimeTesting
import Testing
import TestSupport
import Time
import Units

/// activity-center is killed at the worst points: nothing acknowledged is lost, nothing is published or
/// counted twice.
@Suite struct ActivityFaultTests {
    private static let services = ["activity-center"]
    private static let changes = ActivityData.phone(900, seed: 21)
    private static var batches: [[UsageChange]] { ActivityData.batches(changes, 150...200, seed: 21) }

    @Test(arguments: ["before-commit", "after-commit", "after-publish"])
    func aKilledIngestIsSentAgainAndLeavesNoTrace(fault: String) async throws {
        let undisturbed = try await Self.told(fault: nil)
        let told = try await Self.told(fault: fault)
        #expect(told == undisturbed)
        #expect(ReplayedUsage(told) == ReplayedUsage(changes: Self.changes, device: "phone"))
    }

    /// All events while all batches are sent; at the third one the service is killed and restarted.
    @LoopActor private static func told(fault: String?) async throws -> [UsageRecorded] {
        var told: [UsageRecorded] = []
        try await World.with(services) { world in
            let recorder = try world.record(.activity)
            var head: Int64 = 0
            for (number, batch) in batches.enumerated() {
                if number == 2, let fault { try world.arm(fault, of: .activity) }
                async let answer = world.observe(
                    batch, device: "phone", model: "android", key: "batch \(number)")
                if number == 2, fault != nil {
                    let status = try await world.process("activity-center").exit()
                    #expect(status == 128 + SIGKILL)
                    try await world.start("activity-center")
                }
                let result = try await answer
                #expect(result.accepted == Int64(batch.count))
                head = result.sequence
            }
            _ = try await world.replayed(recorder, through: head)
            #expect(recorder.events.map(\.sequence) == Array(1...head))
            told = try recorder.all(UsageRecorded.self)
        }
        return told
    }

    @Test(arguments: ["before-commit", "after-commit", "after-publish"])
    func aKillWhileTellingACrossingTellsItOnce(fault: String) async throws {
        try await World.with(Self.services, environment: NoonZone.environment) { world in
            let recorder = try world.record(.activity)
            let event = EventDefinition(
                name: "e", applications: ["game"], threshold: DateComponents(second: 3))
            try await world.monitor([.allDay("daily", [event])])
            _ = try await recorder.first(IntervalDidStart.self)
            let now = WallTime.now
            try await world.observe([Observation(at: now, kind: .focus, app: "game")], device: "laptop")
            // The next commit is that of the timer.
            try world.arm(fault, of: .activity)
            #expect(try await world.process("activity-center").exit() == 128 + SIGKILL)
            try await world.start("activity-center")
            let reached = try await recorder.first(EventDidReachThreshold.self)
            #expect(reached.about.at == now + 3_000)
            let head = try await world.observe(
                [Observation(at: now + 4_000, kind: .focus, app: "other")], device: "laptop"
            ).sequence
            _ = try await world.replayed(recorder, through: head)
            #expect(try recorder.all(EventDidReachThreshold.self).count == 1)
            #expect(try recorder.all(IntervalDidStart.self).count == 1)
        }
    }
}
