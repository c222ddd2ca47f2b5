/// Tells something to the one who waits for it, once, and lets go of them.
@LoopActor package final class Once<Value> {
    private var body: (@LoopActor (Value) -> Void)?

    package init(_ body: @escaping @LoopActor (Value) -> Void) { self.body = body }

    package func tell(_ value: Value) {
        let body = body
        self.body = nil
        body?(value)
    }
}
