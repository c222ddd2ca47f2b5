import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ReportCore
@testable import ServiceKit
@testable import ShieldCore
@testable import Store

/// Approvals, revocations, members and questions, while a service is away or fails for a moment.
@Suite @LoopActor struct RevocationTests {
    private static let app = "org.example.app"

    private func comes(_ isTrue: @escaping @LoopActor () throws -> Bool) async throws {
        try await untilTurn("it comes", isTrue)
    }

    private func client(_ name: ServiceName, _ configuration: Configuration) throws -> RequestClient {
        try RequestClient(to: name, in: configuration.runtime, tracer: Tracer(service: "test"))
    }

    /// The app asks; returns when the question is stored.
    private func ask(
        _ core: AuthService, _ client: RequestClient, member: String = Household.defaultMember,
        dataAccess: Bool? = nil
    ) async throws -> Authorization {
        var params = AuthorizationRequest.Params()
        params.client = Self.app
        params.member = member
        params.dataAccess = dataAccess
        let before = try core.service.database.integer("SELECT count(*) FROM asker")
        client.send(
            AuthorizationRequest.self, params, options: CallOptions(deadline: 60_000, client: Self.app)
        ) { _ in }
        try await comes { try core.service.database.integer("SELECT count(*) FROM asker") > before }
        return try #require(try core.authorizations.find(client: Self.app, member: member))
    }

    private func decide(_ client: RequestClient, _ id: String, _ decision: Decision) async throws {
        var params = AuthorizationDecide.Params()
        params.id = id
        params.decision = decision
        _ = try await client.call(AuthorizationDecide.self, params)
    }

    private func question(_ core: NotifierService, _ id: String) throws -> StoredNotification? {
        try core.table.page(after: 0, limit: 10)
            .first { $0.record.identifier.hasPrefix("authorization.\(id).") }
    }

