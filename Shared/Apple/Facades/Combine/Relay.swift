/// An operator between one publisher and one subscriber: turns each value into a ``Step``.
final class Relay<Input, InFailure: Error, Output, OutFailure: Error>: Subscriber {
    enum Step {
        case pass(Output)
        /// Nothing comes of it; the next is asked for.
        case drop
        case passAndEnd(Output)
        case end(Subscribers.Completion<OutFailure>)
    }
    /// What one subscription does; made anew for each, with the state it needs.
    struct Behaviour {
        var onValue: (Input) -> Step
        /// May give one value more before the end.
        var onCompletion: (Subscribers.Completion<InFailure>) -> (Output?, Subscribers.Completion<OutFailure>)
        /// It needs all values before it gives its own.
        var isGathering = false
        var onSubscription: ((any Subscription) -> Void)?
        var onRequest: ((Subscribers.Demand) -> Void)?
        /// Not called when it ends by itself.
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
        // The outlet counts what was asked for; upstream is asked for the same.
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
