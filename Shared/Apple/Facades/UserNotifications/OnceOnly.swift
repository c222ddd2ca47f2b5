import Synchronization

/// A completion handler for others to call. Only the first call counts; if it is released without a call,
/// nobody is left waiting.
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
