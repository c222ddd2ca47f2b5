import Bus
import CSQLite
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import DesktopCore
@testable import ServiceKit
@testable import ShieldCore
@testable import Store

/// A shield that ends is lifted in the session, although the event about it was erased.
@Suite @LoopActor struct ErasedLiftTests {
    /// While the agent is not connected, the shield is lifted, by deleting its store or by forgetting
    /// everything, which also erases the event about it.
    @Test(arguments: [false, true])
    func anAppWhoseShieldEndedIsThawed(byForgetting: Bool) async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        var core = try ShieldService(configuration)
        try core.start()
        let client = try RequestClient(
            to: .shield, in: configuration.runtime, tracer: Tracer(service: "test"))
        _ = try await client.call(
            SettingsWrite.self,
            SettingsWrite.Params(
                store: "default",
                settings: [Setting(key: "shield.applications", value: .array([.string("chess")]))]))
        let activity = try RequestClient(
            to: .activity, in: configuration.runtime, tracer: Tracer(service: "test"))
        let log = try Log(name: "agent", directory: configuration.logDirectory, level: .error)
        let reporter = AppReporter(activity, device: "here", log: log, patience: 50)
        let identity = AppIdentity(
            id: "chess", name: "chess", categories: [], resolvedBy: .startupClass, executablePath: nil)
        var shield: String?
        let follower = ShieldFollower(
            client, in: configuration.runtime, member: Household.defaultMember, log: log,
            reporter: reporter, apps: { ["chess"] }
        ) { judgements, _ in shield = judgements.shield(of: identity) }
        follower.refresh()
        try await untilTurn("it is shielded") { shield != nil && follower.followed?.connected == true }
        core.service.close()
        core = try ShieldService(configuration)
        let service = core.service
        try service.transact(trace: nil) { try core.forget(member: Household.defaultMember, $0) }
        service.endTurn()
        if byForgetting {
            // As ``ServiceProgram/start()`` does.
            service.forgetPlan = { core.forgetPlan }
            var isDone = false
            Task { @LoopActor in
                defer { isDone = true }
                let forgetting = Forgetting(member: Household.defaultMember, extent: .everything)
                let result = try await service.forget(forgetting)
                #expect(!result.removed.isEmpty)
            }
            try await untilTurn("everything is forgotten") {
                service.endTurn()
                return isDone
            }
        }
        try core.start()
        let head = service.head
        try await untilTurn("the agent has read the log") {
            follower.followed?.connected == true && follower.followed?.sequence == head
        }
        try await untilTurn("it is thawed") { shield == nil }
        follower.close()
        reporter.close()
        client.close()
        activity.close()
        service.close()
    }
}
