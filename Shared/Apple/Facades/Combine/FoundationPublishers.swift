public import Foundation

extension NotificationCenter {
    /// Publishes each notification with the name, from `object` or, if that is nil, from any sender.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }

    /// Adds one observer per subscriber; notifications that are not yet requested are buffered without limit
    /// (Apple's are dropped).
    public struct Publisher: Combine.Publisher {
        public typealias Output = Notification
        public typealias Failure = Never
        /// The center that is observed.
        public let center: NotificationCenter
        /// The name of the notifications.
        public let name: Notification.Name
        /// Nil for notifications of any sender. Keeps the sender alive, as Apple's does.
        public let object: AnyObject?

        /// Observes from the first subscription on.
        public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
            self.center = center
            self.name = name
            self.object = object
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Handover(Outlet<Output, Failure>(AnySubscriber(subscriber), keeping: .all))
            let center = self.center
            let observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
                outlet.value.send(notification)
            }
            outlet.value.open(onCancel: { center.removeObserver(observer) })
        }
    }
}

extension Timer {
    /// Publishes the date repeatedly. Starts with `connect()` or `autoconnect()`.
    /// - Parameters:
    ///   - interval: seconds.
    ///   - tolerance: seconds.
    ///   - options: ignored; run loops have none.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop,
        in mode: RunLoop.Mode, options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode)
    }

    /// The timer runs on the run loop; for the main run loop, on the main queue.
    public final class TimerPublisher: ConnectablePublisher {
        public typealias Output = Date
        public typealias Failure = Never
        /// Seconds.
        public let interval: TimeInterval
        /// Seconds. Nil means 0.
        public let tolerance: TimeInterval?
        /// The run loop on which the date is published.
        public let runLoop: RunLoop
        /// Kept only; the timer always runs in the default mode.
        public let mode: RunLoop.Mode
        private let subject = PassthroughSubject<Date, Never>()

        /// Does not start the timer.
        public init(
            interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
            options: RunLoop.SchedulerOptions? = nil
        ) {
            self.interval = interval
            self.tolerance = tolerance
            self.runLoop = runLoop
            self.mode = mode
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subject.receive(subscriber: subscriber)
        }

        /// Starts a timer; each call starts another. Released, the returned value stops it.
        public func connect() -> any Cancellable {
            runLoop.schedule(
                after: runLoop.now.advanced(by: .seconds(interval)), interval: .seconds(interval),
                tolerance: .seconds(tolerance ?? 0), options: nil
            ) { [subject] in subject.send(Date()) }
        }
    }
}
