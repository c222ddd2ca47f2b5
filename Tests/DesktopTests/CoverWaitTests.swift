import Loop
import Testing
import Units

@testable import DesktopCore

/// How long an app is not frozen, because its covers still come.
@Suite @LoopActor struct CoverWaitTests {
    /// A wait whose time passes by hand.
    @LoopActor final class Stage {
        private var timer: (pause: Milliseconds, body: @LoopActor () -> Void)?
        private(set) var waited: Milliseconds = 0
        private(set) var ends: [Bool] = []
        private(set) var wait: CoverWait!

        init(_ count: Int) {
            wait = CoverWait(count: count, after: { [unowned self] in timer = ($0, $1) }) {
                [unowned self] in ends.append($0)
            }
        }

        /// Returns false if nothing waits.
        @discardableResult func pass() -> Bool {
            guard let (pause, body) = timer else { return false }
            timer = nil
            waited += pause
            body()
            return true
        }
    }

    @Test func itEndsWithTheLastCover() {
        let stage = Stage(2)
        stage.wait.arrive()
        #expect(stage.ends.isEmpty)
        stage.wait.arrive()
        #expect(stage.ends == [false])
        while stage.pass() {}
        #expect(stage.ends == [false], "once")
    }

    @Test func withoutACoverItEndsSoon() {
        let stage = Stage(60)
        while stage.pass() {}
        #expect(stage.ends == [true] && stage.waited == AgentLimits.cover)
        stage.wait.arrive()
        #expect(stage.ends == [true])
    }

    @Test func itGoesOnWhileCoversCome() {
        let stage = Stage(3)
        stage.wait.arrive()
        stage.pass()
        #expect(stage.ends.isEmpty, "one came")
        stage.wait.arrive()
        stage.pass()
        #expect(stage.ends.isEmpty, "another one came")
        stage.pass()
        #expect(stage.ends == [true], "none came")
    }

    @Test func itEndsAtLast() {
        let stage = Stage(1_000)
        while stage.ends.isEmpty {
            stage.wait.arrive()
            guard stage.pass() else { break }
        }
        #expect(stage.ends == [true] && stage.waited == AgentLimits.covers)
    }

    @Test func withoutHopeItEndsAtOnce() {
        let stage = Stage(3)
        stage.wait.giveUp()
        #expect(stage.ends == [false])
    }
}
