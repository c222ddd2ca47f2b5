import Contract
import Loop
import ScreenTimeTesting
import Testing

/// shield-service keeps what the agents' last checks showed.
@Suite struct EnforcementRecordTests {
    @LoopActor private static func record(_ world: World, _ agent: String, _ reason: String?) async throws {
        let state = reason == nil ? EnforcementState.enforcing : .notEnforcing
        _ = try await world.call(
            EnforcementRecord.self, EnforcementRecord.Params(agent: agent, state: state, reason: reason))
    }

    @LoopActor private static func results(_ world: World) async throws -> [EnforcementResult] {
        try await world.call(EnforcementList.self, EnforcementList.Params()).results
    }

    @Test func theLastResultIsKeptAndChangesArePublished() async throws {
        try await World.with(["shield-service"]) { world in
            let recorder = try world.record(.shield)
            for reason in [nil, nil, "of rain", "of rain", nil] {
                try await Self.record(world, "host/:0", reason)
            }
            try await Self.record(world, "host/:1", "of snow")
            try await world.process("shield-service").destroy()
            try await world.start("shield-service")
            let kept = try await Self.results(world)
            #expect(Set(kept.map(\.agent)) == ["host/:0", "host/:1"])
            let own = try await world.call(
                EnforcementList.self, EnforcementList.Params(agent: "host/:0")
            ).results
            #expect(own.map(\.state) == [.enforcing] && own[0].reason == nil && own[0].checked > 0)
            let changes = try await recorder.wait(for: "four changes") { recorder in
                let all = try recorder.all(EnforcementChanged.self)
                return all.count >= 4 ? all.map(\.result) : nil
            }
            #expect(changes.map(\.reason) == [nil, "of rain", nil, "of snow"])
            let last = try #require(changes.last { $0.agent == "host/:0" })
            #expect(last.since == own[0].since, "a repeated result changes only when it was checked")
        }
    }

    @Test func aReasonGoesWithAFailureOnly() async throws {
        try await World.with(["shield-service"]) { world in
            for (state, reason) in [
                (EnforcementState.enforcing, Optional("of rain")), (.notEnforcing, nil),
                (.notEnforcing, "two\nlines"), (.notEnforcing, String(repeating: "x", count: 1_001)),
            ] {
                let refusal = await #expect(throws: ServiceError.self) {
                    _ = try await world.call(
                        EnforcementRecord.self,
                        EnforcementRecord.Params(agent: "a", state: state, reason: reason))
                }
                #expect(refusal?.name == .invalidParams)
            }
            try await Self.record(world, "a", String(repeating: "x", count: 1_000))
            let refusal = await #expect(throws: ServiceError.self) {
                _ = try await world.call(
                    EnforcementRecord.self, EnforcementRecord.Params(agent: "a", state: .enforcing),
                    client: "org.test.app")
            }
            #expect(refusal?.name == .accessDenied || refusal?.name == .notAuthorized)
        }
    }

    @Test func agentsThatCheckedLongAgoAreForgotten() async throws {
        try await World.with(["shield-service"]) { world in
            for number in 0...100 { try await Self.record(world, "host/:\(number)", nil) }
            let kept = try await Self.results(world).map(\.agent)
            #expect(kept.count == 100 && kept.contains("host/:100"))
        }
    }

    @Test func aSnapshotHasThem() async throws {
        try await World.with(["shield-service"]) { world in
            try await Self.record(world, "host/:0", "of rain")
            let events = try await world.client(.shield).call(EventsSnapshot.self, EventsSnapshot.Params())
                .events
            let texts = events.map { String(decoding: $0.bytes, as: UTF8.self) }
            #expect(texts.count { $0.contains("enforcement.changed") && $0.contains("of rain") } == 1)
        }
    }
}
