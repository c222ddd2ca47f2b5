import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// `screentime doctor --enforcement` with the real agent, covers, window manager and services.
@Suite(
    "desktop agent: proof that limits act",
    .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopEnforcementTests {
    private static let steps: [EnforcementStep] = [
        .desktop, .window, .limit, .cover, .freeze, .removal, .thaw, .uncover, .end,
    ]

    @Test func theWholeChainActsAndNothingOfTheCanaryStays() async throws {
        let services = ["auth-service", "activity-center", "shield-service", "report-service"]
        try await World.withDesktop(services) { world in
            try await world.openTerminal("Alpha")
            try await world.agentFollowsShields()
            let active = try await world.run("xdotool", ["xdotool", "getactivewindow"]).lines
            let outcome = try await world.command("doctor", "--enforcement")
            for step in Self.steps {
                #expect(
                    outcome.lines.contains {
                        $0.contains("ok") && $0.contains("enforcement, \(step.rawValue):")
                    },
                    "\(step): \(outcome.lines)")
            }
            #expect(
                outcome.lines.contains { $0.contains("enforcement: limits act (seen on ") },
                "\(outcome.lines)")
            #expect(try await world.run("xdotool", ["xdotool", "getactivewindow"]).lines == active)
            let result = try await world.enforcementResult()
            #expect(result?.state == .enforcing && result?.reason == nil)
            #expect(
                try await world.command("doctor").lines.contains { $0.contains("enforcement: limits act") })
            try await world.expectNoCanary()
            let health = try await world.agentHealth()
            #expect(health.degradedBy == [] && health.notActing == nil)
            // Use goes on being measured, and has nothing of it.
            try await world.openTerminal("Beta")
            let recorder = try world.record(.activity)
            _ = try await recorder.first(UsageRecorded.self) { $0.subject == "beta" }
            #expect(
                try recorder.all(UsageRecorded.self).allSatisfy { ["alpha", "beta"].contains($0.subject) })
            for kind in [SubjectKind.app, .domain] {
                let known = try await world.call(CatalogList.self, CatalogList.Params(kind: kind)).items
                #expect(!known.contains { $0.subject.contains("canary") }, "\(known.map(\.subject))")
            }
            let files = try world.files(with: [CanaryApp.id, ProgramName.desktopCanary])
            #expect(
                !files.contains { $0.contains("activity-center") || $0.contains("report-service") },
                "\(files)")
        }
    }

    @Test func aCoverProcessThatCannotStartIsNamed() async throws {
        try await World.withDesktop(["shield-service", "notifier"], agent: false) { world in
            // A separate program directory, without shield-cover.
            let folder = world.directory + "/programs"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in ["desktop-agent", "desktop-guard", "desktop-canary"] {
                try FileManager.default.copyItem(
                    atPath: World.products + "/" + name, toPath: folder + "/" + name)
            }
            let agent = try world.launch("desktop-agent", [folder + "/desktop-agent"])
            _ = try await agent.line("READY")
            try await world.agentFollowsShields()
            let result = try await world.checkEnforcement()
            #expect(result.state == .notEnforcing && result.recorded)
            #expect(result.steps.first { $0.problem != nil }?.step == .cover)
            #expect(result.reason?.contains("shield-cover cannot be started") == true, "\(result)")
            try await world.expectNotEnforcing(because: "shield-cover cannot be started")
            try await world.expectNoCanary()
            // The next agent knows it from shield-service.
            #expect(try await agent.stop() == 0)
            let next = try world.launch("desktop-agent", [folder + "/desktop-agent"])
            _ = try await next.line("READY")
            try await world.eventually("the last result") { try await world.agentHealth().notActing != nil }
        }
    }

    @Test func aDesktopWithoutAWindowManagerIsNamed() async throws {
        try await World.with([]) { world in
            try await world.startDisplay()
            try await world.start("shield-service")
            try await world.start("desktop-agent")
            let result = try await world.checkEnforcement()
            #expect(result.steps.map(\.step) == [.desktop] && result.state == .notEnforcing)
            #expect(result.reason == "no window manager that follows EWMH runs on this display")
            #expect(try await world.command("status").status != 0)
        }
    }

    @Test func withoutAnAgentDoctorSaysSo() async throws {
        try await World.with(["shield-service"]) { world in
            var outcome = try await world.command(
                "doctor", "--enforcement", environment: ["DISPLAY": ":9"])
            #expect(outcome.status == 1)
            #expect(
                outcome.lines.contains {
                    $0.contains("not enforcing, because the desktop-agent does not run")
                })
            outcome = try await world.command(
                "doctor", "--enforcement", environment: ["DISPLAY": "", "WAYLAND_DISPLAY": "wayland-0"])
            #expect(
                outcome.lines.contains { $0.contains("not enforcing, because this is a Wayland session") })
        }
    }

    @Test func itHappensByItselfWhenThePersonIsAway() async throws {
        let quick = ["SCREENTIME_IDLE_SECONDS": "1", "SCREENTIME_ENFORCEMENT_SECONDS": "1"]
        try await World.withDesktop(["shield-service"], environment: quick) { world in
            try await world.eventually("a check") { try await world.enforcementResult()?.state == .enforcing }
        }
    }
}

extension World {
    func checkEnforcement() async throws -> EnforcementCheck.Result {
        try await agentClient().call(
            EnforcementCheck.self, Nothing(), options: CallOptions(deadline: 120_000))
    }

    func enforcementResult() async throws -> EnforcementResult? {
        try await call(EnforcementList.self, EnforcementList.Params()).results.first
    }

    /// The store of a check; nil if there is none.
    func canaryStore() async throws -> SettingsStore? {
        let stores = try await call(SettingsList.self, SettingsList.Params()).stores
        return stores.first { $0.store == CanaryApp.store }
    }

    /// Pids of the running canaries of this world.
    var canaries: [Int32] {
        // Without /proc the agent finds no process to freeze, and its checks fail.
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { Int32($0) }.filter { pid in
            let display = "DISPLAY=" + (environment["DISPLAY"] ?? "") + "\0"
            return readText("/proc/\(pid)/comm") == ProgramName.desktopCanary + "\n"
                && readText("/proc/\(pid)/environ").contains(display)
        }
    }

    /// Starts a check that waits for its cover: the process of covers is stopped.
    /// - Returns: whoever asked for it.
    func holdCheck() async throws -> RequestClient {
        #expect(try await checkEnforcement().state == .enforcing)
        kill(try #require(coverPid), SIGSTOP)
        let client = try agentClient()
        client.send(EnforcementCheck.self, Nothing(), options: CallOptions(deadline: 120_000)) { _ in }
        try await eventually("a limit for the canary") { try await self.canaryStore() != nil }
        return client
    }

    func expectNoCanary() async throws {
        #expect(canaries.isEmpty)
        #expect(try await canaryStore() == nil)
        #expect(try await call(ShieldList.self, ShieldList.Params()).shields.isEmpty)
        try await eventually("no record of it") {
            try await self.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes.isEmpty
        }
    }

    /// Whoever asks learns that limits do not act, and the person was told.
    func expectNotEnforcing(because reason: String) async throws {
        for words in [["status"], ["doctor"]] {
            let outcome = try await command(words)
            #expect(outcome.status != 0)
            #expect(
                outcome.lines.contains { $0.contains("limits do not act") && $0.contains(reason) },
                "\(outcome.lines)")
        }
        try await eventually("a notification") {
            try await self.call(NotificationList.self, NotificationList.Params()).notifications.contains {
                $0.identifier == "enforcement" && $0.body.contains(reason)
            }
        }
    }
}
