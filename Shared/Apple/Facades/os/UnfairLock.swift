import Glibc
import Synchronization

/// A lock with the state that it protects; a copy is the same lock.
// The state is reached with the lock held alone; `withLockUnchecked` and `uncheckedState` leave it to their
// caller, as their names say.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    /// Whose the lock must be.
    public enum Ownership: Hashable, Sendable { case owner, notOwner }

    private final class Storage {
        var state: State
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        /// The thread that holds it; 0: none.
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

    public init(uncheckedState initialState: State) { storage = Storage(initialState) }
    public init(initialState: State) where State: Sendable { storage = Storage(initialState) }

    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try withLockUnchecked(body)
    }

    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        take()
        defer { give() }
        return try body(&storage.state)
    }

    /// - Returns: nil, without calling `body`, when another thread holds the lock.
    public func withLockIfAvailable<R: Sendable>(
        _ body: @Sendable (inout State) throws -> R
    ) rethrows -> R? {
        guard tryToTake() else { return nil }
        defer { give() }
        return try body(&storage.state)
    }

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
    public init() { self.init(uncheckedState: ()) }

    public func lock() { take() }
    /// By the thread that locked it.
    public func unlock() { give() }
    public func lockIfAvailable() -> Bool { tryToTake() }
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
        try withLockUnchecked { try body() }
    }
    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
        try withLockUnchecked { (_: inout Void) in try body() }
    }
}
