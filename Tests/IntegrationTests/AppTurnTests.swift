import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// Only one command of an app at a time changes its rules and registrations, and no backup is made between
/// the two.
@Suite("apps' commands at once") struct AppTurnTests {
    private static let docs = "org.example.Docs"

    @LoopActor private static func world(
        _ app: String?, _ body: @LoopActor (World) async throws -> Void
    ) async throws {
        try await World.with { world in
            try await world.teach([docs: "productivity"])
            if let app { try await world.prepare(app, selections: ["docs": ["--app", docs]]) }
            try await body(world)
        }
    }

    /// Says them all at once; each must succeed.
    @LoopActor private static func atOnce(_ world: World, _ commands: [String]) async throws {
        var running: [Task<World.AppOutcome, any Error>] = []
        for command in commands { running.append(Task { @LoopActor in try await world.app(words: command) }) }
        for (command, task) in zip(commands, running) {
            let said = try await task.value
            #expect(said.status == 0, "\(command): \(said)")
        }
    }

    @Test func tasksThatAreAddedAtOnceAreAllCounted() async throws {
        try await Self.world("streaks") { world in
            let names = (1...6).map { "task\($0)" }
            try await Self.atOnce(world, names.map { "streaks increase \($0) --selection docs --minutes 5" })
            let listed = try await world.app("streaks", "list", "--json").json().arrayValue ?? []
            #expect(listed.compactMap { $0["task"]?.stringValue }.sorted() == names)
            #expect(listed.allSatisfy { $0["counted"] == true }, "\(listed)")
        }
    }

    @Test func marksThatAreSetAtOnceAreAllKept() async throws {
        try await Self.world(nil) { world in
            let apps = (1...6).map { "org.example.App\($0)" }
            try await world.teach(Dictionary(uniqueKeysWithValues: apps.map { ($0, "games") }))
            try await Self.atOnce(world, apps.map { "limits allow \($0) --app" })
            let store = try await world.call(
                SettingsRead.self, SettingsRead.Params(store: AllowedSettings.store)).store
            let allowed = store.settings.first { $0.key == "allow.applications" }?.value.arrayValue ?? []
            #expect(allowed.compactMap(\.stringValue).sorted() == apps)
        }
    }

    @Test func aBackupAndACommandWaitForEachOther() async throws {
        try await Self.world("streaks") { world in
            let command = "streaks increase task --selection docs --minutes 5"
            // As a command that is at work.
            var lock: AppLock? = try AppLock(of: "org.screentime.streaks", in: world.runtime)
            let backup = try world.launch(
                "backup", [World.products + "/screentime", "backup", "\(world.directory)/backup"])
            try await world.eventually("the backup says that it waits") {
                world.errors(of: "backup").contains("a command of org.screentime.streaks is at work")
            }
            for service in ServiceName.allCases {
                let held = try await world.client(service).call(BackupHold.self, BackupKey(id: "free"))
                #expect(!held.epoch.isEmpty, "nothing is held while it waits")
                _ = try await world.client(service).call(BackupCopy.self, BackupCopy.Params(id: "free"))
            }
            world.environment["SCREENTIME_DEADLINE_MS"] = "500"
            let refused = try await world.app(words: command)
            #expect(refused.status == 75 && refused.errors.contains("still holds its lock"), "\(refused)")
            world.environment["SCREENTIME_DEADLINE_MS"] = nil
            let listed = try await world.app("streaks", "list").lines
            #expect(listed == ["No tasks yet."], "who reads waits for nobody")
            _ = lock
            lock = nil
            #expect(try await backup.exit() == 0, "\(world.errors(of: "backup"))")
            let done = try await world.app(words: command)
            #expect(done.status == 0, "\(done)")
        }
    }
}
