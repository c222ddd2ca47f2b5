package import Contract
internal import CPosix
import Glibc
package import Loop
import Time
package import Units

/// The clock a service lives by. What decides about use, schedules and grants asks this one, never the
/// system.
@LoopActor package protocol WallClock: AnyObject {
    /// The present.
    var now: Instant { get }
    /// Calls `body` once when `now` is at or past `due`, also when the clock was set forward meanwhile.
    func at(_ due: Instant, _ body: @escaping @LoopActor () -> Void) -> TimerToken
    func cancel(_ timer: TimerToken)
}

/// Decides how much of the machine's clock is believed.
@LoopActor package protocol ClockKeeper: AnyObject {
    /// How far CLOCK_REALTIME is ahead of the time that is believed, now; negative: behind.
    var held: Milliseconds { get }
    /// The machine's clock was set, or the machine slept.
    func clockWasSet()
}

/// The clock of a process: the machine's CLOCK_REALTIME with one timerfd for the earliest timer, or, once it
/// was entered, the virtual clock of the state directory.
///
/// The machine's: TFD_TIMER_CANCEL_ON_SET (timerfd_create(2)) tells when the clock is set, so that nothing
/// due is slept through. The virtual one stands: whoever moves it says so (``fire()``).
@LoopActor package final class SystemClock: WallClock {
    private let descriptor: Int32
    private var timers = TimerHeap<Instant>()
    private var token: Reactor.Token?
    private var armed: Instant?
    private var page: ClockPage?
    private var willFire = false
    /// The year 2200: longer than any timer of ours waits.
    private static let never: Instant = 7_258_118_400_000

    package init() throws(ServiceError) {
        descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw ServiceError(
                .limitExceeded, "no descriptor for a timer: \(String(cString: strerror(errno)))",
                remedy: "Raise the limit of open files (ulimit -n).")
        }
        token = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.fire() }
    }

    isolated deinit {
        if let token { Reactor.shared.forget(token) }
        close(descriptor)
    }

    /// The clock of a process that keeps its state in `stateDirectory`: virtual, if there is a virtual clock.
    package convenience init(of stateDirectory: String) throws(ServiceError) {
        try self.init()
        if let page = try ClockPage.find(in: stateDirectory) { enter(page) }
    }

    /// From here on the page tells the time, of this clock and of whatever this process stamps.
    package func enter(_ page: ClockPage) {
        self.page = page
        page.becomeWallTime()
        if let token { Reactor.shared.forget(token) }
        token = nil
        arm()
    }

    package var isVirtual: Bool { page != nil }

    package var now: Instant { page?.now ?? WallTime.now - (keeper?.held ?? 0) }

    /// Nil: the machine's clock is believed as it is. The virtual one always is.
    package weak var keeper: (any ClockKeeper)? { didSet { rearm() } }

    /// After the keeper believes something else.
    package func rearm() {
        armed = nil
        arm()
    }

    /// When the earliest timer is due; nil: there is none.
    package var nextDue: Instant? { timers.nextDue }

    package func at(_ due: Instant, _ body: @escaping @LoopActor () -> Void) -> TimerToken {
        let timer = timers.insert(due: due, body)
        arm()
        return timer
    }

    package func cancel(_ timer: TimerToken) {
        timers.cancel(timer)
        arm()
    }

    /// Something to be done after a while.
    package enum Pause: Equatable, Sendable {
        case real(TimerToken)
        case virtual(TimerToken)
    }

    /// Calls `body` once after `delay`: by the machine's monotonic clock, which nobody sets; by the
    /// virtual clock, where that is the only one.
    package func after(_ delay: Milliseconds, _ body: @escaping @LoopActor () -> Void) -> Pause {
        guard let page else { return .real(Reactor.shared.after(delay, body)) }
        return .virtual(at(page.now + delay, body))
    }

    package func cancel(_ pause: Pause) {
        switch pause {
        case .real(let timer): Reactor.shared.cancel(timer)
        case .virtual(let timer): cancel(timer)
        }
    }

    private func arm() {
        if let page { return fireSoonIfDue(page) }
        var next = timers.nextDue
        // A timer that is not armed would not tell that the clock is set.
        if let keeper { next = next.map { $0 + keeper.held } ?? Self.never }
        guard next != armed else { return }
        armed = next
        var when = itimerspec()
        if let next {
            // Zero would disarm it; an instant long past is due at once.
            let positive = max(next.milliseconds, 1)
            when.it_value = timespec(
                tv_sec: Int(positive / 1_000), tv_nsec: Int(positive % 1_000) * 1_000_000)
        }
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        let result = timerfd_settime(descriptor, flags, &when, nil)
        precondition(result == 0 || errno == ECANCELED, "timerfd_settime refused a valid time")
    }

    /// What is due at the standing instant needs no move of the clock.
    private func fireSoonIfDue(_ page: ClockPage) {
        guard !willFire, let next = timers.nextDue, next <= page.now else { return }
        willFire = true
        Reactor.shared.after(0) { [weak self] in
            self?.willFire = false
            self?.fire()
        }
    }

    /// Runs what is due, in order.
    package func fire() {
        var count: UInt64 = 0
        // ECANCELED means that the clock was set: look at what is due by the new time, and arm anew.
        if page == nil, read(descriptor, &count, 8) < 0, errno == ECANCELED { keeper?.clockWasSet() }
        armed = nil
        while let body = timers.popDue(now) { body() }
        armed = nil
        arm()
    }
}
