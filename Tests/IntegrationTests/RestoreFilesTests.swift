import Contract
import Foundation
import Glibc
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// What a backup contains besides the stores, and what a restore reports about missing files.
@Suite struct RestoreFilesTests {
    private static let game = "org.example.Game"
    private static let noon = "2026-05-05T12:00:00Z"
    private static let group = "group.org.screentime.downtime"

    @LoopActor private static func stopAll(_ world: World) async throws {
        for service in ServiceName.startOrder.reversed() { try await world.stop(service.rawValue) }
    }

    /// Restores while nothing runs, starts everything again, and returns what the command printed.
    @LoopActor private static func restore(_ world: World, _ backup: String) async throws -> String {
        let restored = try await world.command("restore", backup)
        #expect(restored.status == 0, "\(restored)")
        for service in ServiceName.startOrder { try await world.start(service.rawValue) }
        return restored.output
    }

    @LoopActor private static func made(_ world: World) async throws -> String {
        let backup = "\(world.directory)/backup"
        let made = try await world.command("backup", backup)
        #expect(made.status == 0, "\(made)")
        return backup
    }

    @LoopActor private static func keptAside(_ world: World) throws -> [String] {
        let state = "\(world.directory)/state"
        return try FileManager.default.contentsOfDirectory(atPath: state)
            .filter { $0.hasPrefix("replaced-") }.sorted().map { "\(state)/\($0)" }
    }

    /// An app of the system that is set up; its own rules are in its group.
    @LoopActor private static func downtime(_ world: World) async throws {
        try await world.teach([game: "games"])
        try await world.prepare("downtime", selections: ["evening": ["--app", game]])
        try await start(world, from: "22:00")
    }

    @LoopActor private static func start(_ world: World, from: String) async throws {
        let started = try await world.app(
            "downtime", "start", "--selection", "evening", "--from", from, "--to", "23:00")
        #expect(started.status == 0, "\(started.errors)")
    }

    // MARK: rules of apps

    @Test func theRulesOfAppsComeBackWithTheStores() async throws {
        try await World.with(clock: Self.noon) { world in
            try await Self.downtime(world)
            let backup = try await Self.made(world)
            try await Self.start(world, from: "13:00")
            try await Self.stopAll(world)
            _ = try await Self.restore(world, backup)
            let status = try await world.app("downtime", "status")
            let sentences = "from 22:00 to 23:00. It is not shielded now."
            #expect(status.lines.first?.contains(sentences) == true, "\(status)")
            let aside = try #require(try Self.keptAside(world).first)
            let kept = "groups/\(Self.group)/Library/Preferences/\(Self.group).plist"
            #expect(FileManager.default.fileExists(atPath: "\(aside)/\(kept)"))
            // The same on a machine on which it never was.
            try await Self.stopAll(world)
            try FileManager.default.removeItem(atPath: "\(world.directory)/state/groups")
            _ = try await Self.restore(world, backup)
            try await world.clock.advance(to: "2026-05-05T22:00:01Z")
            #expect(try await world.shielded() == ["app \(Self.game) daily"])
        }
    }

