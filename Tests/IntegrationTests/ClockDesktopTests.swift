import Contract
import Glibc
import ScreenTimeTesting
import Testing
import Units

/// The desktop agent lives by the virtual clock: what it sees happens at its instants.
@Suite("desktop agent: virtual clock", .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct ClockDesktopTests {
    /// Idle is by the display's own clock; no test lasts an hour.
    private static let environment = ["SCREENTIME_IDLE_SECONDS": "3600"]

    @Test func anHourInFrontOfAnAppIsAnHourOfUse() async throws {
        try await World.withDesktop(
            World.allServices, environment: Self.environment, clock: "2026-03-02T08:00:00Z"
        ) { world in
            let events = try world.record(.activity)
            try await world.openTerminal("Alpha")
            _ = try await events.first(UsageRecorded.self) { $0.subject == "alpha" && $0.openSince != nil }
            // The agent may have something to do yet for the new window.
            try await world.eventually("all are still") {
                let status = try await world.command("clock", "status", "--json").json()
                return status["still"] == true && status["next_due_of"] == "desktop-agent"
            }
            try await world.clock.advance(.hours(1))
            try await world.openTerminal("Beta")
            let start = try VirtualClock.instant("2026-03-02T08:00:00Z")
            let used = try await events.wait(for: "the end of Alpha") {
                let usage = RecordedUsage(try $0.all(UsageRecorded.self))
                return usage.open["beta"] != nil ? usage : nil
            }
            let alpha = try #require(used.intervals["alpha"])
            #expect(alpha.map { $0.end - $0.start }.reduce(.zero, +) == .hour)
            #expect(alpha.first?.start == start && used.open["beta"] == start + .hour)
            // Killed, its guard writes down when: by the clock that it lived by.
            try await world.clock.advance(.seconds(10))
            try await world.process("desktop-agent").destroy()
            try await world.start("desktop-agent")
            _ = try await events.first(UsageRecorded.self) { usage in
                usage.subject == "beta" && usage.intervals.last?.end == start + 3_610_000
            }
        }
    }

    @Test func aStoppedAgentIsNamed() async throws {
        try await World.withDesktop(
            World.allServices, environment: Self.environment, clock: "2026-03-02T08:00:00Z"
        ) { world in
            let agent = try world.process("desktop-agent")
            agent.signal(SIGSTOP)
            let refused = try await world.command("clock", "advance", "1h", "--timeout", "2")
            #expect(refused.status == 75)
            #expect(refused.errors.contains("desktop-agent (pid \(agent.pid)) is stopped"))
            agent.signal(SIGCONT)
        }
    }
}
