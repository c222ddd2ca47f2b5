import Bus
import Contract
import Loop
import ScreenTimeTesting
import ServiceKit
import Testing
import Units

@testable import CoverCore

/// The rules of covers, on a desktop and with a shield-service of which the test says what happens.
@Suite(.serialized) @LoopActor struct CoverKeeperTests {
    @Test func showIsAnsweredWithTheFirstFrame() throws {
        let stage = KeeperStage()
        var answer: Bool?
        let cover = CoveredWindow(window: 1, app: "game", name: "Game", subject: "game")
        stage.keeper.show(CoverShow.Params(cover: cover), trace: .root()) {
            answer = try? $0.get()  // An error leaves nil, which the expectation below shows.
        }
        #expect(answer == nil && stage.views[0].face?.title.text == "Restricted", "drawn before it is placed")
        #expect(stage.placement.shown == [1])
        stage.appear(1)
        #expect(answer == true && stage.asked == 1)
    }

    @Test func showTwiceIsOneCover() throws {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.appear(1)
        #expect(try stage.show(1)?.get() == true)
        #expect(stage.views.count == 1 && stage.placement.shown.count == 1 && stage.asked == 1)
        #expect(try stage.show(1, name: "Chess")?.get() == true)
        #expect(stage.views.count == 1 && stage.views[0].face?.subtitle.text.contains("Chess") == true)
        #expect(stage.keeper.standing.map(\.name) == ["Chess"] && stage.asked == 2)
    }

    @Test func aWindowThatIsNotOnTheScreenIsAnsweredAtOnce() throws {
        let stage = KeeperStage()
        #expect(try stage.show(3)?.get() == false)
        stage.appear(3)
        #expect(try stage.show(3)?.get() == true)
    }

    @Test func whatDoesNotExistIsRefused() {
        let stage = KeeperStage()
        #expect(throws: ServiceError.self) { try stage.show(99)?.get() }
        #expect(stage.keeper.standing.isEmpty && stage.views.isEmpty)
        #expect(!stage.keeper.hide(1) && stage.placement.hidden.isEmpty)
        // More than an id has bits: not window 1.
        _ = stage.show(1)
        #expect(throws: ServiceError.self) { try stage.show(1 << 32 + 1)?.get() }
        #expect(!stage.keeper.hide(1 << 32 + 1) && stage.keeper.standing.map(\.window) == [1])
    }

    @Test func aCoverGoesWithItsWindow() {
        let stage = KeeperStage()
        _ = stage.show(1)
        _ = stage.show(2)
        #expect(stage.keeper.standing.map(\.window) == [1, 2])
        stage.placement.onEvent?(1, .closed)
        #expect(stage.keeper.standing.map(\.window) == [2] && stage.views[0].isClosed)
        #expect(!stage.keeper.hide(1) && stage.keeper.hide(2) && stage.placement.hidden == [2])
        #expect(stage.views[1].isClosed && stage.keeper.standing.isEmpty)
    }

    @Test func aCoverFollows() {
        let stage = KeeperStage()
        _ = stage.show(1)
        let frame = Frame(x: 5, y: 6, width: 70, height: 80)
        stage.placement.onEvent?(1, .moved(frame))
        #expect(stage.views[0].frame == frame)
    }

    /// A click raises the cover; the question must not stay below it.
    @Test func whoeverUsesTheCoverIsLedToTheQuestion() {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.appear(1)
        stage.views[0].onPress?(.primary)
        stage.press(.close)
        _ = stage.show(1, closing: .asking, question: 9)
        #expect(stage.placement.questions == [1: 9] && stage.views[0].areButtonsEnabled)
        #expect(stage.views[0].face?.subtitle.text.contains("asks something") == true)
        #expect(stage.placement.turns.isEmpty, "who is led there at once is the placement's matter")
        stage.views[0].onPress?(.primary)
        stage.views[0].onTurn?()
        #expect(stage.placement.turns == [1, 1] && stage.answers.isEmpty, "nothing is pressed")
        #expect(stage.presses.count == 1)
        _ = stage.show(1)
        #expect(stage.placement.questions.isEmpty)
        stage.views[0].onPress?(.primary)
        #expect(stage.presses.count == 2)
    }

