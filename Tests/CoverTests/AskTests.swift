import Contract
import Loop
import ServiceKit
import Testing
import Units

@testable import CoverCore

/// Asking for more time at a cover: what it says and offers, and what it sends.
@Suite(.serialized) @LoopActor struct AskTests {
    private let own = Household.defaultMember

    private func face(
        _ requests: [TimeRequest], member: String = "", now: Instant = 1_000, words: Words = .english,
        change: (inout Member) -> Void = { _ in }
    ) -> AskFace {
        var me = Member(id: own, name: "Minji", role: .guardian)
        change(&me)
        let child = Member(id: "member-juno", name: "Juno", role: .child)
        let cover = CoveredWindow(
            window: 1, app: "game", name: "Game", member: member, kind: .app, subject: "game",
            category: "games")
        return AskFace(
            AskPicture(requests: requests, members: [me, child]), for: cover, own: own, words: words,
            now: now, time: { "@\($0.milliseconds)" })
    }

    private func request(
        _ id: String = "r1", kind: SubjectKind = .app, _ subject: String = "game", minutes: Int64? = 15,
        asked: Instant = 500, opens: Instant? = 2_000, state: RequestState = .pending
    ) -> TimeRequest {
        TimeRequest(
            id: id, member: own, kind: kind, subject: subject, minutes: minutes, asked: asked,
            selfApproval: opens, dayEnd: 90_000, state: state)
    }

    // MARK: what it says

    @Test func withoutARequestThereIsAPage() {
        let face = face([])
        #expect(face.offer == .page && face.text == nil && face.change == nil)
        #expect(face.choices.map(\.subject.kind) == [.app, .category])
        #expect(face.choices.map(\.hasMinute) == [true, true])
        #expect(face.decides == "You can decide 5 minutes after asking.")
        #expect(self.face([]) { $0.selfApprovalMinutes = 0 }.decides == "You decide yourself.")
        #expect(self.face([], member: "member-juno").decides == "Minji decides.")
        let unknown = AskFace(
            nil, for: CoveredWindow(window: 1, subject: "x"), own: own, words: .english, now: 1,
            time: { _ in "" })
        #expect(unknown.offer == .page && unknown.choices.map(\.hasMinute) == [false])
    }

    @Test func anOwnRequestOpensLater() {
        let waiting = face([request()])
        #expect(waiting.text == "Asked at @500 for 15 minutes. You can decide from @60000.")
        let minute = AskAction.minute(AskSubject(kind: .app, subject: "game"))
        #expect(waiting.change == 2_000 && waiting.offer == .act(minute))
        let open = face([request()], now: 2_000)
        #expect(open.text == "Asked at @500 for 15 minutes. You can decide now.")
        #expect(open.offer == .act(.allow("r1")) && open.change == 90_000)
        #expect(face([request()], now: 90_000).text == nil, "its day is over")
        let late = face([request(opens: 90_000)])
        #expect(late.text?.hasSuffix("The request expires at @90000.") == true)
    }

    /// Whether a request without an answer was made is seen when auth-service can be reached again.
    @Test func whatWasNotAnsweredMayHaveBeenDone() {
        let more = AskAction.more(AskSubject(kind: .app, subject: "game"), minutes: 15, reason: nil)
        let late = ServiceError(.deadlineExceeded, "no answer", remedy: "")
        #expect(AskProblem(late, more) == .unanswered && AskProblem(late, .allow("r1")) == .unreachable)
        #expect(face([request()]).isPending && !face([]).isPending)
        #expect(!face([request(state: .denied)]).isPending)
    }

    @Test func aGuardianDecidesAboutOthers() {
        var asked = request(minutes: nil, opens: nil)
        asked.member = "member-juno"
        let face = face([asked, request("r2")], member: "member-juno")
        #expect(face.text == "Asked at @500 for the rest of the day. Minji decides.")
        #expect(face.choices.map(\.subject.subject) == ["game", "games"])
    }

