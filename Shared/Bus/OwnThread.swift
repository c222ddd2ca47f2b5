import Glibc

/// Runs `body` on a thread of its own, away from the thread of the sockets, and ends the thread.
@BusActor package func onOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
) async -> Value {
    await withCheckedContinuation { continuation in
        ThreadWork { continuation.resume(returning: body()) }.start()
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
