/// Calls a closure at most once, and releases it then.
@LoopActor package final class Once<Value> {
    private var body: (@LoopActor (Value) -> Void)?

    /// Keeps `body` until the first call.
    package init(_ body: @escaping @LoopActor (Value) -> Void) { self.body = body }

    /// Calls the closure with `value`; later calls do nothing.
    package func call(_ value: Value) {
        let body = body
        self.body = nil
        body?(value)
    }
}
