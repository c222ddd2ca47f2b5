import Bus
import Contract
import ExtensionLink
import Hosting
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import MonitorCore
@testable import NotifierCore
@testable import ReportCore
@testable import ServiceKit
@testable import ShieldCore
@testable import Store

/// Approvals, revocations, members and questions, while a service is away, fails for a moment, or has its
/// clock set back.
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

    private func notifier(
        _ configuration: Configuration, _ desktop: DirectedDesktop
    ) throws -> NotifierService {
        let service = try Service(
            .notifier, configuration: configuration, migrations: NotifierService.migrations)
        let core = NotifierService(service, channel: desktop)
        try core.start()
        service.endTurn()
        desktop.appear()
        return core
    }

    private func question(_ core: NotifierService, _ id: String) throws -> StoredNotification? {
        try core.table.find(NotificationKey(client: nil, identifier: "authorization." + id))
    }

    /// The notifier's disk fails for a second.
    @Test(arguments: [false, true])
    func aQuestionIsShownThoughTheNotifierRefusedOnce(fails: Bool) async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let desktop = DirectedDesktop()
        let shown = try notifier(configuration, desktop)
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

    /// An app loses its approval for one member; what it planned for another stays.
    @Test func aRevocationForAMemberLeavesAnothersNotifications() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let owner = try RestorableOwner(.auth, in: directory)
        try owner.put("member-kid", "kid")
        var right = Authorization(
            id: "a", client: Self.app, member: Household.defaultMember, status: .approved, access: true)
        owner.present = [right]
        try owner.publish(AuthorizationChanged(authorization: right))
        (right.id, right.member) = ("b", "member-kid")
        try owner.publish(AuthorizationChanged(authorization: right))
        try owner.service.endTurn()
        let desktop = DirectedDesktop()
        let core = try notifier(configuration, desktop)
        try await comes {
                core.service.household.authorization(client: Self.app, member: "member-kid") != nil
        }
        let client = try client(.notifier, configuration)
        var params = NotificationPost.Params()
        params.identifier = "pill"
        params.title = "Take it"
        var trigger = NotificationTrigger()
        trigger.after = 86_400_000
        params.trigger = trigger
        let options = CallOptions(client: Self.app)
        _ = try await client.call(NotificationPost.self, params, options: options)
        var badge = NotificationSetBadge.Params()
        badge.count = 3
        _ = try await client.call(NotificationSetBadge.self, badge, options: options)
        var list = try await client.call(NotificationList.self, NotificationList.Params())
        #expect(list.notifications.count == 1 && list.badges?.count == 1)
        (right.status, right.access) = (.notDetermined, false)
        try owner.publish(AuthorizationChanged(authorization: right, revoked: true))
        try owner.service.endTurn()
        let head = try owner.service.head
        try await comes { core.service.followers[.auth]?.report.sequence == head }
        list = try await client.call(NotificationList.self, NotificationList.Params())
        #expect(
            list.notifications.count == 1 && list.badges?.count == 1,
            "\(list.notifications.count) notifications, \(list.badges?.count ?? 0) badges")
        client.close()
        core.service.close()
        owner.stop()
    }

    /// Other notifications push an unanswered question out of the table.
    @Test func anUnansweredQuestionIsKept() async throws {
        let desktop = DirectedDesktop()
        let run = try desktop.run()
        desktop.appear()
        let posted = await run.ask(
            Call(
                "notification.post",
                #"{"identifier":"q","title":"T","actions":[{"key":"yes","label":"Yes"}]}"#))
        #expect(!posted.hasPrefix("error"), "\(posted)")
        let table = NotificationTable(database: try #require(run.service?.database))
        try await comes { try table.all(.delivered).count == 1 }
        for first in stride(from: 0, to: 1_010, by: 50) {
            let calls = (first..<first + 50).map {
                Call("notification.post", #"{"identifier":"n\#($0)","title":"T"}"#)
            }
            _ = try await run.ask(calls)
        }
        try await comes { try table.all(.pending).isEmpty }
        let key = NotificationKey(client: nil, identifier: "q")
        let isKept = try table.find(key) != nil
        desktop.onEvent?(.actionInvoked(identifier: key.text, key: "yes"))
        let service = try #require(run.service)
        #expect(isKept)
        try await comes {
            try service.eventLog.read(after: 0, limit: 10_000).contains {
                $0.type == NotificationAnswered.type
            }
        }
        run.close()
    }

    /// What is planned for a member ends with the member.
    @Test func plannedNotificationsEndWithTheirMember() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let owner = try RestorableOwner(.auth, in: directory)
        try owner.put("member-kid", "kid")
        try owner.service.endTurn()
        let desktop = DirectedDesktop()
        let core = try notifier(configuration, desktop)
        try await comes { core.service.household.member("member-kid") != nil }
        let client = try client(.notifier, configuration)
        var params = NotificationPost.Params()
        (params.identifier, params.title, params.member) = ("bed", "Bed time", "member-kid")
        var trigger = NotificationTrigger()
        (trigger.after, trigger.repeats) = (86_400_000, true)
        params.trigger = trigger
        _ = try await client.call(NotificationPost.self, params)
        try owner.put("member-kid", nil)
        try owner.service.endTurn()
        try await comes { core.service.household.member("member-kid") == nil }
        let left = try core.scheduler.table.all().count
        #expect(left == 0, "\(left) repeating notifications of a removed member")
        client.close()
        core.service.close()
        owner.stop()
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

    /// A callback fails once; before it is tried again the clock is set back by two hours.
    @Test(arguments: [0, 7_200_000])
    func aCallbackIsTriedAgainAfterTheClockWasSetBack(by step: Int64) async throws {
        let directory = try TestDirectory()
        let runner = DirectedRunner()
        var calls = 0
        runner.takes = { program, _ in
            calls += 1
            if calls == 1 {
                return EventLoop.main.inNextTurn {
                    program.end()
                    program.events.cleared(nil)
                }
            }
            EventLoop.main.inNextTurn { program.answer() }
        }
        let clock = PersonsNotificationsTests.HandClock()
        let core = try MonitorService(
            try Service(
                .monitor, configuration: try directory.configuration(),
                migrations: MonitorService.migrations, clock: clock),
            runner: runner)
        try core.start()
        let service = core.service
        core.place(
            ExtensionRecord(
                id: "org.example.app.monitor", client: Self.app, point: .monitor, path: "/nowhere",
                executable: "/nowhere/program"))
        func happens(_ activity: String) throws {
            let about = ActivityCallback(
                client: Self.app, member: "uid-0", activity: activity, registration: 1, occurrenceStart: 500,
                registered: 1_000)
            try service.transact(trace: nil) { try core.apply(about, .intervalDidStart, $0) }
            service.endTurn()
        }
        try happens("a")
        try await comes {
                let waiting = try core.table.unfinished(of: "org.example.app.monitor", limit: 1)
                return waiting.first?.delivery.error != nil
        }
        clock.now = clock.now - Milliseconds(step)
        // What the machine's clock does when it was set.
        clock.fire()
        try happens("b")
        clock.now = clock.now + 300_000
        clock.fire()
        try await comes { try core.table.finished(after: 0, limit: 10).count == 2 }
        service.close()
    }
}