    @Test func thereIsALimit() {
        let stage = KeeperStage()
        for window in 1...UInt32(CoverLimits.coversMax + 1) { stage.placement.windows[window] = true }
        for window in 1...Int64(CoverLimits.coversMax) { _ = stage.show(window) }
        #expect(stage.keeper.standing.count == CoverLimits.coversPerAppMax, "others get some, too")
        for window in 1...Int64(CoverLimits.coversMax) where window > CoverLimits.coversPerAppMax {
            _ = stage.show(window, subject: "chess")
        }
        #expect(stage.keeper.standing.count == CoverLimits.coversMax)
        #expect(throws: ServiceError.self) {
            try stage.show(Int64(CoverLimits.coversMax) + 1, subject: "go")?.get()
        }
    }

    @Test func theProcessEndsAfterTheLastCover() async throws {
        let stage = KeeperStage(idle: 20)
        let ended = Expectation<Int>("the end")
        var hasEnded = false
        _ = stage.show(1)
        stage.keeper.onIdle = {
            hasEnded = true
            ended.fulfil(stage.keeper.standing.count)
        }
        _ = stage.show(2)
        stage.keeper.hide(1)
        await EventLoop.main.pause(40)
        #expect(!hasEnded, "one stands")
        stage.keeper.hide(2)
        #expect(try await ended.wait(deadline: 60_000) == 0)
    }

    // MARK: buttons

    @Test func noneKeepsTheCover() {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.views[0].onPress?(.secondary)
        #expect(!stage.views[0].areButtonsEnabled && stage.presses.map(\.button) == [.secondary])
        stage.views[0].onPress?(.primary)
        #expect(stage.presses.count == 1, "one press at a time")
        stage.press(.none)
        #expect(stage.views[0].areButtonsEnabled && stage.waiting.isEmpty)
    }

    @Test func deferAsksForTheLookAgain() {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.views[0].onPress?(.primary)
        stage.press(.defer)
        #expect(stage.asked == 2 && stage.views[0].areButtonsEnabled)
    }

    @Test func closeIsForWhoeverManagesTheApp() throws {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.views[0].onPress?(.primary)
        stage.press(.close)
        let press = try #require(stage.waiting.first)
        #expect(press.response == .close && press.cover.window == 1 && !press.withoutService)
        #expect(!stage.views[0].areButtonsEnabled)
        #expect(stage.waiting == [press], "until it is acknowledged")
        var later: [CoverPress] = []
        stage.keeper.presses.wait(after: press.number) { later = $0 }
        #expect(later.isEmpty)
        stage.placement.windows[4] = true
        _ = stage.show(4)
        stage.views[1].onPress?(.submenu2)
        stage.press(.openParentalControlsApp)
        #expect(later.map(\.response) == [.openParentalControlsApp] && later[0].number > press.number)
        stage.keeper.hide(4)
        #expect(stage.waiting.isEmpty, "its cover is gone")
    }

    @Test func withoutShieldServiceThePrimaryButtonCloses() throws {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.views[0].onPress?(.secondary)
        stage.fail(.unavailable)
        #expect(stage.views[0].notice?.contains("“Close” closes") == true && stage.waiting.isEmpty)
        stage.views[0].onPress?(.primary)
        stage.fail(.deadlineExceeded)
        let press = try #require(stage.waiting.first)
        #expect(press.withoutService && press.response == .close)
        stage.keeper.apply([:])
        #expect(stage.views[0].notice == nil, "it is back")
    }

    @Test func aRefusedPressCanBeRepeated() {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.views[0].onPress?(.primary)
        stage.fail(.notFound)
        #expect(stage.views[0].areButtonsEnabled && stage.waiting.isEmpty && stage.views[0].notice == nil)
    }

    @Test func looksArriveLater() {
        let stage = KeeperStage()
        _ = stage.show(1)
        let subject = CoverSubject(member: "", kind: .app, subject: "game")
        let bad = ShieldColor(light: "blue")
        stage.keeper.apply([subject: ShieldLook(backgroundColor: bad, title: ShieldLabel(text: "Later"))])
        stage.keeper.paintAll()
        #expect(stage.views[0].face?.title.text == "Later")
        #expect(stage.lines.texts.count { $0.contains("a part of a shield's look is not shown") } == 1)
    }

    // MARK: whose press it is

    /// The answer to a press arrives after its window's id belongs to another app's window.
    @Test func aPressIsNotForTheNextCoverOfItsWindow() {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.views[0].onPress?(.primary)
        stage.placement.onEvent?(1, .closed)
        _ = stage.show(1, subject: "mail")
        stage.press(.close)
        #expect(stage.waiting.isEmpty && stage.views[1].areButtonsEnabled)
        stage.views[1].onPress?(.primary)
        stage.keeper.hide(1)
        _ = stage.show(1, subject: "mail")
        stage.fail(.unavailable)
        #expect(stage.waiting.isEmpty, "it was hidden, and shown again")
    }

    @Test func aPressIsNotForAnotherSubjectOfTheSameCover() {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.views[0].onPress?(.primary)
        stage.press(.close)
        #expect(stage.waiting.map(\.cover.subject) == ["game"])
        _ = stage.show(1, name: "The game")
        #expect(stage.waiting.map(\.cover.subject) == ["game"], "only its name changed")
        _ = stage.show(1, subject: "mail")
        #expect(stage.waiting.isEmpty && stage.views[0].areButtonsEnabled)
        stage.views[0].onPress?(.primary)
        _ = stage.show(1, subject: "game")
        stage.press(.close)
        #expect(stage.waiting.isEmpty, "it was answered for the mail")
    }

    // MARK: an app that did not close

    @Test func aCoverSaysThatItsAppHasNotClosed() throws {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.views[0].onPress?(.primary)
        stage.press(.close)
        #expect(!stage.views[0].areButtonsEnabled && stage.waiting.first?.cover.closing == nil)
        stage.keeper.apply(AskPicture(members: [Member(id: Household.defaultMember)]))
        _ = stage.show(1, closing: .stayed)
        let text = try #require(stage.views[0].face?.subtitle.text)
        #expect(text.contains("“Game” has not closed") && text.contains("“Close” now ends it without saving"))
        #expect(text.contains("One More Minute") && stage.views[0].areButtonsEnabled)
        stage.keeper.becomeUnreachable()
        let notice = try #require(stage.views[0].notice)
        #expect(notice.contains("ends it without saving") && !notice.contains("Minute"))
        stage.views[0].onPress?(.primary)
        stage.fail(.unavailable)
        #expect(stage.waiting.last?.cover.closing == .stayed, "whoever closes knows what the person read")
        _ = stage.show(1, closing: .shared)
        #expect(stage.views[0].notice?.contains("shares a process") == true)
    }

    /// An extension may take ten seconds for an answer.
    @Test func aPressFromBeforeDoesNotEndTheApp() {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.views[0].onPress?(.primary)
        _ = stage.show(1, closing: .stayed)
        stage.press(.close)
        #expect(stage.waiting.isEmpty && stage.views[0].areButtonsEnabled)
    }

    // MARK: covers that others destroy

    @Test func aDestroyedCoverIsReplaced() async throws {
        let stage = KeeperStage()
        _ = stage.show(1)
        stage.appear(1)
        stage.placement.onEvent?(1, .lost)
        #expect(stage.views.count == 2 && stage.views[0].isClosed && !stage.views[1].isClosed)
        #expect(stage.views[1].face == stage.views[0].face && stage.keeper.standing.count == 1)
        for _ in 1..<CoverLimits.replacedAtOnceMax { stage.placement.onEvent?(1, .lost) }
        let count = stage.views.count
        #expect(count == CoverLimits.replacedAtOnceMax + 1)
        stage.placement.onEvent?(1, .lost)
        #expect(stage.views.count == count, "not in an endless loop")
        await EventLoop.main.pause(CoverLimits.replacePause + 20)
        #expect(stage.views.count == count + 1)
        stage.placement.windows[1] = nil
        stage.placement.onEvent?(1, .lost)
        await EventLoop.main.pause(CoverLimits.replacePause + 20)
        #expect(stage.keeper.standing.isEmpty, "its window is gone")
    }
}
