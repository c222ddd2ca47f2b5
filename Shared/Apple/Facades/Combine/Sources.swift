/// Publishes one value and finishes.
public struct Just<Output>: Publisher {
    public typealias Failure = Never
    /// The value.
    public let output: Output

    /// Sent to each subscriber when it requests a value.
    public init(_ output: Output) { self.output = output }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        let outlet = Outlet(AnySubscriber(subscriber), keeping: .all)
        outlet.send(output)
        outlet.send(completion: .finished)
        outlet.open()
    }
}

/// Publishes no value. Finishes immediately or never.
public struct Empty<Output, Failure: Error>: Publisher {
    /// False if it never finishes.
    public let completeImmediately: Bool

    /// Finishes immediately by default.
    public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }
    /// The same, with types that cannot be inferred.
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.completeImmediately = completeImmediately
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet(AnySubscriber(subscriber), keeping: .all)
        outlet.open()
        if completeImmediately { outlet.send(completion: .finished) }
    }
}

/// Fails immediately.
public struct Fail<Output, Failure: Error>: Publisher {
    /// The failure.
    public let error: Failure

    /// Fails at each subscription.
    public init(error: Failure) { self.error = error }
    /// The same, with an output type that cannot be inferred.
    public init(outputType: Output.Type, failure: Failure) { error = failure }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet(AnySubscriber(subscriber), keeping: .all)
        outlet.open()
        outlet.send(completion: .failure(error))
    }
}

/// Creates its publisher at each subscription.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure
    /// Called once per subscriber.
    public let createPublisher: () -> DeferredPublisher

    /// - Parameter createPublisher: called once per subscriber.
    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        createPublisher().receive(subscriber: subscriber)
    }
}

/// Publishes one later value or a failure. Starts when it is created, and keeps its result.
public final class Future<Output, Failure: Error>: Publisher {
    /// Sets the result. Only the first call counts.
    public typealias Promise = (Result<Output, Failure>) -> Void

    private struct State {
        var result: Result<Output, Failure>?
        var outlets: [Outlet<Output, Failure>] = []
    }
    private let state = Guarded(State())

    /// - Parameter attemptToFulfill: called immediately, once.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { self.fulfil($0) }
    }

    private func fulfil(_ result: Result<Output, Failure>) {
        let outlets = state.use { state -> [Outlet<Output, Failure>] in
            guard state.result == nil else { return [] }
            state.result = result
            defer { state.outlets = [] }
            return state.outlets
        }
        for outlet in outlets { Self.tell(outlet, result) }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet(AnySubscriber(subscriber), keeping: .all)
        let result = state.use { state in
            if state.result == nil { state.outlets.append(outlet) }
            return state.result
        }
        outlet.open(onCancel: { [weak outlet, state] in
            state.use { state in state.outlets.removeAll { $0 === outlet } }
        })
        if let result { Self.tell(outlet, result) }
    }

    private static func tell(_ outlet: Outlet<Output, Failure>, _ result: Result<Output, Failure>) {
        switch result {
        case .success(let value):
            outlet.send(value)
            outlet.send(completion: .finished)
        case .failure(let error): outlet.send(completion: .failure(error))
        }
    }
}

extension Publishers {
    /// Publishes the elements of a sequence on demand.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        public typealias Output = Elements.Element
        /// Iterated once per subscriber.
        public let sequence: Elements

        /// Finishes after the last element.
        public init(sequence: Elements) { self.sequence = sequence }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Outlet(AnySubscriber<Output, Failure>(subscriber), keeping: .all)
            let pump = Pump(sequence.makeIterator())
            outlet.open(onRequest: { [weak outlet] demand in
                if let outlet { pump.run(demand, into: outlet) }
            })
        }
    }
}

/// Takes elements from an iterator on demand.
private final class Pump<Elements: IteratorProtocol> {
    private struct State {
        var demand = Subscribers.Demand.none
        var isRunning = false
    }
    // Accessed only by the thread that is running.
    private var elements: Elements
    private let state = Guarded(State())

    init(_ elements: Elements) { self.elements = elements }

    func run<Failure: Error>(_ demand: Subscribers.Demand, into outlet: Outlet<Elements.Element, Failure>) {
        let isFirst = state.use { state in
            state.demand += demand
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        while outlet.isOpen,
            state.use({ state in
                state.isRunning = state.demand > .none
                if state.isRunning { state.demand -= 1 }
                return state.isRunning
            })
        {
            guard let element = elements.next() else { return outlet.send(completion: .finished) }
            outlet.send(element)
        }
    }
}

extension Sequence {
    /// Publishes the elements and finishes.
    public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

extension Optional {
    /// Publishes the value, if there is one, and finishes.
    public var publisher: Optional<Wrapped>.Publisher { Publisher(self) }

    /// What `Optional.publisher` returns.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Wrapped
        public typealias Failure = Never
        /// Nil if there is no value to publish.
        public let output: Wrapped?

        /// Wraps an optional.
        public init(_ output: Wrapped?) { self.output = output }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
            if let output { return Just(output).receive(subscriber: subscriber) }
            Empty<Wrapped, Never>().receive(subscriber: subscriber)
        }
    }
}

extension Result {
    /// Publishes the value and finishes, or fails.
    public var publisher: Result<Success, Failure>.Publisher { Publisher(self) }

    /// What `Result.publisher` returns.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Success
        /// The value or failure to publish.
        public let result: Result

        /// Wraps a result.
        public init(_ result: Result) { self.result = result }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Success, S.Failure == Failure {
            Future { $0(result) }.receive(subscriber: subscriber)
        }
    }
}
