import Glibc
import Time
import Units

/// Polls descriptors for the ``EventLoop`` of this process, drives that loop, and runs jobs.
@LoopActor package final class Reactor {
    /// The one of the process.
    package static let shared = Reactor()

    private struct Source {
        var id: Int
        var descriptor: Int32
        var events: Int16
        /// For a descriptor that signals only a possible change: asks whether this source is ready.
        var isReady: (@LoopActor (_ isSignalled: Bool) -> Bool)?
        var handler: @LoopActor () -> Void
    }
    private var sources: [Source] = []
    private var descriptors: [pollfd] = []
    private var descriptorsAreStale = true
    /// Whether two sources have the same descriptor.
    private var descriptorsAreShared = false
    private var nextID = 1
    let loop = EventLoop(clock: { MonotonicClock.nowNs }, runsAside: true)

    private init() {}

    /// Identifies a registration; pass it to `forget`.
    package struct Token: Equatable, Sendable { fileprivate var id: Int }

    /// Calls `handler` while `descriptor` is readable (with `readable`) or writable (with `writable`), and in
    /// any case while it has an error. The caller keeps ownership of the descriptor.
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
    ///   - isReady: also asked, with false, while the descriptor signals nothing: a use of the source may
    ///     have cleared it.
    package func watch(
        readinessDescriptor: Int32, isReady: @escaping @LoopActor (_ isSignalled: Bool) -> Bool,
        _ handler: @escaping @LoopActor () -> Void
    ) -> Token {
        add(readinessDescriptor, Int16(POLLIN), isReady, handler)
    }

    private func add(
        _ descriptor: Int32, _ events: Int16, _ isReady: (@LoopActor (Bool) -> Bool)?,
        _ handler: @escaping @LoopActor () -> Void
    ) -> Token {
        defer { nextID += 1 }
        sources.append(
            Source(id: nextID, descriptor: descriptor, events: events, isReady: isReady, handler: handler))
        descriptorsAreStale = true
        return Token(id: nextID)
    }

    /// Removes a registration of `watch`. The handler is not called any more.
    package func forget(_ token: Token) {
        sources.removeAll { $0.id == token.id }
        descriptorsAreStale = true
    }

    /// Runs the loop on the calling thread until its `stop()`. `start` runs first, on the actor.
    package nonisolated static func run(_ start: @escaping @LoopActor () -> Void) {
        ReactorExecutor.shared.claimThread()
        ReactorExecutor.shared.claimGlobalJobs()
        runOnClaimedThread(start)
    }

    /// Runs the jobs that are queued, for who drives other loops on this thread.
    /// - Returns: whether there were any.
    package static func runJobs() -> Bool { ReactorExecutor.shared.runJobs() }

    nonisolated static func runOnClaimedThread(_ start: @escaping @LoopActor () -> Void) {
        let loop: @LoopActor () -> Void = {
            start()
            shared.run()
        }
        // The calling thread is the actor's executor, so the isolation holds. MainActor.assumeIsolated of the
        // standard library uses the same cast.
        unsafeBitCast(loop, to: (() -> Void).self)()
    }

    private static let jobRoundsPerTurnMax = 16

    private func run() {
        while true {
            // Bounded, so that tasks that keep yielding to each other do not starve the sockets.
            for _ in 0..<Self.jobRoundsPerTurnMax where !ReactorExecutor.shared.runJobs() { break }
            loop.endTurn()
            if loop.isStopped { return }
            poll()
        }
    }

    private func poll() {
        if descriptorsAreStale { listDescriptors() }
        let mayWait = ReactorExecutor.shared.mayFallAsleep() && !loop.hasNextTurn
        let ready = waitForSources(mayWait)
        ReactorExecutor.shared.awake()
        takeWakeUp()
        let bodies = loop.takeNextTurn()
        for id in ready {
            // A handler may have removed a later source.
            guard let source = sources.first(where: { $0.id == id }) else { continue }
            source.handler()
        }
        for body in bodies { body() }
        loop.fireTimers()
    }

    private func waitForSources(_ mayWait: Bool) -> [Int] {
        let isBusy: Bool
        if descriptorsAreShared {
            // Polls first: the question to one source would clear what signals another.
            let ready = readySources(wait: 0)
            guard mayWait, ready.isEmpty, !isWoken else { return ready }
            isBusy = false
        } else {
            // A source may be ready although its descriptor signals nothing any more.
            isBusy = !mayWait || sources.contains { $0.isReady?(false) == true }
        }
        return readySources(wait: isBusy ? 0 : loop.nextDue.map { max(0, $0 - loop.now) } ?? -1)
    }

    /// Polls once.
    /// - Parameter wait: longest wait; -1 waits until something is ready.
    private func readySources(wait: Milliseconds) -> [Int] {
        // If a signal interrupts the call, `revents` is undefined.
        for index in descriptors.indices { descriptors[index].revents = 0 }
        let count = Glibc.poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: wait.count))
        precondition(count >= 0 || errno == EINTR, "poll failed: \(String(cString: strerror(errno)))")
        return sources.indices.filter { index in
            let isSignalled = descriptors[index + 1].revents != 0
            return sources[index].isReady?(isSignalled) ?? isSignalled
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
        descriptorsAreShared = Set(sources.map(\.descriptor)).count < sources.count
    }
}
