import Glibc
import Synchronization

/// Work that is released before its result is delivered. Files and locks that its closure holds are closed by
/// then.
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

/// A thread that runs a closure once.
final class ThreadWork: Sendable {
    private let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }

    func start() {
        let work = Unmanaged.passRetained(self)
        var created = pthread_t()
        let failure = pthread_create(
            &created, nil,
            { pointer in
                // Retained above, once per thread.
                if let pointer { Unmanaged<ThreadWork>.fromOpaque(pointer).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        // If no thread can be created, the work runs here and blocks the others.
        guard failure == 0 else { return work.takeRetainedValue().run() }
        pthread_detach(created)
    }
}