    @Test func aRequestForTheCategoryCounts() {
        let face = face([request(kind: .category, "games", minutes: 60)])
        #expect(face.text?.hasPrefix("Asked at @500 for 1 hour with all apps in “Games”.") == true)
        #expect(self.face([request(kind: .domain, "game")]).text == nil)
    }

    @Test func theLastEndIsShown() {
        var denied = request(state: .denied)
        (denied.decided, denied.answer) = (900, "Dinner\u{202E} is\nready")
        #expect(face([denied]).text == "Denied at @900: Dinner is ready" && face([denied]).offer == .page)
        denied.answer = nil
        #expect(face([denied]).text == "The request was denied at @900.")
        #expect(face([denied], now: 90_000).text == nil)
        var allowed = request("r2", state: .approved)
        (allowed.decided, allowed.end) = (950, 3_000)
        #expect(face([denied, allowed]).text == "Allowed until @3000.")
        #expect(face([denied, allowed], now: 3_000).text == nil)
        // It ended early, or the cover would have gone.
        (allowed.decided, allowed.end) = (950, 900_000)
        #expect(face([denied, allowed]).change == 10_950)
        #expect(face([denied, allowed], now: 10_950).text == nil)
        var expired = request(state: .expired)
        expired.decided = 90_000
        #expect(face([expired], now: 90_001).text == "The request of @500 expired.")
        #expect(face([request(state: .withdrawn)]).text == nil)
        #expect(face([denied, request("r3")]).text?.hasPrefix("Asked") == true, "a new one is open")
    }

    /// The shield may be another one since.
    @Test func aShieldSaysWhyBesidesThatARequestWasDenied() {
        var denied = request(state: .denied)
        denied.decided = 900
        let look = ShieldLook(subtitle: ShieldLabel(text: "The limit is reached."))
        let cover = CoverFace(look, of: "Game", .app, words: .english, appearance: .light)
            .offering(face([denied]), words: .english, appearance: .light)
        #expect(cover.subtitle.text == "The limit is reached.\nThe request was denied at @900.")
    }

    @Test func oneMoreMinuteIsOncePerSubjectAndDay() {
        var taken = request(minutes: 1, state: .approved)
        (taken.oneMoreMinute, taken.decided, taken.end) = (true, 500, 600)
        #expect(face([taken]).choices.map(\.hasMinute) == [false, true])
        #expect(face([taken], now: 90_000).choices.map(\.hasMinute) == [true, true])
        #expect(face([]) { $0.oneMoreMinute = false }.choices.map(\.hasMinute) == [false, false])
    }

    @Test func koreanIsKorean() {
        let face = face([request(kind: .category, "games")], words: .korean)
        #expect(face.text == "@500에 ‘게임’ 앱 모두 15분 사용을 요청했습니다. @60000부터 직접 결정할 수 있습니다.")
        #expect(face.choices.map(\.text) == ["이 앱", "‘게임’ 앱 모두"])
    }

    @Test func theExtensionsOwnButtonDecides() {
        let look = ShieldLook(secondaryButtonLabel: ShieldLabel(text: "Later"))
        let own = CoverFace(look, of: "Game", .app, words: .english, appearance: .light)
            .offering(face([request()]), words: .english, appearance: .light)
        #expect(own.ask == nil && own.secondary?.text == "Later" && own.subtitle.text.contains("restricted"))
        let built = CoverFace(nil, of: "Game", .app, words: .english, appearance: .light)
            .offering(face([]), words: .english, appearance: .light)
        #expect(built.secondary?.text == "Ask for More Time" && built.ask?.offer == .page)
        let open = CoverFace(nil, of: "Game", .app, words: .english, appearance: .dark)
            .offering(face([request()], now: 2_000), words: .english, appearance: .dark)
        #expect(open.secondary?.text == "Allow Now" && open.subtitle.text.hasSuffix("You can decide now."))
    }

    @Test func aReasonIsOneShortLine() {
        #expect(AskReason.line(" a\nb\u{202E}c\t ") == "a bc")
        #expect(AskReason.line(" \u{200B}\n") == nil)
        let long = AskReason.line(String(repeating: "한", count: 10_000))
        #expect(long.map { $0.count <= 500 && $0.utf8.count <= 2_000 } == true)
        #expect(AskReason.line(String(repeating: "x", count: 10_000))?.count == 500)
        #expect(AskReason.line(String(repeating: "x", count: 500))?.count == 500)
    }

