import Bus
import Contract
import JSON
import ScreenTimeTesting
import Testing

/// Requests of an extension reach the bus in its client's name, whatever they contain.
@Suite struct MonitorRelayTests {
    private static let app = "org.example.app"

    @Test func writesArriveUnderTheRightClient() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring(["auth-service", "shield-service"])
            let bundle = try await FixtureBundle(world)
            try await world.approve(Self.app, try world.record(.auth))
            for request in ["shield-once", "claim-once", "forbidden-once"] { try bundle.write("", request) }
            let recorder = try world.record(.monitor)
            let trace = TraceContext.root()
            try await world.publish(
                ["eventDidReachThreshold:e"], { $0.applications = ["firefox"] }, trace: trace)
            _ = try await recorder.first(CallbackDelivered.self)
            let answers = bundle.lines("answer")
            #expect(answers.count == 4)
            #expect(answers.contains { $0.contains("invalidParams") && $0.contains("client") })
            #expect(answers.first == "org.example.app 1" && answers.last == "accessDenied")
            let stores = try await world.call(SettingsList.self, SettingsList.Params()).stores
            #expect(stores.map(\.client) == [Self.app, Self.app])
            #expect(stores.map(\.store) == ["claimed", "fixture"])
            let shields = try await ShieldServiceTests.list(world)
            #expect(shields.map(\.subject) == ["firefox"])
            let spans = try await world.client(.shield).call(
                TraceRead.self, TraceRead.Params(traceID: trace.traceID)
            ).spans
            #expect(spans.contains { $0.name == "settings.write" })
            #expect(spans.contains { $0.name == "shield.applied" })
        }
    }

    @Test func anUnauthorizedClientsWriteIsRefused() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring(["auth-service", "shield-service"])
            let bundle = try await FixtureBundle(world)
            try bundle.write("", "shield")
            let recorder = try world.record(.monitor)
            try await world.publish(["eventDidReachThreshold:e"]) { $0.applications = ["firefox"] }
            let failed = try await recorder.first(CallbackFailed.self, deadline: 60_000)
            #expect(failed.delivery.error?.hasPrefix("notAuthorized") == true)
            let stores = try await world.call(SettingsList.self, SettingsList.Params()).stores
            #expect(stores.isEmpty)
        }
    }

    @Test func aServiceThatIsAwayCostsNoAttempts() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring(["auth-service"])
            let bundle = try await FixtureBundle(world)
            try await world.approve(Self.app, try world.record(.auth))
            try bundle.write("", "shield")
            let recorder = try world.record(.monitor)
            try await world.publish(["eventDidReachThreshold:e"]) { $0.applications = ["firefox"] }
            _ = try await MonitorRunnerTests.waitForProcess(world, bundle)
            try await world.start("shield-service")
            let delivered = try await recorder.first(CallbackDelivered.self, deadline: 60_000)
            #expect(delivered.delivery.state == .delivered)
            let shields = try await ShieldServiceTests.list(world)
            #expect(shields.map(\.subject) == ["firefox"])
        }
    }
}
