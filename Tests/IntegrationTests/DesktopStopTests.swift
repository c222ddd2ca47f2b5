import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

@testable import CommandCore

/// scripts/run-all.sh with a desktop: whom it spares, and what it leaves when it stops.
@Suite("desktop agent: started by run-all.sh", .enabled(if: isX11Here, "needs xvfb, openbox and xterm"))
struct DesktopStopTests {
    @LoopActor private static func stop(_ world: World) async throws -> (status: Int32, text: String) {
        let (path, environment) = RunAllTests.script
        let (status, lines) = try await world.run(
            "stop", ["/bin/bash", path, "--stop"], environment: environment)
        return (status, lines.joined(separator: "\n"))
    }

    /// A terminal of Alpha in which the system is started and left behind, and a game that ran there before.
    @Test func theTerminalThatStartedItIsNotFrozenAndWhatRunsInItIs() async throws {
        try await World.withDesktop([], agent: false) { world in
            let (path, environment) = RunAllTests.script
            for (key, value) in environment { world.environment[key] = value }
            let told = world.directory + "/told", game = world.directory + "/game"
            let line = "sleep 1000 & echo $! >\(game); bash \(path) --detach --no-build >\(told) 2>&1; "
                + "echo ended >>\(told); read line"
            let alpha = try await world.openTerminal("Alpha", ["sh", "-c", line]).process
            try await world.eventually("the start") { world.readText(told).hasSuffix("ended\n") }
            #expect(world.readText(told).contains("READY  desktop-agent"), "\(world.readText(told))")
            try await world.shield(["alpha"])
            let span = try await world.agentSpan("freeze") { $0.name == "freeze" && $0.outcome == "ok" }
            #expect(span.subject == "alpha")
            let pid = try #require(Int64(world.readText(game).trimmingCharacters(in: .newlines)))
            try await world.eventually("the game stands still") {
                world.states([FrozenProcess(pid: pid)]) == ["T"]
            }
            #expect(world.areRunning([FrozenProcess(pid: Int64(alpha.pid))]))
            let stopped = try await Self.stop(world)
            #expect(stopped.status == 0 && stopped.text.contains("Nothing is left running or frozen"))
            #expect(world.areRunning([FrozenProcess(pid: pid)]))
        }
    }

    /// Ends the agent and its guard at the same moment, as no `killall` by name does any more.
    @LoopActor private static func killBoth(_ world: World) async throws {
        let agent = try world.process("desktop-agent")
        let guardPid = try #require(DesktopShieldTests.guardPid(of: Int64(agent.pid)))
        kill(guardPid, SIGSTOP)
        agent.signal(SIGKILL)
        kill(guardPid, SIGKILL)
        _ = try await agent.exit()
    }

