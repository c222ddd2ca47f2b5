import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// Icons of apps, and what report extensions draw.
@Suite("console: pictures") struct ConsolePictureTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
    private static let drawing =
        #"<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#

    @LoopActor private static func put(_ bytes: [UInt8], _ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test func anIconIsTheOneOfTheDesktopEntry() async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            let icons = "\(world.directory)/data/icons/hicolor"
            try Self.put(Self.png, "\(icons)/48x48/apps/chess.png")
            try Self.put(Array(Self.drawing.utf8), "\(icons)/scalable/apps/draw.svg")
            try Self.put(Self.png, "\(world.directory)/own.png")
            try Self.put(Array("password".utf8), "\(world.directory)/secret.png")
            try Self.put(Array("password".utf8), "\(world.directory)/data/secret.png")
            let named = [
                "chess": "chess", "draw": "draw", "own": world.directory + "/own.png",
                "passwd": "/etc/passwd",
                "secret": world.directory + "/secret.png", "up": "../../../../secret", "dots": "..",
                "none": "nothing",
                "device": "/dev/zero", "org.example.With Space": "chess.png",
            ]
            let apps =
                named.map { InstalledApp(app: $0.key, name: $0.key, icon: $0.value) } + [
                    InstalledApp(app: "bare", name: "b")
                ]
            _ = try await world.call(
                CatalogObserve.self, CatalogObserve.Params(device: "a", apps: apps, begins: true))
            let browser = try await world.openConsole(["XDG_DATA_HOME": world.directory + "/data"])
            for app in ["chess", "own", "org.example.With%20Space"] {
                let reply = try await browser.get("/icon/\(app)")
                #expect(reply.status == 200 && reply.body == Self.png, "\(app) \(reply.text)")
                #expect(reply.fields["content-type"] == "image/png" && reply.fields["etag"] != nil)
            }
            let drawn = try await browser.get("/icon/draw")
            #expect(drawn.text == Self.drawing && drawn.fields["content-type"] == "image/svg+xml")
            // Opened by its address it is a document: it may run nothing.
            #expect(drawn.fields["content-security-policy"]?.hasPrefix("sandbox; default-src 'none'") == true)
            for app in ["passwd", "secret", "up", "dots", "none", "device", "bare", "unknown", "a/b"] {
                let reply = try await browser.get("/icon/\(app)")
                #expect(reply.status == 204 && reply.body.isEmpty, "\(app) \(reply.text)")
            }
            #expect(try await browser.get("/icon/").status == 400)
        }
    }

    @Test func aSceneIsShownInASandboxOfItsOwn() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let fields = [
                "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe",
            ]
            let scene = "/scene/org.screentime.charts?context=pieChart&filter=%7B%7D"
            try await world.eventually("the built-in charts are installed") {
                try await browser.get(scene, fields).status == 200
            }
            let reply = try await browser.get(scene, fields)
            #expect(reply.status == 200 && reply.fields["content-type"] == "text/html; charset=utf-8")
            #expect(reply.text.hasPrefix("<!DOCTYPE html>"))
            let wrong = [
                "/scene/org.screentime.charts?context=%3Cscript%3E", "/scene/nothing?context=x", "/scene/",
                "/scene/org.screentime.charts?context=pieChart&filter=%7B%22more%22:1%7D",
                "/scene/org.screentime.charts?context=pieChart&filter=%3Cscript%3E",
            ]
            for path in wrong {
                let refused = try await browser.get(path, fields)
                #expect((400..<500).contains(refused.status), "\(path) \(refused.status)")
                #expect(refused.text.hasPrefix("<!doctype html>") && !refused.text.contains("<script"))
                #expect(refused.fields["content-security-policy"] == reply.fields["content-security-policy"])
            }
            let policy = try #require(reply.fields["content-security-policy"])
            #expect(
                policy.hasPrefix("sandbox; default-src 'none'; ") && policy.contains("frame-ancestors 'self'")
            )
            #expect(!policy.contains("allow-") && reply.fields["x-frame-options"] == "SAMEORIGIN")
        }
    }
}
