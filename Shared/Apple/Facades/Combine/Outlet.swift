import Foundation

/// The source's end of one subscription: delivers one value at a time, keeps what nobody asked for yet, and
/// is silent once it is cancelled or has ended.
final class Outlet<Output, Failure: Error>: Subscription {
    /// What becomes of values that were not asked for.
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
    // Held while the subscriber is called, so that two threads that send do not call it at once; recursive,
    // because it may send again from within.
    private let delivery = NSRecursiveLock()

    init(_ subscriber: AnySubscriber<Output, Failure>, keeping: Keeping) {
        self.keeping = keeping
        state = Guarded(State(subscriber: subscriber))
    }

    /// Tells the subscriber that it is subscribed.
    /// - Parameters:
    ///   - onRequest: called with each demand, before what waits is delivered.
    ///   - onCancel: called once, when it is cancelled.
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
            // What was asked for is never lost, also when two threads send at once.
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
        // Released outside of the lock: the subscriber's end may call back.
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
