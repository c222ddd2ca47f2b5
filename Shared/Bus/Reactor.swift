internal import CPosix
internal import CZeroMQ
import Glibc
import Synchronization

/// The actor of everything that touches sockets: its executor is the one thread that polls them. Tasks
/// started from it inherit it, so a handler that awaits an answer never leaves the thread. Where the process
/// runs for nothing else (`Reactor.run`), all tasks run there: what takes long is for ``onOwnThread(_:)``.
@globalActor package actor BusActor {
    package static let shared = BusActor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        ReactorExecutor.shared.asUnownedSerialExecutor()
    }
}

/// Jobs for the reactor's thread. Foreign threads wake it through an eventfd; the thread itself need not.
final class ReactorExecutor: SerialExecutor {
    static let shared = ReactorExecutor()

    private struct State {
        var jobs: [UnownedJob] = []
        var sleeping = false
    }
    private let state = Mutex(State())
    private let thread = Atomic<UInt>(0)
    private let claimed = Atomic<Bool>(false)
    let wakeDescriptor: Int32

    private init() {
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(wakeDescriptor >= 0, "no descriptor left for the reactor's eventfd")
    }

    var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Makes the calling thread the reactor's. Once per process.
    func claimThread() {
        let isFirst = claimed.exchange(true, ordering: .relaxed)
        precondition(!isFirst, "the reactor runs on one thread of the process only")
        thread.store(UInt(pthread_self()), ordering: .relaxed)
    }

    /// In a program whose main thread is not the reactor's (a test, an app), the first job starts a thread
    /// for it.
    private func startThreadUnlessClaimed() {
        guard !claimed.load(ordering: .relaxed), !claimed.exchange(true, ordering: .relaxed) else { return }
        var created = pthread_t()
        let failure = pthread_create(&created, nil, { _ in
            ReactorExecutor.shared.thread.store(UInt(pthread_self()), ordering: .relaxed)
            Reactor.runOnClaimedThread {}
            return nil
        }, nil)
        precondition(failure == 0, "no thread left for the reactor")
    }

    func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

    private func add(_ job: UnownedJob) {
        let wake = state.withLock { state in
            state.jobs.append(job)
            defer { state.sleeping = false }
            return state.sleeping
        }
        if wake { signal() }
        startThreadUnlessClaimed()
    }

    private typealias GlobalHook = @convention(thin) (UnownedJob, OpaquePointer) -> Void

    /// Runs here also what has no actor. A task that goes on after it has waited is such a job for a moment,
    /// whatever its actor is; it would start libdispatch's pool, with a thread that wakes once a second.
    func takeGlobalJobs() {
        let hook: GlobalHook = { job, _ in ReactorExecutor.shared.add(job) }
        replace_global_executor(unsafeBitCast(hook, to: UnsafeMutableRawPointer.self))
    }

    private func signal() {
        var one: UInt64 = 1
        // Fails only when the counter is full, and then the thread is woken already.
        _ = write(wakeDescriptor, &one, 8)
    }

    func checkIsolated() {
        precondition(isOnThread, "called off the reactor's thread")
    }

