import Loop
import Testing
import Units

/// The timers of one turn.
@Suite @LoopActor struct TimerRoundTests {
    private let loop = EventLoop(clock: { 0 }, runsAside: false)
    private final class Timers { var second: TimerToken? }

    /// Otherwise its process would never again read a message.
    @Test func aTimerThatIsArmedAgainAtOnceWaitsForTheNextTurn() {
        var count = 0
        func arm() {
            loop.after(0) {
                count += 1
                if count < 1_000 { arm() }
            }
        }
        arm()
        loop.fireTimers()
        #expect(count == 1)
        #expect(loop.nextDue == 0)
        loop.fireTimers()
        #expect(count == 2)
    }

    @Test func aTimerThatIsCancelledByAnotherOfItsTurnDoesNotRun() {
        var called: [String] = []
        let timers = Timers()
        loop.after(0) { [loop] in
            called.append("first")
            if let second = timers.second { loop.cancel(second) }
        }
        timers.second = loop.after(0) { called.append("second") }
        loop.after(0) { called.append("third") }
        loop.fireTimers()
        #expect(called == ["first", "third"])
    }
}
