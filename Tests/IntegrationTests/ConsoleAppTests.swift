import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// Commands of the built-in apps, run from a page.
@Suite("console: apps") struct ConsoleAppTests {
    @LoopActor private static func run(
        _ browser: Browser, _ program: String, _ words: String...
    ) async throws -> Browser.Reply {
        let command: JSONValue = [
            "program": .string(program), "arguments": .array(words.map { .string($0) }),
        ]
        return try await browser.post("/api/app.run", String(decoding: command.encoded(), as: UTF8.self))
    }

    @Test func aLimitSetInThePageIsOne() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let text = "Enough $(id) `id` \"of\" 'it'; 그만 <b>"
            let set = try await Self.run(
                browser, "limits", "set", "games", "30m", "--category", "--days", "mon", "--warn", "5m",
                "--say", text)
            #expect(set.status == 200 && set.fields["content-type"] == "application/json", "\(set.text)")
            let list = try await Self.run(browser, "limits", "list")
            let terminal = try await world.run("limits", [World.products + "/limits", "list", "--json"])
            #expect(try list.json() == JSONValue.decode(Array(terminal.lines.joined(separator: "\n").utf8)))
            let activities = try await world.call(MonitoringList.self, MonitoringList.Params()).activities
            let said = activities.flatMap { $0.activity.events ?? [] }.compactMap(\.message)
            #expect(said == [text], "no shell, and no other word")
        }
    }

    /// After `--` a program reads names, whatever they begin with.
    @Test func aNameMayLookLikeAnOption() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let nothing = try await Self.run(browser, "limits", "remove", "--", "--x")
            #expect(nothing.status == 422 && nothing.text.contains("'--x'"), "\(nothing.text)")
        }
    }

    @Test func aRefusalIsTheCommandsOwn() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let nothing = try await Self.run(browser, "limits", "set", "nothing here", "30m")
            #expect(nothing.status == 422 && nothing.problem == "refused", "\(nothing.text)")
            #expect(
                try nothing.json()["detail"]?.stringValue?.hasPrefix("there is no app, domain or category")
                    == true)
            #expect(
                try nothing.json()["remedy"]?.stringValue?.hasPrefix("See `screentime catalog list`") == true)
            let wrong = try await Self.run(browser, "limits", "set")
            #expect(wrong.status == 400 && wrong.problem == "invalidArgument", "\(wrong.text)")
            #expect(try wrong.json()["detail"]?.stringValue == "TARGET is missing")
            #expect(try wrong.json()["remedy"]?.stringValue?.hasPrefix("usage: limits set") == true)
            let help = try await Self.run(browser, "limits", "help")
            #expect((400...500).contains(help.status) && help.problem != nil, "\(help.text)")
            try await world.process("activity-center").destroy()
            let down = try await Self.run(browser, "limits", "list")
            #expect(down.status == 503 && down.problem == "unavailable", "\(down.text)")
        }
    }

    @Test func nothingElseIsRun() async throws {
        try await World.with([]) { world in
            let browser = try await world.openConsole()
            let mark = world.directory + "/mark"
            for program in [
                "", "screentime", "console", "auth-service", "sh", "/bin/sh", "../limits", "limits ",
                "limits/../limits",
                "limits-monitor", "LIMITS", "limits\u{0}", "./limits",
            ] {
                let reply = try await Self.run(browser, program, "-c", "touch \(mark)")
                #expect(reply.status == 400, "\(program) \(reply.status) \(reply.text)")
            }
            let words = Array(repeating: #""x""#, count: 65).joined(separator: ",")
            let bad = [
                #"{"program":"limits"}"#, #"{"program":"limits","arguments":[7]}"#, "[]", "{",
                #"{"program":"limits","arguments":["list"],"environment":{"A":"b"}}"#,
                #"{"program":"limits","arguments":[\#(words)]}"#,
                #"{"program":"limits","arguments":["a\u0000b"]}"#,
                #"{"program":"limits","arguments":["\#(String(repeating: "x", count: 4_097))"]}"#,
            ]
            for body in bad {
                let reply = try await browser.post("/api/app.run", body)
                #expect(reply.status == 400, "\(body.prefix(80)) \(reply.text)")
            }
            #expect(!FileManager.default.fileExists(atPath: mark))
            browser.csrf = nil
            #expect(try await Self.run(browser, "limits", "list").status == 403)
            browser.cookie = nil
            #expect(try await Self.run(browser, "limits", "list").status == 401)
        }
    }

    /// It waits for the person's decision, which the same page makes; and ends with the page that asked.
    @Test func aCommandThatWaitsDelaysNobody() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let asking = Task { @LoopActor in try await Self.run(browser, "streaks", "authorize") }
            var pending: Authorization?
            try await world.eventually("the question") {
                let params = AuthorizationList.Params(client: "org.screentime.streaks")
                pending = try await browser.call(AuthorizationList.self, params).authorizations.first(
                    where: \.pending)
                return pending != nil
            }
            let id = try #require(pending?.id)
            _ = try await browser.call(
                AuthorizationDecide.self, AuthorizationDecide.Params(id: id, decision: .approve))
            let answer = try await asking.value
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test func onlySoManyRunAndEndWithTheirPages() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let body = #"{"program":"worklog","arguments":["authorize"]}"#
            let head = """
                POST /api/app.run HTTP/1.1\r\nHost: \(browser.host)\r\nOrigin: http://\(browser.host)\r
                Content-Type: application/json\r\nX-CSRF-Token: \(browser.csrf ?? "")\r
                Cookie: \(browser.cookie ?? "")\r\nContent-Length: \(body.utf8.count)\r\n\r\n
                """
            var pages: [RawConnection] = []
            for _ in 0..<16 {
                let page = try RawConnection(port: browser.port)
                try page.send(head + body)
                pages.append(page)
            }
            @LoopActor func commands() async throws -> Int64? {
                try await world.consoleHealth().counters.first { $0.name == "commands" }?.count
            }
            try await world.eventually("sixteen commands") { try await commands() == 16 }
            let other = try await Self.run(browser, "limits", "list")
            #expect(other.status == 429 && other.problem == "tooManyRequests", "\(other.text)")
            pages.forEach { $0.close() }
            try await world.eventually("no command") { try await commands() == 0 }
            #expect(try await Self.run(browser, "limits", "list").status == 200)
        }
    }
}
