public import Foundation

/// Runs `body`; on this platform objects end when their last user does, so there is no pool to drain.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

extension NotificationCenter {
    /// Each posting of `name`, by `object` or by anyone, for `for await`; begins with this call.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    public final class Notifications: AsyncSequence {
        public typealias Element = Notification
        private let center: NotificationCenter
        private let stream: AsyncStream<Posted>
        private let observer: any NSObjectProtocol

        /// A posting goes on to the one that awaits it.
        // Its poster gave it away by posting.
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

        public func makeAsyncIterator() -> Iterator {
            Iterator(owner: self, iterator: stream.makeAsyncIterator())
        }

        public struct Iterator: AsyncIteratorProtocol {
            /// Observes as long as somebody iterates.
            fileprivate let owner: Notifications
            fileprivate var iterator: AsyncStream<Posted>.Iterator

            public mutating func next() async -> Notification? {
                await iterator.next(isolation: #isolation)?.notification
            }
        }
    }
}
