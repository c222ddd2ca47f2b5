extension Publishers {
    /// What operators with one upstream return: each value of `Upstream` is processed by ``Relay``. Apple's
    /// names of the single operators are aliases of this type.
    public struct Operator<Upstream: Publisher, Output, Failure: Error>: Publisher {
        typealias Behaviour = Relay<Upstream.Output, Upstream.Failure, Output, Failure>.Behaviour
        /// The publisher that the operator is applied to.
        public let upstream: Upstream
        private let make: () -> Behaviour

        /// - Parameter make: called for each subscription, which thus has separate state.
        init(_ upstream: Upstream, _ make: @escaping () -> Behaviour) {
            self.upstream = upstream
            self.make = make
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Relay<Upstream.Output, Upstream.Failure, Output, Failure>(AnySubscriber(subscriber), make()))
        }
    }

    /// Returned by ``Publisher/map(_:)``.
    public typealias Map<Upstream: Publisher, Output> = Operator<Upstream, Output, Upstream.Failure>
    /// Returned by ``Publisher/compactMap(_:)``.
    public typealias CompactMap<Upstream: Publisher, Output> = Operator<Upstream, Output, Upstream.Failure>
    /// Returned by ``Publisher/tryMap(_:)`` and the other operators whose closure may throw.
    public typealias TryMap<Upstream: Publisher, Output> = Operator<Upstream, Output, any Error>
    /// Returned by ``Publisher/filter(_:)``.
    public typealias Filter<Upstream: Publisher> = Same<Upstream>
    /// Returned by ``Publisher/removeDuplicates(by:)``.
    public typealias RemoveDuplicates<Upstream: Publisher> = Same<Upstream>
    /// Returned by ``Publisher/dropFirst(_:)`` and ``Publisher/drop(while:)``.
    public typealias Drop<Upstream: Publisher> = Same<Upstream>
    /// Returned by ``Publisher/first()``.
    public typealias First<Upstream: Publisher> = Same<Upstream>
    /// Returned by `Publisher.handleEvents`.
    public typealias HandleEvents<Upstream: Publisher> = Same<Upstream>
    /// Returned by ``Publisher/scan(_:_:)``.
    public typealias Scan<Upstream: Publisher, Output> = Operator<Upstream, Output, Upstream.Failure>
    /// Returned by ``Publisher/collect()``.
    public typealias Collect<Upstream: Publisher> = Operator<Upstream, [Upstream.Output], Upstream.Failure>
    /// Returned by ``Publisher/mapError(_:)``.
    public typealias MapError<Upstream: Publisher, Failure: Error> = Operator<
        Upstream, Upstream.Output, Failure
    >
    /// Returned by ``Publisher/setFailureType(to:)``.
    public typealias SetFailureType<Upstream: Publisher, Failure: Error> = Operator<
        Upstream, Upstream.Output, Failure
    >
    /// Returned by ``Publisher/replaceError(with:)``.
    public typealias ReplaceError<Upstream: Publisher> = Operator<Upstream, Upstream.Output, Never>
    /// An operator that changes neither the value type nor the failure type.
    public typealias Same<Upstream: Publisher> = Operator<Upstream, Upstream.Output, Upstream.Failure>
}

extension Publisher {
    typealias Step<NewOutput> = Relay<Output, Failure, NewOutput, Failure>.Step

    /// An operator that passes the completion unchanged.
    func operating<NewOutput>(
        _ make: @escaping () -> (Output) -> Step<NewOutput>
    ) -> Publishers.Operator<Self, NewOutput, Failure> {
        Publishers.Operator(self) { .init(onValue: make(), onCompletion: { (nil, $0) }) }
    }

    /// An operator that fails with the error its closure throws.
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

    /// An operator that needs all values before it sends its result.
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
