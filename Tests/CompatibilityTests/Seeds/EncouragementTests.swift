import Foundation
import ScreenTimeTesting
import Testing

/// The code of document 001 (use of apps, with one's own words), compiled from the document and run.
@Suite(.enabled(if: SeedDocument.areThere, SeedDocument.absence))
struct EncouragementTests {
    private static let monitor = SeedBlock(
        name: "monitor", first: "class DeviceActivityMonitorExtension", last: nil)

    @Test func onesOwnWordsAreTheNotificationAtTheThreshold() async throws {
        let monitor = try SeedDocument("001").repaired(Self.monitor, seed: "001")
        let program = SeedProgram(
            name: "monitor", point: SeedProgram.monitor, principalClass: "DeviceActivityMonitorExtension",
            sources: [("Monitor.swift", "import DeviceActivity\n" + monitor)], support: "encouragement")
        try await VirtualHousehold.with(at: "2026-03-02T08:00:00Z") { house in
            let group = try await house.groupContainer(SeedProgram.group)
            try "Go outside, my friend".write(
                to: group.appending(path: "words"), atomically: true, encoding: .utf8)
            try await house.install(bundle: try await program.makeBundle(in: house.folder))
            try await house.startMonitoring(
                "daily", warningMinutes: 5,
                events: [.init("encouraged", apps: ["org.example.Game"], minutes: 30)])
            try await house.use("org.example.Game", for: .seconds(26 * 60))
            #expect(
                try await house.callbacks.map(\.name) == [
                    "intervalDidStart", "eventWillReachThresholdWarning",
                ])
            let early = try await house.notifications
            #expect(early.isEmpty, "\(early)")
            try await house.use("org.example.Game", for: .seconds(5 * 60))
            let callbacks = try await house.callbacks
            #expect(callbacks.last?.name == "eventDidReachThreshold", "\(callbacks)")
            let notifications = try await house.notifications
            #expect(notifications.map(\.body) == ["Go outside, my friend"], "\(notifications)")
        }
    }
}
