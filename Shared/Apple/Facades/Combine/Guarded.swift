import Foundation

/// A value that several threads use, one at a time. What runs under its lock is never user code.
// The value is reached through the lock alone. What a caller takes out of it are values to send, and
// publishers and subscribers, which lock for themselves.
final class Guarded<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = NSLock()

    init(_ value: Value) { self.value = value }

    func use<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// - Returns: the former value, which is thus released outside of the lock.
    func exchange(_ new: Value) -> Value {
        use { value in
            let former = value
            value = new
            return former
        }
    }
}

/// Carries a value to another thread.
// What a publisher sends is given away: Combine's contract is that a value belongs to the subscriber once it
// is received, and nothing here touches it after handing it over. The compiler cannot see this, because
// Apple's declarations do not ask for `Sendable`.
struct Handover<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
