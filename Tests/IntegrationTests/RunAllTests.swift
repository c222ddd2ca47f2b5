import Bus
import Contract
import Foundation
import TestSupport
import Testing

/// scripts/run-all.sh without a desktop, one beside the other.
@Suite("run-all.sh") struct RunAllTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    /// The script of this checkout, for the build that is tested.
    static var script: (path: String, environment: [String: String]) {
        let build = World.products.split(separator: "/").last.map(String.init) ?? "debug"
        return ("\(root)/scripts/run-all.sh", ["SCREENTIME_BUILD": build])
    }

    private static let starting = ["/bin/bash", script.path, "--detach", "--no-build", "--no-agent"]
    private static let stopping = ["/bin/bash", script.path, "--stop"]

    /// Whether this process may mount, in a namespace of its own: root in a container may not.
    private static let canMount = World.succeeds(
        ["/usr/bin/unshare", "-m", "/bin/sh", "-c", "mount -t tmpfs tmpfs /tmp"])

    @BusActor private static func holders(_ world: World) -> [String] {
        World.allServices.filter { LockTable.holder(of: "\(world.directory)/run/\($0).lock") != nil }
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
            for name in World.allServices {
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
            #expect(begun.count == World.allServices.count, "\(begun)")
            #expect(Self.holders(world).count == World.allServices.count)
            let stop = try await world.run("stop", Self.stopping)
            #expect(stop.status == 0 && Self.holders(world) == [], "\(stop.lines)")
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