    // MARK: what it sends

    @Test func aRequestIsSentAndShown() throws {
        let stage = KeeperStage()
        _ = stage.show(1)
        let subject = AskSubject(kind: .app, subject: "game")
        stage.views[0].onAsk?(.more(subject, minutes: 15, reason: "one\nline"))
        #expect(!stage.views[0].areButtonsEnabled)
        let sent = try #require(stage.created.first)
        #expect(sent.minutes == 15 && sent.reason == "one line" && sent.oneMoreMinute == nil)
        #expect(sent.member == nil && sent.kind == .app && sent.subject == "game")
        stage.views[0].onAsk?(.minute(subject))
        #expect(stage.created.count == 1, "one press at a time")
        var answer = request(opens: 3_000_000)
        answer.dayEnd = 9_000_000
        stage.requestAnswers.removeFirst()(.success(answer))
        #expect(stage.views[0].areButtonsEnabled)
        #expect(stage.views[0].face?.subtitle.text.hasSuffix("You can decide from @3000000.") == true)
        stage.now = 3_000_000
        stage.keeper.paintAll()
        #expect(stage.views[0].face?.ask?.offer == .act(.allow("r1")))
        stage.views[0].onAsk?(.allow("r1"))
        #expect(stage.decided.map(\.id) == ["r1"] && stage.decided[0].decision == .approve)
        #expect(stage.tracer.spans(traceID: nil, limit: 9).contains { $0.name == "ask" })
    }

    /// A request that was made elsewhere.
    @Test func theStateFollowsAuthService() async throws {
        let stage = KeeperStage()
        _ = stage.show(1)
        var other = request(opens: stage.now + 30)
        other.dayEnd = 9_000_000
        stage.keeper.apply(AskPicture(requests: [other], members: []))
        #expect(stage.views[0].face?.subtitle.text.hasPrefix("Asked at") == true)
        stage.now += 30
        await EventLoop.main.pause(100)
        #expect(stage.views[0].face?.secondary?.text == "Allow Now", "by itself, when the delay is over")
        stage.keeper.apply(AskPicture())
        #expect(stage.views[0].face?.secondary?.text == "Ask for More Time")
    }

    @Test(arguments: [
        (ErrorName.conflict, "changed meanwhile"), (.limitExceeded, "Too many"), (.unavailable, "reached"),
        (.deadlineExceeded, "reached"), (.notAuthorized, "too early"), (.notFound, "refused"),
    ])
    func failuresAreSaid(_ name: ErrorName, _ words: String) {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.views[0].onAsk?(.more(AskSubject(kind: .app, subject: "game"), minutes: nil, reason: nil))
        stage.requestAnswers.removeFirst()(.failure(ServiceError(name, "test", remedy: "none")))
        #expect(stage.views[0].face?.subtitle.text.contains(words) == true)
        #expect(stage.views[0].areButtonsEnabled && stage.refreshed == 1)
        stage.views[0].onAsk?(.minute(AskSubject(kind: .app, subject: "game")))
        stage.keeper.paintAll()
        #expect(stage.views[0].face?.subtitle.text.contains(words) == false, "tried again")
        stage.requestAnswers.removeFirst()(.failure(ServiceError(name, "test", remedy: "none")))
        let isUsed = stage.views[0].face?.subtitle.text.contains("used up") == true
        #expect(isUsed == (name == .conflict || name == .notAuthorized))
    }

    /// The answer is for a cover that is about something else now.
    @Test func anAnswerIsForItsCoverOnly() {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.views[0].onAsk?(.minute(AskSubject(kind: .app, subject: "game")))
        stage.keeper.hide(1)
        _ = stage.show(1, subject: "mail")
        stage.requestAnswers.removeFirst()(.failure(ServiceError(.limitExceeded, "test", remedy: "none")))
        #expect(stage.views[1].face?.subtitle.text.contains("Too many") == false)
    }
}
