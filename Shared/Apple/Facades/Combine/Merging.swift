extension Publishers {
    /// What several publishers of one type send, as it comes; ends with the last, or with a failure.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let publishers: [Upstream]

        public init(_ upstream: Upstream...) { publishers = upstream }
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
            publishers = Array(upstream)
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction<Output, Failure>(subscriber)
            var running = publishers.count
            junction.open()
            if publishers.isEmpty { junction.finish(.finished) }
            for publisher in publishers {
                junction.listen(
                    to: publisher,
                    onCompletion: { completion in
                        running -= 1
                        if case .failure = completion { junction.finish(completion) }
                        if running == 0 { junction.finish(.finished) }
                    }, onValue: { junction.outlet.send($0) })
            }
        }
    }

    /// What two publishers send, as it comes.
    public struct Merge<A: Publisher, B: Publisher>: Publisher
    where A.Output == B.Output, A.Failure == B.Failure {
        public typealias Output = A.Output
        public typealias Failure = A.Failure
        public let a: A, b: B

        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            MergeMany(AnyPublisher(a), AnyPublisher(b)).receive(subscriber: subscriber)
        }
    }

    /// What three publishers send, as it comes.
    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure {
        public typealias Output = A.Output
        public typealias Failure = A.Failure
        public let a: A, b: B, c: C

        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            MergeMany(AnyPublisher(a), AnyPublisher(b), AnyPublisher(c)).receive(subscriber: subscriber)
        }
    }

    /// What the publishers that `transform` makes of the values send, all at once.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
    where NewPublisher.Failure == Upstream.Failure {
        public typealias Output = NewPublisher.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let maxPublishers: Subscribers.Demand
        public let transform: (Upstream.Output) -> NewPublisher

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction<Output, Failure>(subscriber)
            var running = 1  // Upstream itself.
            var more: (() -> Void)?
            func end(_ completion: Subscribers.Completion<Failure>) {
                running -= 1
                if case .failure = completion { junction.finish(completion) }
                if running == 0 { junction.finish(.finished) } else { more?() }
            }
            junction.open()
            let values = AnySubscriber<Upstream.Output, Failure>(
                receiveSubscription: { [maxPublishers] subscription in
                    junction.keep(AnyCancellable { subscription.cancel() })
                    if maxPublishers != .unlimited { more = { subscription.request(.max(1)) } }
                    subscription.request(maxPublishers)
                },
                receiveValue: { [transform] value in
                    junction.inOrder {
                        running += 1
                        junction.listen(to: transform(value), onCompletion: end) { junction.outlet.send($0) }
                    }
                    return .none
                },
                receiveCompletion: { completion in
                    more = nil
                    junction.inOrder { end(completion) }
                })
            upstream.subscribe(values)
        }
    }

    /// What the newest publisher sends; each new one ends the one before.
    public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
    where P == Upstream.Output, P.Failure == Upstream.Failure {
        public typealias Output = P.Output
        public typealias Failure = P.Failure
        public let upstream: Upstream

        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction<Output, Failure>(subscriber)
            let present = SerialLink()
            var running = 1  // Upstream itself.
            func end(_ completion: Subscribers.Completion<Failure>) {
                running -= 1
                if case .failure = completion { junction.finish(completion) }
                if running == 0 { junction.finish(.finished) }
            }
            junction.keep(present)
            junction.open()
            junction.listen(to: upstream, onCompletion: end) { publisher in
                if present.stop() { running -= 1 }
                running += 1
                let sink = Subscribers.Sink<Output, Failure>(
                    receiveCompletion: { completion in
                        junction.inOrder {
                            present.forget()
                            end(completion)
                        }
                    }, receiveValue: { value in junction.inOrder { junction.outlet.send(value) } })
                present.hold(sink)
                publisher.subscribe(sink)
            }
        }
    }

    /// `upstream`, and after its failure the publisher that `handler` gives.
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = NewPublisher.Failure
        public let upstream: Upstream
        public let handler: (Upstream.Failure) -> NewPublisher

        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction<Output, Failure>(subscriber)
            junction.open()
            let onCompletion = { [handler] (completion: Subscribers.Completion<Upstream.Failure>) in
                guard case .failure(let error) = completion else { return junction.finish(.finished) }
                junction.listen(to: handler(error), onCompletion: junction.finish) {
                    junction.outlet.send($0)
                }
            }
            junction.listen(to: upstream, onCompletion: onCompletion) { junction.outlet.send($0) }
        }
    }

    /// One publisher after the other.
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
    where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
        public typealias Output = Suffix.Output
        public typealias Failure = Suffix.Failure
        public let prefix: Prefix, suffix: Suffix

        public init(prefix: Prefix, suffix: Suffix) {
            self.prefix = prefix
            self.suffix = suffix
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction<Output, Failure>(subscriber)
            junction.open()
            let onCompletion = { [suffix] (completion: Subscribers.Completion<Failure>) in
                guard case .finished = completion else { return junction.finish(completion) }
                junction.listen(to: suffix, onCompletion: junction.finish) { junction.outlet.send($0) }
            }
            junction.listen(to: prefix, onCompletion: onCompletion) { junction.outlet.send($0) }
        }
    }
}

/// Holds the one link that counts at present.
final class SerialLink: Cancellable {
    private let link = Guarded<(any Cancellable)?>(nil)

    func hold(_ next: any Cancellable) { link.exchange(next)?.cancel() }
    func forget() { _ = link.exchange(nil) }
    /// - Returns: whether there was one.
    func stop() -> Bool {
        let former = link.exchange(nil)
        former?.cancel()
        return former != nil
    }
    func cancel() { _ = stop() }
}

extension Publisher {
    public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Merge(self, other)
    }

    public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
        Publishers.Merge3(self, b, c)
    }

    /// - Parameter maxPublishers: how many publishers run at once.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }

    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> where Failure == Never {
        Publishers.FlatMap(
            upstream: setFailureType(to: P.Failure.self), maxPublishers: maxPublishers, transform: transform)
    }

    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where Failure == Never, P.Failure == Never {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }

    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self>
    where Output: Publisher, Output.Failure == Failure {
        Publishers.SwitchToLatest(upstream: self)
    }

    public func `catch`<P: Publisher>(
        _ handler: @escaping (Failure) -> P
    ) -> Publishers.Catch<Self, P> where P.Output == Output {
        Publishers.Catch(upstream: self, handler: handler)
    }

    /// Subscribes again after a failure, up to `retries` times.
    public func retry(_ retries: Int) -> AnyPublisher<Output, Failure> {
        guard retries > 0 else { return AnyPublisher(self) }
        return AnyPublisher(`catch` { _ in retry(retries - 1) })
    }

    public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: self, suffix: publisher)
    }

    public func append(
        _ elements: Output...
    ) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
        append(Publishers.Sequence(sequence: elements))
    }

    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: publisher, suffix: self)
    }

    public func prepend(
        _ elements: Output...
    ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
        prepend(Publishers.Sequence(sequence: elements))
    }
}
