import Bus
import Contract
import Foundation
import TestSupport
import Testing

/// A wrong bundle is refused when it is installed, and the refusal names what is wrong.
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
