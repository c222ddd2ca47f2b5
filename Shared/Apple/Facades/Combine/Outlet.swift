import Foundation

/// The source's end of one subscription: delivers one value at a time, buffers values according to
/// ``Keeping``, and delivers nothing after cancellation or completion.
final class Outlet<Output, Failure: Error>: Subscription {
    /// Which values are kept that were not requested yet.
    enum Keeping { case all, latest, none }

    private struct State {
        var subscriber: AnySubscriber<Output, Failure>?
        var demand = Subscribers.Demand.none
        var waiting: [Output] = []
        var completion: Subscribers.Completion<Failure>?
        var onCancel: (() -> Void)?
        var onRequest: ((Subscribers.Demand) -> Void)?
    }

    private let keeping: Keeping
    private let state: Guarded<State>
    // Held while the subscriber is called, so that two threads do not call it at the same time. Recursive
    // because the subscriber may send from within the call.
    private let delivery = NSRecursiveLock()

    init(_ subscriber: AnySubscriber<Output, Failure>, keeping: Keeping) {
        self.keeping = keeping
        state = Guarded(State(subscriber: subscriber))
    }

    /// Sends the subscription to the subscriber.
    /// - Parameters:
    ///   - onRequest: called for each demand, before buffered values are delivered.
    ///   - onCancel: called once, on cancellation.
    func open(onRequest: ((Subscribers.Demand) -> Void)? = nil, onCancel: (() -> Void)? = nil) {
        let subscriber = state.use { state in
            state.onRequest = onRequest
            state.onCancel = onCancel
            return state.subscriber
        }
        subscriber?.receive(subscription: self)
    }

    var isOpen: Bool { state.use { $0.subscriber != nil && $0.completion == nil } }

    func send(_ value: Output) {
        state.use { state in
            guard state.subscriber != nil, state.completion == nil else { return }
            // A requested value is never lost, even if two threads send at the same time.
            if keeping == .all || state.demand > state.waiting.count {
                state.waiting.append(value)
            } else if keeping == .latest {
                state.waiting = state.waiting.dropLast() + [value]
            }
        }
        deliver()
    }

    func send(completion: Subscribers.Completion<Failure>) {
        state.use { state in
            if state.completion == nil { state.completion = completion }
        }
        deliver()
    }

    func request(_ demand: Subscribers.Demand) {
        let onRequest = state.use { state in
            state.demand += demand
            return state.onRequest
        }
        onRequest?(demand)
        deliver()
    }

    func cancel() {
        // Released outside of the lock: releasing the subscriber may call back.
        let former = state.exchange(State())
        former.onCancel?()
    }

    /// Runs `body` while no other thread delivers.
    func inOrder(_ body: () -> Void) {
        delivery.lock()
        defer { delivery.unlock() }
        body()
    }

    private func deliver() { inOrder(deliverWaiting) }

    private func deliverWaiting() {
        while let (subscriber, value) = next() {
            let more = subscriber.receive(value)
            guard more > .none else { continue }
            let onRequest = state.use { state in
                state.demand += more
                return state.onRequest
            }
            onRequest?(more)
        }
        let ended = state.use { state -> State? in
            guard state.waiting.isEmpty, state.completion != nil, state.subscriber != nil else { return nil }
            defer { state = State() }
            return state
        }
        if let ended, let completion = ended.completion { ended.subscriber?.receive(completion: completion) }
    }

    private func next() -> (AnySubscriber<Output, Failure>, Output)? {
        state.use { state in
            guard let subscriber = state.subscriber, state.demand > .none, !state.waiting.isEmpty else {
                return nil
            }
            state.demand -= 1
            return (subscriber, state.waiting.removeFirst())
        }
    }
}
