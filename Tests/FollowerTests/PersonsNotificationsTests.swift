import Bus
import CSQLite
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// A change of one member deletes nothing of another, and nothing that is due.
@Suite @LoopActor struct PersonsNotificationsTests {
    private let app = "org.example.app"

    /// A notification is due; its commit fails; within the second until the retry a member's record changes.
    @Test func aDueNotificationSurvivesAChangedMember() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let owner = try RestorableOwner(.auth, in: directory)
        let clock = HandClock()
        let desktop = DirectedDesktop()
        let service = try Service(
            .notifier, configuration: configuration, migrations: NotifierService.migrations, clock: clock)
        let core = NotifierService(service, channel: desktop)
        try core.start()
        service.endTurn()
        desktop.appear()
        let client = try RequestClient(
            to: .notifier, in: configuration.runtime, tracer: Tracer(service: "test"))
        try await untilTurn("it follows") { service.isLive(.auth) }
        // It is 2026-09-21T14:13:20Z.
        var components = DateComponents()
        (components.year, components.month, components.day) = (2026, 9, 21)
        (components.hour, components.minute) = (15, 30)
        var trigger = NotificationTrigger()
        trigger.components = components
        var params = NotificationPost.Params()
        params.identifier = "pill"
        params.title = "Take it"
        params.trigger = trigger
        params.member = Household.defaultMember
        let posted = try await client.call(NotificationPost.self, params)
        let due = try #require(posted.notification.due)
        clock.now = due
        let faults = CommitFaults(service.database)
        faults.failsCommit = { faults.failures == 0 }
        clock.fire()
        service.endTurn()
        #expect(faults.failures == 1)
        // Somebody sets the start of that member's day.
        clock.now = due + 300
        try owner.put(Household.defaultMember, "me")
        try owner.service.endTurn()
        try await untilTurn("the member's change is applied") {
            service.household.member(Household.defaultMember) != nil && !service.hasUncommitted
        }
        clock.now = due + 5_000
        clock.fire()
        service.endTurn()
        let list = try await client.call(NotificationList.self, NotificationList.Params())
        #expect(list.notifications.map(\.identifier) == ["pill"], "\(list.notifications.map(\.identifier))")
        client.close()
        service.close()
        owner.stop()
    }

    /// As a question about a request names it.
    @Test(arguments: [("xn--bcher-kva.example", "bücher.example"), ("zz.example", "www.zz.example")])
    func whatNamesAForgottenDomainGoes(domain: String, shown: String) async throws {
        let desktop = DirectedDesktop()
        let run = try desktop.run()
        for (identifier, body) in [("a", "Bob asks for 5 minutes with \(shown)."), ("b", "Tea is ready.")] {
            let posted = await run.ask(
                Call(
                    "notification.post", #"{"identifier":"\#(identifier)","title":"T","body":"\#(body)"}"#))
            #expect(!posted.hasPrefix("error"), "\(posted)")
        }
        let forgot = await run.ask(
            Call("privacy.forget", #"{"kind":"domain","subject":"\#(domain)"}"#))
        #expect(!forgot.hasPrefix("error"), "\(forgot)")
        let list = await run.ask(Call("notification.list"))
        #expect(!list.contains(shown) && list.contains("Tea"), "\(list)")
    }

    /// A day of another member is forgotten; nothing of it concerns what waits to be shown here.
    @Test func forgettingAnotherMemberLeavesOthersNotifications() async throws {
        let desktop = DirectedDesktop()
        let run = try desktop.run()
        let posted = await run.ask(Call("notification.post", #"{"identifier":"a","title":"T"}"#))
        #expect(!posted.hasPrefix("error"), "\(posted)")
        let forgot = await run.ask(
            Call("privacy.forget", #"{"member":"member-Kim","from_ms":0,"to_ms":4102444800000}"#))
        #expect(!forgot.hasPrefix("error"), "\(forgot)")
        let list = await run.ask(Call("notification.list"))
        #expect(list.contains(#""identifier":"a""#), "\(forgot) \(list)")
        let everything = await run.ask(Call("privacy.forget", #"{"everything":true}"#))
        #expect(!everything.hasPrefix("error"), "\(everything)")
        let none = await run.ask(Call("notification.list"))
        #expect(!none.contains(#""identifier":"a""#), "\(everything) \(none)")
        run.close()
    }

    /// An app loses its approval for one member; what it planned for another stays.
    @Test func aRevocationForAMemberLeavesAnothersNotifications() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let owner = try RestorableOwner(.auth, in: directory)
        try owner.put("member-kid", "kid")
        var right = Authorization(
            id: "a", client: app, member: Household.defaultMember, status: .approved, access: true)
        owner.present = [right]
        try owner.publish(AuthorizationChanged(authorization: right))
        (right.id, right.member) = ("b", "member-kid")
        try owner.publish(AuthorizationChanged(authorization: right))
        try owner.service.endTurn()
        let desktop = DirectedDesktop()
        let core = try desktop.notifier(configuration)
        try await untilTurn {
            core.service.household.authorization(client: app, member: "member-kid") != nil
        }
        let client = try RequestClient(
            to: .notifier, in: configuration.runtime, tracer: Tracer(service: "test"))
        var params = NotificationPost.Params()
        params.identifier = "pill"
        params.title = "Take it"
        var trigger = NotificationTrigger()
        trigger.after = 86_400_000
        params.trigger = trigger
        let options = CallOptions(client: app)
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
        try await untilTurn { core.service.followers[.auth]?.report.sequence == head }
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
        try await untilTurn { try table.all(.delivered).count == 1 }
        for first in stride(from: 0, to: 1_010, by: 50) {
            let calls = (first..<first + 50).map {
                Call("notification.post", #"{"identifier":"n\#($0)","title":"T"}"#)
            }
            _ = try await run.ask(calls)
        }
        try await untilTurn { try table.all(.pending).isEmpty }
        let key = NotificationKey(client: nil, identifier: "q")
        let isKept = try table.find(key) != nil
        desktop.onEvent?(.actionInvoked(identifier: key.text, key: "yes"))
        let service = try #require(run.service)
        #expect(isKept)
        try await untilTurn {
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
        let core = try desktop.notifier(configuration)
        try await untilTurn { core.service.household.member("member-kid") != nil }
        let client = try RequestClient(
            to: .notifier, in: configuration.runtime, tracer: Tracer(service: "test"))
        var params = NotificationPost.Params()
        (params.identifier, params.title, params.member) = ("bed", "Bed time", "member-kid")
        var trigger = NotificationTrigger()
        (trigger.after, trigger.repeats) = (86_400_000, true)
        params.trigger = trigger
        _ = try await client.call(NotificationPost.self, params)
        try owner.put("member-kid", nil)
        try owner.service.endTurn()
        try await untilTurn { core.service.household.member("member-kid") == nil }
        let left = try core.scheduler.table.all().count
        #expect(left == 0, "\(left) repeating notifications of a removed member")
        client.close()
        core.service.close()
        owner.stop()
    }

    /// auth-service's log did not have the end of the approval any more when the notifier came back.
    @Test(arguments: [true, false])
    func whatARevokedAppShowsEndsThoughNobodyReadTheRevocation(isRevoked: Bool) async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let owner = try RestorableOwner(.auth, in: directory)
        try owner.put(Household.defaultMember, "me")
        var right = Authorization(
            id: "a", client: app, member: Household.defaultMember, status: .approved, access: true)
        owner.present = [right]
        try owner.publish(AuthorizationChanged(authorization: right))
        try owner.service.endTurn()
        let desktop = DirectedDesktop()
        var core = try desktop.notifier(configuration)
        try await untilTurn { core.service.household.isApproved(app) }
        let client = try RequestClient(
            to: .notifier, in: configuration.runtime, tracer: Tracer(service: "test"))
        for poster in [nil, app] {
            let params = NotificationPost.Params(identifier: "n", title: "N")
            _ = try await client.call(NotificationPost.self, params, options: CallOptions(client: poster))
        }
        _ = try await client.call(
            NotificationSetBadge.self, NotificationSetBadge.Params(count: 3),
            options: CallOptions(client: app))
        try await untilTurn("they are shown") {
            try core.table.all(.delivered).count == 2 && !core.service.hasUncommitted
        }
        let posted = core.service.clock.now
        core.service.close()
        desktop.vanish()
        if isRevoked {
            (right.status, right.access) = (.notDetermined, false)
            owner.present = []
            try owner.publish(AuthorizationChanged(authorization: right, revoked: true))
        } else {
            let kept = AuthorizationChanged(authorization: right)
            owner.moreState = { [kept] }
        }
        for number in 0..<3 { try owner.put("m\(number)", "other") }
        try owner.service.endTurn()
        try owner.service.database.write { _ in _ = try owner.service.eventLog.trim(keepingLast: 1) }
        try owner.service.endTurn()
        let clock = try owner.service.clock
        await untilLater(than: posted) { clock.now }
        core = try desktop.notifier(configuration)
        let head = try owner.service.head
        try await untilTurn("it has read all") {
            core.service.followers[.auth]?.reached == head && !core.service.hasUncommitted
        }
        let left = try core.table.all(.delivered).map(\.record.client)
        #expect(left == (isRevoked ? [nil] : [nil, app]))
        let list = try await client.call(NotificationList.self, NotificationList.Params())
        #expect(list.badges?.count ?? 0 == (isRevoked ? 0 : 1))
        if isRevoked { try await untilTurn("it leaves the screen") { desktop.closed.count == 1 } }
        client.close()
        core.service.close()
        owner.stop()
    }
}
