import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing
import Time

/// desktop-agent and shield-cover as real processes: shielded apps are covered, then stopped; continued, then
/// uncovered.
@Suite(
    "desktop agent: covers", .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopCoverTests {
    @Test func aShieldedAppIsCoveredAndStopped() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (window, _) = try await world.openTerminal("Alpha")
            try await world.agentFollowsShields()
            let trace = TraceContext.root()
            try await world.shield(["alpha"], trace: trace)
            _ = try await DesktopShieldTests.frozen(world)
            let cover = try #require(try await world.awaitCovers().first)
            #expect(String(cover.window) == window && cover.app == "alpha" && cover.name == "Alpha")
            #expect(cover.subject == "alpha" && cover.category == nil)
            let spans = try await world.coverClient().call(
                TraceRead.self, TraceRead.Params(traceID: trace.traceID)
            ).spans
            #expect(spans.contains { $0.name == "cover" }, "one trace, although the app was reported first")
            try await world.shield([])
            try await world.eventually("uncovered") { try await world.covers().isEmpty }
            #expect(try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes.isEmpty)
            // Covers are no apps: they are neither measured nor judged.
            #expect(!world.errors(of: "desktop-agent").contains("shield-cover"))
        }
    }

    @Test func aWindowThatOpensBehindAShieldIsCovered() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            try await world.shield(["alpha"])
            try await world.agentFollowsShields()
            let (beta, _) = try await world.openTerminal("Beta")
            let (alpha, _) = try await world.openTerminal("Alpha")
            _ = try await DesktopShieldTests.frozen(world)
            let covered = try await world.awaitCovers().map { String($0.window) }
            #expect(covered == [alpha] && !covered.contains(beta))
        }
    }

    /// The kernel reports the start; no window is needed, and nothing polls.
    @Test func aStartOfAShieldedProgramPreparesACover() async throws {
        try await World.withDesktop(["shield-service"], agent: false) { world in
            let program = world.directory + "/gamma"
            try FileManager.default.copyItem(atPath: "/bin/true", toPath: program)
            let entry = "[Desktop Entry]\nType=Application\nName=Gamma\nExec=\(program)\n"
            let file = world.directory + "/data/applications/gamma.desktop"
            try entry.write(toFile: file, atomically: true, encoding: .utf8)
            try await world.start("desktop-agent")
            try await world.agentFollowsShields()
            #expect(try await world.run("gamma", [program]).status == 0)
            try await world.shield(["gamma"])
            try await world.eventually("the shield is known") {
                _ = try await world.run("gamma", [program])
                return world.coverPid != nil
            }
            #expect(try await world.covers().isEmpty)
        }
    }

    /// Ten seconds before a limit of twelve: a banner, and nothing else of shield-cover's.
    @Test func aLimitIsAnnounced() async throws {
        try await World.withDesktop(["auth-service", "activity-center", "shield-service"]) { world in
            try await world.openTerminal("Alpha")
            let day = Schedule(
                intervalStart: Contract.DateComponents(hour: 0, minute: 0),
                intervalEnd: Contract.DateComponents(hour: 24, minute: 0), repeats: true,
                warningTime: Contract.DateComponents(second: 10))
            let event = EventDefinition(
                name: "games", applications: ["alpha"], threshold: Contract.DateComponents(second: 12),
                message: "Tea is ready.")
            let activity = ActivityDefinition(name: "evening", schedule: day, events: [event])
            _ = try await world.call(
                MonitoringStart.self, MonitoringStart.Params(activities: [activity]))
            let span = try await world.agentSpan("a banner") { $0.name == "warning.show" }
            #expect(span.outcome == "ok" && world.coverPid != nil)
            _ = try await world.agentSpan("its end") { $0.name == "warning.hide" }
            #expect(try await world.covers().isEmpty)
        }
    }

    /// Nothing is shielded and nothing is announced, but a limit is near.
    @Test func aNearLimitPreparesACover() async throws {
        try await World.withDesktop(["auth-service", "activity-center", "shield-service"]) { world in
            let day = Schedule(
                intervalStart: Contract.DateComponents(hour: 0, minute: 0),
                intervalEnd: Contract.DateComponents(hour: 24, minute: 0), repeats: true)
            let event = EventDefinition(
                name: "games", applications: ["alpha"], threshold: Contract.DateComponents(second: 9))
            let activity = ActivityDefinition(name: "evening", schedule: day, events: [event])
            _ = try await world.call(
                MonitoringStart.self, MonitoringStart.Params(activities: [activity]))
            try await world.openTerminal("Alpha")
            try await world.eventually("a process of covers") { world.coverPid != nil }
            #expect(try await world.covers().isEmpty)
        }
    }

    @Test func aKilledCoverProcessIsReplaced() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (window, _) = try await world.openTerminal("Alpha")
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            _ = try await world.awaitCovers()
            for round in 1...6 {
                let pid = try #require(world.coverPid)
                kill(pid, SIGKILL)
                try await world.eventually("round \(round): covered by another process") {
                    guard let now = world.coverPid, now != pid else { return false }
                    return try await world.covers().map { String($0.window) } == [window]
                }
            }
            try await world.agentIsDegraded(by: [])
        }
    }

    /// Stopped, as if GTK, the display or an input method kept it waiting for ever.
    @Test func aCoverProcessThatHangsIsReplaced() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (alpha, _) = try await world.openTerminal("Alpha")
            let (beta, _) = try await world.openTerminal("Beta")
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            _ = try await world.awaitCovers()
            let pid = try #require(world.coverPid)
            kill(pid, SIGSTOP)
            try await world.shield(["alpha", "beta"])
            try await world.eventually("it is named") {
                try await world.agentHealth().degradedBy.contains("shield-cover does not answer")
            }
            try await world.eventually("another process") { world.coverPid.map { $0 != pid } ?? false }
            try await world.eventually("all covered again") {
                Set(try await world.covers().map { String($0.window) }) == [alpha, beta]
            }
            try await world.eventually("nothing is wrong any more") {
                try await world.agentHealth().degradedBy.isEmpty
            }
            let last = try await world.agentHealth().lastError
            #expect(last == "shield-cover did not answer and was ended")
        }
    }

    @Test func aStoppedCoverProcessEndsWithItsAgent() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            try await world.openTerminal("Alpha")
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            _ = try await world.awaitCovers()
            let pid = try #require(world.coverPid)
            kill(pid, SIGSTOP)
            let agent = try world.process("desktop-agent")
            agent.signal(SIGTERM)
            _ = try await agent.exit()
            try await world.eventually("it has ended") { world.coverPid == nil }
        }
    }

    @Test func aCoverProcessThatIsNeverReadyIsReplaced() async throws {
        try await World.withDesktop(["shield-service"], agent: false) { world in
            let folder = world.directory + "/programs"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in ["desktop-agent", "desktop-guard"] {
                try FileManager.default.copyItem(
                    atPath: World.products + "/" + name, toPath: folder + "/" + name)
            }
            try "#!/bin/sh\nexec sleep 60\n".write(
                toFile: folder + "/shield-cover", atomically: true, encoding: .utf8)
            chmod(folder + "/shield-cover", 0o755)
            let agent = try world.launch("desktop-agent", [folder + "/desktop-agent"])
            _ = try await agent.line("READY")
            try await world.openTerminal("Alpha")
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            try await world.eventually("the missing cover is named") {
                try await world.agentHealth().degradedBy.contains(
                    "windows of shielded apps without a cover: 1")
            }
            try await world.eventually("it is ended") {
                try await world.agentHealth().lastError == "shield-cover did not answer and was ended"
            }
            #expect(try await agent.stop() == 0)
        }
    }

    @Test func theNextAgentTakesTheCoversOver() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            try await world.openTerminal("Alpha")
            let (beta, _) = try await world.openTerminal("Beta")
            try await world.agentFollowsShields()
            try await world.shield(["alpha", "beta"])
            try await world.eventually("two covers") { try await world.covers().count == 2 }
            try await world.process("desktop-agent").destroy()
            let pid = world.coverPid
            #expect(try await world.covers().count == 2, "they outlive the agent")
            try await world.shield(["beta"])
            try await world.start("desktop-agent")
            try await world.eventually("only what is shielded stays covered") {
                try await world.covers().map { String($0.window) } == [beta]
            }
            #expect(world.coverPid == pid)
            #expect(try await world.process("desktop-agent").stop() == 0)
            try await world.eventually("stopping uncovers everything") { world.coverPid == nil }
        }
    }

    /// The cover took the focus, so the key presses its button.
    @Test func aButtonClosesTheApp() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let saved = world.directory + "/saved"
            let (window, terminal) = try await world.openTerminal(
                "Alpha", ["sh", "-c", "trap 'echo all > \(saved); exit' HUP; while :; do read line; done"])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            try await world.eventually("the cover has the focus") {
                try await world.run("xdotool", ["xdotool", "getactivewindow"]).lines != [window]
            }
            try await world.pressCover()
            #expect(try await terminal.exit() == 0)
            try await world.eventually("it saved") { world.readText(saved) == "all\n" }
            let span = try await world.agentSpan("close") { $0.name == "close" }
            #expect(span.outcome == "closed" && span.subject == "alpha")
            try await world.eventually("uncovered") { try await world.covers().isEmpty }
            let press = try await world.coverClient().call(
                TraceRead.self, TraceRead.Params(traceID: span.traceID)
            ).spans
            #expect(press.contains { $0.name == "press" }, "one trace from the button")
        }
    }

    @Test func theGuardStartsAKilledAgentAgain() async throws {
        try await World.withDesktop(["shield-service"], environment: ["SCREENTIME_SUPERVISED": "no"]) {
            world in
            try await world.openTerminal("Alpha")
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            try await world.process("desktop-agent").destroy()
            var pid: Int32?
            try await world.eventually("another agent") {
                pid = world.holder("desktop-agent")
                return pid != nil
            }
            try await world.eventually("frozen again") {
                let freezes = try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes
                return !freezes.isEmpty && world.states(freezes.flatMap(\.processes)).allSatisfy { $0 == "T" }
            }
            #expect(try await world.awaitCovers().count == 1)
            kill(try #require(pid), SIGTERM)
            try await world.eventually("it stops in order") { world.holder("desktop-agent") == nil }
            #expect(try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes.isEmpty)
        }
    }
}

