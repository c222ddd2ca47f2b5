import Foundation
import ScreenTimeTesting
import Testing

/// The household that a person's own tests run in, with the extension that `extension new` writes.
struct HouseholdTests {
    @Test func theNewExtensionShieldsItsEveningAndUseGoesOnWhereItEnded() async throws {
        try await VirtualHousehold.with(at: "2026-03-02T12:00:00Z") { house in
            let program = try await Self.program("Evening", "monitor", SeedProgram.monitor, house)
            let id = try await house.install(bundle: try await program.makeBundle(in: house.folder))
            #expect(try await house.notifications.isEmpty, "the question for permission is no app's")
            try await house.startMonitoring(
                "evening", from: "18:00", to: "20:00",
                events: [.init("games", apps: ["org.example.Game"], minutes: 10)])
            try await house.advance(to: "2026-03-02T19:00:00Z")
            #expect(try await house.isShielded("org.example.Game"))
            #expect(try await house.log(of: id).contains { $0.contains("evening 1 begins") })
            for _ in 0..<2 { try await house.use("org.example.Game", for: .seconds(330)) }
            try await house.advance(to: "2026-03-02T21:00:00Z")
            #expect(try await !house.isShielded("org.example.Game"))
            #expect(
                try await house.callbacks.map(\.name) == [
                    "intervalDidStart", "eventDidReachThreshold", "intervalDidEnd",
                ])
        }
    }

    @Test func theNewShieldAndReportAreSeenAndPressed() async throws {
        try await VirtualHousehold.with(at: "2026-03-02T12:00:00Z") { house in
            for (name, point, identifier) in [
                ("Evening", "monitor", SeedProgram.monitor),
                ("Look", "shield-configuration", SeedProgram.shieldConfiguration),
                ("Act", "shield-action", SeedProgram.shieldAction), ("Total", "report", SeedProgram.report),
            ] {
                let program = try await Self.program(name, point, identifier, house)
                try await house.install(bundle: try await program.makeBundle(in: house.folder))
            }
            try await house.use("org.example.Game", for: .seconds(660))
            #expect(try await house.report("total").text.contains("11 minutes"))
            try await house.startMonitoring("evening", from: "18:00", to: "20:00")
            try await house.advance(to: "2026-03-02T19:00:00Z")
            let shield = try await house.shield(of: "org.example.Game")
            #expect(shield.isOfExtension && shield.title == "Not now", "\(shield)")
            #expect(shield.primaryButton == "Close" && shield.secondaryButton == nil)
            #expect(try await house.press(.primary, onTheShieldOf: "org.example.Game") == "close")
            #expect(try await house.press(.secondary, onTheShieldOf: "org.example.Game") == "none")
        }
    }

    /// It is asked for longer than a desktop waits before it shows the system's words.
    @Test func aSlowExtensionIsWaitedFor() async throws {
        let slow = SeedProgram(
            name: "Slow", point: SeedProgram.shieldConfiguration, principalClass: "Slow",
            sources: [
                (
                    "Slow.swift",
                    """
                    import Foundation
                    import ManagedSettings
                    import ManagedSettingsUI
                    class Slow: ShieldConfigurationDataSource {
                        override func configuration(
                            shielding application: Application, in category: ActivityCategory
                        ) -> ShieldConfiguration {
                            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1.5)
                            return ShieldConfiguration(title: .init(text: "Late", color: .black))
                        }
                    }
                    """
                )
            ])
        try await VirtualHousehold.with(at: "2026-03-02T12:00:00Z") { house in
            let monitor = try await Self.program("Evening", "monitor", SeedProgram.monitor, house)
            for program in [monitor, slow] {
                try await house.install(bundle: try await program.makeBundle(in: house.folder))
            }
            try await house.startMonitoring("evening", from: "18:00", to: "20:00")
            try await house.advance(to: "2026-03-02T19:00:00Z")
            let shield = try await house.shield(of: "org.example.Game")
            #expect(shield.isOfExtension && shield.title == "Late", "\(shield)")
        }
    }

    /// What `extension new` writes, to be compiled without its package.
    private static func program(
        _ name: String, _ point: String, _ identifier: String, _ house: VirtualHousehold
    ) async throws -> SeedProgram {
        let folder = await house.folder
        try await house.command(["extension", "new", name, "--point", point, "--directory", folder.path])
        let source = folder.appending(path: "\(name)/Sources/\(name)/\(name).swift")
        return SeedProgram(
            name: name + "Program", point: identifier, principalClass: point == "report" ? nil : name,
            sources: [("\(name).swift", try String(contentsOf: source, encoding: .utf8))])
    }
}
