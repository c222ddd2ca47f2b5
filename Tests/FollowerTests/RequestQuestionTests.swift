import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// The notification about a request: who may decide is asked, and a button counts only for its request.
@Suite @LoopActor struct RequestQuestionTests {
    private func press(_ room: RequestRoom, _ identifier: String, _ button: String) async throws {
        let person = try RequestClient(
            to: .notifier, in: room.configuration.runtime, tracer: Tracer(service: "test"))
        _ = try await person.call(
            NotificationAnswer.self, NotificationAnswer.Params(identifier: identifier, action: button))
        person.close()
    }

    private func until(
        _ room: RequestRoom, _ request: TimeRequest, _ state: RequestState
    ) async throws -> TimeRequest {
        try await untilTurn("it is \(state.rawValue)") {
            try room.now(request)?.state == state && !room.auth.service.hasUncommitted
        }
        return try #require(try room.now(request))
    }

    @Test(arguments: [("approve15", 15), ("approve", 40), ("deny", nil)] as [(String, Int64?)])
    func aButtonDecides(button: String, granted: Int64?) async throws {
        let room = try await RequestRoom()
        let desktop = DirectedDesktop()
        let notifier = try desktop.notifier(room.configuration)
        let asked = try await room.ask(minutes: 40, reason: "homework")
        try await untilTurn("it is shown") { desktop.shown == ["request." + asked.id] }
        try await press(room, "request." + asked.id, button)
        let decided = try await until(room, asked, granted == nil ? .denied : .approved)
        #expect(decided.granted == granted && decided.decider == .guardian)
        // The same request again asks again.
        room.move(by: .minutes(1))
        let again = try await room.ask(minutes: 10)
        try await untilTurn("it is shown, too") { desktop.shown.last == "request." + again.id }
        #expect(try room.now(again)?.state == .pending)
        notifier.service.close()
        room.close()
    }

    @Test func theQuestionSaysWhatIsAsked() async throws {
        let room = try await RequestRoom()
        let desktop = DirectedDesktop()
        let notifier = try desktop.notifier(room.configuration)
        let posted = try await notifications(room, after: room.ask(minutes: 40, reason: "homework"))
        #expect(posted.title == "Anna asks for more time")
        #expect(posted.body.contains("Anna asks for 40 minutes with org.example.game.\n“homework”\n"))
        #expect(posted.actions.map(\.key) == ["approve15", "approve", "deny"])
        #expect(posted.actions.map(\.label) == ["15 minutes", "40 minutes", "Deny"])
        // No button grants more than was asked for.
        let short = try await notifications(room, after: room.ask("xn--bcher-kva.de", .domain, minutes: 15))
        #expect(short.actions.map(\.key) == ["approve", "deny"] && short.body.contains("bücher.de"))
        // A reason stays inside its quotation marks.
        let sly = try await notifications(
            room, after: room.ask("org.example.sly", minutes: 15, reason: "a” and Bob says: “yes"))
        #expect(sly.body.contains("\n“a’ and Bob says: ‘yes”\n"), "\(sly.body)")
        let rest = try await notifications(room, after: room.ask("games", .category))
        #expect(rest.actions.map(\.label) == ["15 minutes", "The rest of the day", "Deny"])
        #expect(rest.body.contains("the category games"))
        notifier.service.close()
        room.close()
    }

