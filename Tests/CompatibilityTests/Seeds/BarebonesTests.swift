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

    @Test func theMonitorShieldsTheSelectionAtTheStartAndClearsAllAtTheEnd() async throws {
        let imports = "import DeviceActivity\nimport FamilyControls\nimport ManagedSettings\n"
        let program = SeedProgram(
            name: "monitor", point: SeedProgram.monitor, principalClass: "DeviceActivityMonitorExtension",
            sources: [
                ("Monitor.swift", imports + (try Self.block(Self.monitor))),
                ("Names.swift", imports + (try Self.block(Self.names))),
            ], support: "barebones")
        try await VirtualHousehold.with(at: "2026-03-02T08:00:00Z") { house in
            try await house.approve(SeedProgram.client)
            let selection = try await house.selection(
                apps: ["org.example.Game"], categories: ["social"], client: SeedProgram.client)
            let group = try await house.groupContainer(SeedProgram.group)
            try selection.write(to: group.appending(path: "selection.json"))
            try await house.install(bundle: try await program.makeBundle(in: house.folder))
            try await house.startMonitoring("daily", from: "18:00", to: "20:00", warningMinutes: 5)
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
}
