import Contract
import CPosix
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// Apps of their own, connected by `app-link`.
@Suite("apps and their link") struct AppLinkTests {
    private let app = "org.example.focus"
    private static let few = ["auth-service", "monitor-runner"]

    @Test func anAppIsKnownByItsEnvironmentItsBundleOrItsOwnWord() async throws {
        try await World.with(Self.few) { world in
            let nameless = try await world.app(["hello"], [:])
            #expect(nameless.first?.contains("error invalidArgument") == true, "\(nameless)")
            #expect(nameless.first?.contains("SCREENTIME_CLIENT") == true)
            let said = try await world.app(["hello"], ["APP_FIXTURE_CLIENT": app])
            #expect(said.first?.hasPrefix("hello \(app) uid-") == true, "\(said)")

            let bundle = try world.bundle(
                id: "org.example.bundled", entitlements: ["com.apple.security.application-groups"])
            let bundled = try await world.app(["hello"], ["APP_FIXTURE_CLIENT": app], at: bundle)
            #expect(bundled.first?.hasPrefix("hello org.example.bundled") == true, "\(bundled)")
            let group = world.directory + "/state/groups/group.org.example"
            #expect(bundled.first?.contains("group.org.example=\(group)") == true, "\(bundled)")
            #expect(FileManager.default.fileExists(atPath: group))
            let told = try await world.app(["hello"], ["SCREENTIME_CLIENT": "org.example.env"], at: bundle)
            #expect(told.first?.hasPrefix("hello org.example.env") == true, "\(told)")
            let wrong = try await world.app(["hello"], ["SCREENTIME_CLIENT": "../../etc"])
            #expect(wrong.first?.contains("error invalidArgument") == true, "\(wrong)")
        }
    }

    @Test func withoutTheSystemCallsFailAndSayWhatToDo() async throws {
        try await World.with([]) { world in
            let environment = ["APP_FIXTURE_CLIENT": app, "SCREENTIME_DEADLINE_MS": "200"]
            let lines = try await world.app(["status", "query"], environment)
            #expect(lines.first == "status notDetermined", "\(lines)")
            #expect(lines.last?.hasPrefix("query error") == true, "\(lines)")
            let bundle = try world.bundle(id: app, entitlements: [])
            let alone = try await world.app(
                ["hello"], ["SCREENTIME_BIN_DIR": "/nonexistent", "PATH": "/usr/bin"], at: bundle)
            #expect(alone.first?.contains("app-link is in none of") == true, "\(alone)")
        }
    }

    /// An app without a group in its own bundle cannot know whether its extensions have one: it reports that,
    /// and not that there is none.
    @Test func anAppThatCannotAskForItsGroupsSaysSo() async throws {
        try await World.with(["auth-service"]) { world in
            let words = ["defaults", "group.org.example"]
            let client = ["SCREENTIME_CLIENT": app, "SCREENTIME_DEADLINE_MS": "20000"]
            #expect(try await world.app(words, client) == ["defaults none"])
            let name = try #require(world.processes.last?.name)
            let errors = world.errors(of: name)
            #expect(errors.contains("is not known: monitor-runner did not answer"), "\(errors)")
            #expect(errors.contains("start monitor-runner") && !errors.contains("entitlements"))
            // The groups of its own bundle are available anyway.
            let bundle = try world.bundle(id: app, entitlements: ["com.apple.security.application-groups"])
            #expect(try await world.app(words, client, at: bundle) == ["defaults ok"])
            let streaks = try await world.run(
                "streaks", [World.products + "/streaks", "list"],
                environment: ["SCREENTIME_DEADLINE_MS": "20000"])
            #expect(streaks.status != 0)
            #expect(world.errors(of: "streaks").contains("monitor-runner did not answer"))
        }
    }

