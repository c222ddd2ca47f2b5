public import Foundation

/// Runs `body`. Objects are released by reference counting on Linux, so there is no pool to drain.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

extension NotificationCenter {
    /// The notifications with the name, from `object` or any sender, for `for await`. Observation starts with
    /// this call.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// Buffers notifications without limit between iterations. Stops observing when it is released.
    public final class Notifications: AsyncSequence {
        public typealias Element = Notification
        private let center: NotificationCenter
        private let stream: AsyncStream<Posted>
        private let observer: any NSObjectProtocol

        /// Transfers a notification to the consumer.
        // Its sender does not use it after posting.
        fileprivate struct Posted: @unchecked Sendable {
            let notification: Notification
        }

        fileprivate init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
            self.center = center
            let (stream, continuation) = AsyncStream.makeStream(of: Posted.self)
            self.stream = stream
            observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
                continuation.yield(Posted(notification: notification))
            }
        }

        deinit { center.removeObserver(observer) }

        /// Iterators of one sequence share its notifications.
        public func makeAsyncIterator() -> Iterator {
            Iterator(owner: self, iterator: stream.makeAsyncIterator())
        }

        /// Keeps the sequence, and so the observer, alive.
        public struct Iterator: AsyncIteratorProtocol {
            /// Keeps the observer while iteration goes on.
            fileprivate let owner: Notifications
            fileprivate var iterator: AsyncStream<Posted>.Iterator

            /// Nil only when the task is cancelled.
            public mutating func next() async -> Notification? {
                await iterator.next(isolation: #isolation)?.notification
            }
        }
    }
}
