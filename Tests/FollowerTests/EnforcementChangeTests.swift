import Contract
import JSON
import Loop
import Testing
import Units

@testable import ServiceKit
@testable import ShieldCore
@testable import Store

/// What counts as a change of whether limits act, and since when it is so.
@Suite(.serialized) @LoopActor struct EnforcementChangeTests {
    private static func told(_ home: ExceptionTests.Home) throws -> [EnforcementResult] {
        let types = [EnforcementChanged.type]
        return try home.core.service.eventLog.page(after: 0, types: types, limit: 1_000).events.compactMap {
            try AnyEvent.decode($0.body).data.map { try EnforcementChanged.decode($0.bytes).result }
        }
    }

    @Test func anotherReasonIsAChangeAndTheSameOneIsNot() async throws {
        let home = try ExceptionTests.Home()
        defer { home.close() }
        let start = home.clock.now
        func record(_ reason: String?, of agent: String = "host/:0") async throws -> EnforcementResult {
            let state: EnforcementState = reason == nil ? .enforcing : .notEnforcing
            _ = try await home.client.call(
                EnforcementRecord.self,
                EnforcementRecord.Params(agent: agent, state: state, reason: reason))
            return try #require(
                try await home.client.call(EnforcementList.self, EnforcementList.Params(agent: agent))
                    .results.first)
        }
        let reasons = [nil, nil, "of rain", "of rain", "of snow", "of snow", "of rain", nil]
        let begins: [Int64] = [0, 0, 2, 2, 4, 4, 6, 7]
        for (minute, (reason, begin)) in zip(reasons, begins).enumerated() {
            let result = try await record(reason)
            #expect(result.reason == reason && result.checked == home.clock.now)
            #expect(result.since == start + .minutes(begin), "at minute \(minute)")
            home.pass(.minutes(1))
        }
        // Another agent's is another one's.
        #expect(try await record(nil, of: "host/:1").since == home.clock.now)
        let told = try Self.told(home)
        #expect(told.map(\.reason) == [nil, "of rain", "of snow", "of rain", nil, nil])
        #expect(told.allSatisfy { $0.since == $0.checked })
        try home.restart()
        #expect(try await record(nil).since == start + .minutes(7))
        #expect(try Self.told(home) == told)
    }
}
