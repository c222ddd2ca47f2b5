import Foundation

/// A value behind a lock. Code that runs under the lock is never user code.
// The value is accessible only under the lock. Everything that leaves it is either a value to deliver, or a
// publisher or subscriber with its own lock.
final class Guarded<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = NSLock()

    init(_ value: Value) { self.value = value }

    func use<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// - Returns: the previous value, so that it is released outside of the lock.
    func exchange(_ new: Value) -> Value {
        use { value in
            let former = value
            value = new
            return former
        }
    }
}

/// Carries a value to another thread.
// A sent value is transferred: Combine's contract is that it belongs to the subscriber once it is received,
// and nothing here touches it afterwards. The compiler cannot check this because Apple's declarations do not
// require `Sendable`.
struct Handover<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
