import Contract
import JSON
import ScreenTimeTesting
import Testing

/// What the person's word about a client means for its stores.
@Suite struct ShieldAuthorizationTests {
    private static let app = "org.example.app"
    private static let apps = "shield.applications"

    @Test func theSwitchOfRestrictionsLiftsAndShieldsAgain() async throws {
        try await World.with(["auth-service", "shield-service"]) { world in
            let decisions = try world.record(.auth)
            let events = try world.record(.shield)
            try await world.approve(Self.app, decisions)
            _ = try await ShieldServiceTests.write(world, "default", [(Self.apps, ["a"])], client: Self.app)
            _ = try await events.first(ShieldApplied.self)
            _ = try await world.turn(Self.app, restrictions: false)
            _ = try await events.first(ShieldLifted.self) { $0.subject == "a" }
            let off = try await world.call(
                SettingsRead.self, SettingsRead.Params(store: "default"), client: Self.app)
            #expect(!off.store.active && off.store.settings.count == 1)
            let why = try await world.call(ShieldExplain.self, ShieldExplain.Params(subject: "a"))
            #expect(!why.shielded && why.explanation.contains { $0.contains("switched off") })
            // A write while they are off is stored, and shields nothing.
            _ = try await ShieldServiceTests.write(world, "late", [(Self.apps, ["b"])], client: Self.app)
            let none = try await ShieldServiceTests.list(world)
            #expect(none.isEmpty)
            _ = try await world.turn(Self.app, restrictions: true)
            _ = try await events.first(ShieldApplied.self) { $0.shield.subject == "b" }
            let shields = try await ShieldServiceTests.list(world)
            #expect(shields.map(\.subject) == ["a", "b"])
            // Shielded since now, although its store's rule is older.
            #expect(shields[0].since > shields[0].reasons[0].since)
        }
    }

    @Test func revokingClearsTheStores() async throws {
        try await World.with(["auth-service", "shield-service"]) { world in
            let decisions = try world.record(.auth)
            let events = try world.record(.shield)
            try await world.approve(Self.app, decisions)
            _ = try await ShieldServiceTests.write(world, "default", [(Self.apps, ["a"])], client: Self.app)
            _ = try await ShieldServiceTests.write(world, "own", [(Self.apps, ["a"])])
            _ = try await world.call(AuthorizationRevoke.self, AuthorizationRevoke.Params(client: Self.app))
            _ = try await events.first(SettingsChanged.self) {
                $0.store.client == Self.app && $0.store.settings.isEmpty
            }
            let stores = try await world.call(SettingsList.self, SettingsList.Params()).stores
            #expect(stores.map(\.store) == ["own"])
            let shields = try await ShieldServiceTests.list(world)
            #expect(shields.map { $0.reasons.map(\.store) } == [["own"]])
            let error = await refusal {
                try await ShieldServiceTests.write(world, "default", [(Self.apps, ["a"])], client: Self.app)
            }
            #expect(error == .notAuthorized)
        }
    }

    @Test func whoIsNotAuthorizedIsRefusedAndSeesNothing() async throws {
        try await World.with(["auth-service", "shield-service"]) { world in
            let decisions = try world.record(.auth)
            try await world.approve(Self.app, decisions)
            _ = try await ShieldServiceTests.write(world, "mine", [("siri.denySiri", true)], client: Self.app)
            _ = try await ShieldServiceTests.write(world, "own", [("siri.denySiri", true)])
            let seen = try await world.call(SettingsList.self, SettingsList.Params(), client: Self.app).stores
            #expect(seen.map(\.store) == ["mine"])
            for client in ["org.example.stranger", BuiltInClient.limits] {
                let writing = await refusal {
                    try await ShieldServiceTests.write(world, "own", [], clearAll: true, client: client)
                }
                let reading = await refusal {
                    try await world.call(SettingsRead.self, SettingsRead.Params(store: "own"), client: client)
                }
                #expect(writing == .notAuthorized && reading == .notAuthorized)
            }
            let freezing = await refusal {
                try await world.call(ShieldFrozen.self, ShieldFrozen.Params(), client: Self.app)
            }
            #expect(freezing == .accessDenied)
            let unknown = await refusal {
                try await world.call(
                    SettingsRead.self, SettingsRead.Params(member: "member-nobody", store: "own"))
            }
            #expect(unknown == .notFound)
        }
    }
}
