import Contract
import Testing

@testable import ActivityCore
@testable import ServiceKit

/// `monitoring.start` with activities that stop in the same change.
extension ToldOnceTests {
    private static func named(_ name: String) -> ActivityDefinition {
        var definition = daily(0, 23)
        definition.name = name
        return definition
    }

    /// What begins is told before what ends: an app that replaces a limit leaves nothing open between.
    @Test func whatStopsWithAStartEndsInTheSameChange() async throws {
        let center = try Center()
        let client = try center.client()
        func names() async throws -> [String] {
            let list = try await client.call(MonitoringList.self, MonitoringList.Params())
            return list.activities.map(\.activity.name)
        }
        _ = try await client.call(
            MonitoringStart.self, MonitoringStart.Params(activities: ["old", "kept"].map(Self.named)))
        let before = try center.told()
        let replacing = MonitoringStart.Params(
            activities: [Self.named("new")], stop: ["old", "new", "unknown"])
        let faults = CommitFaults(center.core.service.database)
        faults.failsCommit = { faults.failures == 0 }
        await #expect(throws: (any Error).self) {
            try await client.call(MonitoringStart.self, replacing)
        }
        #expect(try await names().sorted() == ["kept", "old"], "all or nothing")
        _ = try await client.call(MonitoringStart.self, replacing)
        #expect(try await names().sorted() == ["kept", "new"])
        let types = try center.told().dropFirst(before.count).map { $0.split(separator: " ")[0] }
        #expect(types == ["activity.intervalDidStart", "activity.intervalDidEnd"], "\(types)")
        client.close()
        center.close()
    }
}
