import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import DesktopCore

@Suite @LoopActor struct ThrottleTests {
    @Test func whatIsAskedOftenIsDoneAtOnceAndOnceLater() async throws {
        let throttle = Throttle(50, burst: 1)
        let start = EventLoop.main.now
        var done: [Milliseconds] = []
        for _ in 0..<100 { throttle.run { done.append(EventLoop.main.now - start) } }
        #expect(done.count == 1)
        try await ScreenTimeTesting.eventually("the second") { done.count == 2 }
        #expect(done[1] >= 50)
        throttle.run { done.append(EventLoop.main.now - start) }
        try await ScreenTimeTesting.eventually("the third") { done.count == 3 }
        #expect(done[2] >= done[1] + 50)
    }

    @Test func someAreDoneAtOnceAfterAPause() async throws {
        let throttle = Throttle(50, burst: 3)
        let start = EventLoop.main.now
        var done: [Milliseconds] = []
        for _ in 0..<9 { throttle.run { done.append(EventLoop.main.now - start) } }
        #expect(done.count == 3)
        try await ScreenTimeTesting.eventually("the fourth") { done.count == 4 }
        throttle.run { done.append(EventLoop.main.now - start) }
        try await ScreenTimeTesting.eventually("the fifth") { done.count == 5 }
        #expect(done[3] >= 50 && done[4] >= 100)
    }
}
