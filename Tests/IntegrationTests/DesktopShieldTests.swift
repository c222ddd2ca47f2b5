import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing
import Time

/// desktop-agent as a real process: shielded apps are stopped, and continue where they were.
@Suite("desktop agent: shields", .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopShieldTests {
    /// A terminal of Alpha that counts into a file, beside a daemon that left it.
    @LoopActor struct Counters {
        let world: World
        let files: [String]

        init(_ world: World) async throws {
            self.world = world
            files = [world.directory + "/front.txt", world.directory + "/daemon.txt"]
            // A line each millisecond, one write each, as long as the file has a name: the daemon is no child
            // of ours, and ends when the world's directory goes.
            let script = world.directory + "/count.pl"
            try """
            $| = 1; open(F, ">", $ARGV[0]);
            for (1 .. 300000) {
                last unless (stat F)[3];
                syswrite(F, "$_\\n"); select(undef, undef, undef, 0.001);
            }
            """.write(toFile: script, atomically: true, encoding: .utf8)
            try await world.openTerminal(
                "Alpha",
                ["sh", "-c", "setsid -f perl \(script) \(files[1]); exec perl \(script) \(files[0])"])
            try await grow("counting")
        }

        func grow(_ what: String) async throws {
            let before = files.map(world.size)
            try await world.eventually(what) { zip(files, before).allSatisfy { world.size($0) > $1 } }
        }

        /// Lines 1, 2, 3 … without a gap and without a repeat; the last may be half written.
        func areGapless() -> Bool {
            files.allSatisfy { file in
                let lines = world.readText(file).split(separator: "\n").dropLast()
                return !lines.isEmpty && lines.enumerated().allSatisfy { String($0.offset + 1) == $0.element }
            }
        }
    }

    /// Waits for the running agent's freeze record, and until all processes in it are stopped.
    @LoopActor static func frozen(_ world: World, _ app: String = "alpha") async throws -> Freeze {
        _ = try await world.agentSpan("freeze") { $0.name == "freeze" && $0.outcome == "ok" }
        let freezes = try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes
        let freeze = try #require(freezes.first { $0.app == app })
        // A busy machine may stop them later than the agent waits for.
        try await world.eventually("all stand still") {
            world.states(freeze.processes).allSatisfy { $0 == "T" }
        }
        return freeze
    }

    @Test(.needsForkReports) func aShieldedAppStandsStillAndGoesOnWithoutAGap() async throws {
        try await World.withDesktop(["shield-service", "activity-center"]) { world in
            let counters = try await Counters(world)
            let trace = TraceContext.root()
            try await world.agentFollowsShields()
            try await world.shield(["alpha"], trace: trace)
            let freeze = try await Self.frozen(world)
            #expect(freeze.processes.count == 3, "the terminal, its counter, and the daemon")
            let sizes = counters.files.map(world.size)
            for _ in 0..<100 { await EventLoop.main.pause(1) }
            #expect(counters.files.map(world.size) == sizes)
            let span = try await world.agentSpan("freeze") { $0.name == "freeze" }
            #expect(span.traceID == trace.traceID && span.subject == "alpha")
            try await world.shield([])
            try await counters.grow("counting on")
            #expect(counters.areGapless())
            let shields = try world.record(.shield)
            _ = try await shields.wait(for: "the thaw's record") {
                try $0.all(ShieldFrozeProcesses.self).last?.freeze.processes.isEmpty == true ? 0 : nil
            }
            _ = try await world.agentSpan("thaw") { $0.name == "thaw" }
        }
    }

    @Test func aWindowThatOpensBehindAShieldIsFrozen() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            try await world.shield(["alpha"])
            _ = try await world.openTerminal("Beta")
            _ = try await world.openTerminal("Alpha")
            let freeze = try await Self.frozen(world)
            #expect(freeze.processes.count >= 1)
            #expect(try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes.count == 1)
        }
    }

    /// Somebody stops an app, waits for its shield, and lets it go on.
    @Test func anAppThatWasStoppedBeforeItsShieldIsFrozenWhenItGoesOn() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (_, terminal) = try await world.openTerminal("Alpha")
            try await world.agentFollowsShields()
            kill(terminal.pid, SIGSTOP)
            try await world.eventually("it is stopped") { world.state(terminal) == "T" }
            try await world.shield(["alpha"])
            _ = try await world.agentSpan("freeze") { $0.name == "freeze" }
            let pid = Int64(terminal.pid)
            func isRecorded() async throws -> Bool {
                try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes
                    .contains { $0.processes.contains { $0.pid == pid } }
            }
            #expect(try await !isRecorded())
            kill(terminal.pid, SIGCONT)
            try await world.eventually("it is frozen") { try await isRecorded() }
            try await world.shield([])
            try await world.eventually("it goes on") { try await !isRecorded() }
        }
    }

    @Test(.needsForkReports) func aKilledAgentLeavesNobodyFrozenAndItsSuccessorGoesOn() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let counters = try await Counters(world)
            try await world.shield(["alpha"])
            _ = try await Self.frozen(world)
            try await world.process("desktop-agent").destroy()
            try await counters.grow("the guard thaws")
            try await world.start("desktop-agent")
            let again = try await Self.frozen(world)
            #expect(again.processes.count == 3)
            // The other way round: a guard that is killed is replaced, and the new one knows all.
            let guardPid = try #require(Self.guardPid(of: try await world.agentHealth().pid))
            kill(guardPid, SIGKILL)
            try await world.eventually("another guard") {
                let now = Self.guardPid(of: Int64(try world.process("desktop-agent").pid))
                return now != nil && now != guardPid
            }
            try await world.process("desktop-agent").destroy()
            try await counters.grow("the second guard thaws")
            #expect(counters.areGapless())
        }
    }

    /// The child of an agent.
    static func guardPid(of agent: Int64) -> Int32? {
        // A process that has exited has no such file, and no child.
        let text = try? String(contentsOfFile: "/proc/\(agent)/task/\(agent)/children", encoding: .utf8)
        return text?.split(separator: " ").first.flatMap { Int32($0) }
    }

    @Test func stoppingLeavesNothingFrozenAndNoRecord() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let counters = try await Counters(world)
            try await world.shield(["alpha"])
            _ = try await Self.frozen(world)
            let agent = try world.process("desktop-agent")
            let guardPid = try #require(Self.guardPid(of: Int64(agent.pid)))
            #expect(try await agent.stop() == 0)
            try await counters.grow("counting on")
            #expect(try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes.isEmpty)
            try await world.eventually("the guard goes home") { kill(guardPid, 0) != 0 }
            #expect(world.size(world.directory + "/run/desktop-agent.died") == 0)
        }
    }

    /// `kill -CONT` by anybody: noticed, and undone within 200 ms.
    @Test func aShieldedAppThatSomebodyLetsGoOnIsStoppedAgain() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let counters = try await Counters(world)
            try await world.shield(["alpha"])
            let freeze = try await Self.frozen(world)
            for round in 1...3 {
                for process in freeze.processes { kill(Int32(process.pid), SIGCONT) }
                let began = MonotonicClock.now
                try await world.eventually("round \(round): it stands still again") {
                    world.states(freeze.processes).allSatisfy { $0 == "T" }
                }
                print("stopped again after \(MonotonicClock.now - began) ms")
            }
            let span = try await world.agentSpan("stopped again") { $0.name == "stopped again" }
            #expect(span.subject == "alpha")
            try await world.shield([])
            try await counters.grow("counting on")
            #expect(counters.areGapless())
        }
    }

    /// An agent that ends in order is not outlived by its guard.
    @Test func theGuardGoesBeforeItsAgent() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let agent = try world.process("desktop-agent")
            let guardPid = try #require(Self.guardPid(of: Int64(agent.pid)))
            agent.signal(SIGTERM)
            #expect(try await agent.exit() == 0)
            #expect(kill(guardPid, 0) == -1 && errno == ESRCH, "the guard is there")
        }
    }

    /// Killed together with its guard, an agent can thaw nothing; its successor does.
    @Test func theGuardIsAnotherProgramThanTheAgent() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let counters = try await Counters(world)
            try await world.shield(["alpha"])
            _ = try await Self.frozen(world)
            let agent = try world.process("desktop-agent")
            let guardPid = try #require(Self.guardPid(of: Int64(agent.pid)))
            // The properties that killall, pkill and pkill -f match.
            let name = world.readText("/proc/\(guardPid)/comm")
            #expect(name == "desktop-guard\n")
            #expect(!world.readText("/proc/\(guardPid)/cmdline").contains("desktop-agent"))
            // A polite request must not end it before its agent is gone.
            kill(guardPid, SIGTERM)
            kill(guardPid, SIGHUP)
            agent.signal(SIGKILL)
            try await counters.grow("the guard thaws")
        }
    }

    @Test func aFreezeStaysWhileShieldServiceIsAway() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let counters = try await Counters(world)
            try await world.shield(["alpha"])
            let freeze = try await Self.frozen(world)
            try await world.process("shield-service").destroy()
            #expect(world.states(freeze.processes).allSatisfy { $0 == "T" })
            try await world.start("shield-service")
            #expect(world.states(freeze.processes).allSatisfy { $0 == "T" })
            try await world.shield([])
            try await counters.grow("counting on")
        }
    }

    @Test func aCategoryShieldsItsAppsButNotTheExcepted() async throws {
        try await World.withDesktop(["shield-service", "activity-center"]) { world in
            _ = try await world.openTerminal("Alpha")
            _ = try await world.openTerminal("Beta")
            _ = try await world.call(
                SettingsWrite.self,
                SettingsWrite.Params(
                    store: "test",
                    settings: [
                        Setting(
                            key: "shield.applicationCategories",
                            value: ["policy": "specific", "categories": ["games"]])
                    ]))
            _ = try await Self.frozen(world)
            let freezes = try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes
            #expect(freezes.map(\.app) == ["alpha"])
        }
    }

    /// An open menu holds the pointer: frozen like that it would take all input of the session with it.
    @Test(.needsForkReports) func anAppWithAnOpenMenuIsFrozenWhenTheMenuCloses() async throws {
        try await World.withDesktop(["shield-service", "activity-center"]) { world in
            let alpha = try await world.openTerminal("Alpha").window
            try await world.xdotool("windowactivate", "--sync", alpha)
            try await world.xdotool("mousemove", "--window", alpha, "50", "50")
            try await world.xdotool("keydown", "ctrl", "mousedown", "1")
            try await world.shield(["alpha"])
            _ = try await world.agentSpan("giving way") { $0.outcome == "pointer_held" }
            let problems = try await world.agentHealth().degradedBy
            #expect(problems.contains { $0.hasPrefix("alpha is shielded and runs on") })
            // Let go beside the menu, so that nothing of it is chosen.
            try await world.xdotool("mousemove", "990", "690", "mouseup", "1", "keyup", "ctrl")
            _ = try await Self.frozen(world)
            try await world.agentIsDegraded(by: [])
        }
    }

    @Test(.needsForkReports) func theTerminalThatStartedOneOfOursIsSpared() async throws {
        try await World.withDesktop(["shield-service", "activity-center"]) { world in
            let notifier = World.products + "/notifier"
            let alpha = try await world.openTerminal("Alpha", ["sh", "-c", "\(notifier); true"]).process
            _ = try await world.health(.notifier)
            try await world.shield(["alpha"])
            let span = try await world.agentSpan("freeze") { $0.name == "freeze" }
            #expect(span.outcome == "spared")
            #expect(world.areRunning([FrozenProcess(pid: Int64(alpha.pid))]))
            _ = try await world.health(.notifier)
            let sentence = "alpha is shielded and runs on: protected: screentime was started from it"
            try await world.agentIsDegraded(by: [sentence])
            #expect(try await world.agentHealth().notActing == [sentence])
            let log = world.readText(world.directory + "/state/logs/desktop-agent.log")
            #expect(log.contains("screentime was started from it"))
        }
    }

    /// Running one of our commands does not make a process an ancestor of the system. The command itself is
    /// protected, and reported.
    @Test(.needsForkReports, arguments: ["shell", "window"])
    func aGameThatRunsACommandOfOursStandsStill(parent: String) async throws {
        try await World.withDesktop(["auth-service", "activity-center", "shield-service"]) { world in
            let pidFile = world.directory + "/command", file = world.directory + "/count"
            let follow = "\(World.products)/screentime trace --follow >/dev/null 2>&1 & echo $! >\(pidFile); "
            let count = "while :; do echo x >>\(file); done"
            if parent == "shell" {
                try await world.openTerminal("Alpha", ["sh", "-c", follow + count])
            } else {
                let script = world.directory + "/count.sh"
                try count.write(toFile: script, atomically: true, encoding: .utf8)
                let words = "exec xterm -class AlphaApp -title Alpha -e sh \(script)"
                _ = try world.launch("game", ["sh", "-c", follow + words])
            }
            try await world.eventually("counting") { world.size(file) > 0 }
            let command = try #require(Int64(world.readText(pidFile).trimmingCharacters(in: .newlines)))
            try await world.eventually("the command runs") {
                world.readText("/proc/\(command)/comm") == "screentime\n"
            }
            try await world.shield(["alpha"])
            let freeze = try await Self.frozen(world)
            #expect(freeze.processes.count == 2, "the terminal and its counter")
            #expect(world.areRunning([FrozenProcess(pid: command)]))
            let part = "a part of alpha, which is shielded, runs"
            try await world.agentIsDegraded(by: ["\(part): protected: one of screentime's own processes"])
            var health = try await world.agentHealth()
            #expect(health.notActing == nil, "the game stands still")
            // It is reported as long as it lasts.
            kill(Int32(command), SIGKILL)
            // Its first thread may end before the others.
            try await world.eventually("the command's end") {
                health = try await world.agentHealth()
                return health.degradedBy.isEmpty
            }
            #expect(health.state == .ready)
        }
    }

    @Test(.needsForkReports) func aCopyOfAGameInOurDirectoryStandsStill() async throws {
        try await World.withDesktop(["shield-service", "activity-center"], agent: false) { world in
            // A separate program directory, from which no other test starts programs meanwhile.
            let folder = world.directory + "/programs"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in ["desktop-agent", "desktop-guard"] {
                try FileManager.default.copyItem(
                    atPath: World.products + "/" + name, toPath: folder + "/" + name)
            }
            try FileManager.default.copyItem(atPath: "/usr/bin/xterm", toPath: folder + "/zgame")
            let agent = try world.launch("desktop-agent", [folder + "/desktop-agent"])
            _ = try await agent.line("READY")
            let words = ["-class", "AlphaApp", "-title", "Alpha", "-e", "sh", "-c", "read line"]
            let game = try world.launch("zgame", [folder + "/zgame"] + words)
            try await world.shield(["alpha"])
            let freeze = try await Self.frozen(world)
            #expect(freeze.processes.contains { $0.pid == Int64(game.pid) })
            let degraded = try await world.agentHealth().degradedBy
            #expect(degraded.contains { $0.contains("shield-cover cannot be started") })
            // The services run from another directory than this agent.
            #expect(degraded.count == 3 && degraded[0].contains("is held by another program"))
        }
    }
}
