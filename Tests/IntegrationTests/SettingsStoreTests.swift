import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// shield-service as a real process: what frameworks need of stores.
@Suite struct SettingsStoreTests {
    private static let apps = "shield.applications"

    @LoopActor private static func write(
        _ world: World, _ store: String, _ settings: [(String, JSONValue)], client: String? = nil,
        clearAll: Bool? = nil, active: Bool? = nil, expected: [(String, JSONValue)]? = nil
    ) async throws {
        _ = try await world.call(
            SettingsWrite.self,
            SettingsWrite.Params(
                store: store, settings: settings.map { Setting(key: $0.0, value: $0.1) }, clearAll: clearAll,
                active: active, expected: expected?.map { Setting(key: $0.0, value: $0.1) }),
            client: client)
    }

    @LoopActor private static func read(_ world: World, _ store: String) async throws -> SettingsStore {
        try await world.call(SettingsRead.self, SettingsRead.Params(store: store)).store
    }

    @LoopActor private static func shielded(_ world: World) async throws -> [String] {
        try await world.call(ShieldList.self, ShieldList.Params()).shields.map(\.subject)
    }

    @Test func anInactiveStoreStaysAndCountsNothing() async throws {
        try await World.with(["shield-service"]) { world in
            try await Self.write(world, "one", [(Self.apps, ["a"])])
            try await Self.write(world, "two", [(Self.apps, ["b"])])
            try await Self.write(world, "one", [], active: false)
            #expect(try await Self.shielded(world) == ["b"])
            var store = try await Self.read(world, "one")
            #expect(store.inactive == true && !store.active)
            let why = try await world.call(ShieldExplain.self, ShieldExplain.Params(subject: "a"))
            #expect(why.explanation.contains { $0.contains("that client made it inactive") })
            #expect(store.settings.map(\.key) == [Self.apps])
            try await Self.write(world, "one", [(Self.apps, ["c"])])
            #expect(try await Self.shielded(world) == ["b"])
            try await Self.write(world, "one", [], active: true)
            store = try await Self.read(world, "one")
            #expect(store.inactive == nil && store.active)
            #expect(try await Self.shielded(world) == ["b", "c"])
        }
    }

    @Test func aDeletedStoreLiftsWhatItAloneShields() async throws {
        try await World.with(["shield-service"]) { world in
            try await Self.write(world, "one", [(Self.apps, ["a", "b"])])
            try await Self.write(world, "two", [(Self.apps, ["b"])])
            let deleted = try await world.call(
                SettingsDelete.self, SettingsDelete.Params(stores: ["one", "never"]))
            #expect(deleted.deleted == ["one"])
            #expect(try await Self.shielded(world) == ["b"])
            let left = try await world.call(SettingsList.self, SettingsList.Params()).stores
            #expect(left.map(\.store) == ["two"])
        }
    }

    @Test func clearingWhatWasNeverWrittenMakesNoStore() async throws {
        try await World.with(["shield-service"]) { world in
            try await Self.write(world, "one", [], clearAll: true)
            try await Self.write(world, "one", [(Self.apps, .null)])
            #expect(try await world.call(SettingsList.self, SettingsList.Params()).stores.isEmpty)
        }
    }