    @Test func thePersonsWordReachesTheAppAtOnce() async throws {
        try await World.with(Self.few) { world in
            let events = try world.record(.auth)
            let watching = try world.launchApp(["watch"], ["APP_FIXTURE_CLIENT": app])
            _ = try await watching.line("watch notDetermined")
            async let asked = world.app(["request", "status"], ["APP_FIXTURE_CLIENT": app])
            let pending = try await events.pending(app)
            #expect(pending.clientName == "The Fixture" && pending.asksDataAccess == nil)
            try await world.decide(pending.id, .approve)
            #expect(try await asked == ["request ok approved", "status approved"])
            _ = try await watching.line("watch approved")
            // Another process, later: the stored decision.
            #expect(
                try await world.app(["status", "request"], ["APP_FIXTURE_CLIENT": app])
                    == ["status approved", "request ok approved"])
            _ = try await world.turn(app, access: false)
            _ = try await watching.line("watch denied")
            #expect(try await world.app(["status"], ["APP_FIXTURE_CLIENT": app]) == ["status denied"])
            _ = try await world.turn(app, access: true)
            let revoked = try await world.app(["revoke", "revoke", "status"], ["APP_FIXTURE_CLIENT": app])
            #expect(
                revoked == ["revoke () notDetermined", "revoke () notDetermined", "status notDetermined"])
            try await watching.destroy()
        }
    }

    @Test func aWatchingAppOutlivesItsLinkAndTheService() async throws {
        try await World.with(Self.few) { world in
            let events = try world.record(.auth)
            try await world.approve(app, events)
            let watching = try world.launchApp(["watch"], ["APP_FIXTURE_CLIENT": app])
            _ = try await watching.line("watch approved")
            let link = try #require(world.child(of: watching.pid, named: "app-link"))
            kill(link, SIGKILL)
            _ = try await world.turn(app, access: false)
            _ = try await watching.line("watch denied")
            // The service goes and comes back; the link follows its successor.
            _ = try await world.process("auth-service").stop()
            try await world.start("auth-service")
            _ = try await world.turn(app, access: true)
            let seen = try await watching.wait(for: "approved twice") { process in
                process.lines.count { $0 == "watch approved" } == 2 ? true : nil
            }
            #expect(seen)
            // The app's end is the link's end.
            let second = try #require(world.child(of: watching.pid, named: "app-link"))
            try await watching.destroy()
            try await world.gone(second)
        }
    }
}

extension World {
    /// Runs the fixture app to its end.
    /// - Parameter directory: of a bundle; nil: where it was built.
    func app(
        _ words: [String], _ environment: [String: String], at directory: String? = nil
    ) async throws -> [String] {
        let program = (directory ?? Self.products) + "/app-fixture"
        let extra = ["SCREENTIME_BIN_DIR": Self.products].merging(environment) { $1 }
        return try await run("app-\(processes.count)", [program] + words, environment: extra).1
    }

    func launchApp(_ words: [String], _ environment: [String: String]) throws -> ChildProcess {
        try launch(
            "app-\(processes.count)", [Self.products + "/app-fixture"] + words, environment: environment)
    }

    /// A bundle directory with the fixture app.
    func bundle(id: String, entitlements: [String]) throws -> String {
        let path = "\(directory)/bundle-\(id)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: path + "/unused", withDestinationPath: Self.products)
        try FileManager.default.copyItem(
            atPath: Self.products + "/app-fixture", toPath: path + "/app-fixture")
        let info = try PropertyListSerialization.data(
            fromPropertyList: ["CFBundleIdentifier": id], format: .xml, options: 0)
        try info.write(to: URL(fileURLWithPath: path + "/Info.plist"))
        var rights: [String: Any] = [:]
        for key in entitlements { rights[key] = key.hasSuffix("groups") ? ["group.org.example"] : true }
        let file = try PropertyListSerialization.data(fromPropertyList: rights, format: .xml, options: 0)
        try file.write(to: URL(fileURLWithPath: path + "/App.entitlements"))
        return path
    }

    /// The process of this name that `parent` started.
    func child(of parent: Int32, named name: String) -> Int32? {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap { Int32($0) }.first { pid in
            // It may end while we look.
            guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return false }
            let fields = text[text.index(after: end)...].split(separator: " ")
            return text.contains("(\(name))") && fields.first != "Z"
                && fields.dropFirst().first == "\(parent)"
        }
    }

    /// Waits until a process that is not ours has ended.
    func gone(_ pid: Int32) async throws {
        let descriptor = pidfd_open(pid, 0)
        guard descriptor >= 0 else { return }
        let ended = Expectation<Bool>("the end of process \(pid)")
        let token = Reactor.shared.watch(descriptor: descriptor) { ended.fulfil(true) }
        _ = try await ended.wait()
        Reactor.shared.forget(token)
        close(descriptor)
    }
}
