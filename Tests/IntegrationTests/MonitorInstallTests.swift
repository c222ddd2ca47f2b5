import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// An invalid bundle is refused at the installation, with the reason.
@Suite struct MonitorInstallTests {
    @Test func whatIsWrongIsNamed() async throws {
        try await World.with(["monitor-runner"]) { world in
            let path = world.directory + "/bundle"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let good = FixtureBundle.propertyList()
            let cases: [(String?, String)] = [
                (nil, "Info.plist"), ("", "property list"), ("bplist00", "binary"),
                (String(good.dropLast(20)), "property list"), (good + "<x/>", "property list"),
                (FixtureBundle.propertyList(id: "../evil"), "CFBundleIdentifier"),
                (good.replacingOccurrences(of: "CFBundleExecutable", with: "Other"), "CFBundleExecutable"),
                (FixtureBundle.propertyList(executable: "../../bin/sh"), "CFBundleExecutable"),
                (good.replacingOccurrences(of: "<key>NSExtension<", with: "<key>Other<"), "NSExtension"),
                (FixtureBundle.propertyList(point: "com.apple.widget"), "NSExtensionPointIdentifier"),
                (FixtureBundle.propertyList(principal: "$(OTHER).Monitor"), "NSExtensionPrincipalClass"),
                (FixtureBundle.propertyList(principal: "Module."), "NSExtensionPrincipalClass"),
                (good.replacingOccurrences(of: "MonitorFixture<", with: "A&evil;<"), "entity"),
                (good, "CFBundleExecutable: there is no file"),
            ]
            for (text, expected) in cases {
                if let text {
                    try text.write(toFile: path + "/Info.plist", atomically: true, encoding: .utf8)
                }
                let error = await #expect(throws: ServiceError.self) {
                    try await world.call(
                        ExtensionInstall.self, ExtensionInstall.Params(path: path, client: "org.a.b"))
                }
                #expect(
                    error?.message.contains(expected) == true, "\(error?.message ?? "") lacks \(expected)")
            }
            try "#!/bin/sh".write(toFile: path + "/monitor-fixture", atomically: true, encoding: .utf8)
            let noProgram = await #expect(throws: ServiceError.self) {
                try await world.call(
                    ExtensionInstall.self, ExtensionInstall.Params(path: path, client: "org.a.b"))
            }
            #expect(noProgram?.message.contains("may not be executed") == true)
            try good.replacingOccurrences(of: "CFBundleIdentifier", with: "Other").write(
                toFile: path + "/Info.plist", atomically: true, encoding: .utf8)
            let nameless = await #expect(throws: ServiceError.self) {
                try await world.call(ExtensionInstall.self, ExtensionInstall.Params(path: path))
            }
            #expect(nameless?.message.contains("CFBundleIdentifier") == true)
            let relative = await refusal {
                try await world.call(
                    ExtensionInstall.self, ExtensionInstall.Params(path: "bundle", client: "org.a.b"))
            }
            #expect(relative == .invalidArgument)
        }
    }

    /// The program reports its class with its module, and Info.plist names another module.
    @Test func aWrongModuleIsRefused() async throws {
        try await World.with(["monitor-runner"]) { world in
            let bundle = try await FixtureBundle(world)
            for (principal, isRight) in [
                ("monitor_fixture.MonitorFixture", true), ("other.MonitorFixture", false),
                ("Monitor_fixture.MonitorFixture", false), ("MonitorFixture", true),
            ] {
                try FixtureBundle.propertyList(principal: principal).write(
                    toFile: bundle.path + "/Info.plist", atomically: true, encoding: .utf8)
                if isRight {
                    try await bundle.install()
                } else {
                    #expect(await refusal { try await bundle.install() } == .invalidArgument, "\(principal)")
                }
            }
        }
    }

    /// Reserved names are refused, wherever they appear.
    @Test func namesOfTheSystemAreRefused() async throws {
        try await World.with(["monitor-runner"]) { world in
            let path = world.directory + "/bundle"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: path + "/monitor-fixture", withDestinationPath: World.products + "/monitor-fixture")
            let before = try await world.call(ExtensionList.self, Nothing()).extensions
            for (id, client) in [
                ("org.screentime.limits.evil", nil), ("org.screentime.limits.monitor", nil),
                ("org.screentime.limits.monitor", "org.example.app"), ("org.screentime.streaks.monitor", nil),
                ("org.screentime.limits.monitor.proof", nil), ("ORG.screentime.limits.evil", nil),
                ("org.example.x", BuiltInClient.limits), ("org.example.x", "org.screentime.streaks"),
            ] as [(String, String?)] {
                try FixtureBundle.propertyList(id: id).write(
                    toFile: path + "/Info.plist", atomically: true, encoding: .utf8)
                let error = await refusal {
                    try await world.call(
                        ExtensionInstall.self, ExtensionInstall.Params(path: path, client: client))
                }
                #expect(error == .accessDenied, "\(id)")
            }
            #expect(try await world.call(ExtensionList.self, Nothing()).extensions == before)
        }
    }

    /// An id alone does not make a bundle part of an app: one from elsewhere joins only if the person
    /// confirms it.
    @Test func aBundleFromElsewhereJoinsNoAppByItsName() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let first = try await UnrulyBundle(world, "quiet")
            // Another one beside it, one from elsewhere, and from elsewhere one that replaces the first.
            for (name, folder) in [("second", "bundles"), ("spy", "elsewhere"), ("monitor", "nowhere")] {
                let id = "org.example.quiet.\(name)"
                let path = "\(world.directory)/\(folder)/\(id)"
                try FileManager.default.createDirectory(
                    atPath: "\(world.directory)/\(folder)", withIntermediateDirectories: true)
                try FileManager.default.copyItem(atPath: first.path, toPath: path)
                let list = world.readText(path + "/Info.plist")
                try list.replacingOccurrences(of: first.id, with: id).write(
                    toFile: path + "/Info.plist", atomically: true, encoding: .utf8)
                guard folder != "bundles" else {
                    _ = try await world.call(ExtensionInstall.self, .init(path: path))
                    continue
                }
                let refusal = await #expect(throws: ServiceError.self) {
                    try await world.call(ExtensionInstall.self, .init(path: path))
                }
                #expect(refusal?.name == .conflict && refusal?.message.contains(first.path) == true)
                _ = try await world.call(ExtensionInstall.self, .init(path: path, client: first.client))
            }
        }
    }

    /// Nor does it join one whose extensions were removed, or that had none so far: what the app may and has
    /// is still there.
    @Test func aBundleJoinsNoAppThatIsKnownWithoutExtensions() async throws {
        try await World.with(["auth-service"]) { world in
            try await world.startMonitoring()
            let solo = try await UnrulyBundle(world, "quiet")
            @LoopActor func install(_ path: String) async -> ServiceError? {
                await #expect(throws: ServiceError.self) {
                    _ = try await world.call(ExtensionInstall.self, ExtensionInstall.Params(path: path))
                }
            }
            let elsewhere = world.directory + "/elsewhere"
            try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
            @LoopActor func copy(id: String) throws -> String {
                let path = "\(elsewhere)/\(id)"
                try FileManager.default.copyItem(atPath: solo.path, toPath: path)
                let list = world.readText(path + "/Info.plist")
                try list.replacingOccurrences(of: solo.id, with: id).write(
                    toFile: path + "/Info.plist", atomically: true, encoding: .utf8)
                return path
            }
            _ = try await world.call(ExtensionRemove.self, ExtensionRemove.Params(id: solo.id))
            _ = try await world.process("monitor-runner").stop()
            try await world.start("monitor-runner")
            let late = await install(try copy(id: "org.example.quiet.spy"))
            #expect(late?.name == .conflict && late?.message.contains("\(world.directory)/bundles") == true)
            // From where it was it comes back as it went.
            _ = try await world.call(ExtensionInstall.self, .init(path: solo.path))
            try await world.approve("org.example.allowed", try world.record(.auth))
            let spy = try copy(id: "org.example.allowed.spy")
            let refused = await install(spy)
            #expect(refused?.name == .conflict && refused?.remedy.contains("--client") == true)
            _ = try await world.call(ExtensionInstall.self, .init(path: spy, client: "org.example.allowed"))
            _ = try await world.call(ExtensionInstall.self, .init(path: spy))
            // An unknown app's bundle is installed as usual; without auth-service it is not known whether it
            // is one.
            let fresh = try copy(id: "org.example.fresh.monitor")
            _ = try await world.process("auth-service").stop()
            #expect(await install(fresh)?.name == .unavailable)
            try await world.start("auth-service")
            _ = try await world.call(ExtensionInstall.self, .init(path: fresh))
        }
    }

    /// What was installed is what runs, whatever becomes of the place that it was installed from.
    @Test func whatIsInstalledIsCopied() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            try FileManager.default.removeItem(atPath: bundle.path)
            let recorder = try world.record(.monitor)
            try await world.publish(["intervalDidStart:"])
            let delivered = try await recorder.first(CallbackDelivered.self) {
                $0.delivery.program == bundle.id
            }
            #expect(delivered.delivery.attempt == 1)
            let found = try await world.call(ExtensionList.self, Nothing()).extensions
            let record = try #require(found.first { $0.id == bundle.id })
            #expect(record.source == bundle.path && record.hash?.utf8.count == 64)
            // A changed copy is detected at its next start.
            _ = try await world.process("monitor-runner").stop()
            let changed = try Data(contentsOf: URL(fileURLWithPath: record.executable)) + [0]
            try changed.write(to: URL(fileURLWithPath: record.executable), options: .atomic)
            chmod(record.executable, 0o755)
            try await world.start("monitor-runner")
            try await world.publish(["intervalDidEnd:"])
            try await world.eventually("it is not started") {
                world.readText("\(world.directory)/state/logs/monitor-runner.log").contains("was changed")
            }
        }
    }

    /// Also before it is started: `doctor --deep` reads every copy.
    @Test func aByteFlippedInAnInstalledProgramIsFoundByDoctor() async throws {
        try await World.with(["monitor-runner"]) { world in
            let bundle = try await FixtureBundle(world)
            let found = try await world.call(ExtensionList.self, Nothing()).extensions
            let record = try #require(found.first { $0.id == bundle.id })
            var bytes = try Data(contentsOf: URL(fileURLWithPath: record.executable))
            bytes[bytes.count / 2] ^= 1
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: record.executable))
            try file.write(contentsOf: bytes)
            try file.close()
            let deep = try await world.screentime("doctor", "--deep")
            #expect(deep.status == 1)
            let finding = deep.lines.first { $0.contains("extension \(bundle.id)") }
            #expect(finding?.contains("was changed") == true)
            #expect(deep.lines.contains { $0.contains("Install it again from '\(bundle.path)'") })
        }
    }

    @Test func anotherClientCannotTakeAnExtensionOver() async throws {
        try await World.with(["monitor-runner"]) { world in
            let bundle = try await FixtureBundle(world)
            let error = await refusal {
                try await world.call(
                    ExtensionInstall.self,
                    ExtensionInstall.Params(path: bundle.path, client: "org.example.thief"))
            }
            #expect(error == .alreadyExists)
            let posing = await refusal {
                try await world.call(
                    ExtensionInstall.self,
                    ExtensionInstall.Params(path: bundle.path, client: BuiltInClient.limits))
            }
            #expect(posing == .accessDenied)
            try await bundle.install()
            let all = try await world.call(ExtensionList.self, Nothing()).extensions
            let ids = all.map(\.id)
            #expect(ids.filter { !$0.hasPrefix("org.screentime.") } == ["org.example.app.monitor"])
            #expect(ids.contains("org.screentime.limits.monitor"))
        }
    }
}
