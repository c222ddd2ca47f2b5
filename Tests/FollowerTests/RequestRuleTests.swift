import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit

/// Rules of requests for more time at a start, before the clock is judged, and when something is forgotten.
@Suite(.serialized) @LoopActor struct RequestRuleTests {
    /// The words with which a request was denied name the app as people do.
    @Test func anAnswerThatNamesTheForgottenAppIsForgottenWithItsRequest() async throws {
        let room = try await RequestRoom()
        let told = try await room.decide(
            try await room.ask("other", minutes: 5), .deny, answer: "No Zork before dinner.")
        let kept = try await room.decide(
            try await room.ask("third", minutes: 5), .deny, answer: "Not before dinner.")
        let result = try await room.call(
            PrivacyForget.self,
            PrivacyForget.Params(member: RequestRoom.anna, kind: .app, subject: "org.example.zork"))
        #expect(result.removed.first { $0.name == "requests for more time" }?.count == 1)
        #expect(try room.now(told) == nil && room.now(kept) == kept)
        #expect(try !room.told().contains { $0.request.id == told.id })
        #expect(try room.told().last?.request == kept)
        room.close()
    }

    /// It expired at midnight, and auth-service, which did not run, told it in the morning.
    @Test func aRangeTakesTheEventOfAnEndedRequestNotOfAPendingOne() async throws {
        let room = try await RequestRoom()
        let ended = try await room.ask("ended", reason: "secret words")
        room.stop()
        room.clock.now = RequestRoom.midnight + .hours(9)
        try room.begin()
        #expect(try room.now(ended)?.state == .expired)
        let open = try await room.ask("open")
        let from = RequestRoom.midnight + .hours(8)
        _ = try await room.call(
            PrivacyForget.self,
            PrivacyForget.Params(member: RequestRoom.anna, from: from, to: from + .hours(2)))
        // It was neither asked for nor decided in that time.
        #expect(try room.now(ended)?.state == .expired)
        let told = try room.told().map { "\($0.event) \($0.request.subject)" }
        #expect(told == ["created ended", "created open"])
        #expect(try room.told().last?.request == open)
        room.close()
    }

    /// A clock that was set while no service ran would make the delay shorter.
    @Test func theDelayIsNotChangedBeforeTheClockIsJudged() async throws {
        let room = try await RequestRoom(boot: "a")
        let own = RequestRoom.own
        let before = try await room.member()
        #expect(!room.auth.time.isJudged)
        for minutes in [0, 5, 60] as [Int64] {
            let params = MemberSet.Params(name: own, selfApprovalMinutes: minutes)
            #expect(await room.refusal(MemberSet.self, params)?.name == .unavailable, "\(minutes)")
        }
        #expect(try await room.member() == before)
        // Nothing else waits for it.
        _ = try await room.call(MemberSet.self, MemberSet.Params(name: own, dayStartMinutes: 240))
        let judge = try ClockJudge(room.configuration, room.clock)
        try await room.isJudged()
        let params = MemberSet.Params(name: own, selfApprovalMinutes: 60)
        #expect(try await room.call(MemberSet.self, params).member.selfApprovalMinutes == 60)
        room.close()
        judge.close()
    }

    /// auth-service ended before the notifier had the question.
    @Test func anOpenQuestionIsShownAfterAStart() async throws {
        let room = try await RequestRoom()
        let open = try await room.ask(minutes: 40)
        let denied = try await room.decide(try await room.ask("b"), .deny)
        room.stop()
        let desktop = DirectedDesktop()
        let notifier = try desktop.notifier(room.configuration)
        try room.begin()
        try await untilTurn("it is shown") { !desktop.shown.isEmpty }
        #expect(desktop.shown == ["request." + open.id])
        #expect(try room.now(denied)?.state == .denied)
        notifier.service.close()
        room.close()
    }
}
