internal import CPosix
import Glibc
import Synchronization

/// The actor of everything that the loop calls: its executor is the one thread that polls descriptors. Tasks
/// started from it inherit it, so a handler that awaits an answer never leaves the thread. Where the process
/// runs for nothing else (`Reactor.run`), all tasks run there: what takes long is for ``onOwnThread(_:)``.
@globalActor package actor LoopActor {
    package static let shared = LoopActor()
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
