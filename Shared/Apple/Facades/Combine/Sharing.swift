extension Publishers {
    /// Shares one subscription to `upstream` among all subscribers. It is created for the first and cancelled
    /// with the last.
    public final class Share<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// The publisher that is shared.
        public let upstream: Upstream

        private struct State {
            var subject: PassthroughSubject<Output, Failure>?
            var link: AnyCancellable?
            var count = 0
        }
        private let state = Guarded(State())

        init(_ upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (subject, isFirst) = state.use { state in
                state.count += 1
                let subject = state.subject ?? PassthroughSubject()
                state.subject = subject
                return (subject, state.count == 1)
            }
            subject
                .handleEvents(
                    receiveCompletion: { [state, weak subject] _ in
                        state.use { if $0.subject === subject { $0 = State() } }
                    },
                    receiveCancel: { [state] in Self.leave(state) }
                )
                .subscribe(subscriber)
            guard isFirst else { return }
            let link = upstream.subscribe(subject)
            // The upstream may have completed during the subscription.
            state.use { if $0.subject === subject { $0.link = link } }
        }

        private static func leave(_ state: Guarded<State>) {
            let link = state.use { state -> AnyCancellable? in
                state.count = max(0, state.count - 1)
                guard state.count == 0 else { return nil }
                defer { state = State() }
                return state.link
            }
            link?.cancel()
        }
    }

    /// Connects to a publisher while it has subscribers.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// The publisher that is connected.
        public let upstream: Upstream

        private struct State {
            var link: (any Cancellable)?
            var count = 0
        }
        private let state = Guarded(State())

        init(_ upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.handleEvents(receiveCancel: { [state] in
                let link = state.use { state -> (any Cancellable)? in
                    state.count -= 1
                    guard state.count == 0 else { return nil }
                    defer { state.link = nil }
                    return state.link
                }
                link?.cancel()
            }).subscribe(subscriber)
            let isFirst = state.use { state in
                state.count += 1
                return state.count == 1
            }
            guard isFirst else { return }
            let link = upstream.connect()
            let isLate = state.use { state in
                if state.count > 0 { state.link = link }
                return state.count == 0
            }
            if isLate { link.cancel() }
        }
    }
}

extension Publisher {
    /// Shares one subscription among all subscribers. Late subscribers miss earlier values.
    public func share() -> Publishers.Share<Self> { Publishers.Share(self) }
}

extension ConnectablePublisher {
    /// Connects with the first subscriber and disconnects with the last.
    public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(self) }
}
