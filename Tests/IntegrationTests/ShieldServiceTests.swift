import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Time

/// shield-service as a real process: stores, what follows from them, and what survives.
@Suite struct ShieldServiceTests {
    static let apps = "shield.applications"

    @LoopActor static func write(
        _ world: World, _ store: String, _ settings: [(String, JSONValue)], clearAll: Bool? = nil,
        client: String? = nil, key: String? = nil
    ) async throws -> Written {
        try await world.call(
            SettingsWrite.self,
            SettingsWrite.Params(
                store: store, settings: settings.map { Setting(key: $0.0, value: $0.1) }, clearAll: clearAll),
            client: client, idempotencyKey: key)
    }

    @LoopActor static func list(_ world: World) async throws -> [EffectiveShield] {
        try await world.call(ShieldList.self, ShieldList.Params()).shields
    }

    @Test func aWriteChangesOnlyWhatItNamesAndNullClears() async throws {
        try await World.with(["shield-service"]) { world in
            _ = try await Self.write(world, "daily", [(Self.apps, ["a", "b"]), ("siri.denySiri", true)])
            _ = try await Self.write(
                world, "daily", [("media.maximumMovieRating", 300), ("my.own.words", ["x": 1])])
            var store = try await world.call(SettingsRead.self, SettingsRead.Params(store: "daily")).store
            #expect(store.client == "org.screentime.limits")
            #expect(store.active)
            #expect(
                store.settings.map(\.key) == [
                    "media.maximumMovieRating", "my.own.words", Self.apps, "siri.denySiri",
                ])
            #expect(store.settings[1].value == ["x": 1])
            _ = try await Self.write(world, "daily", [(Self.apps, .null)])
            store = try await world.call(SettingsRead.self, SettingsRead.Params(store: "daily")).store
            #expect(
                store.settings.map(\.key) == ["media.maximumMovieRating", "my.own.words", "siri.denySiri"])
            _ = try await Self.write(world, "daily", [("account.lockAccounts", true)], clearAll: true)
            store = try await world.call(SettingsRead.self, SettingsRead.Params(store: "daily")).store
            #expect(store.settings.map(\.key) == ["account.lockAccounts"])
            let unknown = try await world.call(SettingsRead.self, SettingsRead.Params(store: "never")).store
            #expect(unknown.settings.isEmpty && unknown.created == 0)
        }
    }

    @Test func shieldsFollowTheStoresInOneTransaction() async throws {
        try await World.with(["shield-service"]) { world in
            let recorder = try world.record(.shield)
            _ = try await Self.write(world, "one", [(Self.apps, ["a"])])
            let first = try await recorder.first(ShieldApplied.self)
            #expect(first.shield.subject == "a" && first.shield.reasons.map(\.store) == ["one"])
            _ = try await Self.write(world, "two", [(Self.apps, ["a", "b"])])
            let both = try await recorder.first(ShieldApplied.self) { $0.shield.reasons.count == 2 }
            #expect(both.shield.reasons.map(\.store) == ["one", "two"])
            // It continues for the other reason: not lifted, and with the same age.
            _ = try await Self.write(world, "one", [], clearAll: true)
            let shields = try await Self.list(world)
            #expect(shields.map(\.subject) == ["a", "b"])
            #expect(shields[0].since == first.shield.since)
            _ = try await Self.write(world, "two", [(Self.apps, ["b"])])
            _ = try await recorder.first(ShieldLifted.self) { $0.subject == "a" }
            #expect(
                recorder.types == [
                    "settings.changed", "shield.applied", "settings.changed", "shield.applied",
                    "shield.applied",
                    "settings.changed", "shield.applied", "settings.changed", "shield.lifted",
                ])
            let listed = try await world.call(ShieldList.self, ShieldList.Params())
            #expect(listed.sequence == Int64(recorder.events.count))
        }
    }

    @Test func addingAnAppLeavesTheAgeOfTheOthers() async throws {
        try await World.with(["shield-service"]) { world in
            _ = try await Self.write(world, "one", [(Self.apps, ["a"])])
            let before = try await Self.list(world)[0]
            // The clock has milliseconds: wait until it shows another one.
            while WallTime.now <= before.since {}
            _ = try await Self.write(world, "one", [(Self.apps, ["a", "b"])])
            let after = try await Self.list(world)
            #expect(after[0] == before)
            #expect(after[1].since > before.since)
            #expect(after[1].reasons[0].since == after[1].since)
        }
    }

    @Test func refusalsAreTypedAndTold() async throws {
        try await World.with(["shield-service"]) { world in
            let recorder = try world.record(.shield)
            _ = try await Self.write(world, "one", [(Self.apps, ["a"])])
            let wrong: [(String, JSONValue)] = [
                (Self.apps, "a"), (Self.apps, [""]), ("siri.denySiri", 1), ("media.maximumMovieRating", 1001),
                ("shield.applicationCategories", ["policy": "some"]), ("safari.cookiePolicy", "sometimes"),
                ("shield.applicationCategories", ["policy": "specific"]), ("nodot", true), ("a..b", true),
                ("webContent.blockedByFilter", ["policy": "auto", "domains": [1]]),
            ]
            for (key, value) in wrong {
                let refusal = await #expect(throws: ServiceError.self) {
                    try await Self.write(world, "one", [("account.lockAccounts", true), (key, value)])
                }
                #expect(refusal?.name == .invalidParams)
            }
            _ = try await recorder.wait(for: "a rejection each") {
                try $0.all(SettingsRejected.self).count == wrong.count ? true : nil
            }
            let store = try await world.call(SettingsRead.self, SettingsRead.Params(store: "one")).store
            #expect(store.settings.map(\.key) == [Self.apps])
            let changes = try recorder.all(SettingsChanged.self)
            #expect(changes.count == 1)
        }
    }

    @Test func limitsAreNamed() async throws {
        try await World.with(["shield-service"]) { world in
            let many = JSONValue.array((0..<2_000).map { .string("org.example.application.number.\($0)") })
            let refusal = await #expect(throws: ServiceError.self) {
                try await Self.write(world, "one", [(Self.apps, many)])
            }
            #expect(refusal?.name == .limitExceeded)
            #expect(refusal?.message.contains("shieldBytesMax") == true)
            let shields = try await Self.list(world)
            #expect(shields.isEmpty)
            let long = JSONValue.string(String(repeating: "x", count: 600_000))
            let other = await #expect(throws: ServiceError.self) {
                try await Self.write(world, "one", [("my.words", long)])
            }
            #expect(other?.message.contains("storeBytesMax") == true)
        }
    }

    @Test func theSameKeyTwiceWritesOnce() async throws {
        try await World.with(["shield-service"]) { world in
            let recorder = try world.record(.shield)
            let first = try await Self.write(world, "one", [(Self.apps, ["a"])], key: "k1")
            let second = try await Self.write(world, "one", [(Self.apps, ["a"])], key: "k1")
            #expect(first == second)
            // A write that changes nothing publishes nothing.
            let third = try await Self.write(world, "one", [(Self.apps, ["a"])])
            #expect(third == first)
            _ = try await recorder.first(ShieldApplied.self)
            #expect(recorder.events.count == 2)
        }
    }

    @Test func explainNamesStoresRulesAndWhyNot() async throws {
        try await World.with(["shield-service"]) { world in
            _ = try await Self.write(world, "one", [(Self.apps, ["a"])])
            _ = try await Self.write(
                world, "night",
                [
                    (
                        "shield.applicationCategories",
                        ["policy": "specific", "categories": ["games"], "except": ["chess"]]
                    )
                ])
            _ = try await Self.write(world, "web", [("shield.webDomains", ["Example.org"])])
            func explain(_ subject: String, _ category: String? = nil) async throws -> ShieldExplain.Result {
                try await world.call(
                    ShieldExplain.self, ShieldExplain.Params(subject: subject, category: category))
            }
            let direct = try await explain("a", "games")
            #expect(direct.shielded)
            #expect(
                direct.shield?.reasons.map(\.rule) == ["shield.applications", "shield.applicationCategories"])
            #expect(
                direct.explanation[0].hasPrefix(
                    "Store 'one' of org.screentime.limits shields 'a' by shield.app"))
            let game = try await explain("tetris", "games")
            #expect(game.shielded && game.shield?.reasons.map(\.store) == ["night"])
            let spared = try await explain("chess", "games")
            #expect(!spared.shielded)
            #expect(spared.explanation.contains { $0.contains("excepts it") })
            let unknown = try await explain("tetris")
            #expect(!unknown.shielded && unknown.category == "other")
            #expect(unknown.explanation.contains { $0.contains("covers its category 'other'") })
            let page = try await explain("www.example.org")
            #expect(page.shielded && page.shield?.kind == .domain)
        }
    }

    /// A site is not shielded although a web setting names it: the explanation says which setting, and why.
    @Test func explainOfASiteNamesTheWebSetting() async throws {
        try await World.with(["shield-service"]) { world in
            let filter = "webContent.blockedByFilter"
            let bads: JSONValue = ["policy": "specific", "domains": ["Bad.org"]]
            _ = try await Self.write(world, "some", [(filter, bads)])
            _ = try await Self.write(world, "most", [(filter, ["policy": "all", "except": ["good.org"]])])
            _ = try await Self.write(world, "web", [("shield.webDomains", ["worse.org"])])
            func explain(_ subject: String) async throws -> [String] {
                try await world.call(ShieldExplain.self, ShieldExplain.Params(subject: subject)).explanation
            }
            func named(_ lines: [String], _ store: String) -> String? {
                lines.first { $0.contains("'\(store)'") && $0.contains(filter) && $0.contains("no browser") }
            }
            let bad = try await explain("www.bad.org")
            #expect(bad[0].contains("is not shielded"))
            #expect(named(bad, "some")?.contains("blocks 'bad.org'") == true)
            #expect(named(bad, "most")?.contains("blocks every site") == true)
            let good = try await explain("good.org")
            #expect(named(good, "most")?.contains("excepts 'good.org'") == true && named(good, "some") == nil)
            let worse = try await explain("worse.org")
            #expect(worse[0].contains("shield.webDomains") && named(worse, "most") != nil)
            #expect(try await explain("firefox").count == 1)
        }
    }

    @Test func freezesAreKeptForTheNextAgent() async throws {
        try await World.with(["shield-service"]) { world in
            let recorder = try world.record(.shield)
            let processes = [
                FrozenProcess(pid: 4_000, startTime: 17), FrozenProcess(pid: 4_001, startTime: 18),
            ]
            func freeze(_ processes: [FrozenProcess]) async throws {
                _ = try await world.call(
                    ShieldFreeze.self, ShieldFreeze.Params(agent: "host:0", app: "a", processes: processes))
            }
            try await freeze(processes)
            try await world.process("shield-service").destroy()
            try await world.start("shield-service")
            let kept = try await world.call(ShieldFrozen.self, ShieldFrozen.Params(agent: "host:0")).freezes
            #expect(kept.map(\.processes) == [processes])
            let others = try await world.call(ShieldFrozen.self, ShieldFrozen.Params(agent: "other")).freezes
            #expect(others.isEmpty)
            try await freeze([])
            try await freeze([])
            let left = try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes
            #expect(left.isEmpty)
            _ = try await recorder.first(ShieldFrozeProcesses.self) { $0.freeze.processes.isEmpty }
            #expect(recorder.types == ["shield.processesFrozen", "shield.processesFrozen"])
            let refusal = await #expect(throws: ServiceError.self) {
                try await freeze([FrozenProcess(pid: 1)])
            }
            #expect(refusal?.name == .invalidParams)
        }
    }

    @Test func theSnapshotIsThePresentState() async throws {
        try await World.with(["shield-service"]) { world in
            _ = try await Self.write(world, "one", [(Self.apps, ["a", "b"])])
            _ = try await Self.write(world, "two", [("siri.denySiri", true)])
            _ = try await Self.write(world, "one", [(Self.apps, ["b"])])
            let snapshot = try await world.client(.shield).call(EventsSnapshot.self, EventsSnapshot.Params())
            let types = try snapshot.events.map { try AnyEvent.decode($0.bytes).head.type }
            #expect(types == ["settings.changed", "settings.changed", "shield.applied"])
        }
    }
}