    @Test func aWriterThatSawAnotherValueIsTold() async throws {
        try await World.with(["shield-service"]) { world in
            try await Self.write(world, "one", [(Self.apps, ["b", "a"])])
            // The same names in another order are the same value.
            try await Self.write(
                world, "one", [(Self.apps, ["c", "a", "b"])], expected: [(Self.apps, ["a", "b"])])
            #expect(try await Self.read(world, "one").settings[0].value == ["a", "b", "c"])
            let refusal = await #expect(throws: ServiceError.self) {
                try await Self.write(
                    world, "one", [(Self.apps, ["a", "b", "d"])], expected: [(Self.apps, ["a", "b"])])
            }
            #expect(refusal?.name == .conflict)
            let unset = await #expect(throws: ServiceError.self) {
                try await Self.write(world, "one", [("siri.denySiri", true)], expected: [(Self.apps, .null)])
            }
            #expect(unset?.name == .conflict)
            #expect(try await Self.read(world, "one").settings.map(\.value) == [["a", "b", "c"]])
        }
    }

    @Test func doctorNamesSettingsThatMeanNothingHere() async throws {
        try await World.with(["shield-service"]) { world in
            try await Self.write(world, "one", [("cellular.lockESIM", true), (Self.apps, ["a"])])
            let said = try await world.screentime("doctor").lines.filter { $0.contains("settings: ") }
            #expect(said.count == 1)
            #expect(said.first?.contains("org.screentime.limits set cellular.lockESIM") == true)
            #expect(said.first?.contains("no eSIM is managed") == true)
        }
    }

    @Test func theMostRestrictiveValueWinsAndTheDecidersAreNamed() async throws {
        try await World.with(["shield-service"]) { world in
            try await Self.write(
                world, "one",
                [
                    ("media.denyExplicitContent", false), ("media.maximumMovieRating", 500),
                    ("safari.cookiePolicy", "always"), ("application.blockedApplications", ["b", "a"]),
                ])
            try await Self.write(
                world, "two",
                [
                    ("media.denyExplicitContent", true), ("media.maximumMovieRating", 300),
                    ("safari.cookiePolicy", "currentWebsite"),
                    ("application.blockedApplications", ["b", "c"]),
                ])
            try await Self.write(world, "off", [("media.maximumMovieRating", 0)], active: false)
            func effective() async throws -> [String: EffectiveSetting] {
                let answer = try await world.call(SettingsEffective.self, SettingsEffective.Params())
                return Dictionary(uniqueKeysWithValues: answer.settings.map { ($0.key, $0) })
            }
            let settings = try await effective()
            #expect(settings["media.denyExplicitContent"]?.value == true)
            #expect(settings["media.denyExplicitContent"]?.stores.map(\.store) == ["two"])
            #expect(settings["media.maximumMovieRating"]?.value == 300)
            #expect(settings["safari.cookiePolicy"]?.value == "currentWebsite")
            #expect(settings["media.denyExplicitContent"]?.enforcement == .asked)
            #expect(settings["safari.cookiePolicy"]?.enforcement == .storedOnly)
            #expect(settings["application.blockedApplications"]?.enforcement == .enforced)
            #expect(settings["application.blockedApplications"]?.value == ["a", "b", "c"])
            #expect(settings["application.blockedApplications"]?.stores.map(\.store) == ["one", "two"])
            #expect(settings["media.maximumTVShowRating"] == nil)
        }
    }

    @Test func applesLimitsAreTypedRefusalsWhereTheyAreOn() async throws {
        let strict = ["SCREENTIME_STRICT": "1"]
        try await World.with(["shield-service"], environment: strict) { world in
            let recorder = try world.record(.shield)
            let fifty = (0..<50).map { JSONValue.string("app.\($0)") }
            try await Self.write(world, "one", [(Self.apps, .array(fifty))])
            let refusal = await #expect(throws: ServiceError.self) {
                try await Self.write(world, "one", [(Self.apps, .array(fifty + ["app.50"]))])
            }
            #expect(refusal?.name == .limitExceeded)
            #expect(refusal?.message.contains("tokensMax is 50") == true)
            let rejected = try await recorder.first(SettingsRejected.self)
            #expect(rejected.error == "limitExceeded" && rejected.reason.contains("tokensMax"))
            #expect(try await Self.shielded(world).count == 50)
            for number in 1..<50 { try await Self.write(world, "s\(number)", [("siri.denySiri", true)]) }
            let store = await #expect(throws: ServiceError.self) {
                try await Self.write(world, "s50", [("siri.denySiri", true)])
            }
            #expect(store?.message.contains("storesMax is 50") == true)
        }
    }
}
