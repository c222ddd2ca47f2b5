extension Subscribers {
    /// Calls a closure with each value. Its demand is unlimited.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible {
        private struct State {
            var subscription: (any Subscription)?
            var receiveValue: ((Input) -> Void)?
            var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
        }
        private let state: Guarded<State>

        /// The closures are released after the completion or cancellation.
        public init(
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            state = Guarded(State(receiveValue: receiveValue, receiveCompletion: receiveCompletion))
        }

        public var description: String { "Sink" }

        public func receive(subscription: any Subscription) {
            let isWelcome = state.use { state in
                guard state.subscription == nil, state.receiveValue != nil else { return false }
                state.subscription = subscription
                return true
            }
            if isWelcome { subscription.request(.unlimited) } else { subscription.cancel() }
        }

        public func receive(_ value: Input) -> Subscribers.Demand {
            state.use { $0.receiveValue }?(value)
            return .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            state.exchange(State()).receiveCompletion?(completion)
        }

        /// Releases the closures; nothing is called afterwards.
        public func cancel() { state.exchange(State()).subscription?.cancel() }
    }

    /// Assigns each value to a property. Keeps the object alive until it is cancelled or the publisher
    /// completes.
    public final class Assign<Root, Input>: Subscriber, Cancellable {
        public typealias Failure = Never
        private let sink: Sink<Input, Never>

        /// - Parameter object: retained.
        public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
            sink = Sink(receiveCompletion: { _ in }, receiveValue: { object[keyPath: keyPath] = $0 })
        }

        public func receive(subscription: any Subscription) { sink.receive(subscription: subscription) }
        public func receive(_ value: Input) -> Subscribers.Demand { sink.receive(value) }
        public func receive(completion: Subscribers.Completion<Never>) {
            sink.receive(completion: completion)
        }
        /// Releases the object.
        public func cancel() { sink.cancel() }
    }
}

extension Publisher {
    /// Calls the closures until the returned value is cancelled or released.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        receive(subscriber: sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Calls the closure with each value until the returned value is cancelled or released.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Assigns each value to a property of `object`, which is kept alive meanwhile.
    public func assign<Root>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
    ) -> AnyCancellable {
        let assign = Subscribers.Assign(object: object, keyPath: keyPath)
        receive(subscriber: assign)
        return AnyCancellable(assign)
    }

    /// Assigns each value to a `@Published` property for the lifetime of that property. Does not keep its
    /// object alive.
    public func assign(to published: inout Published<Output>.Publisher) { published.box.follow(self) }
}
