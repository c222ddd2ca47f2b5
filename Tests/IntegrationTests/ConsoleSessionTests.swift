import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// How somebody gets in, stays in, and gets out.
@Suite("console: sessions") struct ConsoleSessionTests {
    @Test func theCommandLineSignsABrowserIn() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.startConsole()
            let opened = try await world.command("open", "--print")
            let address = try #require(opened.lines.first)
            #expect(opened.status == 0 && opened.lines.count == 1 && opened.errors.isEmpty, "\(opened)")
            #expect(address.hasPrefix("http://127.0.0.1:\(browser.port)/sign-in#"), "\(address)")
            #expect(try await browser.get("/session").status == 401)
            let reply = try await browser.signIn(address)
            let cookie = try #require(reply.fields["set-cookie"])
            #expect(cookie.hasPrefix("screentime_session_\(browser.port)="))
            #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
            let session = try await browser.get("/session").json()
            #expect(session["csrf"]?.stringValue == browser.csrf && session["region"] == nil)
            #expect(session["member"]?.stringValue == "uid-\(getuid())")
            #expect(session["name"]?.stringValue?.isEmpty == false && session["locale"] == nil)
            #expect(
                session["day_start_minutes"]?.integerValue == 0 && session["now_ms"]?.integerValue ?? 0 > 0)
            let methods = session["methods"]?.arrayValue?.compactMap(\.stringValue) ?? []
            #expect(
                methods.contains("report.query") && methods.contains("app.run")
                    && !methods.contains("usage.observe"))
            // Nothing of it is on the disk: neither the ticket nor the session.
            let secrets = [String(address.split(separator: "#")[1]), browser.csrf ?? "-"]
            let log = world.readText("\(world.directory)/state/logs/console.log")
            #expect(log.contains("ready") && secrets.allSatisfy { !log.contains($0) })
        }
    }

    @Test func aPageMayBeNamed() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole()
            let opened = try await world.command("open", "limits", "--print")
            #expect(
                opened.output.hasPrefix("http://127.0.0.1:\(browser.port)/sign-in?to=/limits#"), "\(opened)")
            #expect(try await world.command("open", "elsewhere", "--print").status == 64)
            await #expect(throws: ServiceError.self) {
                try await world.consoleAddress(page: "//evil.example")
            }
            // An app cannot sign itself in.
            await #expect(throws: ServiceError.self) {
                try await world.consoleAddress(client: "org.example.app")
            }
        }
    }

    /// What stands for the desktop's program writes down what it was to open.
    @Test func theBrowserIsOpenedWhereThereIsADisplay() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole()
            let told = world.directory + "/told"
            let program = try world.write(
                "#!/bin/sh\nprintf %s \"$1\" >'\(told)'\nexit ${STATUS:-0}\n", to: "xdg-open")
            #expect(chmod(program, 0o700) == 0)
            let path = "\(world.directory):/usr/bin:/bin"
            let desktop = ["DISPLAY": ":77", "PATH": path]
            let opened = try await world.command("open", environment: desktop)
            #expect(opened.status == 0 && opened.errors.isEmpty, "\(opened)")
            #expect(opened.output == world.readText(told))
            #expect(try await browser.signIn(world.readText(told)).status == 200)
            for (words, environment) in [(["open"], ["PATH": path]), (["open", "--print"], desktop)] {
                try FileManager.default.removeItem(atPath: told)
                try "".write(toFile: told, atomically: false, encoding: .utf8)
                let printed = try await world.command(words, environment: environment)
                #expect(printed.status == 0 && world.readText(told).isEmpty, "\(words)")
            }
            let failed = try await world.command("open", environment: desktop.merging(["STATUS": "3"]) { $1 })
            #expect(failed.status == 1 && failed.errors.contains("xdg-open ended with 3"), "\(failed)")
            #expect(failed.output.hasPrefix("http://127.0.0.1:\(browser.port)/sign-in#"))
        }
    }

    /// Without a desktop environment, xdg-open becomes the browser: the command ends while that runs.
    @Test func aBrowserThatStaysIsNotWaitedFor() async throws {
        try await World.with([]) { world in
            _ = try await world.startConsole()
            let file = world.directory + "/browser"
            let program = try world.write("#!/bin/sh\necho $$ >'\(file)'\nexec sleep 1000\n", to: "xdg-open")
            #expect(chmod(program, 0o700) == 0)
            let opened = try await world.command(
                "open", environment: ["DISPLAY": ":77", "PATH": "\(world.directory):/usr/bin:/bin"])
            let pid = try #require(Int32(world.readText(file).dropLast()))
            #expect(opened.status == 0 && opened.errors.isEmpty, "\(opened)")
            #expect(kill(pid, SIGKILL) == 0, "it runs on")
        }
    }

    /// With systemd nothing of the console runs until somebody connects; `screentime open` does.
    @Test(.enabled(if: World.areInstalled("systemd-socket-activate"), "needs systemd"))
    func theCommandWakesAConsoleThatSystemdListensFor() async throws {
        try await World.with([]) { world in
            let free = try listeningSocket()
            close(free.descriptor)
            world.environment["SCREENTIME_CONSOLE_PORT"] = String(free.port)
            let passed = world.environment.keys.flatMap { ["-E", $0] }
            let words = ["/usr/bin/systemd-socket-activate", "-l", "127.0.0.1:\(free.port)"] + passed
            let console = try world.launch("console", words + [World.products + "/console"])
            try await world.eventually("systemd listens") {
                world.errors(of: "console").contains("Listening")
            }
            #expect(console.lines.isEmpty)
            let opened = try await world.command("open", "--print")
            #expect(opened.output.hasPrefix("http://127.0.0.1:\(free.port)/sign-in#"), "\(opened)")
            let browser = Browser(port: free.port)
            #expect(try await browser.signIn(opened.output).status == 200)
            #expect(try await world.consoleHealth().state == .ready)
        }
    }

    @Test func withoutAConsoleTheCommandSaysWhatToDo() async throws {
        try await World.with([]) { world in
            let opened = try await world.command("open")
            #expect(opened.status == 69 && opened.errors.contains("not running"), "\(opened)")
        }
    }

    @Test func aTicketIsGoodOnce() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole()
            let address = try await world.consoleAddress()
            #expect(try await browser.signIn(address).status == 200)
            let thief = Browser(port: browser.port)
            let reply = try await thief.signIn(address)
            #expect(
                reply.status == 401 && reply.problem == "notSignedIn" && reply.fields["set-cookie"] == nil)
            for body in [
                "", "{}", #"{"ticket":""}"#, #"{"ticket":7}"#, "[]", "null", #"{"ticket":"x","more":1}"#,
            ] {
                #expect(try await thief.post("/session", body).status == 401, "\(body)")
            }
            #expect(try await browser.get("/session").status == 200)
        }
    }

    /// Any server on this machine may set a cookie of that name; one with a longer path comes first.
    @Test func aCookieOfAnotherServerHidesNoSession() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole()
            try await browser.signIn(try await world.consoleAddress())
            let own = try #require(browser.cookie)
            let planted = own.prefix { $0 != "=" } + "=zz"
            for both in ["\(planted); \(own)", "\(own); \(planted)"] {
                browser.cookie = both
                #expect(try await browser.get("/session").status == 200)
            }
            browser.cookie = "\(planted); \(own)"
            #expect(try await browser.post("/session/end").status == 204)
            browser.cookie = own
            #expect(try await browser.get("/session").status == 401)
        }
    }

    /// Somebody who can set a cookie in the browser does not know the session that begins there.
    @Test func anIdThatWasGivenBeforehandIsNotTaken() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole()
            let planted = "screentime_session_\(browser.port)=\(String(repeating: "a", count: 64))"
            browser.cookie = planted
            #expect(try await browser.get("/session").status == 401)
            try await browser.signIn(try await world.consoleAddress())
            #expect(browser.cookie != planted && browser.cookie != nil)
            let other = Browser(port: browser.port)
            other.cookie = planted
            #expect(try await other.get("/session").status == 401)
            // Signing in again ends the session before, and its token.
            let (before, token) = (browser.cookie, browser.csrf)
            try await browser.signIn(try await world.consoleAddress())
            #expect(browser.cookie != before && browser.csrf != token)
            other.cookie = before
            #expect(try await other.get("/session").status == 401)
            #expect(try await world.consoleHealth().counters.first { $0.name == "sessions" }?.count == 1)
        }
    }

    @Test func signingOutEndsTheSessionAndItsStream() async throws {
        try await World.with([]) { world in
            let browser = try await world.openConsole()
            let stream = try browser.events()
            try await stream.receives("retry:")
            let reply = try await browser.post("/session/end")
            #expect(reply.status == 204 && reply.fields["set-cookie"]?.contains("Max-Age=0") == true)
            // At once, and with the last page what it followed.
            let counters = try await world.consoleHealth().counters
            for name in ["sessions", "pages", "followed"] {
                #expect(counters.first { $0.name == name }?.count == 0, "\(name)")
            }
            #expect(try await browser.get("/session").status == 401)
            try await stream.receives("its end") { $0.isEnded || $0.text.hasSuffix("\r\n0\r\n\r\n") }
            stream.close()
        }
    }

    @Test func aChangeNeedsTheTokenOfItsSession() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.openConsole()
            let other = Browser(port: browser.port)
            try await other.signIn(try await world.consoleAddress())
            for token in [nil, "", "0", String(repeating: "0", count: 64), other.csrf] as [String?] {
                for path in ["/api/member.list", "/session/end"] {
                    let reply = try await browser.post(path, "{}", ["X-CSRF-Token": token])
                    #expect(reply.status == 403 && reply.problem == "wrongToken", "\(path) \(reply.text)")
                }
            }
            #expect(try await browser.post("/api/member.list").status == 200)
            browser.cookie = nil
            #expect(try await browser.post("/api/member.list").status == 401)
        }
    }

    @Test func aSessionMayNotAskWithoutPause() async throws {
        try await World.with([]) { world in
            let browser = try await world.openConsole()
            var reply = try await browser.post("/api/nothing")
            for _ in 0..<20_000 where reply.status == 404 { reply = try await browser.post("/api/nothing") }
            #expect(reply.status == 429 && reply.problem == "tooManyRequests")
            #expect(reply.fields["retry-after"] == "1")
        }
    }

    @Test func aRestartAsksAgain() async throws {
        try await World.with([]) { world in
            let browser = try await world.openConsole()
            let console = try world.process("console")
            try await console.destroy()
            let again = try await world.startConsole(["SCREENTIME_CONSOLE_PORT": String(browser.port)])
            #expect(again.port == browser.port)
            #expect(try await browser.get("/session").status == 401)
            #expect(try await world.process("console").stop() == 0)
        }
    }

    @Test func oneConsoleRunsForAnInstance() async throws {
        try await World.with([]) { world in
            let browser = try await world.startConsole()
            let second = try await world.run("second", [World.products + "/console"])
            #expect(second.status == 75 && world.errors(of: "second").contains("already runs here"))
            let port = [
                "SCREENTIME_CONSOLE_PORT": String(browser.port),
                "SCREENTIME_RUNTIME_DIR": world.directory + "/r2",
                "SCREENTIME_STATE_DIR": world.directory + "/s2",
            ]
            let third = try await world.run("third", [World.products + "/console"], environment: port)
            #expect(third.status == 75 && world.errors(of: "third").contains("port \(browser.port)"))
            let wrong = try await world.run(
                "wrong", [World.products + "/console"], environment: ["SCREENTIME_CONSOLE_PORT": "65536"])
            #expect(wrong.status == 78 && world.errors(of: "wrong").contains("0 to 65535"))
            let nothing = try await world.run(
                "nothing", [World.products + "/console"],
                environment: port.merging(["SCREENTIME_CONSOLE_WEB": world.directory]) { $1 })
            #expect(nothing.status == 69 && world.errors(of: "nothing").contains("pages"))
        }
    }
}