    @Test func theQuestionIsInThePersonsLanguage() async throws {
        let room = try await RequestRoom(languages: ["fr", "ko"])
        let desktop = DirectedDesktop()
        let notifier = try desktop.notifier(room.configuration)
        let posted = try await notifications(room, after: room.ask(minutes: 40, reason: "숙제"))
        #expect(posted.title == "Anna 님의 추가 시간 요청")
        #expect(posted.body.hasPrefix("Anna 님의 요청: org.example.game, 40분\n“숙제”\n터미널에서는: screentime "))
        #expect(posted.actions.map(\.label) == ["15분", "40분", "거절"])
        let all = try await notifications(room, after: room.ask("games", .category))
        #expect(all.body.hasPrefix("Anna 님의 요청: ‘게임’ 앱 모두, 오늘 하루\n따로 제한한 앱도 열립니다.\n"))
        let own = try await room.ask(minutes: 60, of: RequestRoom.own)
        room.move(to: try #require(own.selfApproval))
        let mine = try await notifications(room, after: own)
        #expect(mine.title == "추가 시간 요청을 결정할 수 있습니다")
        #expect(mine.body.hasPrefix("내가 한 요청: org.example.game, 1시간\n"), "\(mine.body)")
        notifier.service.close()
        room.close()
    }

    private func notifications(_ room: RequestRoom, after asked: TimeRequest) async throws
        -> NotificationRecord
    {
        let reader = try RequestClient(
            to: .notifier, in: room.configuration.runtime, tracer: Tracer(service: "test"))
        defer { reader.close() }
        while true {
            let list = try await reader.call(NotificationList.self, NotificationList.Params())
            if let found = list.notifications.first(where: { $0.identifier == "request." + asked.id }) {
                return found
            }
        }
    }

    /// It counts when activity-center has judged the clock, also after a restart; others do not wait for
    /// that.
    @Test(arguments: [false, true])
    func aButtonBeforeTheClockIsJudgedKeepsNoOtherWaiting(withRestart: Bool) async throws {
        let room = try await RequestRoom(boot: "a")
        let desktop = DirectedDesktop()
        let notifier = try desktop.notifier(room.configuration)
        var judge = try ClockJudge(room.configuration, room.clock)
        try await room.isJudged()
        let own = try await room.ask(minutes: 40, of: RequestRoom.own)
        room.move(to: try #require(own.selfApproval))
        let other = try await room.ask(minutes: 40)
        try await untilTurn("both are shown") { desktop.shown.count == 2 }
        room.stop()
        judge.close()
        try room.begin()
        #expect(!room.auth.time.isJudged)
        try await press(room, "request." + own.id, "approve")
        try await press(room, "request." + other.id, "deny")
        #expect(try await until(room, other, .denied).decider == .guardian)
        #expect(try room.now(own)?.state == .pending)
        if withRestart { try room.restart() }
        judge = try ClockJudge(room.configuration, room.clock)
        #expect(try await until(room, own, .approved).decider == .member)
        #expect(try room.auth.requestQuestions.kept().isEmpty)
        judge.close()
        notifier.service.close()
        room.close()
    }

    /// The notifier is away while it is decided elsewhere, and auth-service starts again meanwhile.
    @Test(arguments: [false, true])
    func aDecidedQuestionLeavesTheScreen(withRestart: Bool) async throws {
        let room = try await RequestRoom()
        let desktop = DirectedDesktop()
        var notifier = try desktop.notifier(room.configuration)
        let asked = try await room.ask(minutes: 40)
        try await untilTurn("it is shown") { desktop.shown.count == 1 }
        try await untilTurn("the notifier knows it") {
            try notifier.table.all(.delivered).count == 1 && !notifier.service.hasUncommitted
        }
        notifier.service.close()
        desktop.vanish()
        _ = try await room.decide(asked, .approve)
        if withRestart { try room.restart() }
        notifier = try desktop.notifier(room.configuration)
        try await untilTurn("it is closed") { !desktop.closed.isEmpty }
        try await untilTurn("it is not to be withdrawn again") {
            try room.auth.requestQuestions.firstOver() == nil && !room.auth.service.hasUncommitted
        }
        notifier.service.close()
        room.close()
    }

    /// The person is asked about their own request when they may decide, not before.
    @Test(arguments: [false, true])
    func oneIsAskedAboutTheOwnRequestWhenItOpens(withRestart: Bool) async throws {
        let room = try await RequestRoom()
        let desktop = DirectedDesktop()
        let notifier = try desktop.notifier(room.configuration)
        let asked = try await room.ask(minutes: 40, of: RequestRoom.own)
        let opens = try #require(asked.selfApproval)
        room.move(to: opens - 1)
        #expect(try room.auth.requestQuestions.open(asked.id) == nil)
        if withRestart {
            room.stop()
            room.clock.now = opens
            try room.begin()
        } else {
            room.move(to: opens)
        }
        let posted = try await notifications(room, after: asked)
        #expect(posted.title == "Your request for more time is open")
        #expect(posted.body.contains("You asked for 40 minutes with org.example.game, and may decide now."))
        try await untilTurn("it is shown") { desktop.shown == ["request." + asked.id] }
        try await press(room, "request." + asked.id, "approve")
        #expect(try await until(room, asked, .approved).decider == .member)
        notifier.service.close()
        room.close()
    }

    /// The clock was set back after the question: the button comes too early, and the question stays.
    @Test func aButtonBeforeTheDelayDoesNotCount() async throws {
        let room = try await RequestRoom()
        let desktop = DirectedDesktop()
        let notifier = try desktop.notifier(room.configuration)
        let asked = try await room.ask(minutes: 40, of: RequestRoom.own)
        let opens = try #require(asked.selfApproval)
        room.move(to: opens)
        try await untilTurn("it is shown") { desktop.shown.count == 1 }
        room.clock.now = opens - 1
        try await press(room, "request." + asked.id, "approve")
        try await untilTurn("the press is followed") {
            room.auth.service.followers[.notifier]?.report.sequence == notifier.service.head
        }
        #expect(try room.now(asked)?.state == .pending)
        #expect(try room.auth.requestQuestions.open(asked.id) != nil)
        room.move(to: opens)
        #expect(try await room.decide(asked, .approve).state == .approved)
        notifier.service.close()
        room.close()
    }

    /// An app that posts the same identifier decides nothing.
    @Test func onlyTheOwnQuestionCounts() async throws {
        let room = try await RequestRoom()
        let asked = try await room.ask(minutes: 40)
        let other = try await room.ask("b", minutes: 40)
        func press(_ event: NotificationAnswered) throws {
            guard event.client == nil,
                let question = try room.auth.requestQuestions.open(identifier: event.identifier)
            else { return }
            try room.auth.service.transact(trace: nil) {
                try room.auth.pressOnRequest(question, event.action, $0)
            }
            room.auth.service.endTurn()
        }
        try press(NotificationAnswered(identifier: "request.nobody", action: "approve"))
        try press(NotificationAnswered(identifier: "request." + asked.id, action: "else"))
        #expect(try room.now(asked)?.state == .pending)
        try press(NotificationAnswered(identifier: "request." + asked.id, action: "approve"))
        #expect(try room.now(asked)?.state == .approved && room.now(other)?.state == .pending)
        // Its question is over.
        try press(NotificationAnswered(identifier: "request." + asked.id, action: "deny"))
        #expect(try room.now(asked)?.state == .approved)
        room.close()
    }
}
