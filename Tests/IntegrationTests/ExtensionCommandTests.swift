import Contract
import Foundation
import ScreenTimeTesting
import Testing

/// `screentime extension …` and `screentime logs EXTENSION` with real programs.
@Suite struct ExtensionCommandTests {
    @Test func aBundleIsInstalledShownRunAndRemoved() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let recorder = try world.record(.monitor)
            let bundle = try await UnrulyBundle(world, "quiet", callbackSeconds: 9)
            let list = try await world.screentime("extension", "list")
            #expect(list.lines.contains { $0.contains(bundle.id) && $0.contains("at rest") })
            let run = try await world.screentime(
                "extension", "run-once", bundle.id, "intervalDidStart", "--activity", "descriptors")
            #expect(run.status == 0 && run.lines.contains { $0.hasPrefix("descriptors 0 1 2 3 4") })
            #expect(run.lines.contains { $0.hasPrefix("intervalDidStart took ") && $0.contains(" MiB") })
            #expect(run.lines.last == "It returned.")
            let crash = try await world.screentime(
                "extension", "run-once", bundle.id, "intervalDidStart", "--activity", "abort")
            #expect(crash.status == 1)
            #expect(crash.lines.last?.hasPrefix("It failed: it was ended by signal 6") == true)
            let chatter = try await world.screentime(
                "extension", "run-once", bundle.id, "intervalDidStart", "--activity", "chatter")
            #expect(chatter.status == 0 && chatter.lines.last == "It returned.")
            #expect(chatter.lines.first?.contains("earlier lines: see the extension's log") == true)
            #expect(chatter.lines.contains { $0.hasPrefix("\\u{1}\\u{1}") })
            let logs = try await world.screentime("logs", bundle.id)
            #expect(logs.lines.contains { $0.contains("descriptors 0 1 2 3 4") && $0.contains(bundle.id) })
            let show = try await world.screentime("extension", "show", bundle.id)
            #expect(show.lines.contains { $0.contains("32.0 MiB, 9 s per callback, 1 s of processor") })
            #expect(show.lines.contains { $0.hasPrefix("confined by") && $0.contains("seccomp") })
            let installed = try await recorder.first(ExtensionInstalled.self) { $0.program.id == bundle.id }
            #expect(installed.program.client == bundle.client)
            #expect(try await world.screentime("extension", "remove", bundle.id).status == 0)
            _ = try await recorder.first(ExtensionRemoved.self) { $0.id == bundle.id }
            #expect(access("\(world.directory)/state/containers/\(bundle.id)", F_OK) != 0)
            #expect(try await world.screentime("extension", "show", bundle.id).status == 1)
            #expect(try await world.screentime("extension", "run-once", bundle.id, "noSuch").status == 64)
        }
    }

    /// A program that serves another extension point, or has another principal class, is refused at install.
    @Test func aWrongProgramIsRefusedAtInstall() async throws {
        try await World.with(["monitor-runner"]) { world in
            let point = await #expect(throws: ServiceError.self) {
                try await UnrulyBundle(
                    world, "report", point: "com.apple.ManagedSettings.shield-action-service")
            }
            #expect(point?.message.contains("serves com.apple.deviceactivity.monitor-extension") == true)
            let bundle = try await UnrulyBundle(world, "quiet")
            let file = bundle.path + "/Info.plist"
            let list = world.readText(file)
            try list.replacingOccurrences(of: ".UnrulyFixture", with: ".OtherClass").write(
                toFile: file, atomically: true, encoding: .utf8)
            let wrong = try await world.screentime("extension", "install", bundle.path)
            #expect(wrong.status == 1)
            #expect(world.errors(of: "screentime").contains("unruly_fixture.OtherClass"))
            try FileManager.default.removeItem(atPath: bundle.path + "/unruly-fixture")
            try FileManager.default.copyItem(atPath: "/bin/true", toPath: bundle.path + "/unruly-fixture")
            try list.write(toFile: file, atomically: true, encoding: .utf8)
            let other = try await world.screentime("extension", "install", bundle.path)
            #expect(other.status == 1)
            #expect(world.errors(of: "screentime").contains("did not say what it serves"))
        }
    }

    /// An app group belongs to the client whose entitlements named it first.
    @Test func anAppGroupIsNotTakenOver() async throws {
        try await World.with(["monitor-runner"]) { world in
            let mine = try await UnrulyBundle(world, "mine")
            let theirs = try await UnrulyBundle(world, "theirs")
            let entitlements = """
                <plist version="1.0"><dict><key>com.apple.security.application-groups</key>
                <array><string>group.org.example.shared</string></array></dict></plist>
                """
            for bundle in [mine, theirs] {
                try entitlements.write(
                    toFile: bundle.path + "/App.entitlements", atomically: true, encoding: .utf8)
            }
            let first = try await world.call(
                ExtensionInstall.self, ExtensionInstall.Params(path: mine.path))
            #expect(first.program.groups == ["group.org.example.shared"])
            let error = await refusal {
                try await world.call(ExtensionInstall.self, ExtensionInstall.Params(path: theirs.path))
            }
            #expect(error == .alreadyExists)
            let group = world.directory + "/state/groups/group.org.example.shared"
            try FileManager.default.createDirectory(atPath: group, withIntermediateDirectories: true)
            try "kept".write(toFile: group + "/file", atomically: false, encoding: .utf8)
            // Its files stay when its extension goes, and so they stay its own.
            _ = try await world.call(ExtensionRemove.self, ExtensionRemove.Params(id: mine.id))
            _ = try await world.process("monitor-runner").stop()
            try await world.start("monitor-runner")
            let late = await refusal {
                try await world.call(ExtensionInstall.self, ExtensionInstall.Params(path: theirs.path))
            }
            #expect(late == .alreadyExists)
            try FileManager.default.removeItem(atPath: group)
            _ = try await world.call(ExtensionInstall.self, ExtensionInstall.Params(path: theirs.path))
        }
    }
}
