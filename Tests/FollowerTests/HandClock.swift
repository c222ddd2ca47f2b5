import Loop
import Units

@testable import ServiceKit

/// The clock that a test moves; timers fire when the test says so.
@LoopActor final class HandClock: WallClock {
    var now: Instant = 1_790_000_000_000
    private var timers: [(token: TimerToken, due: Instant, body: @LoopActor () -> Void)] = []
    func at(_ due: Instant, _ body: @escaping @LoopActor () -> Void) -> TimerToken {
        // Only its token is used.
        let token = EventLoop.main.after(86_400_000, {})
        timers.append((token, due, body))
        return token
    }
    func cancel(_ timer: TimerToken) {
        EventLoop.main.cancel(timer)
        timers.removeAll { $0.token == timer }
    }
    func fire() {
        let due = timers.filter { $0.due <= now }
        timers.removeAll { $0.due <= now }
        due.forEach { $0.body() }
    }
}
