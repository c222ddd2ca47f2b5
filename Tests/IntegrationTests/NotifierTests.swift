import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing
import TestSupport
import Time

private let isDesktopHere = World.areInstalled("dunst", "dunstctl", "Xvfb", "dbus-daemon")

/// notifier as a real process, with the real dunst on a display and a bus of its own.
@Suite("notifier", .enabled(if: isDesktopHere, "needs the packages dunst, xvfb and dbus-daemon"))
struct NotifierServiceTests {
    static let words = #"<b>5 & "6"</b> &lt; ünïcödé %s"#

    @LoopActor static func post(
        _ world: World, _ identifier: String, title: String = "Time is up", body: String? = nil,
        buttons: [String] = [], client: String? = nil, trace: TraceContext? = nil
    ) async throws -> NotificationRecord {
        let params = NotificationPost.Params(
            identifier: identifier, title: title, body: body,
            actions: buttons.map { NotificationAction(key: $0.lowercased(), label: $0) })
        return try await world.call(NotificationPost.self, params, client: client, trace: trace).notification
    }

    @LoopActor static func list(
        _ world: World, client: String? = nil
    ) async throws -> NotificationList.Result {
        try await world.call(NotificationList.self, NotificationList.Params(), client: client)
    }

    /// Runs `body` with a notifier and a session bus; no daemon yet.
    static func session(
        with others: [String] = [], daemon: Bool = true,
        _ body: @LoopActor (World, EventRecorder) async throws -> Void
    ) async throws {
        try await World.with(others) { world in
            try await world.startSessionBus()
            try await world.startDisplay()
            if daemon { try world.startDunst() }
            try await world.start("notifier")
            try await body(world, try world.record(.notifier))
        }
    }

    @Test func withoutASessionItWaitsAndSaysWhy() async throws {
        try await World.with(["notifier"]) { world in
            let record = try await Self.post(world, "a")
            #expect(record.state == .pending)
            #expect(record.waitingFor?.contains("DBUS_SESSION_BUS_ADDRESS is not set") == true)
            let health = try await world.health(.notifier)
            #expect(health.state == .degraded)
            #expect(health.degradedBy == [record.waitingFor])
            try await world.process("notifier").destroy()
            try await world.start("notifier")
            #expect(try await Self.list(world).notifications.map(\.state) == [.pending])
        }
    }

    @Test func aStartWithADaemonIsNoTrouble() async throws {
        try await Self.session { world, events in
            _ = try await Self.post(world, "a")
            _ = try await events.first(NotificationDelivered.self)
            try await world.process("notifier").destroy()
            let logs = "\(world.directory)/state/logs/notifier.log"
            let before = world.readText(logs).count
            try await world.start("notifier")
            let deadline = MonotonicClock.now + 180_000
            var looks = Looks()
            while try await !Self.list(world).daemonPresent, MonotonicClock.now < deadline {
                await looks.pause()
            }
            #expect(!world.readText(logs).dropFirst(before).contains("notifications wait"))
            #expect(try await world.health(.notifier).lastError == nil)
        }
    }

    @Test func pendingOnesAreDeliveredWhenADaemonComes() async throws {
        try await Self.session(daemon: false) { world, events in
            let trace = TraceContext.root()
            let waiting = try await Self.post(world, "a", title: Self.words, body: Self.words, trace: trace)
            #expect(waiting.state == .pending)
            #expect(waiting.waitingFor?.contains("no notification daemon runs") == true)
            #expect(try await world.health(.notifier).state == .degraded)
            try world.startDunst()
            let delivered = try await events.first(NotificationDelivered.self)
            #expect(delivered.notification.state == .delivered && delivered.notification.identifier == "a")
            #expect(delivered.notification.title == Self.words && delivered.notification.waitingFor == nil)
            let event = try #require(events.events.last)
            #expect(TraceContext(event.event.head.traceparent)?.traceID == trace.traceID)
            #expect(try await Self.list(world).daemonPresent)
            #expect(try await world.health(.notifier).state == .ready)
            let (_, history) = try await world.run("dunstctl", ["dunstctl", "close-all"])
            #expect(history.isEmpty)
            let drawn = try await world.run("dunstctl", ["dunstctl", "history"]).lines.joined()
            #expect(drawn.contains("&lt;b&gt;5 &amp;"), "literal words, never markup")
            let log = world.readText(world.directory + "/state/logs/notifier.log")
            #expect(!log.contains("ünïcödé"), "a person's words are in no log")
            let spans = try await world.client(.notifier).call(TraceRead.self, TraceRead.Params()).spans
            #expect(spans.contains { $0.name == "notification.show" && $0.traceID == trace.traceID })
            #expect(!spans.contains { String(decoding: $0.encoded(), as: UTF8.self).contains("ünïcödé") })
        }
    }

