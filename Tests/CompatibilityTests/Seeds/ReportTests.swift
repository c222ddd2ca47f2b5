import Foundation
import ScreenTimeTesting
import Testing

/// The report extensions of documents 002 and 004, compiled from the documents, draw a household's use.
@Suite(.enabled(if: SeedDocument.areThere, SeedDocument.absence))
struct ReportTests {
    private static let imports = ["SwiftUI", "Charts", "DeviceActivity", "ManagedSettings"]
        .map { "import \($0)\n" }.joined()

    /// Looks at what the extension draws after 10 minutes of one app and 5 of another.
    private static func draw(
        _ context: String, of seed: String, _ blocks: [SeedBlock], before: String = "", support: String,
        check: @Sendable (_ html: String, _ text: String) -> Void
    ) async throws {
        let document = try SeedDocument(seed)
        let code = try blocks.map { try document.repaired($0, seed: seed) }.joined(separator: "\n")
        let program = SeedProgram(
            name: "report", point: SeedProgram.report, principalClass: nil,
            sources: [("Report.swift", imports + before + code)], support: support)
        try await VirtualHousehold.with(at: "2026-03-02T08:00:00Z") { house in
            try await house.install(bundle: try await program.makeBundle(in: house.folder))
            try await house.use("org.example.Game", for: .seconds(600))
            try await house.use("org.example.Chat", for: .seconds(300))
            let report = try await house.report(context)
            check(report.html, report.text)
        }
    }

    @Test func worklogTellsTheTimeOfEachCategory() async throws {
        try await Self.draw(
            "Pie Chart", of: "002",
            [
                SeedBlock(name: "report", first: "struct WorklogReportExtension", last: "}"),
                SeedBlock(name: "pie view", first: "struct PieChartView", last: "}"),
                SeedBlock(name: "pie scene", first: "struct PieChartReport", last: "}"),
            ], before: "@main\n", support: "worklog"
        ) { _, text in #expect(text.contains("900 seconds"), "\(text)") }
    }

    @Test(arguments: ["pieChart", "barChart"])
    func chartsDrawEveryApp(_ context: String) async throws {
        try await Self.draw(
            context, of: "004",
            [
                SeedBlock(name: "report", first: "@main", last: "```"),
                SeedBlock(name: "context", first: "extension DeviceActivityReport.Context", last: "}"),
                SeedBlock(name: "pie scene", first: "struct PieChartReport", last: "```"),
                SeedBlock(name: "pie view", first: "struct PieChartView", last: "```"),
            ], support: "charts"
        ) { html, text in
            #expect(html.contains("<svg"), "\(html)")
            // The bar's code sums all apps up.
            for usage in context == "pieChart" ? ["600", "300"] : ["900"] {
                #expect(text.contains(usage), "\(text)")
            }
        }
    }
}
