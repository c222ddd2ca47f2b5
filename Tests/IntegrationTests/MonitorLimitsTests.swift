import Bus
import Contract
import JSON
import TestSupport
import Testing

/// The built-in extension: warn, shield, open again.
@Suite struct MonitorLimitsTests {
    @BusActor private static func publish(
        _ world: World, _ callbacks: [String], _ fill: (inout EventDefinition) -> Void = { _ in }
    ) async throws {
        try await world.publish(callbacks, client: BuiltInClient.limits, fill)
    }

    @BusActor private static func store(_ world: World) async throws -> [String: JSONValue] {
        let store = try await world.call(SettingsRead.self, SettingsRead.Params(store: "daily")).store
        return Dictionary(uniqueKeysWithValues: store.settings.map { ($0.key, $0.value) })
    }

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
            #expect(shields.map(\.subject) == ["org.gnome.Maps", "tux", "games", "example.org"])
            // Registered again inside the interval: what was just shielded for this occurrence stays.
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
            #expect(shields.map(\.subject) == ["all"])
            notifier.close()
        }
    }

    @Test func whatAFormerDayLeftIsCleared() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring(["shield-service"])
            let deliveries = try world.record(.monitor)
            _ = try await ShieldServiceTests.write(
                world, "daily",
                [("shield.applications", ["old"]), ("org.screentime.limits.occurrence", "1/500")])
            try await Self.publish(world, ["intervalDidStart:"])
            _ = try await deliveries.first(CallbackDelivered.self)
            let none = try await ShieldServiceTests.list(world)
            #expect(none.isEmpty)
            _ = try await ShieldServiceTests.write(
                world, "daily",
                [("shield.applications", ["old"]), ("org.screentime.limits.occurrence", "1/500")])
            // Missed starts do not let an old day's shields grow into the new one.
            let notifier = try ButtonPresser(world)
            try await Self.publish(world, ["eventDidReachThreshold:social"]) { $0.applications = ["new"] }
            try await notifier.wait(for: "the end") { $0.posts.count == 1 }
            let store = try await Self.store(world)
            #expect(store["shield.applications"] == ["new"])
            notifier.close()
        }
    }
}
