import Glibc
import Time
package import Units

/// The event loop: polls descriptors, fires timers and runs jobs. At the end of each turn it runs the hooks,
/// which commit what the turn wrote and then send what depends on the commit.
@LoopActor package final class Reactor {
    /// The one loop of the process.
    package static let shared = Reactor()

    private struct Source {
        var id: Int
        var descriptor: Int32
        var events: Int16
        /// For a descriptor that signals only a possible change: asks whether this source is ready.
        var isReady: (@LoopActor () -> Bool)?
        var handler: @LoopActor () -> Void
    }
    private var sources: [Source] = []
    private var descriptors: [pollfd] = []
    private var descriptorsAreStale = true
    private var nextID = 1
    private var timers = TimerHeap<Milliseconds>()
    private var turnHooks: [(id: Int, hook: @LoopActor () -> Void)] = []
    private var sends: [@LoopActor () -> Void] = []
    private var nextTurn: [@LoopActor () -> Void] = []
    private var stopped = false

    private init() {}

    /// Identifies a registration; pass it to `forget`.
    package struct Token: Equatable, Sendable { fileprivate var id: Int }

    /// Calls `handler` while `descriptor` is readable (with `readable`) or writable (with `writable`). The
    /// caller keeps ownership of the descriptor.
    package func watch(
        descriptor: Int32, readable: Bool = true, writable: Bool = false,
        _ handler: @escaping @LoopActor () -> Void
    ) -> Token {
        let events = (readable ? Int16(POLLIN) : 0) | (writable ? Int16(POLLOUT) : 0)
        return add(descriptor, events, nil, handler)
    }

    /// Calls `handler` while `isReady` returns true.
    /// - Parameters:
    ///   - readinessDescriptor: becomes readable when the result of `isReady` may have changed; `isReady`
    ///     clears it.
    package func watch(
        readinessDescriptor: Int32, isReady: @escaping @LoopActor () -> Bool,
        _ handler: @escaping @LoopActor () -> Void
    ) -> Token {
        add(readinessDescriptor, Int16(POLLIN), isReady, handler)
    }

    private func add(
        _ descriptor: Int32, _ events: Int16, _ isReady: (@LoopActor () -> Bool)?,
        _ handler: @escaping @LoopActor () -> Void
    ) -> Token {
        defer { nextID += 1 }
        sources.append(
            Source(id: nextID, descriptor: descriptor, events: events, isReady: isReady, handler: handler))
        descriptorsAreStale = true
        return Token(id: nextID)
    }

    /// Removes a registration of `watch` or `atEndOfTurn`. The handler is not called any more.
    package func forget(_ token: Token) {
        sources.removeAll { $0.id == token.id }
        turnHooks.removeAll { $0.id == token.id }
        descriptorsAreStale = true
    }

    /// Calls `hook` at the end of every turn that did something, in order of registration.
    package func atEndOfTurn(_ hook: @escaping @LoopActor () -> Void) -> Token {
        defer { nextID += 1 }
        turnHooks.append((nextID, hook))
        return Token(id: nextID)
    }

    /// Calls `body` once after `delay` of monotonic time, not counting suspend. Only for transport: deadlines
    /// in wall-clock time belong to a `WallClock`.
    @discardableResult
    package func after(_ delay: Milliseconds, _ body: @escaping @LoopActor () -> Void) -> TimerToken {
        timers.insert(due: MonotonicClock.now + max(0, delay), body)
    }

    /// Cancels a timer; does nothing if it has fired.
    package func cancel(_ timer: TimerToken) { timers.cancel(timer) }

    /// Makes `run` return after this turn.
    package func stop() { stopped = true }

    /// Runs the loop on the calling thread until `stop()`. `start` runs first, on the actor.
    package nonisolated static func run(_ start: @escaping @LoopActor () -> Void) {
        ReactorExecutor.shared.claimThread()
        ReactorExecutor.shared.claimGlobalJobs()
        runOnClaimedThread(start)
    }

    nonisolated static func runOnClaimedThread(_ start: @escaping @LoopActor () -> Void) {
        let loop: @LoopActor () -> Void = {
            start()
            shared.loop()
        }
        // The calling thread is the actor's executor, so the isolation holds. MainActor.assumeIsolated of the
        // standard library uses the same cast.
        unsafeBitCast(loop, to: (() -> Void).self)()
    }

    private static let jobRoundsPerTurnMax = 16

    private func loop() {
        stopped = false
        while true {
            // Bounded, so that tasks that keep yielding to each other do not starve the sockets.
            for _ in 0..<Self.jobRoundsPerTurnMax where !ReactorExecutor.shared.runJobs() { break }
            for entry in turnHooks { entry.hook() }
            send()
            if stopped { return }
            poll()
        }
    }

    /// Calls `body` once at the end of this turn, after the hooks. All messages of a turn are sent together,
    /// so their receiver is woken once.
    package func beforeSleeping(_ body: @escaping @LoopActor () -> Void) { sends.append(body) }

    /// Calls `body` once in the next turn, which then does not block in poll.
    package func inNextTurn(_ body: @escaping @LoopActor () -> Void) { nextTurn.append(body) }

    private func send() {
        while !sends.isEmpty {
            let bodies = sends
            sends = []
            bodies.forEach { $0() }
        }
    }

    private func poll() {
        if descriptorsAreStale { listDescriptors() }
        let mayWait = ReactorExecutor.shared.mayFallAsleep() && nextTurn.isEmpty
        // Poll without waiting first: `isReady` may clear a descriptor, which then no longer signals.
        var ready = readySources(wait: 0)
        if mayWait, ready.isEmpty, !isWoken {
            ready = readySources(wait: timers.nextDue.map { max(0, $0 - MonotonicClock.now) } ?? -1)
        }
        ReactorExecutor.shared.awake()
        takeWakeUp()
        let due = nextTurn
        nextTurn = []
        for id in ready {
            // A handler may have removed a later source.
            guard let source = sources.first(where: { $0.id == id }) else { continue }
            source.handler()
        }
        for body in due { body() }
        while let body = timers.popDue(MonotonicClock.now) { body() }
    }

    /// Polls once.
    /// - Parameter wait: longest wait; -1 waits until something is ready.
    private func readySources(wait: Milliseconds) -> [Int] {
        // If a signal interrupts the call, `revents` is undefined.
        for index in descriptors.indices { descriptors[index].revents = 0 }
        let count = Glibc.poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: wait.count))
        precondition(count >= 0 || errno == EINTR, "poll failed: \(String(cString: strerror(errno)))")
        return sources.indices.filter { index in
            sources[index].isReady?() ?? (descriptors[index + 1].revents != 0)
        }.map { sources[$0].id }
    }

    private var isWoken: Bool { descriptors[0].revents != 0 }

    private func takeWakeUp() {
        guard isWoken else { return }
        var count: UInt64 = 0
        // An empty counter is fine: only the wake-up matters.
        _ = read(descriptors[0].fd, &count, 8)
    }

    private func listDescriptors() {
        let wake = pollfd(fd: ReactorExecutor.shared.wakeDescriptor, events: Int16(POLLIN), revents: 0)
        descriptors = [wake] + sources.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        descriptorsAreStale = false
    }
}
