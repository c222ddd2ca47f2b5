import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// The logs of processes over HTTP, as the page for developers shows them.
@Suite("console: logs") struct ConsoleLogTests {
    @LoopActor private static func lines(_ browser: Browser, _ name: String) async throws -> [JSONValue] {
        let reply = try await browser.get("/log/\(name)")
        guard reply.status == 200 else { throw Overdue("/log/\(name): \(reply.status) \(reply.text)") }
        return try #require(try reply.json()["lines"]?.arrayValue)
    }

    @Test func theNewestLinesOfAProcessAreShown() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.openConsole()
            let own = try await Self.lines(browser, AgentName.console)
            #expect(own.contains { $0["message"]?.stringValue == "ready" })
            #expect(own.allSatisfy { $0["service"]?.stringValue == AgentName.console })
            #expect(try await Self.lines(browser, "auth-service").isEmpty == false)
        }
    }

    /// A line that is no JSON, a file that is too long, one that was just rotated, and none at all.
    @Test func whatIsInTheFileIsShownFromTheEnd() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.openConsole()
            let file = world.directory + "/state/logs/other-service.log"
            func write(_ text: String, _ ending: String = "") throws {
                try text.write(toFile: file + ending, atomically: true, encoding: .utf8)
            }
            #expect(try await browser.get("/log/other-service").status == 404)
            try write("")
            #expect(try await Self.lines(browser, "other-service") == [])
            try write("{\"message\":\"b\"}\nFatal error: \"x\" \u{1b}[0m\n")
            try write("{\"message\":\"a\"}\n", ".1")
            let all = try await Self.lines(browser, "other-service")
            #expect(all.map { $0["message"]?.stringValue } == ["a", "b", nil])
            #expect(all.last?.stringValue == "Fatal error: \"x\" \u{1b}[0m")
            // 64 bytes a line, so that one begins exactly where the part that is shown begins.
            let many = (0..<5_000).map { number in
                let digits = String(100_000 + number)
                return "{\"n\":\(digits),\"more\":\"" + String(repeating: "x", count: 41) + "\"}\n"
            }
            #expect(many.allSatisfy { $0.utf8.count == 64 })
            try write(many.joined())
            let newest = try await Self.lines(browser, "other-service")
            #expect(newest.count == 4_096 && newest.last?["n"] == .integer(104_999))
        }
    }

    @Test func nothingButLogsIsRead() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.openConsole()
            try "secret".write(
                toFile: world.directory + "/secret.log", atomically: true, encoding: .utf8)
            try FileManager.default.createSymbolicLink(
                atPath: world.directory + "/state/logs/link.log",
                withDestinationPath: world.directory + "/secret.log")
            let names = [
                "", ".", "..", "link", "../secret", "..%2Fsecret", "%2e%2e%2fsecret", "auth-service.log",
                "auth-service%00", String(repeating: "a", count: 300),
            ]
            for name in names {
                let reply = try await browser.get("/log/\(name)")
                #expect([400, 404].contains(reply.status) && !reply.text.contains("secret\n"), "\(name)")
            }
            #expect(try await browser.get("/log/auth-service").status == 200)
            browser.cookie = nil
            #expect(try await browser.get("/log/auth-service").status == 401)
        }
    }
}
