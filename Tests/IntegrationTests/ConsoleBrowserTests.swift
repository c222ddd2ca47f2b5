import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

let isChromiumHere = World.areInstalled("chromium", "python3")

/// What a person does and sees in a real browser, in a real session or with real data.
@Suite("console: in a browser", .enabled(if: isChromiumHere, "needs chromium"))
struct ConsoleBrowserTests {
    private static let services = [
        "auth-service", "activity-center", "shield-service", "report-service", "monitor-runner", "notifier",
    ]

    @LoopActor private static func run(
        _ world: World, _ script: String, _ words: String...
    ) async throws -> (status: Int32, lines: [String]) {
        let program = FileManager.default.currentDirectoryPath + "/Tests/ConsolePages/" + script
        let result = try await world.run("page", ["/usr/bin/python3", program] + words, deadline: 300_000)
        if result.status != 0 { Issue.record("\(script): \(world.errors(of: "page"))") }
        return result
    }

    /// The limit is set by pressing what the page shows; the app in the session is covered when it is over.
    @Test(.enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
    func aLimitThatIsSetInThePageActsInTheSession() async throws {
        try await World.withDesktop(Self.services) { world in
            let window = try await world.openTerminal("Alpha").window
            try await world.agentFollowsShields()
            _ = try await world.startConsole()
            try await world.xdotool("windowactivate", window)
            let set = try await Self.run(world, "limit_set.py", try await world.consoleAddress(), "Alpha")
            #expect(set.lines.last?.contains("Alpha | 1 min, every day") == true, "\(set.lines)")
            // Somebody who does nothing for a minute uses nothing.
            try await world.xdotool("key", "space")
            try await world.eventually("the limit is over") {
                try await !world.call(ShieldList.self, ShieldList.Params()).shields.isEmpty
            }
            let freeze = try await DesktopShieldTests.frozen(world)
            #expect(world.states(freeze.processes).allSatisfy { $0 == "T" })
            #expect(try await world.covers().map { String($0.window) } == [window])
        }
    }

    @Test(.enabled(if: ActivityData.hasMonth, "the traces of shared/data are not here"))
    func aMonthOfAPhoneIsShownToTheMillisecond() async throws {
        try await World.with(Self.services, clock: "2023-06-29T12:00:00Z") { world in
            _ = try await world.startConsole()
            try await world.setMember("--zone", "America/New_York")
            let file = ActivityData.month.path
            let imported = try await world.command("import", "digital-wellbeing", file, "--device", "phone")
            #expect(imported.status == 0, "\(imported)")
            let folder = ActivityData.month.deletingLastPathComponent().path
            let shown = try await Self.run(
                world, "month_shown.py", try await world.consoleAddress(), "America/New_York",
                folder + "/expected.csv", folder + "/expected_device.csv")
            #expect(shown.lines.last == "31 of 31 days hold", "\(shown.lines)")
        }
    }
}
