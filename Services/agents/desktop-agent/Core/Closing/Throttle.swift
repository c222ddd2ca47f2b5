import Loop
import Units

/// Does something at once, and for long at most once in each interval, however often it is asked.
@LoopActor final class Throttle {
    private let interval: Milliseconds
    private let burst: Int64
    /// When as much time has passed as what was done takes at one in each interval.
    private var due: Milliseconds = 0
    private var timer: TimerToken?

    /// - Parameter burst: how often it is done at once after a long pause.
    init(_ interval: Milliseconds, burst: Int64) {
        self.interval = interval
        self.burst = burst
    }

    func run(_ body: @escaping @LoopActor () -> Void) {
        guard timer == nil else { return }
        let pause = due - (burst - 1) * interval - EventLoop.main.now
        guard pause > 0 else { return work(body) }
        timer = EventLoop.main.after(pause) { [weak self] in
            self?.timer = nil
            self?.work(body)
        }
    }

    private func work(_ body: @LoopActor () -> Void) {
        due = max(due, EventLoop.main.now) + interval
        body()
    }
}
