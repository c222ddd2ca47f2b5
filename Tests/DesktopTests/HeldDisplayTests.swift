import Bus
import Contract
import Glibc
import Loop
import ScreenTimeTesting
import ServiceKit
import Testing
import Time
import Units

@testable import DesktopCore

/// An agent that starts while another client holds the display: opening it blocks.
@Suite @LoopActor struct HeldDisplayTests {
    @Test(arguments: [false, true]) func theAgentSaysSoAndCanBeStopped(isReleased: Bool) async throws {
        let desktop = try TestDesktop(managed: false)
        let holder = try #require(OtherClient(desktop.display))
        holder.setServerHeld(true)
        let place = desktop.scratch.path
        let settings = [
            "SCREENTIME_RUNTIME_DIR": place + "/run", "SCREENTIME_STATE_DIR": place + "/state",
            "SCREENTIME_LOG_DIR": place + "/log",
        ]
        let configuration = try Configuration(
            environment: settings.merging(desktop.environment) { own, _ in own })
        try configuration.prepareDirectories(of: nil)
        let agent = try Child(
            [World.products + "/desktop-agent"],
            environment: settings.merging(desktop.environment) { own, _ in own })
        let client = try RequestClient(
            toNamed: AgentName.desktopAgent, in: configuration.runtime, tracer: Tracer(service: "test"))
        try await Self.health(client, "it waits") { $0.notActing?.first?.contains("does not answer") == true }
        if isReleased {
            holder.setServerHeld(false)
            try await Self.health(client, "it sees") {
                $0.notActing?.first?.contains("no window manager") == true
            }
        }
        kill(agent.pid, SIGTERM)
        #expect(agent.wait() == 0)
        client.close()
    }

    private static func health(
        _ client: RequestClient, _ what: String, _ isTrue: (HealthCheck.Result) -> Bool
    ) async throws {
        let end = MonotonicClock.now + 180_000
        while MonotonicClock.now < end {
            let answer = try await client.call(
                HealthCheck.self, Nothing(), options: CallOptions(deadline: 60_000))
            if isTrue(answer) { return }
        }
        Issue.record("\(what)")
    }
}
