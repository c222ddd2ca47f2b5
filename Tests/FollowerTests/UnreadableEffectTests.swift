import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import ShieldCore
@testable import Store

/// What else depends on a record that cannot be read: nothing ends because of it, and nobody is told too
/// little.
@Suite(.serialized) @LoopActor struct UnreadableEffectTests {
    private static let app = "org.example.app"

    private static func client(_ name: ServiceName, _ configuration: Configuration) throws -> RequestClient {
        try RequestClient(to: name, in: configuration.runtime, tracer: Tracer(service: "test"))
    }

    private static func isDamaged(_ service: Service) -> Bool {
        service.healthReport().notActing?.contains { $0.contains("is damaged") } == true
    }

    private static func shield(_ member: String?, _ client: RequestClient) async throws {
        _ = try await client.call(
            SettingsWrite.self,
            SettingsWrite.Params(
                member: member, store: "default",
                settings: [Setting(key: "shield.applications", value: .array([.string("chess")]))]))
    }

    private static func write(_ sql: String, _ service: Service) throws {
        try service.transact(trace: nil) { try $0.database.run(sql) }
        service.endTurn()
    }

    /// auth-service with a member who approved an app.
    private static func approved(_ configuration: Configuration) async throws -> (AuthService, Member) {
        let auth = try AuthService(configuration)
        try auth.start()
        let kid = Member(id: "kid", name: "kid", role: .child)
        try auth.service.transact(trace: nil) { transaction in
            try auth.members.insert(kid)
            try auth.publish(kid, transaction)
            let right = Authorization(id: "a", client: app, member: kid.id, status: .approved, decided: 1)
            try auth.authorizations.save(right)
            try transaction.emit(AuthorizationChanged(authorization: right))
            try auth.service.household.note(right, transaction)
        }
        auth.service.endTurn()
        return (auth, kid)
    }

    // MARK: retention

    @Test func theDaysThatAreKeptCountFromWhenItWasSetAside() async throws {
        var configuration = try TestDirectory().configuration()
        configuration.daysKept = 400
        var core = try NotifierService(configuration)
        try core.start()
        let client = try Self.client(.notifier, configuration)
        try Self.write("INSERT INTO category VALUES ('c', 'i', CAST('{' AS BLOB))", core.service)
        core.service.close()
        core = try NotifierService(configuration)
        try core.start()
        // It deletes what is older in the meantime.
        for _ in 0..<5 { _ = try await client.call(HealthCheck.self, Nothing()) }
        #expect(try UnreadableRowTests.setAside(core.service) == ["category"])
        #expect(UnreadableRowTests.isReported(core.service))
        let now = core.service.clock.now
        for (end, left) in [(now - .day, ["category"]), (now + 1, [])] {
            let old = Forgetting(member: nil, extent: .stretch(from: 0, to: end))
            _ = try await core.service.forget(old, unreadableUntil: end, onlyIfAny: true)
            #expect(try UnreadableRowTests.setAside(core.service) == left)
        }
        #expect(!UnreadableRowTests.isReported(core.service))
        client.close()
        core.service.close()
    }

    // MARK: members and authorizations

    /// As after a newer program, which knows one role more.
    @Test func aMemberWhoCannotBeReadKeepsWhatOthersHaveOfThem() async throws {
        let configuration = try TestDirectory().configuration()
        var (auth, kid) = try await Self.approved(configuration)
        var shield = try ShieldService(configuration)
        try shield.start()
        try await untilTurn("shield-service knows the member") {
            shield.service.household.member(kid.id) != nil
        }
        let client = try Self.client(.shield, configuration)
        try await Self.shield(kid.id, client)
        func kept() throws -> [Int64] {
            try ["store", "shield"].map {
                try shield.service.database.integer("SELECT count(*) FROM \($0) WHERE member = 'kid'")
            }
        }
        #expect(try kept() == [1, 1])
        try Self.write("UPDATE member SET role = 'coparent' WHERE id = 'kid'", auth.service)
        try Self.write(
            "UPDATE household_copy SET body = CAST('{' AS BLOB) WHERE kind = 'member'", shield.service)
        auth.service.close()
        shield.service.close()
        auth = try AuthService(configuration)
        try auth.start()
        shield = try ShieldService(configuration)
        try shield.start()
        try await untilTurn("auth-service says so") { Self.isDamaged(auth.service) }
        #expect(try UnreadableRowTests.setAside(auth.service).isEmpty)
        #expect(shield.service.healthReport().notActing?.isEmpty == false)
        #expect(try kept() == [1, 1])
        // The newer program is there again.
        try Self.write("UPDATE member SET role = 'child' WHERE id = 'kid'", auth.service)
        try await untilTurn("the copy is whole") {
            shield.service.household.member(kid.id) != nil
                && shield.service.followers[.auth]?.applied.isRebuilding == false
        }
        #expect(try kept() == [1, 1])
        client.close()
        shield.service.close()
        auth.service.close()
    }

    @Test func anAuthorizationThatCannotBeReadIsNotTakenForNone() async throws {
        let configuration = try TestDirectory().configuration()
        var (auth, _) = try await Self.approved(configuration)
        try Self.write("UPDATE authorization SET status = 'x'", auth.service)
        auth.service.close()
        auth = try AuthService(configuration)
        try auth.start()
        let client = try Self.client(.auth, configuration)
        let error = await #expect(throws: ServiceError.self) {
            try await client.call(AuthorizationRevoke.self, AuthorizationRevoke.Params(client: Self.app))
        }
        #expect(error?.name == .storageDamaged)
        #expect(Self.isDamaged(auth.service))
        #expect(try auth.service.database.integer("SELECT count(*) FROM authorization") == 1)
        client.close()
        auth.service.close()
    }

    /// Nobody else has what auth-service copies of itself.
    @Test func authServiceCompletesItsOwnCopy() async throws {
        let configuration = try TestDirectory().configuration()
        var (auth, kid) = try await Self.approved(configuration)
        try Self.write("UPDATE household_copy SET body = CAST('{' AS BLOB)", auth.service)
        auth.service.close()
        auth = try AuthService(configuration)
        try auth.start()
        #expect(auth.service.household.member(kid.id)?.name == "kid")
        #expect(auth.service.household.authorization(client: Self.app, member: kid.id)?.status == .approved)
        #expect(auth.service.healthReport().notActing == nil)
        auth.service.close()
        // They are stored, too.
        auth = try AuthService(configuration)
        #expect(auth.service.household.member(kid.id)?.name == "kid")
        auth.service.close()
    }

    // MARK: forgetting

    @Test func forgettingAlsoReadsReportsOfAChannelThatWasSetAside() async throws {
        let configuration = try TestDirectory().configuration()
        var core = try NotifierService(configuration)
        try core.start()
        try core.service.transact(trace: nil) { _ in
            var report = OutgoingReport()
            report.title = "secretgame"
            try core.outbox.table.set(StoredChannel(kind: .email, address: "a@example.org"))
            try core.outbox.table.add(report, to: .email, at: core.service.clock.now + .day)
        }
        try Self.write("UPDATE channel SET body = CAST('{' AS BLOB)", core.service)
        core.service.close()
        core = try NotifierService(configuration)
        try core.start()
        #expect(try UnreadableRowTests.setAside(core.service) == ["channel"])
        let app = Forgetting(member: nil, extent: .subject(.app, "secretgame"))
        _ = try await core.service.forget(app)
        #expect(try core.outbox.table.outgoing().isEmpty)
        core.service.close()
    }
}
