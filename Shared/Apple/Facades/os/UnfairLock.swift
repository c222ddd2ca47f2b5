import Glibc
import Synchronization

/// A lock with the state that it protects. Copies share the lock and the state.
// The state is accessible only with the lock held; `withLockUnchecked` and `uncheckedState` leave checking to
// the caller, as their names say.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    /// The expected owner of the lock.
    public enum Ownership: Hashable, Sendable { case owner, notOwner }

    private final class Storage {
        var state: State
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        /// The thread that holds the lock, or 0.
        let owner = Atomic<pthread_t>(0)

        init(_ state: State) {
            self.state = state
            pthread_mutex_init(mutex, nil)
        }
        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
    }
    private let storage: Storage

    /// The state may be of a type that is not `Sendable`.
    public init(uncheckedState initialState: State) { storage = Storage(initialState) }
    /// - Parameter initialState: owned by the lock from now on.
    public init(initialState: State) where State: Sendable { storage = Storage(initialState) }

    /// Blocks until the lock is free. Not recursive: locking it twice on one thread deadlocks.
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try withLockUnchecked(body)
    }

    /// The same without checks for `Sendable`.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        take()
        defer { give() }
        return try body(&storage.state)
    }

    /// - Returns: nil without calling `body` if another thread holds the lock.
    public func withLockIfAvailable<R: Sendable>(
        _ body: @Sendable (inout State) throws -> R
    ) rethrows -> R? {
        guard tryToTake() else { return nil }
        defer { give() }
        return try body(&storage.state)
    }

    /// Stops the program unless the present thread owns the lock as expected.
    public func precondition(_ condition: Ownership) {
        let isMine = storage.owner.load(ordering: .relaxed) == pthread_self()
        Swift.precondition(
            isMine == (condition == .owner), "the lock is\(isMine ? "" : " not") this thread's")
    }

    private func take() {
        pthread_mutex_lock(storage.mutex)
        storage.owner.store(pthread_self(), ordering: .relaxed)
    }
    private func tryToTake() -> Bool {
        guard pthread_mutex_trylock(storage.mutex) == 0 else { return false }
        storage.owner.store(pthread_self(), ordering: .relaxed)
        return true
    }
    private func give() {
        storage.owner.store(0, ordering: .relaxed)
        pthread_mutex_unlock(storage.mutex)
    }
}

extension OSAllocatedUnfairLock where State == Void {
    /// A lock without state.
    public init() { self.init(uncheckedState: ()) }

    /// Blocks until the lock is free.
    public func lock() { take() }
    /// Must be called by the thread that locked it.
    public func unlock() { give() }
    /// Returns false without waiting if the lock is held.
    public func lockIfAvailable() -> Bool { tryToTake() }
    /// Blocks until the lock is free, and unlocks it afterwards.
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
        try withLockUnchecked { try body() }
    }
    /// The same without checks for `Sendable`.
    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
        try withLockUnchecked { (_: inout Void) in try body() }
    }
}
