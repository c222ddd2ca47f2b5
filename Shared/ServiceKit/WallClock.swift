package import Bus
internal import CPosix
package import Contract
import Glibc

/// The clock a service lives by. What decides about use, schedules and grants asks this one, never the
/// system.
@BusActor package protocol WallClock: AnyObject {
    /// UTC milliseconds.
    var nowMs: Int64 { get }
    /// Calls `body` once when `nowMs` is at or past `dueMs`, also when the clock was set forward meanwhile.
    func at(_ dueMs: Int64, _ body: @escaping @BusActor () -> Void) -> TimerToken
    func cancel(_ timer: TimerToken)
}

/// CLOCK_REALTIME with one timerfd for the earliest timer. TFD_TIMER_CANCEL_ON_SET (timerfd_create(2)) tells
/// when the clock is set, so that nothing due is slept through.
@BusActor package final class SystemClock: WallClock {
    private let descriptor: Int32
    private var timers = TimerHeap()
    private var token: Reactor.Token?
    private var armedMs: Int64?

    package init() throws(ServiceError) {
        descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw ServiceError(
                .limitExceeded, "no descriptor for a timer: \(String(cString: strerror(errno)))",
                remedy: "Raise the limit of open files (ulimit -n).")
        }
        token = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.fire() }
    }

    package var nowMs: Int64 { WallTime.nowMs }

    package func at(_ dueMs: Int64, _ body: @escaping @BusActor () -> Void) -> TimerToken {
        let timer = timers.insert(dueMs: dueMs, body)
        arm()
        return timer
    }

    package func cancel(_ timer: TimerToken) {
        timers.cancel(timer)
        arm()
    }

    private func arm() {
        let next = timers.nextDueMs
        guard next != armedMs else { return }
        armedMs = next
        var when = itimerspec()
        if let next {
            // Zero would disarm it; an instant long past is due at once.
            let positive = max(next, 1)
            when.it_value = timespec(
                tv_sec: Int(positive / 1_000), tv_nsec: Int(positive % 1_000) * 1_000_000)
        }
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        let result = timerfd_settime(descriptor, flags, &when, nil)
        precondition(result == 0 || errno == ECANCELED, "timerfd_settime refused a valid time")
    }

    private func fire() {
        var count: UInt64 = 0
        // ECANCELED means that the clock was set: look at what is due by the new time, and arm anew.
        _ = read(descriptor, &count, 8)
        armedMs = nil
        while let body = timers.popDue(nowMs) { body() }
        armedMs = nil
        arm()
    }
}
