import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ServiceKit
@testable import ShieldCore

/// No app takes the room for shields that others need.
@Suite @LoopActor struct ShieldShareTests {
    private static let apps = ["org.example.one", "org.example.two", "org.example.three"]

    /// shield-service with three approved apps.
    private static func with(_ body: (ShieldService, RequestClient) async throws -> Void) async throws {
        let directory = try TestDirectory()
        let core = try ShieldService(try directory.configuration())
        try core.start()
        try core.service.transact(trace: nil) {
            for app in apps {
                let right = Authorization(
                    id: app, client: app, member: Household.defaultMember, status: .approved, access: true,
                    restrictions: true, requested: 1)
                try core.service.household.note(right, $0)
            }
        }
        let client = try RequestClient(
            to: .shield, in: try directory.configuration().runtime, tracer: Tracer(service: "test"))
        try await body(core, client)
        client.close()
        core.service.close()
    }

    private static func shield(
        _ count: Int, _ name: String, by app: String?, in store: String = "s", _ client: RequestClient
    ) async throws {
        let names = (0..<count).map { JSONValue.string("\(name)-\($0)") }
        _ = try await client.call(
            SettingsWrite.self,
            SettingsWrite.Params(
                store: store, settings: [Setting(key: "shield.applications", value: .array(names))]),
            options: CallOptions(client: app))
    }

    private static func refusal(
        _ count: Int, _ name: String, by app: String?, _ client: RequestClient
    ) async throws -> String {
        let error = await #expect(throws: ServiceError.self) {
            try await shield(count, name, by: app, in: "more", client)
        }
        #expect(error?.name == .limitExceeded)
        return error?.message ?? ""
    }

    /// The largest number of apps, in steps of ten, that the client may shield.
    private static func fill(_ name: String, by app: String?, _ client: RequestClient) async throws -> Int {
        var (fits, fails) = (0, 400)
        while fails - fits > 1 {
            let middle = (fits + fails) / 2
            do throws(any Error) {
                try await shield(middle * 10, name, by: app, client)
                fits = middle
            } catch { fails = middle }
        }
        try await shield(fits * 10, name, by: app, client)
        return fits * 10
    }

    @Test func anAppThatTakesAllItCanLeavesRoomForTheOthers() async throws {
        try await Self.with { core, client in
            let first = try await Self.fill("a", by: Self.apps[0], client)
            #expect(first >= 400)
            let refused = try await Self.refusal(10, "b", by: Self.apps[0], client)
            #expect(refused.contains("shieldBytesPerAppMax") && refused.contains(Self.apps[0]))
            // The next one has as much, and what is left is for the person's own limits.
            #expect(try await Self.fill("c", by: Self.apps[1], client) == first)
            let late = try await Self.refusal(40, "d", by: Self.apps[2], client)
            #expect(late.contains("shieldBytesOfAppsMax"))
            #expect(!Self.apps.contains { late.contains($0) }, "an app learns nothing of the others")
            let own = try await Self.fill("e", by: nil, client)
            #expect(own >= first - 30)
            // The person learns who has the room.
            let full = try await Self.refusal(20, "f", by: nil, client)
            #expect(full.contains("shieldBytesMax") && full.contains("most of them for org."), "\(full)")
        }
    }

    /// Otherwise an app with a shield of all categories but many names would decide what the person may
    /// allow: its names would be in a shield of each category.
    @Test func whatIsAlwaysAllowedTakesNoRoom() async throws {
        try await Self.with { core, client in
            let names = (0..<600).map { JSONValue.string("except-\($0)") }
            for app in Self.apps.prefix(2) {
                _ = try await client.call(
                    SettingsWrite.self,
                    SettingsWrite.Params(
                        store: "s",
                        settings: [
                            Setting(
                                key: "shield.applicationCategories",
                                value: ["policy": "all", "except": .array(names)])
                        ]), options: CallOptions(client: app))
            }
            let before = core.repository.state.shields
            let marks = AlwaysAllowed.store(of: Household.defaultMember).name
            for (key, allowed) in [
                (AllowedSettings.applications, (0..<500).map { JSONValue.string("allowed-\($0)") }),
                (AllowedSettings.categories, ["games", "education"]),
            ] {
                _ = try await client.call(
                    SettingsWrite.self,
                    SettingsWrite.Params(store: marks, settings: [Setting(key: key, value: .array(allowed))]))
            }
            #expect(core.repository.state.shields == before)
            #expect(try await Self.fill("e", by: nil, client) >= 400)
        }
    }

    /// The list of shields says nothing of it, so agents ask again.
    @Test func whatIsAlwaysAllowedIsTold() async throws {
        try await Self.with { core, client in
            @LoopActor func told() throws -> Int {
                try core.service.eventLog.read(after: 0, limit: 1_000)
                    .count { $0.type == ShieldCoverageChanged.type }
            }
            let marks = AlwaysAllowed.store(of: Household.defaultMember).name
            @LoopActor func allow(_ apps: [JSONValue]) async throws {
                _ = try await client.call(
                    SettingsWrite.self,
                    SettingsWrite.Params(
                        store: marks,
                        settings: [Setting(key: AllowedSettings.applications, value: .array(apps))]))
            }
            try await allow(["chess"])
            #expect(try told() == 2)
            try await allow(["chess"])
            #expect(try told() == 2)
            try await allow([])
            #expect(try told() == 4)
        }
    }

    /// An older version had no such limit: what it stored stays, and may become smaller.
    @Test func whatIsStoredStaysAndMayShrink() async throws {
        try await Self.with { core, client in
            let names = (0..<1_200).map { JSONValue.string("a-\($0)") }
            let store = SettingsStore(
                client: Self.apps[0], member: Household.defaultMember, store: "s", created: 1,
                active: true, settings: [Setting(key: "shield.applications", value: .array(names))])
            try core.service.transact(trace: nil) {
                try core.repository.commit(
                    [StoredStore(store).key: StoredStore(store)], now: 1, isRefusable: false, $0)
            }
            _ = try await Self.refusal(1, "b", by: Self.apps[0], client)
            try await Self.shield(1_000, "a", by: Self.apps[0], client)
            #expect(core.repository.state.shields.count == 1_000)
            try await Self.shield(100, "own", by: nil, client)
            #expect(core.repository.state.shields.count == 1_100)
        }
    }
}
