/// A publisher whose values are sent by the program.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)
    func send(completion: Subscribers.Completion<Failure>)
    /// Connects the subject to an upstream; the subject requests all of its values.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Sends a value of type `Void`.
    public func send() { send(()) }
}

/// The subscriptions of one source in order of subscription.
struct Outlets<Output, Failure: Error> {
    private(set) var all: [Outlet<Output, Failure>] = []
    private(set) var completion: Subscribers.Completion<Failure>?
    var upstreams: [any Subscription] = []

    mutating func append(_ outlet: Outlet<Output, Failure>) { all.append(outlet) }
    mutating func remove(_ outlet: Outlet<Output, Failure>) { all.removeAll { $0 === outlet } }

    /// - Returns: the subscriptions to notify. Empty if the source had already completed.
    mutating func end(_ completion: Subscribers.Completion<Failure>) -> [Outlet<Output, Failure>] {
        guard self.completion == nil else { return [] }
        self.completion = completion
        defer {
            all = []
            upstreams = []
        }
        return all
    }
}

/// Sends each value to the present subscribers. A value for which a subscriber has no demand is dropped, as
/// with Apple's.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let outlets = Guarded(Outlets<Output, Failure>())

    /// Without subscribers.
    public init() {}

    deinit { for upstream in outlets.use({ $0.upstreams }) { upstream.cancel() } }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet(AnySubscriber(subscriber), keeping: .none)
        let completion = outlets.use { outlets in
            if outlets.completion == nil { outlets.append(outlet) }
            return outlets.completion
        }
        outlet.open(onCancel: { [weak self, weak outlet] in
            if let self, let outlet { outlets.use { $0.remove(outlet) } }
        })
        if let completion { outlet.send(completion: completion) }
    }

    public func send(_ value: Output) {
        for outlet in outlets.use({ $0.all }) { outlet.send(value) }
    }

    public func send(completion: Subscribers.Completion<Failure>) {
        for outlet in outlets.use({ $0.end(completion) }) { outlet.send(completion: completion) }
    }

    /// Requests all values of the upstream and cancels it when the subject is released.
    public func send(subscription: any Subscription) {
        outlets.use { $0.upstreams.append(subscription) }
        subscription.request(.unlimited)
    }
}

/// Sends its value on subscription, then each new value. A subscriber with late demand receives the newest.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private struct State {
        var value: Output
        var outlets = Outlets<Output, Failure>()
    }
    private let state: Guarded<State>

    /// - Parameter value: sent to the first subscribers.
    public init(_ value: Output) { state = Guarded(State(value: value)) }

    deinit { for upstream in state.use({ $0.outlets.upstreams }) { upstream.cancel() } }

    /// The newest value. Setting it sends it.
    public var value: Output {
        get { state.use { $0.value } }
        set { send(newValue) }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet(AnySubscriber(subscriber), keeping: .latest)
        let completion = state.use { state in
            if state.outlets.completion == nil {
                outlet.send(state.value)  // Buffered only: there is no demand yet.
                state.outlets.append(outlet)
            }
            return state.outlets.completion
        }
        outlet.open(onCancel: { [weak self, weak outlet] in
            if let self, let outlet { state.use { $0.outlets.remove(outlet) } }
        })
        if let completion { outlet.send(completion: completion) }
    }

    /// Stores and sends the value. Ignored after completion.
    public func send(_ value: Output) {
        let outlets = state.use { state -> [Outlet<Output, Failure>] in
            guard state.outlets.completion == nil else { return [] }
            state.value = value
            return state.outlets.all
        }
        for outlet in outlets { outlet.send(value) }
    }

    public func send(completion: Subscribers.Completion<Failure>) {
        for outlet in state.use({ $0.outlets.end(completion) }) { outlet.send(completion: completion) }
    }

    /// Requests all values of the upstream and cancels it when the subject is released.
    public func send(subscription: any Subscription) {
        state.use { $0.outlets.upstreams.append(subscription) }
        subscription.request(.unlimited)
    }
}
