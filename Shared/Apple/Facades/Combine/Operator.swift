extension Publishers {
    /// What the operators with one upstream give: `Upstream`, with each value turned by ``Relay``. Apple's
    /// names for the single operators are aliases of it.
    public struct Operator<Upstream: Publisher, Output, Failure: Error>: Publisher {
        typealias Behaviour = Relay<Upstream.Output, Upstream.Failure, Output, Failure>.Behaviour
        public let upstream: Upstream
        private let make: () -> Behaviour

        /// - Parameter make: called for each subscription, which so has a state of its own.
        init(_ upstream: Upstream, _ make: @escaping () -> Behaviour) {
            self.upstream = upstream
            self.make = make
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Relay<Upstream.Output, Upstream.Failure, Output, Failure>(AnySubscriber(subscriber), make()))
        }
    }

    public typealias Map<Upstream: Publisher, Output> = Operator<Upstream, Output, Upstream.Failure>
    public typealias CompactMap<Upstream: Publisher, Output> = Operator<Upstream, Output, Upstream.Failure>
    public typealias TryMap<Upstream: Publisher, Output> = Operator<Upstream, Output, any Error>
    public typealias Filter<Upstream: Publisher> = Same<Upstream>
    public typealias RemoveDuplicates<Upstream: Publisher> = Same<Upstream>
    public typealias Drop<Upstream: Publisher> = Same<Upstream>
    public typealias First<Upstream: Publisher> = Same<Upstream>
    public typealias HandleEvents<Upstream: Publisher> = Same<Upstream>
    public typealias Scan<Upstream: Publisher, Output> = Operator<Upstream, Output, Upstream.Failure>
    public typealias Collect<Upstream: Publisher> = Operator<Upstream, [Upstream.Output], Upstream.Failure>
    public typealias MapError<Upstream: Publisher, Failure: Error> = Operator<
        Upstream, Upstream.Output, Failure
    >
    public typealias SetFailureType<Upstream: Publisher, Failure: Error> = Operator<
        Upstream, Upstream.Output, Failure
    >
    public typealias ReplaceError<Upstream: Publisher> = Operator<Upstream, Upstream.Output, Never>
    /// An operator that changes neither the type of the values nor that of the failure.
    public typealias Same<Upstream: Publisher> = Operator<Upstream, Upstream.Output, Upstream.Failure>
}

extension Publisher {
    typealias Step<NewOutput> = Relay<Output, Failure, NewOutput, Failure>.Step

    /// An operator that leaves the end as it is.
    func operating<NewOutput>(
        _ make: @escaping () -> (Output) -> Step<NewOutput>
    ) -> Publishers.Operator<Self, NewOutput, Failure> {
        Publishers.Operator(self) { .init(onValue: make(), onCompletion: { (nil, $0) }) }
    }

    /// An operator that ends with what its closure throws.
    func trying<NewOutput>(
        _ make: @escaping () -> (Output) throws -> Step<NewOutput>
    ) -> Publishers.Operator<Self, NewOutput, any Error> {
        Publishers.Operator(self) {
            let turn = make()
            return .init(
                onValue: { value in
                    do {
                        switch try turn(value) {
                        case .pass(let value): return .pass(value)
                        case .drop: return .drop
                        case .passAndEnd(let value): return .passAndEnd(value)
                        case .end(let completion): return .end(completion.mapError { $0 as any Error })
                        }
                    } catch {
                        return .end(.failure(error))
                    }
                }, onCompletion: { (nil, $0.mapError { $0 as any Error }) })
        }
    }

    /// An operator that needs all values for its one.
    func gathering<NewOutput>(
        _ make: @escaping () -> (take: (Output) -> Void, result: () -> NewOutput?)
    ) -> Publishers.Operator<Self, NewOutput, Failure> {
        Publishers.Operator(self) {
            let (take, result) = make()
            return .init(
                onValue: { value in
                    take(value)
                    return .drop
                },
                onCompletion: { completion in
                    if case .finished = completion { (result(), completion) } else { (nil, completion) }
                }, isGathering: true)
        }
    }
}
