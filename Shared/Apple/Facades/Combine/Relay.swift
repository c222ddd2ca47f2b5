/// An operator between one publisher and one subscriber: maps each value to a ``Step``.
final class Relay<Input, InFailure: Error, Output, OutFailure: Error>: Subscriber {
    enum Step {
        case pass(Output)
        /// Sends nothing and requests the next value.
        case drop
        case passAndEnd(Output)
        case end(Subscribers.Completion<OutFailure>)
    }
    /// The behaviour of one subscription; created for each subscription with the state it needs.
    struct Behaviour {
        var onValue: (Input) -> Step
        /// May return a last value to send before the completion.
        var onCompletion: (Subscribers.Completion<InFailure>) -> (Output?, Subscribers.Completion<OutFailure>)
        /// Whether it needs all values before it sends its result.
        var isGathering = false
        var onSubscription: ((any Subscription) -> Void)?
        var onRequest: ((Subscribers.Demand) -> Void)?
        /// Not called if the subscription ends by itself.
        var onCancel: (() -> Void)?
    }

    private struct State {
        var upstream: (any Subscription)?
        var isOver = false
    }

    private let outlet: Outlet<Output, OutFailure>
    private let behaviour: Behaviour
    private let state = Guarded(State())

    init(_ subscriber: AnySubscriber<Output, OutFailure>, _ behaviour: Behaviour) {
        outlet = Outlet(subscriber, keeping: .all)
        self.behaviour = behaviour
    }

    func receive(subscription: any Subscription) {
        let isLate = state.use { state in
            guard state.upstream == nil, !state.isOver else { return true }
            state.upstream = subscription
            return false
        }
        guard !isLate else { return subscription.cancel() }
        behaviour.onSubscription?(subscription)
        // The outlet counts the demand, and the same demand is passed upstream.
        outlet.open(
            onRequest: { [behaviour] demand in
                behaviour.onRequest?(demand)
                subscription.request(behaviour.isGathering ? .unlimited : demand)
            },
            onCancel: { [self] in
                behaviour.onCancel?()
                cancel()
            })
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        guard !state.use({ $0.isOver }) else { return .none }
        switch behaviour.onValue(input) {
        case .pass(let value): outlet.send(value)
        case .drop: return behaviour.isGathering ? .none : .max(1)
        case .passAndEnd(let value):
            outlet.send(value)
            end(.finished)
        case .end(let completion): end(completion)
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<InFailure>) {
        let wasOver = state.use { state in
            defer { state = State(isOver: true) }
            return state.isOver
        }
        guard !wasOver else { return }
        let (last, completion) = behaviour.onCompletion(completion)
        if let last { outlet.send(last) }
        outlet.send(completion: completion)
    }

    private func cancel() { state.exchange(State(isOver: true)).upstream?.cancel() }

    private func end(_ completion: Subscribers.Completion<OutFailure>) {
        cancel()
        outlet.send(completion: completion)
    }
}
