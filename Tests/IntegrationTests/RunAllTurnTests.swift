import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// scripts/run-all.sh: only one instance starts or stops at a time, and one that waits does not touch what
/// others started.
@Suite("run-all.sh: turns") struct RunAllTurnTests {
    private static let staying = [
        "/usr/bin/setsid", "/bin/bash", RunAllTests.script.path, "--no-build", "--no-agent",
    ]
    /// All but the last.
    private static let others = World.allServices
    private static let last = AgentName.console

    /// Has the turn until it is ended.
    @LoopActor private static func holdTurn(_ world: World) async throws -> ChildProcess {
        for folder in ["run", "state"] {
            try FileManager.default.createDirectory(
                atPath: "\(world.directory)/\(folder)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let script = "cd \(world.directory); exec 8<run 9<state; flock 8; flock 9; echo held; exec sleep 1000"
        let holder = try world.launch("holder", ["/bin/bash", "-c", script])
        _ = try await holder.line("held")
        return holder
    }

    /// Ctrl-C: the signal goes to all that run in the terminal.
    @LoopActor private static func interrupt(_ process: ChildProcess) { kill(-process.pid, SIGINT) }

    @LoopActor private static func areRunning(_ names: [String], _ world: World) throws -> Bool {
        try names.allSatisfy { try world.process($0).status == nil }
    }

    /// Killed between the fork and the READY, at the worst instant.
    @Test func aKilledStartLeavesTheTurnToOthers() async throws {
        try await World.with([]) { world in
            world.environment.merge(RunAllTests.script.environment) { $1 }
            let script = """
                root=\(RunAllTests.root) products=\(World.products)
                source "$root/scripts/lib/say.sh"
                source "$root/scripts/lib/instance.sh"
                locate_instance
                make_directories
                take_turn
                set -o functrace
                trap '[[ $BASH_COMMAND != "started["* ]] || kill -KILL $$' DEBUG
                start_process auth-service
                """
            #expect(try await world.run("killed", ["/bin/bash", "-c", script]).status == 137)
            for folder in ["run", "state"] {
                let turn = ["/usr/bin/flock", "-w", "20", "\(world.directory)/\(folder)", "true"]
                #expect(try await world.run("turn", turn).status == 0, "\(folder) is still locked")
            }
            try await world.eventually("the service goes on") {
                RunAllTests.holders(world) == ["auth-service"]
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(world.directory)/run")
            #expect(files.allSatisfy { $0.hasPrefix("auth-service.") }, "\(files)")
            let stop = try await world.run("stop", RunAllTests.stopping)
            #expect(stop.status == 0 && stop.lines.contains("  stopped auth-service"), "\(stop.lines)")
        }
    }

    /// It holds no lock yet, and would start after everything was reported as stopped.
    @Test func whatIsOnlyBeingStartedIsStoppedToo() async throws {
        try await World.with([]) { world in
            let script = """
                source "\(RunAllTests.root)/scripts/lib/say.sh"
                source "\(RunAllTests.root)/scripts/lib/instance.sh"
                locate_instance
                sleep 1000 &
                started[auth-service]=$!
                stop_processes auth-service
                [[ ! -e /proc/$! && -z ${!started[*]} ]] && echo "nothing is left"
                """
            let outcome = try await world.run("stop", ["/bin/bash", "-c", script])
            #expect(outcome.lines == ["  stopped auth-service", "nothing is left"], "\(outcome.lines)")
        }
    }

    /// A stopped process reports nothing itself.
    @Test func whoIsWaitedForIsNamed() async throws {
        try await World.with([]) { world in
            world.environment.merge(RunAllTests.script.environment) { $1 }
            let holder = try await Self.holdTurn(world)
            holder.signal(SIGSTOP)
            try await world.eventually("it stands still") {
                world.states([FrozenProcess(pid: Int64(holder.pid))]) == ["T"]
            }
            let stop = try world.launch("stop", RunAllTests.stopping)
            let words = try await stop.line("Another run-all.sh")
            #expect(words.contains("(pid \(holder.pid), stopped)"), "\(words)")
            holder.signal(SIGKILL)
            #expect(try await stop.exit() == 0)
            let script = """
                source "\(RunAllTests.root)/scripts/lib/say.sh"
                source "\(RunAllTests.root)/scripts/lib/instance.sh"
                locate_instance
                turn_seconds=0
                take_turn
                """
            let other = try await Self.holdTurn(world)
            #expect(try await world.run("late", ["/bin/bash", "-c", script]).status == 75)
            #expect(world.errors(of: "late").contains("pid \(other.pid)"), "\(world.errors(of: "late"))")
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func aStartThatOnlyWaitsEndsAtOnceAndStopsNothing(signal: Int32) async throws {
        try await World.with(Self.others) { world in
            world.environment.merge(RunAllTests.script.environment) { $1 }
            let holder = try await Self.holdTurn(world)
            let start = try world.launch("start", ["/usr/bin/setsid"] + RunAllTests.starting)
            _ = try await start.line("Another run-all.sh")
            kill(-start.pid, signal)
            #expect(try await start.exit(deadline: 20_000) == 128 + signal, "\(start.lines)")
            holder.signal(SIGKILL)
            #expect(try Self.areRunning(Self.others, world) && RunAllTests.holders(world) == Self.others)
        }
    }

    @Test func anInterruptStopsWhatWasStartedAndNoMore() async throws {
        try await World.with(Self.others) { world in
            world.environment.merge(RunAllTests.script.environment) { $1 }
            let start = try world.launch("start", Self.staying)
            _ = try await start.line("Ctrl-C stops what was started here: \(Self.last)")
            Self.interrupt(start)
            #expect(try await start.exit() == 0, "\(start.lines)")
            #expect(start.lines.contains("  stopped \(Self.last)"), "\(start.lines)")
            #expect(start.lines.last?.hasPrefix("Stopped what was started here. Still running") == true)
            #expect(try Self.areRunning(Self.others, world) && RunAllTests.holders(world) == Self.others)
        }
    }

    /// What runs when the turn comes decides, not what ran before.
    @Test func aStartThatWaitedForAnotherStartLeavesItAlone() async throws {
        try await World.with(Self.others) { world in
            world.environment.merge(RunAllTests.script.environment) { $1 }
            let holder = try await Self.holdTurn(world)
            let start = try world.launch("start", Self.staying)
            _ = try await start.line("Another run-all.sh")
            try await world.start(Self.last)
            holder.signal(SIGKILL)
            #expect(try await start.exit() == 0)
            #expect(start.lines.contains("It already runs on these directories:"), "\(start.lines)")
            #expect(start.lines.last == "Stop it with: scripts/run-all.sh --stop", "\(start.lines)")
            #expect(try Self.areRunning(World.allServices, world))
        }
    }

    @Test func aStartThatWaitedForAStopStays() async throws {
        try await World.with { world in
            world.environment.merge(RunAllTests.script.environment) { $1 }
            let holder = try await Self.holdTurn(world)
            let start = try world.launch("start", Self.staying)
            _ = try await start.line("Another run-all.sh")
            for name in World.allServices { #expect(try await world.process(name).stop() == 0) }
            holder.signal(SIGKILL)
            _ = try await start.line("Ctrl-C stops everything.")
            #expect(!start.lines.contains { $0.hasPrefix("It already runs") }, "\(start.lines)")
            #expect(RunAllTests.holders(world) == RunAllTests.all)
            Self.interrupt(start)
            #expect(try await start.exit() == 0, "\(start.lines)")
            #expect(start.lines.last == "Stopped. Nothing is left running or frozen.")
            #expect(RunAllTests.holders(world) == [])
        }
    }
}