    @Test func aBackupWithoutRulesOfAppsLeavesThemAndSaysSo() async throws {
        try await World.with(clock: Self.noon) { world in
            try await Self.downtime(world)
            let backup = try await Self.made(world)
            // As it was made before there were groups in it.
            let manifest = URL(fileURLWithPath: "\(backup)/backup.json")
            var fields = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: manifest)) as? [String: Any])
            #expect(fields.removeValue(forKey: "groups") != nil)
            try JSONSerialization.data(withJSONObject: fields).write(to: manifest)
            // The directory may not exist.
            try? FileManager.default.removeItem(atPath: "\(backup)/groups")
            try await Self.stopAll(world)
            // As one that broke off between the groups leaves it.
            let earlier = "\(world.directory)/state/restoring"
            try "/earlier\n".write(toFile: earlier, atomically: false, encoding: .utf8)
            let output = try await Self.restore(world, backup)
            #expect(world.readText(earlier) == "/earlier\n", "the rules are as it left them")
            #expect(output.contains("no rules of downtime, encouragement, streaks, worklog"), "\(output)")
            let status = try await world.app("downtime", "status")
            #expect(status.lines.first?.contains("from 22:00 to 23:00") == true, "\(status)")
        }
    }

    @Test func damagedRulesAreRefusedAndRulesThatCameLaterGoAside() async throws {
        try await World.with { world in
            let backup = try await Self.made(world)
            let kept = "\(world.directory)/state/groups/\(Self.group)/Library/Preferences"
            try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
            for name in ["a.plist", "a.plist.lock", "a.plist.new"] {
                try "rules".write(toFile: "\(kept)/\(name)", atomically: false, encoding: .utf8)
            }
            let later = "\(world.directory)/later"
            #expect(try await world.command("backup", later).status == 0)
            let copied = "\(later)/groups/\(Self.group)/Library/Preferences"
            #expect(try FileManager.default.contentsOfDirectory(atPath: copied) == ["a.plist"])
            try "others".write(toFile: "\(copied)/a.plist", atomically: false, encoding: .utf8)
            try await Self.stopAll(world)
            let refused = try await world.command("restore", later)
            #expect(refused.status == 65 && refused.errors.contains(Self.group), "\(refused)")
            #expect(try Self.keptAside(world) == [])
            _ = try await Self.restore(world, backup)
            #expect(!FileManager.default.fileExists(atPath: kept))
            let aside = "\(try Self.keptAside(world)[0])/groups/\(Self.group)/Library/Preferences"
            #expect(world.readText(aside + "/a.plist") == "rules")
        }
    }

    @Test func aBackupThatFailsOverAGroupLeavesNothing() async throws {
        try await World.with { world in
            let groups = "\(world.directory)/state/groups/group.org.screentime"
            for name in ["downtime", "streaks"] {
                try FileManager.default.createDirectory(
                    atPath: "\(groups).\(name)", withIntermediateDirectories: true)
                try "rules".write(toFile: "\(groups).\(name)/a", atomically: false, encoding: .utf8)
            }
            // 1 GiB, of which nothing is on the disk.
            try #require(truncate("\(groups).streaks/a", 1 << 30) == 0)
            let backup = "\(world.directory)/backup"
            let refused = try await world.command("backup", backup)
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.errors.contains("'group.org.screentime.streaks'"), "\(refused)")
            #expect(!FileManager.default.fileExists(atPath: backup))
            unlink("\(groups).streaks/a")
            _ = try await Self.made(world)
        }
    }

    // MARK: extensions

    /// Copies of an extension's bundle, by their hashes.
    @LoopActor private static func copies(_ world: World, of bundle: FixtureBundle) -> Set<String> {
        let folder = "\(world.directory)/state/bundles/\(bundle.id)"
        // Without a copy there is no folder.
        return Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }

    /// Later installations are needed by the stores that were moved aside, as long as those exist.
    @Test func aRestoreNamesExtensionsWithoutCopyAndKeepsTheCopiesOfWhatItReplaced() async throws {
        try await World.with { world in
            let bundle = try await FixtureBundle(world)
            let backup = try await Self.made(world)
            let first = Self.copies(world, of: bundle)
            try FixtureBundle.propertyList(principal: "MonitorFixture").write(
                toFile: bundle.path + "/Info.plist", atomically: true, encoding: .utf8)
            try await bundle.install()
            try await world.eventually("the first is swept") {
                Self.copies(world, of: bundle).isDisjoint(with: first)
            }
            let second = Self.copies(world, of: bundle)
            try await Self.stopAll(world)
            let folder = "\(world.directory)/state/bundles/\(bundle.id)"
            let restored = try await world.command("restore", backup)
            #expect(restored.output.contains("`screentime status`"), "\(restored)")
            mkdir(folder + "/unneeded", 0o755)
            for service in ServiceName.startOrder { try await world.start(service.rawValue) }
            let status = try await world.command("status")
            #expect(status.status == 69, "\(status)")
            let said = status.lines.first { $0.contains("'\(bundle.id)' of \(bundle.client) has no program") }
            #expect(said?.contains("extension install \(bundle.path) --client") == true, "\(status)")
            try await world.eventually("the start deletes what nobody needs") {
                Self.copies(world, of: bundle) == second
            }
            for aside in try Self.keptAside(world) { try FileManager.default.removeItem(atPath: aside) }
            try await world.stop("monitor-runner")
            try await world.start("monitor-runner")
            try await world.eventually("nobody needs it any more") {
                Self.copies(world, of: bundle).isEmpty
            }
            try await bundle.install()
            #expect(try await world.health(.monitor).notActing ?? [] == [])
        }
    }
}
