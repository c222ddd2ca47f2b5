import Bus
import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// What is asked on a cover, and decided in the page.
@Suite(
    "console: requests of covers",
    .enabled(if: isX11Here && isChromiumHere, "needs xvfb, openbox, xterm, xdotool and chromium"))
struct ConsoleCoverTests {
    @Test func whatIsAllowedInThePageRunsInOneTrace() async throws {
        let services = ["auth-service", "activity-center", "shield-service"]
        try await World.withDesktop(services, clock: "2026-03-02T10:00:00Z") { world in
            let window = try await world.openTerminal("Alpha").window
            try await world.agentFollowsShields()
            let browser = try await world.openConsole()
            try await world.shield(["alpha"])
            let freeze = try await DesktopShieldTests.frozen(world)
            try await world.xdotool("windowactivate", window)
            try await world.awaitCoverButtons()
            // The page opens on the reason; 15 minutes is next.
            try await world.turnCover("Tab", "Return")
            try await world.xdotool("key", "Tab", "Return")
            var asked: TimeRequest?
            try await world.eventually("the request") {
                asked = try await browser.call(RequestList.self, RequestList.Params()).requests.first
                return asked != nil
            }
            let id = try #require(asked?.id)
            let early = try await browser.post(
                "/api/request.decide", #"{"id":"\#(id)","decision":"approve"}"#)
            #expect(early.status == 403, "nobody is a guardian, and the delay is not over: \(early.text)")
            try await world.clock.advance(.minutes(6))
            let program = FileManager.default.currentDirectoryPath + "/Tests/ConsolePages/request_decided.py"
            let page = try await world.run(
                "page", ["/usr/bin/python3", program, try await world.consoleAddress(), "5", "Then sleep."],
                deadline: 300_000)
            let said = "\(page.lines) \(world.errors(of: "page"))"
            #expect(page.status == 0 && page.lines.last == "Alpha", "\(said)")
            let decided = try await browser.call(RequestList.self, RequestList.Params()).requests.first
            #expect(decided?.granted == 5 && decided?.answer == "Then sleep.")
            try await world.eventually("uncovered") { try await world.covers().isEmpty }
            #expect(world.states(freeze.processes).allSatisfy { $0 != "T" })
            let thaw = try await world.agentSpan("the thaw") { $0.name == "thaw" }
            let console = try world.consoleClient()
            defer { console.close() }
            let spans = try await console.call(
                TraceRead.self, TraceRead.Params(traceID: thaw.traceID),
                options: CallOptions(deadline: 20_000)
            ).spans
            #expect(spans.contains { $0.name == "request.decide" }, "\(spans.map(\.name))")
        }
    }
}
