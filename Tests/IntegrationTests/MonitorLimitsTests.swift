import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import TestSupport
import Time
import Units

/// The built-in extension: warn, shield, open again.
@Suite struct MonitorLimitsTests {
    @LoopActor private static func publish(
        _ world: World, _ callbacks: [String], _ fill: (inout EventDefinition) -> Void = { _ in }
    ) async throws {
        try await world.publish(callbacks, client: BuiltInClient.limits, fill)
    }

    @LoopActor private static func store(_ world: World) async throws -> [String: JSONValue] {
        let store = try await world.call(SettingsRead.self, SettingsRead.Params(store: "daily")).store
        return Dictionary(uniqueKeysWithValues: store.settings.map { ($0.key, $0.value) })
    }

    /// What another occurrence left.
    private static let reached: (String, JSONValue) = (
        "org.screentime.limits.reached",
        ["occurrence_start_ms": 500, "events": [["name": "other", "applications": ["old"], "threshold": [:]]]]
    )

    @Test func warnsShieldsAndOpensAgain() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring(["shield-service"])
            let notifier = try ButtonPresser(world)
            let deliveries = try world.record(.monitor)
            try await Self.publish(world, ["intervalDidStart:", "eventWillReachThresholdWarning:social"]) {
                $0.applications = ["org.gnome.Maps", "exe:/usr/bin/xterm"]
            }
            try await notifier.wait(for: "the warning") { $0.posts.count == 1 }
            #expect(notifier.posts[0].title == "Almost there")
            #expect(notifier.posts[0].body == "5 minutes are left for Maps and xterm.")
            try await Self.publish(world, ["eventDidReachThreshold:social"]) {
                $0.applications = ["org.gnome.Maps"]
                $0.message = "Go <b>outside</b>"
            }
            try await notifier.wait(for: "the end") { $0.posts.count == 2 }
            #expect(notifier.posts[1].body == "Go <b>outside</b>")
            #expect(notifier.posts[1].identifier != notifier.posts[0].identifier)
            try await Self.publish(world, ["eventDidReachThreshold:games"]) {
                $0.applications = ["tux"]
                $0.categories = ["games"]
                $0.webDomains = ["example.org"]
            }
            try await notifier.wait(for: "the other end") { $0.posts.count == 3 }
            let store = try await Self.store(world)
            #expect(store["shield.applications"] == ["org.gnome.Maps", "tux"])
            #expect(store["shield.webDomains"] == ["example.org"])
            #expect(store["shield.applicationCategories"]?["categories"] == ["games"])
            let shields = try await ShieldServiceTests.list(world)
            #expect(shields.map(\.subject) == ["org.gnome.Maps", "tux", "games", "example.org", "games"])
            #expect(shields.last?.kind == .domainCategory)
            // Registered again inside the interval: what was shielded for this occurrence stays.
            try await Self.publish(world, ["intervalDidStart:"])
            _ = try await deliveries.wait(for: "five") {
                try $0.all(CallbackDelivered.self).count == 5 ? true : nil
            }
            let kept = try await ShieldServiceTests.list(world)
            #expect(kept == shields)
            try await Self.publish(world, ["intervalDidEnd:"])
            _ = try await deliveries.wait(for: "six") {
                try $0.all(CallbackDelivered.self).count == 6 ? true : nil
            }
            let none = try await ShieldServiceTests.list(world)
            #expect(none.isEmpty)
            notifier.close()
        }
    }

    @Test func anEventThatNamesNothingShieldsEverything() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring(["shield-service"])
            let notifier = try ButtonPresser(world)
            try await Self.publish(world, ["eventDidReachThreshold:all"])
            try await notifier.wait(for: "the end") { $0.posts.count == 1 }
            #expect(notifier.posts[0].body == "The time for this device is used up.")
            let shields = try await ShieldServiceTests.list(world)
            #expect(shields.map(\.subject) == ["all", "all"])
            #expect(shields.map(\.kind) == [.category, .domainCategory])
            notifier.close()
        }
    }

    @Test func whatAFormerDayLeftIsCleared() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring(["shield-service"])
            let deliveries = try world.record(.monitor)
            _ = try await ShieldServiceTests.write(
                world, "daily",
                [("shield.applications", ["old"]), Self.reached])
            try await Self.publish(world, ["intervalDidStart:"])
            _ = try await deliveries.first(CallbackDelivered.self)
            let none = try await ShieldServiceTests.list(world)
            #expect(none.isEmpty)
            _ = try await ShieldServiceTests.write(
                world, "daily",
                [("shield.applications", ["old"]), Self.reached])
            // Missed starts do not let an old day's shields grow into the new one.
            let notifier = try ButtonPresser(world)
            try await Self.publish(world, ["eventDidReachThreshold:social"]) { $0.applications = ["new"] }
            try await notifier.wait(for: "the end") { $0.posts.count == 1 }
            let store = try await Self.store(world)
            #expect(store["shield.applications"] == ["new"])
            notifier.close()
        }
    }

    /// With the real activity-center: only the screen is replaced.
    @Test func registeringAgainOpensOnlyWhatWasChanged() async throws {
        let services = ["activity-center", "shield-service", "monitor-runner"]
        try await World.with(services, environment: NoonZone.environment) { world in
            let notifier = try ButtonPresser(world)
            let deliveries = try world.record(.monitor)
            let game = EventDefinition(
                name: "game", applications: ["game"], threshold: DateComponents(second: 1),
                message: "Enough?")
            var chat = EventDefinition(
                name: "chat", applications: ["chat"], threshold: DateComponents(second: 1))
            try await world.monitor([.allDay("daily", [game, chat])])
            let now = WallTime.now
            let trace = TraceContext.root()
            try await world.observe(
                [
                    Observation(at: now - 4_000, kind: .focus, app: "game"),
                    Observation(at: now - 2_000, kind: .focus, app: "chat"),
                ], device: "laptop", trace: trace)
            chat.includesPastActivity = true
            var past = game
            past.includesPastActivity = true
            try await world.monitor([.allDay("daily", [past, chat])])
            try await notifier.wait(for: "both") { Set($0.posts.map(\.body)).count == 2 }
            #expect(notifier.posts.contains { $0.body == "Enough?" })
            let both = try await ShieldServiceTests.list(world)
            #expect(both.map(\.subject) == ["chat", "game"])
            // The chat may continue: its event is changed, so its shield is lifted; the game's stays.
            chat.threshold = DateComponents(hour: 5)
            let again = try await world.monitor([.allDay("daily", [past, chat])])
            _ = try await deliveries.wait(for: "the new start") { recorder in
                try recorder.all(CallbackDelivered.self).first {
                    $0.delivery.callback == "intervalDidStart"
                        && $0.delivery.about.registration == again.activities.first?.registration
                }
            }
            let gameOnly = try await ShieldServiceTests.list(world)
            #expect(gameOnly.map(\.subject) == ["game"])
            notifier.close()
        }
    }
}
