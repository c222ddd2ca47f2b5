/// A publisher that is told what to send.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)
    func send(completion: Subscribers.Completion<Failure>)
    /// Hands the subject a link to an upstream; the subject asks it for all values.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    public func send() { send(()) }
}

/// The subscriptions of one source, in the order in which they came.
struct Outlets<Output, Failure: Error> {
    private(set) var all: [Outlet<Output, Failure>] = []
    private(set) var completion: Subscribers.Completion<Failure>?
    var upstreams: [any Subscription] = []

    mutating func append(_ outlet: Outlet<Output, Failure>) { all.append(outlet) }
    mutating func remove(_ outlet: Outlet<Output, Failure>) { all.removeAll { $0 === outlet } }

    /// - Returns: whom to tell; none, if it has ended before.
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

/// Sends each value to whoever is subscribed at that moment; a value that was not asked for is lost, as with
/// Apple's.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let outlets = Guarded(Outlets<Output, Failure>())

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

    public func send(subscription: any Subscription) {
        outlets.use { $0.upstreams.append(subscription) }
        subscription.request(.unlimited)
    }
}

/// Sends the value it has at each subscription, and each new one. A subscriber that asks late gets the
/// newest.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private struct State {
        var value: Output
        var outlets = Outlets<Output, Failure>()
    }
    private let state: Guarded<State>

    public init(_ value: Output) { state = Guarded(State(value: value)) }

    deinit { for upstream in state.use({ $0.outlets.upstreams }) { upstream.cancel() } }

    /// The newest value; setting it sends it.
    public var value: Output {
        get { state.use { $0.value } }
        set { send(newValue) }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet(AnySubscriber(subscriber), keeping: .latest)
        let completion = state.use { state in
            if state.outlets.completion == nil {
                outlet.send(state.value)  // Only kept: nothing is asked for yet.
                state.outlets.append(outlet)
            }
            return state.outlets.completion
        }
        outlet.open(onCancel: { [weak self, weak outlet] in
            if let self, let outlet { state.use { $0.outlets.remove(outlet) } }
        })
        if let completion { outlet.send(completion: completion) }
    }

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

    public func send(subscription: any Subscription) {
        state.use { $0.outlets.upstreams.append(subscription) }
        subscription.request(.unlimited)
    }
}
