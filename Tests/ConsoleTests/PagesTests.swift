import Foundation
import ScreenTimeTesting
import Testing

let areBrowsersHere = World.areInstalled("chromium", "firefox-esr", "python3")

/// The pages in a real Chromium and a real Firefox, with the six services and the console behind them. What
/// is looked at is in Tests/ConsolePages; `scripts/pages.sh` looks at every page in both languages, both
/// themes and three widths.
@Suite("console: pages", .enabled(if: areBrowsersHere, "needs chromium and firefox-esr"))
struct PagesTests {
    @Test func everyPageAndActionHolds() async throws {
        let program = FileManager.default.currentDirectoryPath + "/Tests/ConsolePages/pages.py"
        try await World.with([]) { world in
            let result = try await world.run(
                "pages", ["/usr/bin/python3", program, World.products, "--quick"], deadline: 900_000)
            let end = try #require(result.lines.last, "\(world.errors(of: "pages"))")
            #expect(result.status == 0 && end.hasSuffix(" 0 failed"), "\(world.errors(of: "pages"))\(end)")
            let count = end.split(separator: " ").first.flatMap { Int($0) } ?? 0
            #expect(count > 50, "\(end)")
        }
    }
}
