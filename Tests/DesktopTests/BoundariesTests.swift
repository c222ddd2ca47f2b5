import Loop
import Testing
import Units

@testable import DesktopCore

/// When covers are prepared for instants that are known before.
@Suite @LoopActor struct BoundariesTests {
    @Test func coversArePreparedShortlyBeforeTheNextOne() {
        let clock = Clock()
        let loop = EventLoop(clock: { clock.now.count * 1_000_000 }, runsAside: false)
        var prepared: [Milliseconds] = []
        let boundaries = Boundaries(loop) { prepared.append(clock.now) }
        func pass(to now: Milliseconds) {
            clock.now = now
            loop.fireTimers()
        }
        boundaries.expect(.callback, in: .seconds(60))
        boundaries.expect(.exceptionEnd, in: .seconds(90))
        pass(to: .seconds(50) - 1)
        #expect(prepared.isEmpty)
        pass(to: .seconds(50))
        pass(to: .seconds(80))
        #expect(prepared == [.seconds(50), .seconds(80)])
        boundaries.expect(.callback, in: .seconds(60))
        boundaries.expect(.callback, in: .seconds(90))
        boundaries.expect(.exceptionEnd, in: .seconds(30))
        boundaries.expect(.exceptionEnd, in: nil)
        pass(to: .seconds(159))
        #expect(prepared.count == 2)
        pass(to: .seconds(160))
        #expect(prepared.count == 3)
        // It is near already.
        boundaries.expect(.callback, in: .seconds(3))
        loop.fireTimers()
        #expect(prepared.count == 4)
        boundaries.expect(.callback, in: .seconds(60))
        boundaries.close()
        pass(to: .hour)
        #expect(prepared.count == 4)
    }

    @Test func theInstantItselfIsTold() {
        let clock = Clock()
        let loop = EventLoop(clock: { clock.now.count * 1_000_000 }, runsAside: false)
        let boundaries = Boundaries(loop) {}
        var reached: [Milliseconds] = []
        boundaries.expect(.exceptionEnd, in: .seconds(60)) { reached.append(clock.now) }
        clock.now = .seconds(60) - 1
        loop.fireTimers()
        #expect(reached.isEmpty)
        clock.now = .seconds(60)
        loop.fireTimers()
        #expect(reached == [.seconds(60)])
        boundaries.expect(.exceptionEnd, in: .seconds(60)) { reached.append(clock.now) }
        boundaries.expect(.exceptionEnd, in: nil)
        clock.now = .hour
        loop.fireTimers()
        #expect(reached.count == 1)
    }

    @LoopActor private final class Clock { var now: Milliseconds = 0 }
}
