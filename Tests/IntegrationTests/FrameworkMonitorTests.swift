import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

/// A monitor written as for iOS (Tests/Fixtures/framework-monitor), run by the built processes.
@Suite struct FrameworkMonitorTests {
    private static let client = "org.example.app"

    @LoopActor private static func allDay(_ world: World, _ name: String) async throws {
        try await world.monitor([.daily(name, from: (0, 0), to: (0, 0))], client: client)
        try await world.clock.settle()
    }

    @Test(arguments: ConfinementTests.bubblewraps)
    func callsInsideOfCallbacksNeitherBlockNorWait(bubblewrap: String) async throws {
        let environment = ["SCREENTIME_BUBBLEWRAP": bubblewrap]
        try await World.with(environment: environment, clock: "2026-03-02T08:00:00Z") { world in
            try await world.startFrameworkMonitor()
            try await Self.allDay(world, "stop")
            #expect(
                try world.printed() == ["intervalDidStart stop", "stopped, left []", "intervalDidEnd stop"])
            let output = world.readText("\(world.directory)/state/logs/\(Self.client).monitor.log")
            #expect(output.contains(World.made))
            try await Self.allDay(world, "chain")
            #expect(
                try world.printed().suffix(4) == [
                    "intervalDidStart chain", "kept true true", "intervalDidStart other",
                    "eventWillReachThresholdWarning other minute",
                ])
            try await Self.allDay(world, "pool")
            #expect(try world.printed().last == "100 answered")
            try await Self.allDay(world, "main")
            #expect(try world.printed().last == "main queue: true")
            #expect(try await world.store("main")["siri.denySiri"] == true)
            try await Self.allDay(world, "wrong")
            #expect(try world.printed().suffix(2) == ["rating 300", "invalid date components"])
            let log = world.readText("\(world.directory)/state/logs/\(Self.client).monitor.log")
            #expect(log.contains("media.maximumMovieRating") && log.contains("invalidParams"))
            #expect(try await world.deliveries().allSatisfy { $0.state == .delivered && $0.attempt == 1 })
        }
    }

    /// The filter of system calls leaves a program every way to keep its files that Foundation has.
    @Test(arguments: ConfinementTests.bubblewraps)
    func aProgramKeepsItsFilesByAnyMeansOfFoundation(bubblewrap: String) async throws {
        let environment = ["SCREENTIME_BUBBLEWRAP": bubblewrap]
        try await World.with(environment: environment, clock: "2026-03-02T08:00:00Z") { world in
            try await world.startFrameworkMonitor()
            try await Self.allDay(world, "files")
            #expect(try world.printed() == ["intervalDidStart files", "files kept"])
        }
    }

    @Test func whoRegistersItselfInItsStartComesToRest() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.startFrameworkMonitor()
            try await Self.allDay(world, "again")
            #expect(try world.printed().count { $0 == "intervalDidStart again" } == 1)
            try await world.clock.advance(to: "2026-03-03T00:00:00Z")
            #expect(try world.printed().count { $0 == "intervalDidStart again" } == 2, "once each day")
            #expect(try await world.store("default")["appStore.maximumRating"] == 2)
            let activities = try await world.call(
                MonitoringList.self, MonitoringList.Params(), client: Self.client)
            #expect(activities.activities.map { $0.activity.events?.count } == [1])
        }
    }

    @Test func aStoreWrittenFromEverywhereAtOnceLosesNothing() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.startFrameworkMonitor()
            let events = try world.record(.shield)
            try await Self.allDay(world, "crowd")
            #expect(try world.printed().last == "blocked 24")
            let stored = try await world.store("default")
            let names = ["thread", "actor", "task"].flatMap { kind in (0..<8).map { "\(kind)\($0)" } }
            #expect(
                stored["application.blockedApplicationsByName"]
                    == .array(names.sorted().map { .string($0) }))
            // Each write sends one key, and each is there once.
            let changes = try events.all(SettingsChanged.self).filter { $0.store.client == Self.client }
            #expect(changes.count == 25)
            #expect(try events.all(SettingsRejected.self).isEmpty)
        }
    }

    @Test func aWeekPassesAsItShould() async throws {
        try await World.with(clock: "2026-03-02T06:00:00Z") { world in
            try await world.startFrameworkMonitor()
            let shields = try world.record(.shield)
            try await world.monitor(
                [
                    .daily(
                        "week", from: (8, 0), to: (20, 0), warning: DateComponents(minute: 5),
                        events: [EventDefinition(name: "use", threshold: DateComponents(minute: 10))])
                ], client: Self.client)
            for day in 2...8 {
                try await world.clock.advance(to: String(format: "2026-03-%02dT09:00:00Z", day))
                #expect(try await world.call(ShieldList.self, ShieldList.Params()).shields.count == 2)
                try await world.use("game", for: .minutes(11))
                try await world.clock.advance(to: String(format: "2026-03-%02dT21:00:00Z", day))
                #expect(try await world.call(ShieldList.self, ShieldList.Params()).shields.isEmpty)
            }
            let monday = try VirtualClock.instant("2026-03-02T00:00:00Z").milliseconds / 1_000
            let expected = (0..<7).flatMap { day -> [String] in
                let midnight = monday + Int64(day) * 86_400
                return [
                    "intervalWillStartWarning week", "intervalDidStart week",
                    "eventWillReachThresholdWarning week use",
                    "eventDidReachThreshold week use \(midnight + 9 * 3_600 + 600)",
                    "intervalWillEndWarning week", "intervalDidEnd week",
                    "interval \(midnight + 8 * 3_600) \(midnight + 20 * 3_600)",
                ]
            }
            #expect(try world.printed() == expected)
            #expect(try shields.all(ShieldApplied.self).count == 14)
            let deliveries = try await world.deliveries()
            #expect(deliveries.count == 42 && deliveries.allSatisfy { $0.state == .delivered })
        }
    }
}
