import CPosix
import Dispatch
import Glibc
import Synchronization

/// Threads outside Swift's pool: user code that blocks one does not block tasks.
enum PlainThread {
    /// Starts a thread that runs `body` once.
    /// - Parameter name: for debuggers and `/proc`; at most 15 bytes.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(ThreadBody(name: name, run: body))
        var created = pthread_t()
        let failure = pthread_create(
            &created, nil,
            { pointer in
                // Made above, one per thread.
                guard let pointer else { return nil }
                let body = Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue()
                pthread_setname_np(pthread_self(), body.name)
                body.run()
                return nil
            }, box.toOpaque())
        precondition(failure == 0, "no thread left for '\(name)'")
        pthread_detach(created)
    }
}

private final class ThreadBody: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
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
    private let available = DispatchSemaphore(value: 0)

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
