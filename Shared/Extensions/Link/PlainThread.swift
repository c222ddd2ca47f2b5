import CPosix
import Glibc
import Synchronization
import Units

/// Threads outside Swift's pool: user code that blocks one does not block tasks.
enum PlainThread {
    /// Starts a thread that runs `body` once.
    /// - Parameters:
    ///   - name: for debuggers and `/proc`; at most 15 bytes.
    ///   - delay: how long it sleeps before.
    static func start(
        _ name: String, after delay: Milliseconds = 0, _ body: @escaping @Sendable () -> Void
    ) {
        let box = Unmanaged.passRetained(ThreadBody(name: name, delay: delay, run: body))
        var created = pthread_t()
        let failure = pthread_create(
            &created, nil,
            { pointer in
                // Made above, one per thread.
                guard let pointer else { return nil }
                let body = Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue()
                pthread_setname_np(pthread_self(), body.name)
                body.sleep()
                body.run()
                return nil
            }, box.toOpaque())
        precondition(failure == 0, "no thread left for '\(name)'")
        pthread_detach(created)
    }
}

private final class ThreadBody: Sendable {
    let name: String
    private let delay: Milliseconds
    let run: @Sendable () -> Void

    init(name: String, delay: Milliseconds, run: @escaping @Sendable () -> Void) {
        self.name = name
        self.delay = delay
        self.run = run
    }

    func sleep() {
        guard delay > 0 else { return }
        var left = timespec(
            tv_sec: Int(delay.count / 1_000), tv_nsec: Int(delay.count % 1_000) * 1_000_000)
        var rest = timespec()
        while clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &rest) == EINTR { left = rest }
    }
}

/// A semaphore of POSIX (sem_init(3)). That of Swift's Dispatch loads _StringProcessing.
final class Semaphore: @unchecked Sendable {
    // Unchecked, because a pointer is not Sendable. It never changes, and sem_wait(3) and sem_post(3) may be
    // called from any thread.
    private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        let failure = sem_init(raw, 0, 0)
        precondition(failure == 0, "sem_init: errno \(errno)")
    }

    deinit {
        sem_destroy(raw)
        raw.deallocate()
    }

    func signal() {
        let failure = sem_post(raw)
        precondition(failure == 0, "sem_post: errno \(errno)")
    }

    func wait() {
        while sem_wait(raw) != 0 { precondition(errno == EINTR, "sem_wait: errno \(errno)") }
    }
}

/// A serial queue with its own plain thread, which is started by the first work item.
final class SerialThread: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var started = false
    }

    private let name: String
    private let state = Mutex(State())
    private let available = Semaphore()

    init(_ name: String) { self.name = name }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            state.work.append(work)
            defer { state.started = true }
            return !state.started
        }
        available.signal()
        if isFirst { PlainThread.start(name) { self.run() } }
    }

    private func run() {
        while true {
            available.wait()
            let next = state.withLock { $0.work.isEmpty ? nil : $0.work.removeFirst() }
            next?()
        }
    }
}