    @Test func aButtonAnswersOnceAndTheQuestionGoes() async throws {
        try await Self.session { world, events in
            _ = try await Self.post(world, "ask", buttons: ["Deny", "Approve"])
            _ = try await events.first(NotificationDelivered.self)
            try await world.pressButton()
            let answered = try await events.first(NotificationAnswered.self)
            #expect(answered == NotificationAnswered(identifier: "ask", action: "approve"))
            let record = try #require(try await Self.list(world).notifications.first)
            #expect(record.state == .answered && record.answer == "approve")
            // The daemon takes calls in order: what we sent before this question was done.
            #expect(try await world.notificationsOnScreen() == 0)
        }
    }

    @Test func aQuestionOutlivesTheNotifierAndTheDaemon() async throws {
        try await Self.session { world, events in
            _ = try await Self.post(world, "ask", buttons: ["Approve"])
            _ = try await events.first(NotificationDelivered.self)
            for _ in 0..<2 {
                try await world.process("notifier").destroy()
                try await world.start("notifier")
                try await Self.shownAgain(world, in: "notifier")
                #expect(try await world.notificationsOnScreen() == 1, "it took its own place")
            }
            try await world.process("dunst").destroy()
            try world.startDunst()
            try await Self.shownAgain(world, in: "notifier", times: 2)
            try await world.pressButton()
            _ = try await events.first(NotificationAnswered.self)
            #expect(events.types.filter { $0 == NotificationDelivered.type }.count == 1, "told once")
        }
    }

    /// Waits until the running notifier has shown notifications this many times, by its own spans.
    @LoopActor static func shownAgain(_ world: World, in service: String, times: Int = 1) async throws {
        let deadline = MonotonicClock.now + 180_000
        var looks = Looks()
        while MonotonicClock.now < deadline {
            let spans = try await world.client(.notifier).call(TraceRead.self, TraceRead.Params()).spans
            let shown = spans.filter { $0.name == "notification.show" && $0.outcome == "ok" }
            if shown.count >= times { return }
            await looks.pause()
        }
        throw Overdue("\(service) did not show it again")
    }

    @Test func aKillBetweenShowingAndRecordingRepeatsAndTellsOnce() async throws {
        try await Self.session(daemon: false) { world, events in
            _ = try await Self.post(world, "a")
            try world.arm("before-commit", of: .notifier)
            let notifier = try world.process("notifier")
            try world.startDunst()
            #expect(try await notifier.exit() == 128 + SIGKILL)
            try await world.start("notifier")
            _ = try await events.first(NotificationDelivered.self)
            #expect(try await Self.list(world).notifications.map(\.state) == [.delivered])
            #expect(events.types == [NotificationDelivered.type])
        }
    }

    @Test func theSameIdentifierReplacesAndAWithdrawnOneIsNeverShown() async throws {
        try await Self.session(daemon: false) { world, events in
            _ = try await Self.post(world, "gone")
            for title in ["one", "two", "three"] { _ = try await Self.post(world, "a", title: title) }
            let gone = NotificationWithdraw.Params(identifier: "gone")
            _ = try await world.call(NotificationWithdraw.self, gone)
            try world.startDunst()
            _ = try await events.first(NotificationDelivered.self)
            _ = try await Self.post(world, "a", title: "four")
            _ = try await events.first(NotificationDelivered.self) { $0.notification.title == "four" }
            #expect(try events.all(NotificationDelivered.self).map(\.notification.title) == ["three", "four"])
            #expect(try await world.notificationsOnScreen() == 1)
            let kept = try await Self.list(world).notifications
            #expect(kept.map(\.identifier) == ["gone", "a"] && kept.map(\.state) == [.closed, .delivered])
            _ = try await world.call(NotificationWithdraw.self, NotificationWithdraw.Params(identifier: "a"))
            #expect(try await world.notificationsOnScreen() == 0)
        }
    }

    @Test func aBusThatDiesComesBack() async throws {
        try await Self.session { world, events in
            _ = try await Self.post(world, "a")
            _ = try await events.first(NotificationDelivered.self)
            try await world.process("dbus-daemon").destroy()
            _ = try await world.process("dunst").exit()
            let record = try await Self.post(world, "b")
            #expect(record.state == .pending)
            try await world.startSessionBus()
            try world.startDunst()
            _ = try await events.first(NotificationDelivered.self) { $0.notification.identifier == "b" }
        }
    }

