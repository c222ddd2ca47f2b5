import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing
import TestSupport

/// scripts/run-all.sh without a desktop, one beside the other.
@Suite("run-all.sh") struct RunAllTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    /// The script of this checkout, for the build that is tested.
    static var script: (path: String, environment: [String: String]) {
        let build = World.products.split(separator: "/").last.map(String.init) ?? "debug"
        return ("\(root)/scripts/run-all.sh", ["SCREENTIME_BUILD": build])
    }

    static let starting = ["/bin/bash", script.path, "--detach", "--no-build", "--no-agent"]
    static let stopping = ["/bin/bash", script.path, "--stop"]

    /// Whether this process may mount, in a namespace of its own: root in a container may not.
    private static let canMount = World.succeeds(
        ["/usr/bin/unshare", "-m", "/bin/sh", "-c", "mount -t tmpfs tmpfs /tmp"])

    /// What it starts without a desktop, in order.
    static let all = World.allServices + [AgentName.console]

    @LoopActor static func holders(_ world: World) -> [String] {
        all.filter { LockTable.holder(of: "\(world.directory)/run/\($0).lock") != nil }
    }

    /// What is only being started is not passed over.
    @Test func stoppingWaitsForAStartThatIsUnderway() async throws {
        try await World.with([]) { world in
            world.environment.merge(Self.script.environment) { $1 }
            let start = try world.launch("start", Self.starting)
            _ = try await start.line("  READY  auth-service")
            let stop = try await world.run("stop", Self.stopping)
            #expect(try await start.exit() == 0, "\(start.lines) \(world.errors(of: "start"))")
            #expect(stop.status == 0, "\(stop.lines) \(world.errors(of: "stop"))")
            for name in Self.all {
                #expect(start.lines.contains { $0.hasPrefix("  READY  \(name) ") }, "\(start.lines)")
                #expect(stop.lines.contains("  stopped \(name)"), "\(stop.lines)")
            }
            #expect(stop.lines.last == "Stopped. Nothing is left running or frozen.")
            #expect(Self.holders(world) == [])
            // Nothing is left behind, whatever was found above.
            _ = try await world.run("end", Self.stopping)
        }
    }

    @Test func twoStartsAtOnceAreOne() async throws {
        try await World.with([]) { world in
            world.environment.merge(Self.script.environment) { $1 }
            let starts = try ["first", "second"].map { try world.launch($0, Self.starting) }
            for start in starts { #expect(try await start.exit() == 0, "\(start.lines)") }
            let begun = starts.flatMap(\.lines).filter { $0.hasPrefix("  READY") }
            #expect(begun.count == Self.all.count, "\(begun)")
            #expect(Self.holders(world).count == Self.all.count)
            let stop = try await world.run("stop", Self.stopping)
            #expect(stop.status == 0 && Self.holders(world) == [], "\(stop.lines)")
        }
    }

    /// logind removes the runtime directory at the end of a login session, and others clean /tmp.
    @Test(arguments: ["run", "run/auth-service.lock"])
    func whatRunsIsFoundWhenItsRuntimeFilesAreRemoved(path: String) async throws {
        try await World.with { world in
            world.environment.merge(Self.script.environment) { $1 }
            try FileManager.default.removeItem(atPath: "\(world.directory)/\(path)")
            let auth = try world.process("auth-service").pid
            let status = try await world.command("status", "--json")
            let told = try #require(try status.json()["services"]?[0])
            if path == "run" {
                #expect(status.status == 69)
                let words = told["last_error"]?.stringValue
                #expect(words?.hasPrefix("runs, but does not listen at ") == true, "\(told)")
                let members = try await world.command("member", "list")
                #expect(
                    members.status == 69 && members.errors.contains("auth-service runs, but does not listen"),
                    "\(members)")
            } else {
                #expect(told["state"] == "ready")
            }
            #expect(told["pid"] == .integer(Int64(auth)), "\(told)")
            let start = try await world.run("start", Self.starting)
            #expect(start.status == 69, "\(start.lines)")
            #expect(
                world.errors(of: "start").contains("auth-service (pid \(auth)) runs on '"),
                "\(world.errors(of: "start"))")
            let stop = try await world.run("stop", Self.stopping)
            #expect(stop.status == 0, "\(stop.lines) \(world.errors(of: "stop"))")
            for name in World.allServices {
                #expect(stop.lines.contains("  stopped \(name)"), "\(stop.lines)")
                #expect(try await world.process(name).exit() == 0)
            }
            #expect(stop.lines.last == "Stopped. Nothing is left running or frozen.")
            let again = try await world.run("again", Self.starting)
            #expect(again.status == 0 && Self.holders(world) == Self.all, "\(again.lines)")
            let end = try await world.run("end", Self.stopping)
            #expect(end.status == 0 && Self.holders(world) == [], "\(end.lines)")
        }
    }

    private static let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    /// Nobody may look: that is no proof that nothing runs.
    @Test(
        .enabled(
            if: World.succeeds(nobody + ["/usr/bin/test", "-r", script.path]),
            "needs root, to be somebody else, and a checkout that others may read"),
        arguments: [[], ["auth-service"]], [0o700, 0o755])
    func theDirectoriesOfSomebodyElseAreRefused(services: [String], mode: mode_t) async throws {
        try await World.with(services) { world in
            try world.runtime.prepare()
            #expect(chmod(world.directory, mode) == 0)
            world.environment.merge(Self.script.environment) { $1 }
            for (name, command) in [("stop", Self.stopping), ("start", Self.starting)] {
                let refused = try await world.run(name, Self.nobody + command)
                let errors = world.errors(of: name)
                #expect(refused.status == 77, "\(refused.lines) \(errors)")
                #expect(errors.split(separator: "\n").count == 1 && errors.contains("of root"), "\(errors)")
                #expect(refused.lines == [])
            }
            let asking = Self.nobody + [World.products + "/screentime"]
            let status = try await world.run("status", asking + ["status"])
            #expect(status.status != 0 && !status.lines.contains { $0.contains("not running") }, "\(status)")
            #expect(try await world.run("list", asking + ["member", "list"]).status == 77)
            #expect(world.errors(of: "list").contains("auth-service cannot be seen"))
            // Missing directories belong to nobody.
            let absent = ["RUNTIME", "STATE"].map { "SCREENTIME_\($0)_DIR=/tmp/none-\(getpid())/\($0)" }
            let nothing = try await world.run(
                "nothing", Self.nobody + ["/usr/bin/env"] + absent + Self.stopping)
            #expect(nothing.status == 0, "\(nothing.lines) \(world.errors(of: "nothing"))")
        }
    }

    /// Another instance's lock may have the same inode, on another file system.
    @Test(.enabled(if: canMount, "nothing may be mounted here"))
    func theLocksOfAnotherFileSystemAreOthers() async throws {
        try await World.with([]) { world in
            let place = world.directory
            let script = """
                set -e
                source "\(Self.root)/scripts/lib/say.sh"
                source "\(Self.root)/scripts/lib/instance.sh"
                for one in a b; do
                    mkdir -p "\(place)/$one"
                    mount -t tmpfs tmpfs "\(place)/$one"
                    : >"\(place)/$one/auth-service.lock"
                done
                cp "$(command -v flock)" "\(place)/auth-service"
                mkfifo "\(place)/end"
                "\(place)/auth-service" -o "\(place)/a/auth-service.lock" cat "\(place)/end" &
                pid=$!
                runtime=\(place)/a
                until holder auth-service >/dev/null; do :; done
                [[ $(holder auth-service) == "$pid" ]] && echo found
                stat -c %i "\(place)"/?/auth-service.lock | uniq | wc -l
                runtime=\(place)/b
                holder auth-service || echo nobody
                : >"\(place)/end"
                wait "$pid"
                """
            let outcome = try await world.run("locks", ["/usr/bin/unshare", "-m", "/bin/bash", "-c", script])
            #expect(outcome.lines == ["found", "1", "nobody"], "\(world.errors(of: "locks"))")
        }
    }
}