    /// The notifier's disk fails for a second.
    @Test(arguments: [false, true])
    func aQuestionIsShownThoughTheNotifierRefusedOnce(fails: Bool) async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let desktop = DirectedDesktop()
        let shown = try desktop.notifier(configuration)
        let auth = try AuthService(configuration)
        try auth.start()
        let client = try client(.auth, configuration)
        let faults = CommitFaults(shown.service.database)
        faults.failsCommit = { fails && faults.failures < 2 }
        let asked = try await ask(auth, client)
        try await comes { !desktop.shown.isEmpty }
        #expect(try question(shown, asked.id) != nil && (faults.failures > 0) == fails)
        client.close()
        auth.service.close()
        shown.service.close()
    }

    /// report-service is away; a member is removed and added again; everything of the member is forgotten.
    @Test(arguments: [false, true]) func anApprovalForARemovedMemberEnds(isForgotten: Bool) async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let auth = try AuthService(configuration)
        try auth.start()
        let client = try client(.auth, configuration)
        var add = MemberAdd.Params()
        add.name = "kid"
        let kid = try await client.call(MemberAdd.self, add).member.id
        let asked = try await ask(auth, client, member: kid)
        var report = try ReportService(configuration)
        try report.start()
        try await decide(client, asked.id, .approve)
        try await comes {
            report.service.household.authorization(client: Self.app, member: kid)?.status == .approved
                && !report.service.hasUncommitted
        }
        report.service.close()
        var remove = MemberRemove.Params()
        remove.name = "kid"
        _ = try await client.call(MemberRemove.self, remove)
        _ = try await client.call(MemberAdd.self, add)
        if isForgotten {
            var forget = PrivacyForget.Params()
            forget.member = kid
            forget.everything = true
            _ = try await client.call(PrivacyForget.self, forget)
        }
        report = try ReportService(configuration)
        try report.start()
        let head = auth.service.head
        try await comes { report.service.followers[.auth]?.report.sequence == head }
        let reports = try self.client(.report, configuration)
        var query = ReportQuery.Params()
        query.member = kid
        let owner = try await client.call(
            AuthorizationList.self, AuthorizationList.Params(), options: CallOptions(client: Self.app))
        #expect(owner.authorizations.isEmpty)
        do {
            _ = try await reports.call(
                ReportQuery.self, query, options: CallOptions(client: Self.app))
            Issue.record("the app, which asked nobody for the new member, got its report")
        } catch {
            #expect(error.name == .notAuthorized || error.name == .unauthorized, "\(error)")
        }
        let rows = try report.service.database.integer(
            "SELECT count(*) FROM household_copy WHERE kind = 'authorization'")
        #expect(rows == 0, "\(rows) authorizations of removed members are kept")
        client.close()
        reports.close()
        report.service.close()
        auth.service.close()
    }

    /// shield-service is away; an app is revoked, asks again, and the day is forgotten.
    @Test(arguments: [false, true]) func revokedStoresDoNotComeBack(isForgotten: Bool) async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let auth = try AuthService(configuration)
        try auth.start()
        let client = try client(.auth, configuration)
        let asked = try await ask(auth, client)
        try await decide(client, asked.id, .approve)
        var shield = try ShieldService(configuration)
        try shield.start()
        let shields = try self.client(.shield, configuration)
        _ = try await shields.call(
            SettingsWrite.self,
            SettingsWrite.Params(
                store: "default",
                settings: [Setting(key: "shield.applications", value: .array([.string("chess")]))]),
            options: CallOptions(client: Self.app))
        #expect(shield.repository.state.shields.count == 1)
        shield.service.close()
        var revoke = AuthorizationRevoke.Params()
        revoke.client = Self.app
        _ = try await client.call(AuthorizationRevoke.self, revoke)
        let revoked = auth.service.clock.now
        try await comes { auth.service.clock.now > revoked }
        _ = try await ask(auth, client)
        if isForgotten {
            var forget = PrivacyForget.Params()
            forget.from = 0
            forget.to = 4_102_444_800_000
            _ = try await client.call(PrivacyForget.self, forget)
        }
        shield = try ShieldService(configuration)
        try shield.start()
        let again = try #require(
            try auth.authorizations.find(client: Self.app, member: Household.defaultMember))
        try await decide(client, again.id, .approve)
        let head = auth.service.head
        try await comes { shield.service.followers[.auth]?.report.sequence == head }
        #expect(
            shield.repository.state.stores.isEmpty && shield.repository.state.shields.isEmpty,
            "\(shield.repository.state.shields.count) shields of the revoked approval")
        client.close()
        shields.close()
        shield.service.close()
        auth.service.close()
    }

    /// Agreeing to more does not turn a switch that the person turned off.
    @Test func agreeingToMoreLeavesTheSwitch() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let auth = try AuthService(configuration)
        try auth.start()
        let client = try client(.auth, configuration)
        let asked = try await ask(auth, client)
        try await decide(client, asked.id, .approve)
        var off = AuthorizationSwitch.Params()
        (off.client, off.restrictions) = (Self.app, false)
        _ = try await client.call(AuthorizationSwitch.self, off)
        #expect(try auth.authorizations.find(id: asked.id)?.restrictions == false)
        let more = try await ask(auth, client, dataAccess: true)
        #expect(more.pending)
        try await decide(client, asked.id, .approve)
        let now = try auth.authorizations.find(id: asked.id)
        #expect(now?.dataAccess == true && now?.restrictions == false)
        client.close()
        auth.service.close()
    }

    /// The start of a member's day, or their zone, changes what is reported.
    @Test func aChangedZoneIsTold() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let owner = try RestorableOwner(.auth, in: directory)
        try owner.put("member-kid", "kid")
        try owner.service.endTurn()
        let core = try ReportService(configuration)
        try core.start()
        var use = UsageRecorded(member: "member-kid", device: "d", deviceModel: "linux")
        (use.kind, use.subject) = (.app, "chess")
        let start: Instant = 1_767_312_000_000  // 2026-01-02T00:00:00Z
        (use.from, use.to) = (start, start + 3_600_000)
        use.intervals = [Interval(start: start, end: start + 1_800_000)]
        try core.service.transact(trace: nil) { _ in _ = try core.copy.apply(use) }
        core.service.endTurn()
        try await comes { core.service.household.member("member-kid") != nil }
        let client = try client(.report, configuration)
        var query = ReportQuery.Params()
        (query.member, query.from, query.to) = ("member-kid", "2026-01-01", "2026-01-03")
        query.segment = .daily
        let before = try await client.call(ReportQuery.self, query).encoded()
        let head = core.service.head
        var kid = Member(id: "member-kid", name: "kid")
        kid.dayStartMinutes = 240
        try owner.service.transact(trace: nil) { _ = try $0.emit(MemberChanged(member: kid)) }
        try owner.service.endTurn()
        try await comes { core.service.household.member("member-kid")?.dayStartMinutes == 240 }
        let after = try await client.call(ReportQuery.self, query).encoded()
        #expect(before != after, "the report is the same: \(String(decoding: after, as: UTF8.self))")
        try await comes { core.service.head > head }
        client.close()
        core.service.close()
        owner.stop()
    }

}
