import Glibc
import Time
package import Units

/// The event loop: polls descriptors, fires timers, runs jobs, and ends each turn with the hooks
/// that commit what the turn has written and then send what the commit allows.
@LoopActor package final class Reactor {
    package static let shared = Reactor()

    private struct Source {
        var id: Int
        var descriptor: Int32
        var events: Int16
        /// For a descriptor that says only that there is news: asks whether it concerns this source.
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

    /// Names a registration; pass it to `forget`.
    package struct Token: Equatable, Sendable { fileprivate var id: Int }

    /// Calls `handler` while `descriptor` can be read, with `readable`, or written, with `writable`. The
    /// descriptor stays its owner's.
    package func watch(
        descriptor: Int32, readable: Bool = true, writable: Bool = false,
        _ handler: @escaping @LoopActor () -> Void
    ) -> Token {
        let events = (readable ? Int16(POLLIN) : 0) | (writable ? Int16(POLLOUT) : 0)
        return add(descriptor, events, nil, handler)
    }

    /// Calls `handler` while `isReady` says so.
    /// - Parameters:
    ///   - newsDescriptor: can be read when the answer of `isReady` may have changed since it was asked last;
    ///     `isReady` reads what makes it readable.
    package func watch(
        newsDescriptor: Int32, isReady: @escaping @LoopActor () -> Bool,
        _ handler: @escaping @LoopActor () -> Void
    ) -> Token {
        add(newsDescriptor, Int16(POLLIN), isReady, handler)
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

    package func forget(_ token: Token) {
        sources.removeAll { $0.id == token.id }
        turnHooks.removeAll { $0.id == token.id }
        descriptorsAreStale = true
    }

    /// Calls `hook` at the end of every turn in which something happened, in order of registration.
    package func atEndOfTurn(_ hook: @escaping @LoopActor () -> Void) -> Token {
        defer { nextID += 1 }
        turnHooks.append((nextID, hook))
        return Token(id: nextID)
    }

    /// Calls `body` once after `delay` (real time, not counting suspend). For transport only: what is
    /// due at an instant of the wall clock belongs to a clock.
    @discardableResult
    package func after(_ delay: Milliseconds, _ body: @escaping @LoopActor () -> Void) -> TimerToken {
        timers.insert(due: MonotonicClock.now + max(0, delay), body)
    }

    package func cancel(_ timer: TimerToken) { timers.cancel(timer) }

    /// Lets `run` return after this turn.
    package func stop() { stopped = true }

    /// Runs the loop on the calling thread until `stop()`. `start` runs first, on the actor.
    package nonisolated static func run(_ start: @escaping @LoopActor () -> Void) {
        ReactorExecutor.shared.claimThread()
        ReactorExecutor.shared.takeGlobalJobs()
        runOnClaimedThread(start)
    }

    nonisolated static func runOnClaimedThread(_ start: @escaping @LoopActor () -> Void) {
        let loop: @LoopActor () -> Void = {
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
    /// and whoever sends it is woken once for all of it.
    package func beforeSleeping(_ body: @escaping @LoopActor () -> Void) { sends.append(body) }

    /// Calls `body` once in the next turn, after what is ready by then, which does not wait for anything.
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
        // A look without waiting comes first: of what `isReady` finds, no descriptor tells again.
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
    /// - Parameter wait: at most so long; -1: until something is ready.
    private func readySources(wait: Milliseconds) -> [Int] {
        // Of a call that a signal interrupted, nothing is known.
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
        // Nothing to read is possible and fine: the wake-up itself is what counts.
        _ = read(descriptors[0].fd, &count, 8)
    }

    private func listDescriptors() {
        let wake = pollfd(fd: ReactorExecutor.shared.wakeDescriptor, events: Int16(POLLIN), revents: 0)
        descriptors = [wake] + sources.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        descriptorsAreStale = false
    }
}