    /// shield-service, which has the record, comes later than the next agent.
    @Test(.needsForkReports) func theNextAgentThawsWhatAKilledAgentAndGuardLeft() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            _ = try await DesktopShieldTests.Counters(world)
            try await world.shield(["alpha"])
            let freeze = try await DesktopShieldTests.frozen(world)
            try await Self.killBoth(world)
            try await world.shield([])
            try await world.process("shield-service").destroy()
            try await world.start("desktop-agent")
            #expect(world.states(freeze.processes).allSatisfy { $0 == "T" }, "nobody knows it yet")
            try await world.start("shield-service")
            try await world.eventually("it goes on") { world.areRunning(freeze.processes) }
            try await world.eventually("nothing is recorded") {
                try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes.isEmpty
            }
        }
    }

    @Test(.needsForkReports) func stoppingThawsWhatAKilledAgentAndGuardLeft() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let counters = try await DesktopShieldTests.Counters(world)
            try await world.shield(["alpha"])
            let freeze = try await DesktopShieldTests.frozen(world)
            try await Self.killBoth(world)
            #expect(world.states(freeze.processes).allSatisfy { $0 == "T" }, "nobody is there to thaw")
            let stopped = try await Self.stop(world)
            #expect(stopped.status == 0, "\(stopped.text)")
            #expect(stopped.text.contains("thawed alpha: 3 processes"))
            #expect(stopped.text.contains("Nothing is left running or frozen"))
            try await counters.grow("counting on")
            #expect(counters.areGapless())
        }
    }

    /// Everything was killed: the record is read anyway.
    @Test(.needsForkReports) func stoppingWhatNoLongerRunsThawsToo() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let counters = try await DesktopShieldTests.Counters(world)
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            try await world.process("shield-service").destroy()
            try await Self.killBoth(world)
            let stopped = try await Self.stop(world)
            #expect(stopped.status == 0, "\(stopped.text)")
            #expect(stopped.text.contains("thawed alpha: 3 processes"))
            #expect(stopped.text.contains("Nothing runs on these directories"))
            try await counters.grow("counting on")
            let again = try await Self.stop(world)
            #expect(again.status == 0 && !again.text.contains("thawed"))
        }
    }

    /// The reader of the output left: everything is stopped and thawed anyway.
    @Test func stoppingGoesOnWhenNobodyReads() async throws {
        try await World.withDesktop(["shield-service", "notifier"]) { world in
            _ = try await world.openTerminal("Alpha")
            try await world.shield(["alpha"])
            let freeze = try await DesktopShieldTests.frozen(world)
            let (path, environment) = RunAllTests.script
            let stop = try await world.run(
                "stop", ["/bin/bash", "-c", "{ bash \(path) --stop; echo $? >&2; } | exec 0<&-"],
                environment: environment)
            #expect(stop.status == 0 && world.errors(of: "stop") == "0\n", "\(world.errors(of: "stop"))")
            for name in ["desktop-agent", "notifier", "shield-service"] {
                _ = try await world.process(name).exit()
            }
            #expect(world.areRunning(freeze.processes))
        }
    }

    /// The agent owns what is frozen, even if somebody removed the files by which others find it.
    @Test(arguments: ["run", "run/desktop-agent.lock"])
    func stoppingFindsAnAgentWhoseRuntimeFilesAreRemoved(path: String) async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let counters = try await DesktopShieldTests.Counters(world)
            try await world.shield(["alpha"])
            let freeze = try await DesktopShieldTests.frozen(world)
            try FileManager.default.removeItem(atPath: "\(world.directory)/\(path)")
            let agent = try world.process("desktop-agent")
            let told = try await world.command("status", "--json").json()["services"]?[6]
            #expect(told?["pid"] == .integer(Int64(agent.pid)), "\(String(describing: told))")
            let words = told?["last_error"]?.stringValue ?? ""
            #expect(words.hasPrefix("runs, but does not listen at ") == (path == "run"), "\(words)")
            // Two would both freeze and thaw.
            let second = try await world.run("second", [World.products + "/desktop-agent"])
            #expect(second.status == 75, "\(world.errors(of: "second"))")
            let thaw = try await world.run("thaw", [World.products + "/desktop-agent", "--thaw"])
            #expect(thaw.status == 75, "what it holds is its own: \(world.errors(of: "thaw"))")
            #expect(world.states(freeze.processes).allSatisfy { $0 == "T" })
            let stopped = try await Self.stop(world)
            #expect(stopped.status == 0, "\(stopped.text) \(world.errors(of: "stop"))")
            #expect(stopped.text.contains("  stopped desktop-agent"), "\(stopped.text)")
            #expect(stopped.text.contains("Nothing is left running or frozen"))
            #expect(try await agent.exit() == 0)
            try await counters.grow("counting on")
        }
    }

    /// It is there, and measures and shields nothing: that is no warning.
    @Test func anAgentThatHangsDoesNotAct() async throws {
        try await World.withDesktop(World.allServices) { world in
            try await world.eventually("all is well") { try await world.command("status").status == 0 }
            let agent = try world.process("desktop-agent")
            agent.signal(SIGSTOP)
            let status = try await world.command("status")
            #expect(status.status == ExitCode.unavailable)
            #expect(status.lines.first?.hasPrefix("desktop-agent does not act: ") == true, "\(status.lines)")
            let doctor = try await world.command("doctor")
            #expect(doctor.status != 0)
            #expect(doctor.lines.contains { $0.contains("desktop-agent") && $0.contains("does not act") })
            agent.signal(SIGCONT)
        }
    }

    /// A shield that shields nothing is a dead limit: no warning either.
    @Test func anAppThatIsShieldedAndRunsOnIsADeadLimit() async throws {
        let others = World.allServices.filter { $0 != "notifier" }
        try await World.withDesktop(others) { world in
            try await world.openTerminal("Alpha", ["sh", "-c", "\(World.products)/notifier; true"])
            _ = try await world.health(.notifier)
            try await world.eventually("all is well") { try await world.command("status").status == 0 }
            try await world.shield(["alpha"])
            _ = try await world.agentSpan("freeze") { $0.name == "freeze" }
            let status = try await world.command("status")
            #expect(status.status == ExitCode.unavailable)
            let sentence = "desktop-agent does not act: alpha is shielded and runs on: "
            #expect(status.lines.first?.hasPrefix(sentence) == true, "\(status.lines)")
            let doctor = try await world.command("doctor")
            #expect(doctor.status != 0)
            #expect(doctor.lines.contains { $0.contains("alpha is shielded and runs on") }, "\(doctor.lines)")
            try await world.shield([])
            try await world.eventually("the limit is lifted") {
                try await world.command("status").status == 0
            }
        }
    }

    /// A record that cannot be read is no proof that nothing is frozen.
    @Test func aDamagedRecordIsNoThaw() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            _ = try await world.openTerminal("Alpha")
            try await world.shield(["alpha"])
            let freeze = try await DesktopShieldTests.frozen(world)
            try await world.process("shield-service").destroy()
            try await Self.killBoth(world)
            let database = world.directory + "/state/shield-service/shield-service.sqlite3"
            for end in ["", "-wal", "-shm"] {
                try "no database".write(toFile: database + end, atomically: false, encoding: .utf8)
            }
            let stopped = try await Self.stop(world)
            #expect(stopped.status == 1, "\(stopped.text)")
            #expect(!stopped.text.contains("nothing is left frozen"))
            for process in freeze.processes { kill(Int32(process.pid), SIGCONT) }
        }
    }
}
