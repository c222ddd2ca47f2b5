import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// The files of the pages, as a browser loads them.
@Suite("console: pages") struct ConsolePageTests {
    /// A directory of pages of the test's own.
    @LoopActor private static func pages(_ world: World) throws -> String {
        let web = world.directory + "/web"
        let files = [
            "index.html": "<!doctype html><title>page</title>",
            "app/main.js": String(repeating: "let a = 1;\n", count: 200),
            "style/a.css": "body {}", "icons/a.svg": "<svg/>", "icons/a.png": "png", "app/.hidden.js": "no",
            "app/notes.md": "no", "secret.txt": "no", "other/a.js": "no",
        ]
        for (name, text) in files {
            let path = "\(web)/\(name)"
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: false, encoding: .utf8)
        }
        try FileManager.default.createSymbolicLink(
            atPath: "\(web)/app/link.js", withDestinationPath: "main.js")
        try FileManager.default.createSymbolicLink(atPath: "\(web)/style/up", withDestinationPath: "/etc")
        return web
    }

    @Test func everyPathOfAPageIsThePage() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole(["SCREENTIME_CONSOLE_WEB": try Self.pages(world)])
            for path in ["/", "/today", "/limits", "/sign-in?to=/limits", "/index.html"] {
                let reply = try await browser.get(path)
                #expect(reply.status == 200 && reply.text.hasSuffix("<title>page</title>"), "\(path)")
                #expect(reply.fields["content-type"] == "text/html; charset=utf-8")
                let policy = try #require(reply.fields["content-security-policy"])
                #expect(policy.contains("script-src 'self';") && !policy.contains("unsafe"))
                #expect(
                    policy.contains("frame-ancestors 'none'") && reply.fields["x-frame-options"] == "DENY")
                #expect(reply.fields["x-content-type-options"] == "nosniff")
            }
            let types = [
                "/app/main.js": "text/javascript; charset=utf-8", "/style/a.css": "text/css; charset=utf-8",
                "/icons/a.svg": "image/svg+xml", "/icons/a.png": "image/png",
            ]
            for (path, type) in types {
                let reply = try await browser.get(path)
                #expect(reply.status == 200 && reply.fields["content-type"] == type, "\(path)")
            }
        }
    }

    @Test func nothingElseIsServed() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole(["SCREENTIME_CONSOLE_WEB": try Self.pages(world)])
            let paths = [
                "/secret.txt", "/other/a.js", "/app/.hidden.js", "/app/notes.md", "/app/link.js", "/app",
                "/app/",
                "/style/up/passwd", "/style/up/hostname.css", "/../secret.txt", "/app/../secret.txt",
                "/app/..%2fsecret.txt", "/%2e%2e/secret.txt", "/app/%2e%2e/secret.txt",
                "/app/..%5csecret.txt",
                "/app//main.js", "//app/main.js", "/app/main.js%00.css", "/app/main.js/", "/App/main.js",
                "/app/ma%0ain.js",
                "/app/" + String(repeating: "a/", count: 300) + "b.js",
                "/app/" + String(repeating: "a", count: 4_000),
                "/etc/passwd", "/app/....//....//etc/passwd", "/today/", "/favicon.ico", "/%ff",
                "/app/%ff.js",
            ]
            for path in paths {
                let reply = try await browser.get(path)
                #expect(reply.status == 404 && reply.problem == "notFound", "\(path): \(reply.status)")
                #expect(!reply.text.contains("root:") && !reply.text.hasPrefix("let a"))
            }
            for target in ["http://127.0.0.1/app/main.js", "*", "app/main.js"] {
                let reply = try await browser.get(target)
                #expect((400..<500).contains(reply.status), "\(target): \(reply.status)")
            }
        }
    }

    @Test func anAddressTypedByHandLeadsToAPage() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole(["SCREENTIME_CONSOLE_WEB": try Self.pages(world)])
            let accept = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"]
            let meant = [
                "/today/": "/today", "/Today": "/today", "//LIMITS": "/limits", "/todday": "/", "/%ff": "/",
                "/secret.txt": "/",
            ]
            for (path, page) in meant {
                let reply = try await browser.get(path, accept)
                #expect(reply.status == 303 && reply.fields["location"] == page, "\(path): \(reply.fields)")
            }
            for path in ["/app/none.js", "/api/nothing", "/../secret.txt", "/a/today"] {
                let reply = try await browser.get(path, accept)
                #expect(reply.status == 404 && reply.problem == "notFound", "\(path): \(reply.status)")
            }
        }
    }

    @Test func whatHasNotChangedIsNotSentAgain() async throws {
        try await World.with([]) { world in
            let web = try Self.pages(world)
            let browser = try await world.startConsole(["SCREENTIME_CONSOLE_WEB": web])
            let first = try await browser.get("/app/main.js")
            let tag = try #require(first.fields["etag"])
            #expect(first.fields["cache-control"] == "no-cache" && first.body.count == 2_200)
            for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let again = try await browser.get("/app/main.js", ["If-None-Match": known])
                #expect(again.status == 304 && again.body.isEmpty && again.fields["etag"] == tag, "\(known)")
            }
            #expect(try await browser.get("/app/main.js", ["If-None-Match": "\"x\""]).status == 200)
            let head = try await browser.send("HEAD", "/app/main.js")
            #expect(head.status == 200 && head.body.isEmpty && head.fields["content-length"] == "2200")
            let packed = try await browser.get("/app/main.js", ["Accept-Encoding": "br, gzip;q=0.9"])
            #expect(packed.fields["content-encoding"] == "gzip" && packed.body.count < 200)
            #expect(packed.body.starts(with: [0x1f, 0x8b]) && packed.fields["etag"] != tag)
            #expect(packed.fields["vary"] == "Accept-Encoding")
            try Data(packed.body).write(to: URL(filePath: world.directory + "/main.js.gz"))
            let unpacked = try await world.run("gzip", ["/bin/gzip", "-dc", world.directory + "/main.js.gz"])
            #expect(unpacked.status == 0 && unpacked.lines.count == 200)
            // Whoever writes pages sees them at once.
            try "let b = 2".write(toFile: web + "/app/main.js", atomically: true, encoding: .utf8)
            let changed = try await browser.get("/app/main.js", ["If-None-Match": tag])
            #expect(changed.status == 200 && changed.text == "let b = 2")
            try FileManager.default.removeItem(atPath: web + "/app/main.js")
            #expect(try await browser.get("/app/main.js").status == 404)
        }
    }

    /// A browser asks once for all of them, and draws sooner.
    @Test func aStyleSheetBringsThoseThatItImports() async throws {
        try await World.with([]) { world in
            let web = try Self.pages(world)
            func write(_ name: String, _ text: String) throws {
                try text.write(toFile: "\(web)/style/\(name)", atomically: true, encoding: .utf8)
            }
            let path = "/style/all.css", imports = "@import \"a.css\";\n@import \"b.css\";\n"
            try write("b.css", "p {}")
            try write("all.css", imports)
            let browser = try await world.startConsole(["SCREENTIME_CONSOLE_WEB": web])
            let first = try await browser.get(path)
            #expect(first.text == "body {}\np {}\n")
            #expect(first.fields["content-type"] == "text/css; charset=utf-8")
            let tag = try #require(first.fields["etag"])
            #expect(try await browser.get(path, ["If-None-Match": tag]).status == 304)
            try write("b.css", "i {}")
            let changed = try await browser.get(path, ["If-None-Match": tag])
            #expect(changed.status == 200 && changed.text == "body {}\ni {}\n")

            // The browser itself reads what cannot be joined, and says what is missing.
            let max = 2 << 20, largest = max - "body {}\n\n".utf8.count
            for other in ["@import \"c.css\";", String(repeating: " ", count: largest + 1)] {
                try write("b.css", other)
                #expect(try await browser.get(path).text == imports)
            }
            try write("b.css", String(repeating: " ", count: largest))
            #expect(try await browser.get(path).body.count == max)
            try FileManager.default.removeItem(atPath: "\(web)/style/b.css")
            #expect(try await browser.get(path).text == imports)
            try FileManager.default.createSymbolicLink(
                atPath: "\(web)/style/b.css", withDestinationPath: "a.css")
            #expect(try await browser.get(path).text == imports)
            try write("b.css", "q {}")
            #expect(try await browser.get(path).text == "body {}\nq {}\n")
        }
    }

    /// The pages of this checkout.
    @Test func theBuiltConsoleFindsItsPages() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole()
            let page = try await browser.get("/").text
            #expect(page.contains("<!doctype html>") && page.contains("\"/style/all.css\""))
            let style = try await browser.get("/style/all.css")
            #expect(style.text.contains("@media print") && !style.text.contains("@import"))
        }
    }
}
