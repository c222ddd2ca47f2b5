internal import CPosix
import Glibc
import Synchronization

/// The actor of everything the loop calls. Its executor is the one thread that polls descriptors. Tasks
/// started from it inherit it, so a handler that awaits an answer stays on the thread. In a process that runs
/// the loop on its main thread (`Reactor.run`), all tasks run there; long work belongs in
/// ``EventLoop/onOwnThread(_:)``.
@globalActor package actor LoopActor {
    package static let shared = LoopActor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        ReactorExecutor.shared.asUnownedSerialExecutor()
    }
}

/// Runs jobs on the reactor's thread. Other threads wake it by an eventfd; the thread itself does not need
/// to.
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

    /// Makes the calling thread the reactor's thread. Call it once per process.
    func claimThread() {
        let isFirst = claimed.exchange(true, ordering: .relaxed)
        precondition(!isFirst, "the reactor runs on one thread of the process only")
        thread.store(UInt(pthread_self()), ordering: .relaxed)
    }

    /// Where the main thread is not the reactor's (a test, an app), the first job starts a thread for it.
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

    /// Also runs jobs without an actor here. A task that resumes after a suspension is briefly such a job,
    /// whatever its actor is, and would start libdispatch's thread pool, one thread of which wakes every
    /// second.
    func claimGlobalJobs() {
        let hook: GlobalHook = { job, _ in ReactorExecutor.shared.add(job) }
        replace_global_executor(unsafeBitCast(hook, to: UnsafeMutableRawPointer.self))
    }

    private func signal() {
        var one: UInt64 = 1
        // Fails only if the counter is full, and then the thread is being woken already.
        _ = write(wakeDescriptor, &one, 8)
    }

    func checkIsolated() {
        precondition(isOnThread, "called off the reactor's thread")
    }

    /// Runs the queued jobs. Returns true if there were any.
    func runJobs() -> Bool {
        let jobs = state.withLock { state in
            let jobs = state.jobs
            state.jobs.removeAll(keepingCapacity: true)
            return jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        return !jobs.isEmpty
    }

    /// Call before polling. Returns false if a job was queued meanwhile.
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

extension LoopActor {
    /// Runs `body` on the loop's thread, where the caller already is; traps elsewhere. For callbacks of C.
    package static func assumeOnLoop<Result>(_ body: @LoopActor () throws -> Result) rethrows -> Result {
        shared.preconditionIsolated()
        // As MainActor.assumeIsolated of the standard library does.
        return try withoutActuallyEscaping(body) { escaping in
            try unsafeBitCast(escaping, to: (() throws -> Result).self)()
        }
    }
}
