import Foundation
import ScreenTimeTesting
import TestSupport
import Testing

/// The household that a person's own tests run in, with the extension that `extension new` writes.
struct HouseholdTests {
    @Test func theNewExtensionShieldsItsEveningAndUseGoesOnWhereItEnded() async throws {
        try await VirtualHousehold.with(at: "2026-03-02T12:00:00Z") { house in
            try await house.command(["extension", "new", "Evening", "--directory", house.folder.path])
            let source = await house.folder.appending(path: "Evening/Sources/Evening/Evening.swift")
            let program = SeedProgram(
                name: "EveningProgram", point: SeedProgram.monitor, principalClass: "Evening",
                sources: [("Evening.swift", try String(contentsOf: source, encoding: .utf8))])
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
}