extension World {
    func coverClient() throws -> RequestClient {
        try RequestClient(toNamed: AgentName.shieldCover, in: runtime, tracer: tracer)
    }

    /// Presses the primary button of the cover with the focus, when the covers take keys.
    func pressCover() async throws {
        try await awaitCoverButtons()
        try await xdotool("key", "Return")
    }

    /// Presses keys, the last of which brings other buttons, and returns when those can be pressed.
    func turnCover(_ keys: String...) async throws {
        let before = try await buttonSpans().count { $0.outcome == "waiting" }
        try await xdotool(["key"] + keys)
        try await eventually("other buttons") {
            try await buttonSpans().count { $0.outcome == "waiting" } > before
        }
        try await awaitCoverButtons()
    }

    private func buttonSpans() async throws -> [Span] {
        let client = try coverClient()
        defer { client.close() }
        return try await client.call(TraceRead.self, TraceRead.Params(), options: Self.patient).spans.filter {
            $0.name == "buttons"
        }
    }

    func awaitCoverButtons() async throws {
        try await eventually("buttons that can be pressed") {
            guard coverPid != nil else { return false }
            let client = try coverClient()
            defer { client.close() }
            var isOpen: [Int64: Bool] = [:]
            for span in try await buttonSpans() {
                if let window = span.numbers?.first?.count { isOpen[window] = span.outcome == "ok" }
            }
            let covered = try await client.call(CoverList.self, Nothing(), options: Self.patient).covers
            return !covered.isEmpty && covered.allSatisfy { isOpen[$0.window] == true }
        }
    }

    func covers() async throws -> [CoveredWindow] {
        guard coverPid != nil else { return [] }
        return try await coverClient().call(CoverList.self, Nothing(), options: Self.patient).covers
    }

    /// The covers, when there are so many: on a busy machine they come later than an app stands still.
    func awaitCovers(_ count: Int = 1) async throws -> [CoveredWindow] {
        var found: [CoveredWindow] = []
        try await eventually("\(count) covers") {
            found = try await covers()
            return found.count >= count
        }
        return found
    }

    /// The process of covers; nil if none runs.
    var coverPid: Int32? { holder(AgentName.shieldCover) }

    func holder(_ name: String) -> Int32? {
        LockTable().holder(of: runtime.lockPath(named: name)).flatMap { Int32(exactly: $0) }
    }
}