    @Test func aDaemonThatHangsIsTriedAgain() async throws {
        try await Self.session { world, events in
            _ = try await Self.post(world, "a")
            _ = try await events.first(NotificationDelivered.self)
            let dunst = try world.process("dunst")
            dunst.signal(SIGSTOP)
            _ = try await Self.post(world, "b")
            let deadline = MonotonicClock.now + 180_000
            var waiting: String?
            var looks = Looks()
            while waiting?.contains("did not answer") != true, MonotonicClock.now < deadline {
                waiting = try await Self.list(world).notifications.last?.waitingFor
                await looks.pause()
            }
            #expect(waiting?.contains("did not answer") == true)
            #expect(try await world.health(.notifier).degradedBy.count == 1)
            dunst.signal(SIGCONT)
            _ = try await events.first(NotificationDelivered.self) { $0.notification.identifier == "b" }
        }
    }

    /// Authorizes `app`, and waits until the question about it is off the screen.
    @LoopActor static func authorize(_ world: World, _ app: String) async throws {
        let asking = world.ask(app)
        let deadline = MonotonicClock.now + 180_000
        var question: NotificationRecord?
        var looks = Looks()
        while question?.state != .closed, MonotonicClock.now < deadline {
            await looks.pause()
            question = try await list(world).notifications.last { $0.title.contains(app) }
            guard question?.state == .pending else { continue }
            _ = try await world.decide(
                question.flatMap { ButtonPresser.authorization($0.identifier) } ?? "", .approve)
            _ = try await asking.value
        }
        #expect(question?.state == .closed, "taken back by auth-service")
    }

    @Test func aClientHasItsOwnIdentifiers() async throws {
        try await Self.session(with: ["auth-service"], daemon: false) { world, events in
            let apps = ["org.example.one", "org.example.two"]
            let refused = await refusal { try await Self.post(world, "a", client: apps[0]) }
            #expect(refused == .notAuthorized)
            for app in apps { try await Self.authorize(world, app) }
            for app in apps {
                _ = try await Self.post(world, "a", title: app, buttons: ["Approve"], client: app)
            }
            #expect(try await Self.list(world, client: apps[0]).notifications.map(\.title) == [apps[0]])
            let mine = try await Self.list(world).notifications.filter { $0.identifier == "a" }
            #expect(mine.map(\.client) == apps)
            let own = NotificationWithdraw.Params(identifier: "a")
            let other = await refusal { try await world.call(NotificationWithdraw.self, own) }
            #expect(other == .notFound, "the person's own 'a' was never posted")
            _ = try await world.call(NotificationWithdraw.self, own, client: apps[0])
            try world.startDunst()
            let shown = try await events.first(NotificationDelivered.self)
            #expect(shown.notification.client == apps[1])
            try await world.pressButton()
            #expect(try await events.first(NotificationAnswered.self).client == apps[1])
        }
    }

    @Test func whatIsNotAllowedIsRefusedByName() async throws {
        try await World.with(["notifier"]) { world in
            let long = String(repeating: "x", count: 4_097)
            for (identifier, title) in [("", "t"), (long, "t"), ("a", ""), ("a", " \n"), ("a", long)] {
                let error = await refusal { try await Self.post(world, identifier, title: title) }
                #expect(error == .invalidParams)
            }
            let nine = (0..<9).map { "Button \($0)" }
            #expect(await refusal { try await Self.post(world, "a", buttons: nine) } == .invalidParams)
            #expect(await refusal { try await Self.post(world, "a", buttons: ["x", "X"]) } == .invalidParams)
            for number in 0..<1_000 { _ = try await Self.post(world, "n\(number)") }
            #expect(await refusal { try await Self.post(world, "more") } == .limitExceeded)
            #expect(try await Self.post(world, "n0").state == .pending, "a replacement takes no room")
        }
    }

    @Test func aDarwinNotificationIsToldOncePerPostInOrder() async throws {
        try await World.with(["auth-service", "notifier"]) { world in
            let events = try world.record(.notifier)
            func post(_ name: String, client: String? = nil) async throws {
                _ = try await world.call(DarwinPost.self, DarwinPost.Params(name: name), client: client)
            }
            #expect(await refusal { try await post("") } == .invalidParams)
            #expect(await refusal { try await post(String(repeating: "x", count: 513)) } == .invalidParams)
            #expect(await refusal { try await post("a", client: "org.example.darwin") } == .notAuthorized)
            try await Self.authorize(world, "org.example.darwin")
            for name in ["a", "a", "b"] { try await post(name) }
            try await post("b", client: "org.example.darwin")
            _ = try await events.first(DarwinPosted.self) { $0.client != nil }
            let told = try events.all(DarwinPosted.self)
            #expect(told.map(\.name) == ["a", "a", "b", "b"])
            #expect(told.map(\.client) == [nil, nil, nil, "org.example.darwin"])
        }
    }
}
