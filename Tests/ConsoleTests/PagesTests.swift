import Foundation
import ScreenTimeTesting
import Testing

let areBrowsersHere = World.areInstalled("chromium", "firefox-esr", "python3")

/// The pages in a real Chromium and a real Firefox, with the six services and the console behind them. What
/// is looked at and done is in Tests/ConsolePages; `scripts/pages.sh` looks at every page in both languages,
/// both themes and three widths. The actions take longest of all tests, so that each language is a suite of
/// its own, and `scripts/lib/tests.sh` starts them first.
@Suite("console: pages", .enabled(if: areBrowsersHere, "needs chromium and firefox-esr"))
struct PagesTests {
    @Test func everyPageHolds() async throws {
        try await passes("pages.py", ["--quick"], least: 40)
    }

    @Test(arguments: [("en", "1400"), ("ko", "360")])
    func nothingIsLimitedThatWasNotChosen(_ language: String, _ width: String) async throws {
        try await passes("first_run.py", ["--language", language, "--width", width], least: 20)
    }
}

@Suite(
    "console: pages in English, on a desktop",
    .enabled(if: areBrowsersHere, "needs chromium and firefox-esr"))
struct PagesOnDesktopTests {
    @Test func everyActionDoesWhatItSays() async throws {
        try await passes("actions.py", ["--language", "en", "--width", "1400"], least: 150)
    }
}

@Suite(
    "console: pages in Korean, on a phone",
    .enabled(if: areBrowsersHere, "needs chromium and firefox-esr"))
struct PagesOnPhoneTests {
    @Test func everyActionDoesWhatItSays() async throws {
        try await passes("actions.py", ["--language", "ko", "--width", "360"], least: 150)
    }
}

@Suite(
    "console: pages in Firefox",
    .enabled(if: areBrowsersHere, "needs chromium and firefox-esr"))
struct PagesInFirefoxTests {
    @Test func theMainActionsDoWhatTheySay() async throws {
        try await passes("actions.py", ["--browser", "firefox"], least: 80)
    }
}

/// Runs a program of Tests/ConsolePages until its end, which says how many checks it made.
///
/// - Parameter least: how many checks it must have made.
private func passes(_ program: String, _ options: [String], least: Int) async throws {
    let path = FileManager.default.currentDirectoryPath + "/Tests/ConsolePages/" + program
    try await World.with([]) { world in
        let result = try await world.run(
            "pages", ["/usr/bin/python3", path, World.products] + options, deadline: 1_800_000)
        let end = try #require(result.lines.last, "\(world.errors(of: "pages"))")
        #expect(result.status == 0 && end.hasSuffix(" 0 failed"), "\(world.errors(of: "pages"))\(end)")
        let count = end.split(separator: " ").first.flatMap { Int($0) } ?? 0
        #expect(count > least, "\(end)")
    }
}
