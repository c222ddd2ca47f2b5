package import Units

/// What one process does when: its timers, what it does at the end of each turn, and what it sends then. The
/// ``Reactor`` drives the loop of this process, ``main``; a simulation drives those of many processes.
///
/// A turn handles what has arrived, then calls what is due, then runs jobs. At its end the hooks commit what
/// it wrote, and then everything is sent that depends on the commit.
@LoopActor package final class EventLoop {
    /// The loop of this process.
    package static var main: EventLoop { Reactor.shared.loop }

    private let readClock: @LoopActor () -> Int64
    private let runsAside: Bool
    private var timers = TimerHeap<Milliseconds>()
    private var nextID = 1
    private var hooks: [(id: Int, body: @LoopActor () -> Void)] = []
    private var sends: [@LoopActor () -> Void] = []
    private var nextTurn: [@LoopActor () -> Void] = []
    /// Whether `stop()` was called.
    package private(set) var isStopped = false

    /// - Parameters:
    ///   - clock: reads a monotonic clock, in nanoseconds.
    ///   - runsAside: whether ``onOwnThread(_:)`` uses another thread.
    package init(clock: @escaping @LoopActor () -> Int64, runsAside: Bool) {
        readClock = clock
        self.runsAside = runsAside
    }

    // MARK: for the process

    /// The monotonic clock, not counting suspend, in nanoseconds. Only for transport and durations: deadlines
    /// in wall-clock time belong to a `WallClock`.
    package var nowNs: Int64 { readClock() }
    /// The same in milliseconds, rounded down.
    package var now: Milliseconds { Milliseconds(nowNs / 1_000_000) }

    /// Calls `body` once after `delay` of the monotonic clock.
    @discardableResult
    package func after(_ delay: Milliseconds, _ body: @escaping @LoopActor () -> Void) -> TimerToken {
        timers.insert(due: now + max(0, delay), body)
    }

    /// Suspends for that long.
    package func sleep(_ time: Milliseconds) async {
        await withCheckedContinuation { continuation in _ = after(time) { continuation.resume() } }
    }

    /// Cancels a timer; does nothing if it has fired.
    package func cancel(_ timer: TimerToken) { timers.cancel(timer) }

    /// Identifies a hook; pass it to `forget`.
    package struct Hook: Equatable, Sendable { fileprivate var id: Int }

    /// Calls `body` at the end of every turn that did something, in order of registration.
    package func atEndOfTurn(_ body: @escaping @LoopActor () -> Void) -> Hook {
        defer { nextID += 1 }
        hooks.append((nextID, body))
        return Hook(id: nextID)
    }

    /// Removes a hook.
    package func forget(_ hook: Hook) { hooks.removeAll { $0.id == hook.id } }

    /// Calls `body` once at the end of this turn, after the hooks. All messages of a turn are sent together,
    /// so their receiver is woken once.
    package func beforeSleeping(_ body: @escaping @LoopActor () -> Void) { sends.append(body) }

    /// Calls `body` once in the next turn, which begins without waiting.
    package func inNextTurn(_ body: @escaping @LoopActor () -> Void) { nextTurn.append(body) }

    /// Runs `body` away from the loop's thread, on a new thread that ends with it. A simulation runs it in
    /// place.
    package func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        guard runsAside else { return body() }
        return await withCheckedContinuation { continuation in
            let work = OneTimeWork(body)
            ThreadWork { continuation.resume(returning: work.run()) }.start()
        }
    }

    /// Ends the process's loop after this turn.
    package func stop() { isStopped = true }

    // MARK: for whoever drives it

    /// Due time of the earliest timer; nil if there is none.
    package var nextDue: Milliseconds? { timers.nextDue }

    /// Whether the next turn begins without waiting.
    package var hasNextTurn: Bool { !nextTurn.isEmpty }

    /// What `inNextTurn` has collected; call it before the turn's input is handled.
    package func takeNextTurn() -> [@LoopActor () -> Void] {
        defer { nextTurn = [] }
        return nextTurn
    }

    /// Calls the timers that are due, in order.
    package func fireTimers() {
        let round = timers.round
        while let body = timers.popDue(now, in: round) { body() }
    }

    /// Calls the hooks, then sends.
    package func endTurn() {
        for hook in hooks { hook.body() }
        while !sends.isEmpty {
            let bodies = sends
            sends = []
            bodies.forEach { $0() }
        }
    }
}
