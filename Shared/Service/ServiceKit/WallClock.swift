package import Contract
internal import CPosix
import Glibc
package import Loop
import Time
package import Units

/// The clock of a service. All decisions about use, schedules and grants use it and not the system's clock.
@LoopActor package protocol WallClock: AnyObject {
    /// The present instant.
    var now: Instant { get }
    /// Calls `body` once when `now` is at or after `due`, even if the clock was set forward past it.
    func at(_ due: Instant, _ body: @escaping @LoopActor () -> Void) -> TimerToken
    func cancel(_ timer: TimerToken)
}

/// Decides how far to trust the machine's clock.
@LoopActor package protocol ClockKeeper: AnyObject {
    /// How far CLOCK_REALTIME is ahead of the trusted time; negative if behind.
    var held: Milliseconds { get }
    /// Called when the machine's clock was set or the machine woke from sleep.
    func clockWasSet()
}

/// The clock of a process: the machine's CLOCK_REALTIME with one timerfd for the earliest timer or, after
/// `enter`, the virtual clock of the state directory.
///
/// For the machine's clock, TFD_TIMER_CANCEL_ON_SET (timerfd_create(2)) reports when it is set, so that no
/// timer is missed. The virtual clock stands still; whoever moves it calls ``fire()``.
@LoopActor package final class SystemClock: WallClock {
    private let descriptor: Int32
    private var timers = TimerHeap<Instant>()
    private var token: Reactor.Token?
    private var armed: Instant?
    private var page: ClockPage?
    private var willFire = false
    /// The year 2200, later than any timer.
    private static let never: Instant = 7_258_118_400_000

    /// A clock with the machine's time.
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

    /// The clock for a process with state in `stateDirectory`: virtual if there is a virtual clock.
    package convenience init(of stateDirectory: String) throws(ServiceError) {
        try self.init()
        if let page = try ClockPage.find(in: stateDirectory) { enter(page) }
    }

    /// Switches this clock, and all time stamps of this process, to the page.
    package func enter(_ page: ClockPage) {
        self.page = page
        page.becomeWallTime()
        if let token { Reactor.shared.forget(token) }
        token = nil
        arm()
    }

    /// Whether a virtual clock is in use.
    package var isVirtual: Bool { page != nil }

    package var now: Instant { page?.now ?? WallTime.now - (keeper?.held ?? 0) }

    /// Decides how far to trust the machine's clock; nil trusts it fully. A virtual clock is always trusted.
    package weak var keeper: (any ClockKeeper)? { didSet { rearm() } }

    /// Call after the keeper's `held` has changed.
    package func rearm() {
        armed = nil
        arm()
    }

    /// Due time of the earliest timer; nil if there is none.
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

    /// A pending call of ``after(_:_:)``.
    package enum Pause: Equatable, Sendable {
        case real(TimerToken)
        case virtual(TimerToken)
    }

    /// Calls `body` once after `delay`: on the machine's monotonic clock, or on the virtual clock if that is
    /// in use.
    package func after(_ delay: Milliseconds, _ body: @escaping @LoopActor () -> Void) -> Pause {
        guard let page else { return .real(EventLoop.main.after(delay, body)) }
        return .virtual(at(page.now + delay, body))
    }

    /// Cancels it; does nothing if it has run.
    package func cancel(_ pause: Pause) {
        switch pause {
        case .real(let timer): EventLoop.main.cancel(timer)
        case .virtual(let timer): cancel(timer)
        }
    }

    private func arm() {
        if let page { return fireSoonIfDue(page) }
        var next = timers.nextDue
        // The timer must stay armed to report when the clock is set.
        if let keeper { next = next.map { $0 + keeper.held } ?? Self.never }
        guard next != armed else { return }
        armed = next
        var when = itimerspec()
        if let next {
            // Zero would disarm the timer; an instant long past is due immediately.
            let positive = max(next.milliseconds, 1)
            when.it_value = timespec(
                tv_sec: Int(positive / 1_000), tv_nsec: Int(positive % 1_000) * 1_000_000)
        }
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        let result = timerfd_settime(descriptor, flags, &when, nil)
        precondition(result == 0 || errno == ECANCELED, "timerfd_settime refused a valid time")
    }

    /// A timer due at the virtual clock's present instant fires without a move of the clock.
    private func fireSoonIfDue(_ page: ClockPage) {
        guard !willFire, let next = timers.nextDue, next <= page.now else { return }
        willFire = true
        EventLoop.main.after(0) { [weak self] in
            self?.willFire = false
            self?.fire()
        }
    }

    /// Runs all due timers in order; those that they add run in the next turn.
    package func fire() {
        var count: UInt64 = 0
        // ECANCELED means that the clock was set: check what is due by the new time, and arm the timer again.
        if page == nil, read(descriptor, &count, 8) < 0, errno == ECANCELED { keeper?.clockWasSet() }
        armed = nil
        let round = timers.round
        while let body = timers.popDue(now, in: round) { body() }
        armed = nil
        arm()
    }
}
