import Contract
import Glibc
import Loop
import ScreenTimeTesting
import Testing

/// An app written as for iOS, its notifications through app-link and notifier.
@Suite(
    .enabled(if: access("\(World.products)/app-link", X_OK) == 0, "needs app-link beside the tests"),
    .timeLimit(.minutes(3)))
struct UserNotificationsTests {
    private static let app = "org.example.app"
    private static let services = ["auth-service", "notifier"]

    @LoopActor private static func launch(_ world: World, _ what: String) throws -> ChildProcess {
        try world.launch(
            "notification-app", ["\(World.products)/notification-app", what],
            environment: ["SCREENTIME_CLIENT": app])
    }

    @LoopActor private static func answer(
        _ world: World, _ identifier: String, _ action: String, _ text: String? = nil
    ) async throws {
        _ = try await world.call(
            NotificationAnswer.self,
            NotificationAnswer.Params(client: app, identifier: identifier, action: action, text: text))
    }

    @Test func whatAnAppAddsIsListedDueAndAnswered() async throws {
        try await World.with(Self.services, clock: "2026-03-28T10:00:00Z") { world in
            try await world.approve(Self.app, try world.record(.auth))
            let process = try Self.launch(world, "post")
            // Completion handlers are called on a queue of their own, perhaps after "ready".
            for line in ["added soon nil", "past true", "ready"] { _ = try await process.line(line) }
            let lines = process.lines
            #expect(
                lines.filter { $0.hasPrefix("pending") } == [
                    "pending soon UNTimeIntervalNotificationTrigger - subtitle",
                    "pending daily UNCalendarNotificationTrigger 1774773000 subtitle",
                    "pending now none - subtitle", "pending hidden none - subtitle",
                    "pending last none - subtitle",
                ])
            #expect(lines.contains(#"categories ["limit 2"]"#))
            #expect(lines.contains { $0.hasPrefix("badge the badge is below 0") })
            let listed = try await world.call(NotificationList.self, NotificationList.Params())
            #expect(listed.badges == [NotificationBadge(client: Self.app, count: 2)])
            let now = try #require(listed.notifications.first { $0.identifier == "now" })
            #expect(now.actions.map(\.key) == ["more", "why"] && now.urgency == .critical)
            #expect(now.details?.tellsDismissal == true && now.client == Self.app)
            try await world.clock.advance(.seconds(90))
            let due = try await world.call(NotificationList.self, NotificationList.Params()).notifications
            #expect(due.first { $0.identifier == "soon" }?.state == .pending)
            try await Self.answer(world, "now", "why", "because")
            _ = try await process.line("answered now why because 7")
            try await Self.answer(world, "last", NotificationAnswered.defaultAction)
            _ = try await process.line("answered last com.apple.UNNotificationDefaultActionIdentifier - 7")
            #expect(try await process.exit() == 0)
        }
    }

    @Test func aRunningAppIsToldOfWhatIsShownAndPutAway() async throws {
        try await NotifierServiceTests.session(with: ["auth-service"]) { world, _ in
            try await world.approve(Self.app, try world.record(.auth))
            let process = try Self.launch(world, "post")
            for name in ["now", "hidden", "last"] { _ = try await process.line("presented \(name)") }
            let all = try await world.eventually(NotificationList.self, NotificationList.Params()) { result in
                result.notifications.contains { $0.identifier == "hidden" && $0.state == .closed }
            }
            #expect(all.notifications.contains { $0.identifier == "now" && $0.state == .delivered })
            let (status, _) = try await world.run("dunstctl", ["dunstctl", "close-all"])
            #expect(status == 0)
            _ = try await process.line("answered now com.apple.UNNotificationDismissActionIdentifier - 7")
        }
    }

    @Test func anAppAsksThePersonOnce() async throws {
        try await World.with(Self.services) { world in
            let events = try world.record(.auth)
            let process = try Self.launch(world, "ask")
            let pending = try await events.pending(Self.app)
            try await world.decide(pending.id, .approve)
            #expect(try await process.exit() == 0)
            #expect(process.lines == ["before 0", "granted true", "after 2"])
            let again = try Self.launch(world, "ask")
            #expect(try await again.exit() == 0)
            #expect(again.lines == ["before 2", "granted true", "after 2"])
        }
    }

    @Test func aPersonWhoSaysNoIsHeard() async throws {
        try await World.with(Self.services) { world in
            let events = try world.record(.auth)
            let process = try Self.launch(world, "ask")
            let pending = try await events.pending(Self.app)
            try await world.decide(pending.id, .deny)
            #expect(try await process.exit() == 0)
            #expect(process.lines.contains("granted false"))
        }
    }
}