    /// Runs what is queued; true if there was something.
    func runJobs() -> Bool {
        let jobs = state.withLock { state in
            let jobs = state.jobs
            state.jobs.removeAll(keepingCapacity: true)
            return jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        return !jobs.isEmpty
    }

    /// Call before polling: false when a job came meanwhile.
    func mayFallAsleep() -> Bool {
        state.withLock { state in
            state.sleeping = state.jobs.isEmpty
            return state.sleeping
        }
    }

    func awake() {
        state.withLock { $0.sleeping = false }
    }
}

/// The event loop: polls sockets and descriptors, fires timers, runs jobs, and ends each turn with the hooks
/// that commit what the turn has written and then send what the commit allows.
@BusActor package final class Reactor {
    package static let shared = Reactor()

    private struct Source {
        var id: Int
        var item: zmq_pollitem_t
        var handler: @BusActor () -> Void
    }
    private var sources: [Source] = []
    private var items: [zmq_pollitem_t] = []
    private var itemsAreStale = true
    private var nextID = 1
    private var timers = TimerHeap()
    private var turnHooks: [(id: Int, hook: @BusActor () -> Void)] = []
    private var sends: [@BusActor () -> Void] = []
    private var nextTurn: [@BusActor () -> Void] = []
    private var stopped = false

    private init() {}

    /// Names a registration; pass it to `forget`.
    package struct Token: Equatable, Sendable { fileprivate var id: Int }

    /// Calls `handler` while `descriptor` can be read. The descriptor stays its owner's.
    package func watch(descriptor: Int32, _ handler: @escaping @BusActor () -> Void) -> Token {
        add(zmq_pollitem_t(socket: nil, fd: descriptor, events: Int16(ZMQ_POLLIN), revents: 0), handler)
    }

    /// Calls `handler` while `descriptor` can be read, with `readable`, or written, with `writable`.
    package func watch(
        descriptor: Int32, readable: Bool = true, writable: Bool, _ handler: @escaping @BusActor () -> Void
    ) -> Token {
        let events = (readable ? Int16(ZMQ_POLLIN) : 0) | (writable ? Int16(ZMQ_POLLOUT) : 0)
        return add(zmq_pollitem_t(socket: nil, fd: descriptor, events: events, revents: 0), handler)
    }

    func watch(socket: UnsafeMutableRawPointer, _ handler: @escaping @BusActor () -> Void) -> Token {
        add(zmq_pollitem_t(socket: socket, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0), handler)
    }

    /// Also calls the handler while the socket takes messages.
    func setWantsToSend(_ wants: Bool, _ token: Token) {
        guard let index = sources.firstIndex(where: { $0.id == token.id }) else { return }
        let events = Int16(ZMQ_POLLIN) | (wants ? Int16(ZMQ_POLLOUT) : 0)
        guard sources[index].item.events != events else { return }
        sources[index].item.events = events
        itemsAreStale = true
    }

    private func add(_ item: zmq_pollitem_t, _ handler: @escaping @BusActor () -> Void) -> Token {
        defer { nextID += 1 }
        sources.append(Source(id: nextID, item: item, handler: handler))
        itemsAreStale = true
        return Token(id: nextID)
    }

    package func forget(_ token: Token) {
        sources.removeAll { $0.id == token.id }
        turnHooks.removeAll { $0.id == token.id }
        itemsAreStale = true
    }

    /// Calls `hook` at the end of every turn in which something happened, in order of registration.
    package func atEndOfTurn(_ hook: @escaping @BusActor () -> Void) -> Token {
        defer { nextID += 1 }
        turnHooks.append((nextID, hook))
        return Token(id: nextID)
    }

    /// Calls `body` once after `milliseconds` (real time, not counting suspend). For transport only: what is
    /// due at an instant of the wall clock belongs to a clock.
    @discardableResult
    package func after(milliseconds: Int64, _ body: @escaping @BusActor () -> Void) -> TimerToken {
        timers.insert(dueMs: MonotonicClock.nowMs + max(0, milliseconds), body)
    }

    package func cancel(_ timer: TimerToken) { timers.cancel(timer) }

    /// Lets `run` return after this turn.
    package func stop() { stopped = true }

    /// Runs the loop on the calling thread until `stop()`. `start` runs first, on the actor.
    package nonisolated static func run(_ start: @escaping @BusActor () -> Void) {
        ReactorExecutor.shared.claimThread()
        ReactorExecutor.shared.takeGlobalJobs()
        runOnClaimedThread(start)
    }

    nonisolated static func runOnClaimedThread(_ start: @escaping @BusActor () -> Void) {
        let loop: @BusActor () -> Void = {
            start()
            shared.loop()
        }
        // The actor's executor is this very thread, claimed before the call, so the body is where it must be;
        // the same cast as in the standard library's MainActor.assumeIsolated.
        unsafeBitCast(loop, to: (() -> Void).self)()
    }

    private static let jobRoundsPerTurnMax = 16

    private func loop() {
        stopped = false
        while true {
            // Bounded: tasks that keep yielding to each other must not keep the sockets waiting.
            for _ in 0..<Self.jobRoundsPerTurnMax where !ReactorExecutor.shared.runJobs() { break }
            for entry in turnHooks { entry.hook() }
            send()
            if stopped { return }
            poll()
        }
    }

    /// Calls `body` once at the end of this turn, after the hooks: what a turn has to send leaves together,
    /// and libzmq's thread is woken once for all of it.
    func beforeSleeping(_ body: @escaping @BusActor () -> Void) { sends.append(body) }

    /// Calls `body` once in the next turn, after what is ready by then, which does not wait for anything.
    package func inNextTurn(_ body: @escaping @BusActor () -> Void) { nextTurn.append(body) }

    private func send() {
        while !sends.isEmpty {
            let bodies = sends
            sends = []
            bodies.forEach { $0() }
        }
    }

    private func poll() {
        if itemsAreStale { rebuildItems() }
        let mayWait = ReactorExecutor.shared.mayFallAsleep()
        let timeout = mayWait && nextTurn.isEmpty ? timers.millisecondsToNext(MonotonicClock.nowMs) : 0
        let ready = zmq_poll(&items, Int32(items.count), Int(timeout))
        ReactorExecutor.shared.awake()
        precondition(
            ready >= 0 || zmq_errno() == EINTR || zmq_errno() == EAGAIN,
            "zmq_poll was given a closed socket: \(String(cString: zmq_strerror(zmq_errno())))")
        let due = nextTurn
        nextTurn = []
        if ready > 0 { dispatch() }
        for body in due { body() }
        while let body = timers.popDue(MonotonicClock.nowMs) { body() }
    }

    private func rebuildItems() {
        let wake = zmq_pollitem_t(
            socket: nil, fd: ReactorExecutor.shared.wakeDescriptor, events: Int16(ZMQ_POLLIN), revents: 0)
        items = [wake] + sources.map(\.item)
        itemsAreStale = false
    }

    private func dispatch() {
        if items[0].revents != 0 {
            var count: UInt64 = 0
            // Nothing to read is possible and fine: the wake-up itself is what counts.
            _ = read(items[0].fd, &count, 8)
        }
        let readyIDs = sources.indices.filter { items[$0 + 1].revents != 0 }.map { sources[$0].id }
        for id in readyIDs {
            // A handler may have removed a later source.
            guard let source = sources.first(where: { $0.id == id }) else { continue }
            source.handler()
        }
    }
}

/// CLOCK_MONOTONIC: for deadlines of transport and durations of spans.
package enum MonotonicClock {
    package static var nowMs: Int64 { nowNs / 1_000_000 }
    package static var nowNs: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
