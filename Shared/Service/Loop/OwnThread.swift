import Glibc
import Synchronization

/// Runs `body` on a thread of its own, away from the thread of the sockets, and ends the thread.
@LoopActor package func onOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
) async -> Value {
    await withCheckedContinuation { continuation in
        let work = OneTimeWork(body)
        ThreadWork { continuation.resume(returning: work.run()) }.start()
    }
}

/// Work that is let go of when it is done, before whoever waits for it goes on: a file or lock that it has is
/// free by then.
final class OneTimeWork<Value: Sendable>: Sendable {
    private let body: Mutex<(@Sendable () -> Value)?>

    init(_ body: @escaping @Sendable () -> Value) { self.body = Mutex(body) }

    func run() -> Value {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        guard let body else { preconditionFailure("work is done once") }
        return body()
    }
}

private final class ThreadWork: Sendable {
    private let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }

    func start() {
        let work = Unmanaged.passRetained(self)
        var created = pthread_t()
        let failure = pthread_create(
            &created, nil,
            { pointer in
                // Made above, once for each thread.
                if let pointer { Unmanaged<ThreadWork>.fromOpaque(pointer).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        // Where there is no thread for it, the others wait until it is done.
        guard failure == 0 else { return work.takeRetainedValue().run() }
        pthread_detach(created)
    }
}
