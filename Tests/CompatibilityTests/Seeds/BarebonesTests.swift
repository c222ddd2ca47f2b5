import Foundation
import ScreenTimeTesting
import Testing

/// The code of document 000 (ScreenTime_Barebones), compiled from the document and run.
@Suite(.enabled(if: SeedDocument.areThere, SeedDocument.absence))
struct BarebonesTests {
    private static func block(_ block: SeedBlock) throws -> String {
        try SeedDocument("000").repaired(block, seed: "000")
    }
    private static let monitor = SeedBlock(
        name: "monitor", first: "class DeviceActivityMonitorExtension", last: "```")
    private static let names = SeedBlock(
        name: "names", first: "// MARK: - Schedule Name List", last: "```")

    private static let imports = "import DeviceActivity\nimport FamilyControls\nimport ManagedSettings\n"

    private static func monitorProgram() throws -> SeedProgram {
        SeedProgram(
            name: "monitor", point: SeedProgram.monitor, principalClass: "DeviceActivityMonitorExtension",
            sources: [
                ("Monitor.swift", imports + (try block(monitor))),
                ("Names.swift", imports + (try block(names))),
            ], support: "barebones")
    }

    /// A household where the monitor runs, and shields an app and a category from 18 to 20 o'clock.
    private static func with(_ body: @Sendable (VirtualHousehold) async throws -> Void) async throws {
        let program = try monitorProgram()
        try await VirtualHousehold.with(at: "2026-03-02T08:00:00Z") { house in
            try await house.approve(SeedProgram.client)
            let selection = try await house.selection(
                apps: ["org.example.Game"], categories: ["social"], client: SeedProgram.client)
            let group = try await house.groupContainer(SeedProgram.group)
            try selection.write(to: group.appending(path: "selection.json"))
            try await house.install(bundle: try await program.makeBundle(in: house.folder))
            try await house.startMonitoring("daily", from: "18:00", to: "20:00", warningMinutes: 5)
            try await body(house)
        }
    }

    @Test func theMonitorShieldsTheSelectionAtTheStartAndClearsAllAtTheEnd() async throws {
        try await Self.with { house in
            try await house.advance(to: "2026-03-02T18:30:00Z")
            #expect(try await house.isShielded("org.example.Game"))
            #expect(try await house.isShielded("org.example.Chat", category: "social"))
            #expect(try await !house.isShielded("org.example.Editor", category: "productivity"))
            try await house.advance(to: "2026-03-02T20:30:00Z")
            #expect(try await !house.isShielded("org.example.Game"))
            #expect(try await !house.isShielded("org.example.Chat", category: "social"))
            let callbacks = try await house.callbacks
            #expect(
                callbacks.map(\.name) == [
                    "intervalWillStartWarning", "intervalDidStart", "intervalWillEndWarning",
                    "intervalDidEnd",
                ])
            #expect(callbacks.allSatisfy { $0.isDelivered })
        }
    }

    @Test func theShieldShowsTheKoreanWordsAndOneButton() async throws {
        let program = SeedProgram(
            name: "shield", point: SeedProgram.shieldConfiguration,
            principalClass: "ShieldConfigurationExtension",
            sources: [
                (
                    "Shield.swift",
                    "import ManagedSettings\nimport ManagedSettingsUI\nimport UIKit\n"
                        + (try Self.block(
                            SeedBlock(
                                name: "configuration", first: "// ./ShieldConfiguration/", last: "```")))
                )
            ], support: "barebones")
        try await Self.with { house in
            try await house.install(bundle: try await program.makeBundle(in: house.folder))
            try await house.advance(to: "2026-03-02T18:30:00Z")
            let shield = try await house.shield(of: "org.example.Game")
            #expect(shield.isOfExtension, "\(shield)")
            #expect(shield.title == "Screen Time 101")
            #expect(shield.subtitle?.hasSuffix("은(는) 사용이 제한되었습니다.") == true, "\(shield)")
            #expect(shield.primaryButton == "종료하기")
            #expect(shield.secondaryButton == nil)
        }
    }

    @Test func theReportTellsTheTotalAndEachAppsTimeAndPickups() async throws {
        let program = SeedProgram(
            name: "report", point: SeedProgram.report, principalClass: nil,
            sources: [
                (
                    "Report.swift",
                    try Self.block(
                        SeedBlock(
                            name: "report", first: "// ./ScreenTimeReport/ScreenTimeReport", last: "```"))
                ),
                (
                    "Scene.swift",
                    try Self.block(
                        SeedBlock(
                            name: "scene", first: "// ./ScreenTimeReport/TotalActivityReport", last: "```"))
                ),
            ], support: "barebones")
        try await VirtualHousehold.with(at: "2026-03-02T08:00:00Z") { house in
            try await house.install(bundle: try await program.makeBundle(in: house.folder))
            try await house.use("org.example.Game", for: .seconds(600))
            try await house.use("org.example.Chat", for: .seconds(300))
            let report = try await house.report("Total Activity")
            #expect(report.text.contains("900 seconds"), "\(report)")
            #expect(report.text.contains("600, "), "\(report)")
            #expect(report.text.contains("300, "), "\(report)")
        }
    }
}
