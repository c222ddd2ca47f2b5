extension Publishers {
    /// Delivers everything that `upstream` sends on a scheduler, in order, after `delay`.
    public struct Scheduled<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// The publisher whose events are scheduled.
        public let upstream: Upstream
        /// Where events are delivered.
        public let scheduler: Context
        let options: Context.SchedulerOptions?
        let delay: Context.SchedulerTimeType.Stride?

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Outlet<Output, Failure>(AnySubscriber(subscriber), keeping: .all)
            let events = Queued<Output, Failure>()
            let (scheduler, delay, options) = (self.scheduler, self.delay, self.options)
            func later() {
                // Each run delivers the oldest event, so the order is kept on concurrent queues too.
                guard let delay else { return scheduler.schedule(options: options) { events.tell(outlet) } }
                scheduler.schedule(
                    after: scheduler.now.advanced(by: delay), tolerance: scheduler.minimumTolerance,
                    options: options
                ) { events.tell(outlet) }
            }
            upstream.subscribe(
                AnySubscriber<Output, Failure>(
                    receiveSubscription: { subscription in
                        outlet.open(onRequest: subscription.request, onCancel: subscription.cancel)
                    },
                    receiveValue: { value in
                        events.append(.value(value))
                        later()
                        return .none
                    },
                    receiveCompletion: { completion in
                        events.append(.end(completion))
                        later()
                    }))
        }
    }

    /// Returned by ``Publisher/receive(on:options:)``.
    public typealias ReceiveOn<Upstream: Publisher, Context: Scheduler> = Scheduled<Upstream, Context>
    /// Returned by ``Publisher/delay(for:tolerance:scheduler:options:)``.
    public typealias Delay<Upstream: Publisher, Context: Scheduler> = Scheduled<Upstream, Context>

    /// Subscribes, requests and cancels on a scheduler.
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// The publisher that is subscribed.
        public let upstream: Upstream
        /// Where subscription, demand and cancellation run.
        public let scheduler: Context
        /// Passed to each scheduling call.
        public let options: Context.SchedulerOptions?

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Outlet<Output, Failure>(AnySubscriber(subscriber), keeping: .all)
            let (upstream, scheduler, options) = (self.upstream, self.scheduler, self.options)
            scheduler.schedule(options: options) {
                upstream.subscribe(
                    AnySubscriber<Output, Failure>(
                        receiveSubscription: { subscription in
                            outlet.open(
                                onRequest: { demand in
                                    scheduler.schedule(options: options) { subscription.request(demand) }
                                },
                                onCancel: { scheduler.schedule(options: options, subscription.cancel) })
                        },
                        receiveValue: { value in
                            outlet.send(value)
                            return .none
                        }, receiveCompletion: { outlet.send(completion: $0) }))
            }
        }
    }

    /// Publishes a value when no other follows it within `dueTime`.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// The publisher of the values.
        public let upstream: Upstream
        /// How long to wait for another value.
        public let dueTime: Context.SchedulerTimeType.Stride
        /// Measures the time and delivers.
        public let scheduler: Context
        /// Passed to each scheduling call.
        public let options: Context.SchedulerOptions?

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction<Output, Failure>(subscriber)
            let (scheduler, dueTime, options) = (self.scheduler, self.dueTime, self.options)
            var number = 0
            junction.open()
            let onCompletion = { (completion: Subscribers.Completion<Failure>) in
                number += 1
                scheduler.schedule(options: options) { junction.finish(completion) }
            }
            junction.listen(to: upstream, onCompletion: onCompletion) { value in
                number += 1
                let mine = number
                scheduler.schedule(
                    after: scheduler.now.advanced(by: dueTime), tolerance: scheduler.minimumTolerance,
                    options: options
                ) {
                    junction.inOrder { if number == mine { junction.outlet.send(value) } }
                }
            }
        }
    }

    /// Publishes at most one value per `interval`: the first immediately, then the newest or the first of
    /// each interval.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        /// The publisher of the values.
        public let upstream: Upstream
        /// The minimum distance between two values.
        public let interval: Context.SchedulerTimeType.Stride
        /// Measures the time and delivers.
        public let scheduler: Context
        /// Whether the newest value of an interval is sent instead of the first.
        public let latest: Bool

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction<Output, Failure>(subscriber)
            let (scheduler, interval, latest) = (self.scheduler, self.interval, self.latest)
            var waiting: Output?
            var end: Subscribers.Completion<Failure>?
            var isTimed = false
            var lastSent: Context.SchedulerTimeType?
            func send() {
                isTimed = false
                if let value = waiting {
                    waiting = nil
                    lastSent = scheduler.now
                    junction.outlet.send(value)
                }
                if let end { junction.finish(end) }
            }
            func time() {
                guard !isTimed else { return }
                isTimed = true
                let now = scheduler.now
                guard let lastSent, now < lastSent.advanced(by: interval) else {
                    return scheduler.schedule { junction.inOrder(send) }
                }
                scheduler.schedule(after: lastSent.advanced(by: interval)) { junction.inOrder(send) }
            }
            junction.open()
            let onCompletion = { (completion: Subscribers.Completion<Failure>) in
                end = completion
                time()
            }
            junction.listen(to: upstream, onCompletion: onCompletion) { value in
                if waiting == nil || latest { waiting = value }
                time()
            }
        }
    }
}

/// Events that wait for their scheduler.
private final class Queued<Output, Failure: Error> {
    enum Event {
        case value(Output)
        case end(Subscribers.Completion<Failure>)
    }
    private let events = Guarded<[Event]>([])

    func append(_ event: Event) { events.use { $0.append(event) } }

    func tell(_ outlet: Outlet<Output, Failure>) {
        outlet.inOrder {
            switch events.use({ $0.isEmpty ? nil : $0.removeFirst() }) {
            case .value(let value): outlet.send(value)
            case .end(let completion): outlet.send(completion: completion)
            case nil: break
            }
        }
    }
}

extension Publisher {
    /// Delivers on `scheduler`, for example `DispatchQueue.main`.
    public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> {
        Publishers.Scheduled(upstream: self, scheduler: scheduler, options: options, delay: nil)
    }

    /// Subscribes on `scheduler`. Values arrive on the upstream's thread.
    public func subscribe<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.SubscribeOn<Self, S> {
        Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
    }

    /// Delivers everything later by `interval`. The tolerance is ignored; a failure is delayed too.
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, S> {
        Publishers.Scheduled(upstream: self, scheduler: scheduler, options: options, delay: interval)
    }

    /// Sends a value when no other follows it within `dueTime`. A value that is waiting when the publisher
    /// completes is dropped, as with Apple's.
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> {
        Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
    }

    /// Sends at most one value per `interval`.
    public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Publishers.Throttle<Self, S> {
        Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
}
