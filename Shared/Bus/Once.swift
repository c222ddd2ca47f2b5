/// Tells something to the one who waits for it, once, and lets go of them.
@BusActor package final class Once<Value> {
    private var body: (@BusActor (Value) -> Void)?

    package init(_ body: @escaping @BusActor (Value) -> Void) { self.body = body }

    package func tell(_ value: Value) {
        let body = body
        self.body = nil
        body?(value)
    }
}
