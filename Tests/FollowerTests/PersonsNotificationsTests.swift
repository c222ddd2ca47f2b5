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
    /// The clock that a test moves; timers fire when the test says so.
    @LoopActor final class HandClock: WallClock {
        var now: Instant = 1_790_000_000_000
        private var timers: [(due: Instant, body: @LoopActor () -> Void)] = []
        func at(_ due: Instant, _ body: @escaping @LoopActor () -> Void) -> TimerToken {
            timers.append((due, body))
            return EventLoop.main.after(86_400_000, {})
        }
        func cancel(_ timer: TimerToken) { EventLoop.main.cancel(timer) }
        func fire() {
            let due = timers.filter { $0.due <= now }
            timers.removeAll { $0.due <= now }
            due.forEach { $0.body() }
        }
    }

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
}
