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
    @LoopActor private final class Stage {
        let placement = FakePlacement()
        var views: [FakeView] = []
        var presses: [ShieldPress.Params] = []
        var answers: [CoverKeeper.Ports.PressEnd] = []
        var asked = 0
        let lines = Lines()
        private(set) lazy var keeper = CoverKeeper(
            placement,
            CoverKeeper.Ports(
                makeView: { [unowned self] in
                    views.append(FakeView())
                    return views[views.count - 1]
                },
                press: { [unowned self] params, _, end in
                    presses.append(params)
                    answers.append(end)
                },
                askForLooks: { [unowned self] in asked += 1 }, appearance: { .light }),
            words: .english, tracer: Tracer(service: "test"), log: Log(name: "test", level: .info, to: lines),
            idleTime: idleTime)
        let idleTime: Milliseconds

        init(idle: Milliseconds = 60_000) {
            idleTime = idle
            placement.windows = [1: true, 2: true, 3: false]
        }

        func show(
            _ window: Int64, focus: Bool = false, name: String = "Game"
        ) -> Result<Bool, ServiceError>? {
            var answer: Result<Bool, ServiceError>?
            let cover = CoveredWindow(window: window, app: "game", name: name, subject: "game")
            keeper.show(CoverShow.Params(cover: cover, focus: focus), trace: .root()) { answer = $0 }
            return answer
        }

        func appear(_ window: UInt32) { placement.onEvent?(window, .shown) }
        func press(_ response: ShieldResponse) {
            let action = ShieldActionTaken(subject: "game", response: response)
            answers.removeFirst()(.success(ShieldPress.Result(action: action, sequence: 1)))
        }
        func fail(_ name: ErrorName) {
            answers.removeFirst()(.failure(ServiceError(name, "test", remedy: "none")))
        }
        var waiting: [CoverPress] {
            var found: [CoverPress] = []
            keeper.presses.wait(after: 0) { found = $0 }
            return found
        }
    }

    @Test func showIsAnsweredWithTheFirstFrame() throws {
        let stage = Stage()
        var answer: Bool?
        let cover = CoveredWindow(window: 1, app: "game", name: "Game", subject: "game")
        stage.keeper.show(CoverShow.Params(cover: cover, focus: true), trace: .root()) {
            answer = try? $0.get()  // An error leaves nil, which the expectation below shows.
        }
        #expect(answer == nil && stage.views[0].face?.title.text == "Restricted", "drawn before it is placed")
        #expect(stage.placement.shown.first?.focus == true)
        stage.appear(1)
        #expect(answer == true && stage.asked == 1)
    }

    @Test func showTwiceIsOneCover() throws {
        let stage = Stage()
        _ = stage.show(1)
        stage.appear(1)
        #expect(try stage.show(1)?.get() == true)
        #expect(stage.views.count == 1 && stage.placement.shown.count == 1 && stage.asked == 1)
        #expect(try stage.show(1, name: "Chess")?.get() == true)
        #expect(stage.views.count == 1 && stage.views[0].face?.subtitle.text.contains("Chess") == true)
        #expect(stage.keeper.standing.map(\.name) == ["Chess"] && stage.asked == 2)
    }

    @Test func aWindowThatIsNotOnTheScreenIsAnsweredAtOnce() throws {
        let stage = Stage()
        #expect(try stage.show(3)?.get() == false)
        stage.appear(3)
        #expect(try stage.show(3)?.get() == true)
    }

    @Test func whatDoesNotExistIsRefused() {
        let stage = Stage()
        #expect(throws: ServiceError.self) { try stage.show(99)?.get() }
        #expect(stage.keeper.standing.isEmpty && stage.views.isEmpty)
        #expect(!stage.keeper.hide(1) && stage.placement.hidden.isEmpty)
        // More than an id has bits: not window 1.
        _ = stage.show(1)
        #expect(throws: ServiceError.self) { try stage.show(1 << 32 + 1)?.get() }
        #expect(!stage.keeper.hide(1 << 32 + 1) && stage.keeper.standing.map(\.window) == [1])
    }

    @Test func aCoverGoesWithItsWindow() {
        let stage = Stage()
        _ = stage.show(1)
        _ = stage.show(2)
        #expect(stage.keeper.standing.map(\.window) == [1, 2])
        stage.placement.onEvent?(1, .closed)
        #expect(stage.keeper.standing.map(\.window) == [2] && stage.views[0].isClosed)
        #expect(!stage.keeper.hide(1) && stage.keeper.hide(2) && stage.placement.hidden == [2])
        #expect(stage.views[1].isClosed && stage.keeper.standing.isEmpty)
    }

    @Test func aCoverFollows() {
        let stage = Stage()
        _ = stage.show(1)
        let frame = Frame(x: 5, y: 6, width: 70, height: 80)
        stage.placement.onEvent?(1, .moved(frame))
        #expect(stage.views[0].frame == frame)
    }

    @Test func thereIsALimit() {
        let stage = Stage()
        for window in 1...UInt32(CoverLimits.coversMax + 1) { stage.placement.windows[window] = true }
        for window in 1...Int64(CoverLimits.coversMax) { _ = stage.show(window) }
        #expect(stage.keeper.standing.count == CoverLimits.coversMax)
        #expect(throws: ServiceError.self) { try stage.show(Int64(CoverLimits.coversMax) + 1)?.get() }
    }

    @Test func theProcessEndsAfterTheLastCover() async throws {
        let stage = Stage(idle: 20)
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
        let stage = Stage()
        _ = stage.show(1)
        stage.views[0].onPress?(.secondary)
        #expect(!stage.views[0].areButtonsEnabled && stage.presses.map(\.button) == [.secondary])
        stage.views[0].onPress?(.primary)
        #expect(stage.presses.count == 1, "one press at a time")
        stage.press(.none)
        #expect(stage.views[0].areButtonsEnabled && stage.waiting.isEmpty)
    }

    @Test func deferAsksForTheLookAgain() {
        let stage = Stage()
        _ = stage.show(1)
        stage.views[0].onPress?(.primary)
        stage.press(.defer)
        #expect(stage.asked == 2 && stage.views[0].areButtonsEnabled)
    }

    @Test func closeIsForWhoeverManagesTheApp() throws {
        let stage = Stage()
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
        let stage = Stage()
        _ = stage.show(1)
        stage.views[0].onPress?(.secondary)
        stage.fail(.unavailable)
        #expect(stage.views[0].notice?.contains("“OK” closes") == true && stage.waiting.isEmpty)
        stage.views[0].onPress?(.primary)
        stage.fail(.deadlineExceeded)
        let press = try #require(stage.waiting.first)
        #expect(press.withoutService && press.response == .close)
        stage.keeper.apply([:])
        #expect(stage.views[0].notice == nil, "it is back")
    }

    @Test func aRefusedPressCanBeRepeated() {
        let stage = Stage()
        _ = stage.show(1)
        stage.views[0].onPress?(.primary)
        stage.fail(.notFound)
        #expect(stage.views[0].areButtonsEnabled && stage.waiting.isEmpty && stage.views[0].notice == nil)
    }

    @Test func looksArriveLater() {
        let stage = Stage()
        _ = stage.show(1)
        let subject = CoverSubject(member: "", kind: .app, subject: "game")
        let bad = ShieldColor(light: "blue")
        stage.keeper.apply([subject: ShieldLook(backgroundColor: bad, title: ShieldLabel(text: "Later"))])
        stage.keeper.paintAll()
        #expect(stage.views[0].face?.title.text == "Later")
        #expect(stage.lines.texts.count { $0.contains("a part of a shield's look is not shown") } == 1)
    }
}
