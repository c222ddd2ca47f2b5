import Contract
import Foundation
import Testing

@testable import ServiceKit

/// The apps of the system are found by their manifests.
@Suite struct AppManifestTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "apps-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // A folder that stays harms no test.
        try body(folder)
    }

    private func write(_ text: String, _ app: String, in folder: URL) throws {
        let resources = folder.appending(path: "screentime_\(app).resources")
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        try text.write(to: resources.appending(path: "app.json"), atomically: true, encoding: .utf8)
    }

    @Test func anAppIsFoundByItsManifest() throws {
        try withFolder { folder in
            let monitor = #"{"name":"monitor","point":"com.apple.deviceactivity.monitor-extension"}"#
            let flags = #""takes_turns":true,"keeps_rules":false"#
            try write(#"{"name":"quiet",\#(flags),"extensions":[\#(monitor)]}"#, "quiet", in: folder)
            // Resources of something else.
            let other = folder.appending(path: "screentime_other.resources")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            let apps = try InstalledApps.all(in: [folder.path, folder.path + "/nothing-here"])
            let app = try #require(apps.first)
            #expect(apps.count == 1)
            #expect(app.client == "org.screentime.quiet" && app.takesTurns && !app.keepsRules)
            #expect(app.extensions.map(\.name) == ["monitor"])
            #expect(app.extensions.map(\.point) == [.monitor] && app.extensions[0].principalClass == nil)
            #expect(InstalledApps.hasManifest(command: "quiet", in: folder.path))
            #expect(!InstalledApps.hasManifest(command: "other", in: folder.path))
        }
    }

    @Test(arguments: [
        "{", #"{"name":"x"}"#, #"{"name":"x","takes_turns":1,"keeps_rules":true,"extensions":[]}"#,
    ])
    func aBadManifestIsNamed(_ text: String) throws {
        try withFolder { folder in
            try write(text, "bad", in: folder)
            let error = #expect(throws: ServiceError.self) { try InstalledApps.all(in: [folder.path]) }
            #expect(error?.name == .unavailable)
            #expect(error?.message.contains("screentime_bad.resources/app.json") == true)
        }
    }

    @Test func theSystemHasItsApps() throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let apps = root.appending(path: "Services/apps")
        let names = try FileManager.default.contentsOfDirectory(atPath: apps.path).filter { name in
            FileManager.default.fileExists(atPath: apps.appending(path: "\(name)/Main").path)
        }
        #expect(!names.isEmpty)
        try withFolder { folder in
            for name in names {
                let file = apps.appending(path: "\(name)/Main/app.json")
                try write(String(contentsOf: file, encoding: .utf8), name, in: folder)
            }
            let found = try InstalledApps.all(in: [folder.path])
            #expect(found.map(\.name) == names.sorted())
            // Each extension has a folder of sources of its own.
            for app in found {
                for part in app.extensions {
                    let sources = apps.appending(path: "\(app.name)/\(part.name)").path
                    #expect(FileManager.default.fileExists(atPath: sources), "\(app.name)-\(part.name)")
                }
            }
        }
    }
}
