import Foundation
import ScreenTimeTesting
import Testing

/// The code of document 003 (Streaks), compiled from the document and run.
@Suite(.enabled(if: SeedDocument.areThere, SeedDocument.absence))
struct StreaksTests {
    private static func block(_ name: String, _ first: String, _ last: String, _ occurrence: Int = 1) throws
        -> String
    {
        try SeedDocument("003").repaired(
            SeedBlock(name: name, first: first, last: last, occurrence: occurrence), seed: "003")
    }

    @Test func theThresholdAndItsWarningKnowTheirDay() async throws {
        let reached = try Self.block("monitor", "class MyMonitorExtension", "}")
        let day = try Self.block("day", "let schedule = DeviceActivityCenter().schedule", "let nextInterval")
        let warned = try Self.block("warning", "class MyMonitorExtension", "}", 2)
            .replacing("MyMonitorExtension", with: "WarnedMonitorExtension")
        let program = SeedProgram(
            name: "monitor", point: SeedProgram.monitor, principalClass: "Told",
            sources: [
                ("Monitor.swift", "import DeviceActivity\n" + reached),
                ("Warning.swift", "import DeviceActivity\n" + warned),
                (
                    "Told.swift",
                    """
                    import DeviceActivity
                    import Foundation
                    func day(of activity: DeviceActivityName) -> DateInterval? {
                    \(day)
                        return nextInterval
                    }
                    typealias Event = DeviceActivityEvent.Name
                    class Told: MyMonitorExtension {
                        let warned = WarnedMonitorExtension()
                        override func eventDidReachThreshold(_ event: Event, activity: DeviceActivityName) {
                            super.eventDidReachThreshold(event, activity: activity)
                            let start = day(of: activity)?.start
                            print("missed \\(event.rawValue) \\(String(describing: start))")
                        }
                        override func eventWillReachThresholdWarning(
                            _ event: Event, activity: DeviceActivityName
                        ) {
                            warned.eventWillReachThresholdWarning(event, activity: activity)
                            print("almost \\(event.rawValue)")
                        }
                    }
                    """
                ),
            ], support: "streaks")
        try await VirtualHousehold.with(at: "2026-03-02T08:00:00Z") { house in
            let id = try await house.install(bundle: try await program.makeBundle(in: house.folder))
            try await house.startMonitoring(
                "MyApp.ScreenTime", warningMinutes: 1,
                events: [
                    .init("games", apps: ["org.example.Game"], minutes: 10),
                    .init("chat", apps: ["org.example.Chat"], minutes: 5),
                ])
            try await house.use("org.example.Game", for: .seconds(11 * 60))
            try await house.advance(to: "2026-03-03T09:00:00Z")
            try await house.use("org.example.Chat", for: .seconds(6 * 60))
            let log = try await house.log(of: id).filter { $0.contains("missed") || $0.contains("almost") }
            try #require(log.count == 4, "\(log)")
            #expect(log[0].contains("almost games"))
            #expect(log[1].contains("missed games") && log[1].contains("2026-03-02 00:00:00"))
            #expect(log[2].contains("almost chat"))
            #expect(log[3].contains("missed chat") && log[3].contains("2026-03-03 00:00:00"))
        }
    }
}
