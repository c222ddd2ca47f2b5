import Bus
import Foundation
import TestSupport
import Testing

/// scripts/run-all.sh: one at a time starts or stops, and who waits leaves alone what others started.
@Suite("run-all.sh: turns") struct RunAllTurnTests {
    private static let staying = [
        "/usr/bin/setsid", "/bin/bash", RunAllTests.script.path, "--no-build", "--no-agent",
    ]
    /// All but the last.
    private static let five = Array(World.allServices.dropLast())
    private static let last = "monitor-runner"

    /// Has the turn until it is ended.
    @BusActor private static func holdTurn(_ world: World) async throws -> ChildProcess {
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
    @BusActor private static func interrupt(_ process: ChildProcess) { kill(-process.pid, SIGINT) }

    @BusActor private static func areRunning(_ names: [String], _ world: World) throws -> Bool {
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

    /// One that stands still says nothing itself.
    @Test func whoIsWaitedForIsNamed() async throws {
        try await World.with([]) { world in
            world.environment.merge(RunAllTests.script.environment) { $1 }
            let holder = try await Self.holdTurn(world)
            holder.signal(SIGSTOP)
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
}
