import CPosix
import Glibc
import Loop
import Units

/// A one-shot timer that includes the machine's sleep: if it expires during sleep, it fires at wake-up.
@LoopActor final class BootTimer {
    private let descriptor = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    private var token: Reactor.Token?
    private var body: (@LoopActor () -> Void)?

    init() {
        precondition(descriptor >= 0, "no descriptor left for a timer")
        token = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.fire() }
    }

    isolated deinit {
        if let token { Reactor.shared.forget(token) }
        close(descriptor)
    }

    /// Replaces the pending call.
    func set(milliseconds: Milliseconds, _ body: @escaping @LoopActor () -> Void) {
        self.body = body
        arm(milliseconds)
    }

    func cancel() {
        body = nil
        arm(0)
    }

    private func arm(_ milliseconds: Milliseconds) {
        var when = itimerspec()
        when.it_value = timespec(
            tv_sec: Int(milliseconds / .second),
            tv_nsec: Int(milliseconds.flooredRemainder(.second).count) * 1_000_000)
        let result = timerfd_settime(descriptor, 0, &when, nil)
        precondition(result == 0, "timerfd_settime refused a valid time")
    }

    private func fire() {
        var count: UInt64 = 0
        guard read(descriptor, &count, 8) == 8, let body else { return }
        self.body = nil
        body()
    }
}
