extension Publishers {
    /// Publishes the values of several publishers of one type in order of arrival. Finishes with the last of
    /// them, or with the first failure.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// The publishers, which are subscribed in this order.
        public let publishers: [Upstream]

        /// Merges the publishers in the list. An empty list finishes immediately.
        public init(_ upstream: Upstream...) { publishers = upstream }
        /// Merges the publishers of a sequence.
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

    /// Publishes the values of two publishers in order of arrival.
    public struct Merge<A: Publisher, B: Publisher>: Publisher
    where A.Output == B.Output, A.Failure == B.Failure {
        public typealias Output = A.Output
        public typealias Failure = A.Failure
        /// The merged publishers.
        public let a: A, b: B

        /// Subscribes to `a` first.
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            MergeMany(AnyPublisher(a), AnyPublisher(b)).receive(subscriber: subscriber)
        }
    }

    /// Publishes the values of three publishers in order of arrival.
    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure {
        public typealias Output = A.Output
        public typealias Failure = A.Failure
        /// The merged publishers.
        public let a: A, b: B, c: C

        /// Subscribes to `a` first, then to `b`.
        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            MergeMany(AnyPublisher(a), AnyPublisher(b), AnyPublisher(c)).receive(subscriber: subscriber)
        }
    }

    /// Publishes the values of all publishers that `transform` creates, in order of arrival.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
    where NewPublisher.Failure == Upstream.Failure {
        public typealias Output = NewPublisher.Output
        public typealias Failure = Upstream.Failure
        /// The publisher whose values are transformed.
        public let upstream: Upstream
        /// The maximum number of publishers that run at the same time.
        public let maxPublishers: Subscribers.Demand
        /// Called once per value of the upstream.
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

    /// Publishes the values of the newest publisher; each new publisher cancels the one before.
    public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
    where P == Upstream.Output, P.Failure == Upstream.Failure {
        public typealias Output = P.Output
        public typealias Failure = P.Failure
        /// The publisher of publishers.
        public let upstream: Upstream

        /// Finishes when the upstream and the newest publisher have finished.
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

    /// Publishes the upstream, and after its failure the publisher that `handler` returns.
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = NewPublisher.Failure
        /// The publisher whose failure is handled.
        public let upstream: Upstream
        /// Called with the failure, at most once per subscription.
        public let handler: (Upstream.Failure) -> NewPublisher

        /// A failure of the replacement is not handled.
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

    /// Publishes two publishers one after the other.
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
    where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
        public typealias Output = Suffix.Output
        public typealias Failure = Suffix.Failure
        /// The second is subscribed when the first has finished.
        public let prefix: Prefix, suffix: Suffix

        /// A failure of the first ends both.
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

/// Holds the current subscription.
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
    /// Publishes the values of both in order of arrival.
    public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Merge(self, other)
    }

    /// Publishes the values of the three in order of arrival. More are merged with ``Publishers/MergeMany``.
    public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
        Publishers.Merge3(self, b, c)
    }

    /// Publishes the values of all publishers that `transform` creates.
    /// - Parameter maxPublishers: how many of them run at the same time.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }

    /// The same for a publisher that cannot fail and new publishers that can.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> where Failure == Never {
        Publishers.FlatMap(
            upstream: setFailureType(to: P.Failure.self), maxPublishers: maxPublishers, transform: transform)
    }

    /// The same if neither can fail.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where Failure == Never, P.Failure == Never {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }

    /// Publishes the values of the newest publisher. Each new one cancels the one before.
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self>
    where Output: Publisher, Output.Failure == Failure {
        Publishers.SwitchToLatest(upstream: self)
    }

    /// Replaces the publisher after a failure with the one that `handler` returns.
    public func `catch`<P: Publisher>(
        _ handler: @escaping (Failure) -> P
    ) -> Publishers.Catch<Self, P> where P.Output == Output {
        Publishers.Catch(upstream: self, handler: handler)
    }

    /// Subscribes again after each failure, at most `retries` times.
    public func retry(_ retries: Int) -> AnyPublisher<Output, Failure> {
        guard retries > 0 else { return AnyPublisher(self) }
        return AnyPublisher(`catch` { _ in retry(retries - 1) })
    }

    /// Publishes `publisher` after this one has finished.
    public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: self, suffix: publisher)
    }

    /// Publishes the elements after this publisher has finished.
    public func append(
        _ elements: Output...
    ) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
        append(Publishers.Sequence(sequence: elements))
    }

    /// Publishes `publisher` first, then this one.
    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: publisher, suffix: self)
    }

    /// Publishes the elements first, then this publisher.
    public func prepend(
        _ elements: Output...
    ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
        prepend(Publishers.Sequence(sequence: elements))
    }
}
