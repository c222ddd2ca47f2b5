import Synchronization

/// A handler that others call: the first call counts, and letting go of it uncalled leaves nobody waiting.
final class OnceOnly<Value: Sendable>: Sendable {
    private let handler: Mutex<(@Sendable (Value) -> Void)?>

    init(_ handler: @escaping @Sendable (Value) -> Void) { self.handler = Mutex(handler) }

    func callAsFunction(_ value: Value) {
        let first = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        first?(value)
    }
}
