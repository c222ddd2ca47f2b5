import Foundation
import ScreenTimeTesting
import Testing

/// The code of document 002 (Worklog, of WWDC22), compiled from the document and run.
@Suite(.enabled(if: SeedDocument.areThere, SeedDocument.absence))
struct WorklogTests {
    private static func block(_ block: SeedBlock) throws -> String {
        try SeedDocument("002").repaired(block, seed: "002")
    }
    private static let stores = SeedBlock(
        name: "stores", first: "extension ManagedSettingsStore. Name {", last: "socialStore.shield.webDomain",
        occurrence: 2)

    @Test func theEveningLiftsTheSocialStoreOnlyAndItIsAppliedAgain() async throws {
        let imports = "import DeviceActivity\nimport ManagedSettings\n"
        let stores = try Self.block(Self.stores) + "\n}\n"
        let monitor = try Self.block(SeedBlock(name: "monitor", first: "class WorklogMonitor", last: "}"))
        let program = SeedProgram(
            name: "monitor", point: SeedProgram.monitor, principalClass: "Start",
            sources: [
                ("Stores.swift", imports + stores), ("Monitor.swift", imports + monitor),
                (
                    "Start.swift",
                    """
                    import DeviceActivity
                    /// The app's part: it sets the stores up when the first activity begins.
                    class Start: WorklogMonitor {
                        override func intervalDidStart(for activity: DeviceActivityName) {
                            if activity.rawValue == "setup" { worklogSetup() } else {
                                super.intervalDidStart(for: activity)
                            }
                        }
                        override func intervalDidEnd(for activity: DeviceActivityName) {
                            if activity.rawValue != "setup" { super.intervalDidEnd(for: activity) }
                        }
                    }
                    """
                ),
            ], support: "worklog")
        try await VirtualHousehold.with(at: "2026-03-02T12:00:00Z") { house in
            try await house.approve(SeedProgram.client)
            let group = try await house.groupContainer(SeedProgram.group)
            for name in ["social", "gaming"] {
                let category = name == "gaming" ? "games" : name
                try await house.token(category: category, client: SeedProgram.client)
                    .write(to: group.appending(path: "\(name).json"))
            }
            try await house.install(bundle: try await program.makeBundle(in: house.folder))
            try await house.startMonitoring("setup")
            try await house.startMonitoring("activity", from: "17:00", to: "20:00")
            func shielded() async throws -> [Bool] {
                [
                    try await house.isShielded("org.example.Chat", category: "social"),
                    try await house.isShielded("chat.example.org", category: "social"),
                    try await house.isShielded("games.example.org", category: "games"),
                ]
            }
            #expect(try await shielded() == [true, true, true])
            try await house.advance(to: "2026-03-02T18:00:00Z")
            #expect(try await shielded() == [false, false, true], "only the social store is lifted")
            try await house.advance(to: "2026-03-02T21:00:00Z")
            #expect(try await shielded() == [true, true, true])
        }
    }
}
