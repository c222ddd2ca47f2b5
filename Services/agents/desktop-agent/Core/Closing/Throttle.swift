import Loop
import Units

/// Does something at once, and again at most once in each interval, however often it is asked.
@LoopActor final class Throttle {
    private let interval: Milliseconds
    private var last: Milliseconds?
    private var timer: TimerToken?

    init(_ interval: Milliseconds) { self.interval = interval }

    func run(_ body: @escaping @LoopActor () -> Void) {
        guard timer == nil else { return }
        let now = EventLoop.main.now
        guard let last, now - last < interval else {
            self.last = now
            return body()
        }
        timer = EventLoop.main.after(interval - (now - last)) { [weak self] in
            self?.timer = nil
            self?.last = EventLoop.main.now
            body()
        }
    }
}
