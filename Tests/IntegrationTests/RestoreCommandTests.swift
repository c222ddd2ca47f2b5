import Contract
import Foundation
import Glibc
import Loop
import ScreenTimeTesting
import Testing

/// `screentime restore` and `backup` where they do not go as planned: nothing that was there is lost, and
/// nothing that speaks of the person is left without a name.
@Suite struct RestoreCommandTests {
    @LoopActor private static func stopAll(_ world: World) async throws {
        for service in ServiceName.startOrder.reversed() { try await world.stop(service.rawValue) }
    }

    @LoopActor private static func startAll(_ world: World) async throws {
        for service in ServiceName.startOrder { try await world.start(service.rawValue) }
    }

    private static let rules = "groups/group.org.screentime.streaks/rules"

    /// What an app of the system keeps.
    @LoopActor private static func keep(_ text: String, _ world: World) throws {
        let path = URL(fileURLWithPath: "\(world.directory)/state/\(rules)")
        try FileManager.default.createDirectory(
            at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: path, atomically: false, encoding: .utf8)
    }

    /// A backup that contains the member "early"; the services, which are then stopped, contain "late", too.
    /// The rules of an app are the same.
    @LoopActor private static func backedUp(_ world: World) async throws -> String {
        let directory = "\(world.directory)/backup"
        try keep("early", world)
        _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "early"))
        let made = try await world.command("backup", directory)
        #expect(made.status == 0, "\(made)")
        _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "late"))
        try keep("late", world)
        try await stopAll(world)
        return directory
    }

    @LoopActor private static func members(_ world: World) async throws -> [String] {
        try await world.call(MemberList.self, Nothing()).members.map(\.name)
            .filter { $0 == "early" || $0 == "late" }
    }

    /// Every file of the state directory with its content, except the notes about copies.
    @LoopActor private static func files(_ world: World, in place: String = "") throws -> [String: Data] {
        let state = "\(world.directory)/state"
        var found: [String: Data] = [:]
        for name in FileManager.default.enumerator(atPath: state)?.allObjects as? [String] ?? []
        where name.hasPrefix(place) && !name.hasPrefix("logs/") && name != "backups" {
            // A directory has no contents; that it is there counts.
            found[name] = FileManager.default.contents(atPath: "\(state)/\(name)") ?? Data()
        }
        return found
    }

    @LoopActor private static func keptAside(_ world: World) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(world.directory)/state")
            .filter { $0.hasPrefix("replaced-") }.sorted()
    }

    /// Two restores at the same instant, as with a clock that stands still. Everything of a service is moved
    /// aside with its store, since journals belong to that store.
    @Test func whatARestoreKeptAsideIsNotTouchedByTheNext() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            let backup = try await Self.backedUp(world)
            let noted = "\(world.directory)/state/monitor-runner/returned/org.example.monitor"
            try #require(FileManager.default.createFile(atPath: noted, contents: Data(count: 16)))
            let first = try await world.command("restore", backup)
            #expect(first.status == 0, "\(first)")
            let aside = try #require(try Self.keptAside(world).first)
            #expect(first.output.contains("/\(aside)."))
            #expect(!FileManager.default.fileExists(atPath: noted))
            let kept = try Self.files(world, in: aside)
            #expect(kept.keys.contains("\(aside)/monitor-runner/returned/org.example.monitor"))
            #expect(kept["\(aside)/auth-service/auth-service.sqlite3"]?.contains(Data("late".utf8)) == true)

            let second = try await world.command("restore", backup)
            #expect(second.status == 0, "\(second)")
            #expect(try Self.files(world, in: aside + "/") == kept.filter { $0.key != aside })
            #expect(try Self.keptAside(world).count == 2)
            try await Self.startAll(world)
            #expect(try await Self.members(world) == ["early"])
        }
    }

    private static let canMount: Bool = {
        var template = Array("/tmp/stm-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return false }
        defer { rmdir(template) }
        guard mount("tmpfs", template, "tmpfs", 0, "size=65536") == 0 else { return false }
        return umount2(template, Int32(MNT_DETACH)) == 0
    }()

    @Test func aCopyThatCannotBeWrittenLeavesNothing() async throws {
        try await World.with { world in
            let backup = try await Self.backedUp(world)
            let before = try Self.files(world)
            // Files of up to 16 blocks; exceeding that gives an error and does not end the process.
            let program = World.products + "/screentime"
            let script = "trap '' XFSZ; ulimit -f 16; exec \(program) restore \(backup)"
            let (status, _) = try await world.run("limited", ["/bin/sh", "-c", script])
            let errors = world.errors(of: "limited")
            #expect(status == 75 && errors.contains("File too large") && !errors.contains("bug"), "\(errors)")
            #expect(try Self.files(world) == before)
            #expect(try await world.command("restore", backup).status == 0)
        }
    }

    @Test(.enabled(if: canMount, "mounting a tmpfs needs root"))
    func aRestoreThatHasNoRoomSaysHowMuchItNeeds() async throws {
        try await World.with([]) { world in
            let state = "\(world.directory)/state"
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
            try #require(mount("tmpfs", state, "tmpfs", 0, "size=16m,mode=0700") == 0, "errno \(errno)")
            defer { umount2(state, Int32(MNT_DETACH)) }
            try await Self.startAll(world)
            let backup = try await Self.backedUp(world)
            var space = statvfs()
            try #require(statvfs(state, &space) == 0)
            let filler = "\(state)/filler"
            let free = Int(space.f_bavail) * Int(space.f_frsize)
            let contents = Data(count: free - 300_000)
            try #require(FileManager.default.createFile(atPath: filler, contents: contents))
            let before = try Self.files(world)
            let refused = try await world.command("restore", backup)
            #expect(refused.status == 75, "\(refused)")
            #expect(refused.errors.contains("KiB are free"), "\(refused)")
            #expect(try Self.files(world) == before)
            try FileManager.default.removeItem(atPath: filler)
            #expect(try await world.command("restore", backup).status == 0)
        }
    }

    @Test(.enabled(if: canMount, "mounting a tmpfs needs root"))
    func aBackupThatHasNoRoomNamesItsPlaceAndLeavesNothing() async throws {
        try await World.with { world in
            let disk = "\(world.directory)/disk"
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
            try #require(mount("tmpfs", disk, "tmpfs", 0, "size=200k,mode=0700") == 0, "errno \(errno)")
            defer { umount2(disk, Int32(MNT_DETACH)) }
            let refused = try await world.command("backup", "\(disk)/b")
            #expect(refused.status == 75, "\(refused)")
            #expect(refused.errors.contains("the disk of '\(disk)/b/"), "\(refused)")
            #expect(!refused.errors.contains("is left") && !refused.errors.contains("state directory"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == [])
            try #require(mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT), "size=64m") == 0, "errno \(errno)")
            #expect(try await world.command("backup", "\(disk)/b").status == 0)
        }
    }

    /// Wherever it is killed, each service has the store it had or the one of the backup, every copy that is
    /// left is named by `forget`, and the same command again does the rest.
    @Test(arguments: [
        "restore-copied-auth-service", "restore-copied-notifier", "restore-replaced-auth-service",
        "restore-replaced-shield-service", "restore-replaced-notifier",
    ])
    func aRestoreThatIsKilledLosesNothing(place: String) async throws {
        try await World.with { world in
            let backup = try await Self.backedUp(world)
            close(open("\(world.directory)/fault/\(place)", O_CREAT | O_WRONLY, 0o600))
            #expect(try await world.command("restore", backup).status == 137)
            // The turn of the groups comes after the stores.
            #expect(world.readText("\(world.directory)/state/\(Self.rules)") == "late")
            for service in ServiceName.allCases {
                let store = "\(world.directory)/state/\(service.rawValue)/\(service.rawValue).sqlite3"
                #expect(FileManager.default.fileExists(atPath: store), "\(service.rawValue) has a store")
            }
            try await Self.startAll(world)
            let isReplaced = place.contains("replaced")
            // Nothing else shows that rules of apps and registrations do not match.
            let status = try await world.command("status")
            let sentence = "a restore of '\(backup)' was interrupted"
            #expect(status.output.contains(sentence) == isReplaced, "\(status)")
            #expect(status.status == 69 || !isReplaced, "\(status)")
            let mixed = "\(world.directory)/mixed"
            let copied = try await world.command("backup", mixed)
            #expect(copied.status == (isReplaced ? 1 : 0), "\(copied)")
            #expect(copied.errors.contains(sentence) == isReplaced, "\(copied)")
            #expect(FileManager.default.fileExists(atPath: mixed) != isReplaced)
            #expect(try await Self.members(world) == (isReplaced ? ["early"] : ["early", "late"]))
            let left = try Self.keptAside(world)
            #expect(left.count == 1)
            let stores = try Self.files(world).keys.filter { $0.contains(".sqlite3") }
            #expect(stores.allSatisfy { name in
                ServiceName.allCases.contains { name.hasPrefix("\($0.rawValue)/\($0.rawValue).sqlite3") }
                    || left.contains { name.hasPrefix($0 + "/") }
            }, "\(stores)")
            let forgotten = try await world.command("forget", "--everything", "--yes")
            #expect(forgotten.output.contains("/\(left[0]) ("), "\(forgotten)")
            try await Self.stopAll(world)
            #expect(try await world.command("restore", backup).status == 0)
            #expect(world.readText("\(world.directory)/state/\(Self.rules)") == "early")
            try await Self.startAll(world)
            #expect(try await world.command("status").output.contains("was interrupted") == false)
            #expect(try await Self.members(world) == ["early"])
        }
    }

    /// A new machine, without a runtime directory: the notes of where copies are begin with the restore.
    @Test func aRestoredBackupIsNamedWhereNothingWas() async throws {
        try await World.with { world in
            let backup = try await Self.backedUp(world)
            for place in ["state", "run"] {
                try FileManager.default.removeItem(atPath: "\(world.directory)/\(place)")
            }
            for _ in 0..<2 {
                let restored = try await world.command("restore", backup)
                #expect(restored.status == 0, "\(restored)")
                if try Self.keptAside(world).isEmpty {
                    #expect(restored.output.contains("Nothing was there before"), "\(restored)")
                }
            }
            #expect(try Self.keptAside(world).count == 1)
            try await Self.startAll(world)
            let forgotten = try await world.command("forget", "--everything", "--yes")
            #expect(forgotten.output.components(separatedBy: "  \(backup) (").count == 2, "\(forgotten)")
        }
    }
}
