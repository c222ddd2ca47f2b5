import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing

@testable import ActivityCore
@testable import DesktopCore
@testable import Hosting
@testable import ServiceKit

/// Followers without a stored cursor, and services that act on a copy, when auth-service is restored from an
/// older copy and overtakes what was read.
@Suite(.serialized) @LoopActor struct RestoredStateTests {
    private static let other = AuthorizationChanged(
        authorization: Authorization(id: "other", client: "org.example.other", member: "m0"))

    private static func client(_ directory: TestDirectory) throws -> RequestClient {
        try RequestClient(
            to: .auth, in: try directory.configuration().runtime, tracer: Tracer(service: "test"))
    }

    /// The followed state changed by the restore alone, without an event.
    @Test func whatFollowsAStateAsksAgainAfterARestoration() async throws {
        let directory = try TestDirectory()
        let owner = try RestorableOwner(.auth, in: directory)
        try owner.put("a", "kept")
        let copy = try owner.copy()
        try owner.put("b", "lost")
        let client = try Self.client(directory)
        var state: [String: String] = [:]
        let configuration = try directory.configuration()
        let follower = StateFollower<[String: String]>(
            .auth, client, in: configuration.runtime,
            log: try Log(name: "test", directory: directory.path, level: .error),
            answer: 10_000, pause: 2_000,
            ask: { publish in
                client.send(HealthCheck.self, Nothing()) { result in
                    // A failure of the test's own table is an empty state, which the test sees.
                    publish(result.map { _ in (try? owner.rows()) ?? [:] })
                }
            },
            isChange: { $0.contains { $0.type == MemberChanged.type } }, receive: { state = $0 })
        follower.refresh()
        try await comes("the state") { state.count == 2 && follower.followed?.connected == true }
        try owner.restore(copy) { owner in for _ in 0..<5 { try owner.publish(Self.other) } }
        try await comes("the restored state") { state == ["a": "kept"] }
        try owner.put("c", "new")
        try await comes("the next change") { state == ["a": "kept", "c": "new"] }
        follower.close()
        client.close()
        owner.stop()
    }

    /// Cached grants of programs are dropped after a restore.
    @Test func grantsAreUnknownAfterARestoration() async throws {
        let directory = try TestDirectory()
        let owner = try RestorableOwner(.auth, in: directory)
        let copy = try owner.copy()
        let client = try Self.client(directory)
        var changes = 0
        var unknown = 0
        let events = ProgramEvents(
            in: try directory.configuration().runtime, client: { _ in client },
            authorizationChanged: { _ in changes += 1 }, grantsUnknown: { unknown += 1 })
        events.followGrants()
        try await comes("the first change") {
            if changes == 0 { try owner.publish(Self.other) }
            return changes > 0
        }
        try owner.restore(copy) { owner in for _ in 0..<200 { try owner.publish(Self.other) } }
        try await comes("the restoration") { unknown == 1 }
        changes = 0
        try await comes("what comes after it") {
            if changes == 0 { try owner.publish(Self.other) }
            return changes > 0
        }
        client.close()
        owner.stop()
    }

    private static let right = Authorization(
        id: "r", client: "org.example.c", member: Household.defaultMember, status: .approved, access: true)

    /// An approval that is missing in the restored household was not revoked by anybody.
    @Test func activitiesOutliveARestoredHousehold() async throws {
        let directory = try TestDirectory()
        let owner = try RestorableOwner(.auth, in: directory)
        var asked = Self.right
        asked.status = .notDetermined
        asked.access = false
        try owner.publish(AuthorizationChanged(authorization: asked))
        let copy = try owner.copy()
        owner.moreState = { [AuthorizationChanged(authorization: asked)] }
        try owner.publish(AuthorizationChanged(authorization: Self.right))
        let core = try ActivityCenter(try directory.configuration())
        try core.start()
        func status() -> AuthorizationStatus? {
            core.service.household.authorization(client: Self.right.client, member: Self.right.member)?.status
        }
        func activities() throws -> Int64 {
            try core.service.database.integer("SELECT count(*) FROM activity")
        }
        try await comes("the approval") { status() == .approved }
        let client = try RequestClient(
            to: .activity, in: try directory.configuration().runtime, tracer: Tracer(service: "test"))
        let schedule = Schedule(
            intervalStart: DateComponents(hour: 0, minute: 0),
            intervalEnd: DateComponents(hour: 0, minute: 0), repeats: true)
        _ = try await client.call(
            MonitoringStart.self,
            MonitoringStart.Params(activities: [ActivityDefinition(name: "daily", schedule: schedule)]),
            options: CallOptions(client: Self.right.client))
        #expect(try activities() == 1)
        try owner.restore(copy) { owner in for _ in 0..<9 { try owner.publish(Self.other) } }
        // Undecided authorizations are not stored.
        try await comes("the restored household") { status() == nil }
        #expect(try activities() == 1)
        try owner.publish(AuthorizationChanged(authorization: asked, revoked: true))
        try await comes("the revocation") { try activities() == 0 }
        client.close()
        core.service.close()
        owner.stop()
    }
}
