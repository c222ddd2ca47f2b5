/// The values of a publisher for `for await`. Values that arrive between two iterations are buffered without
/// limit; with Apple's some publishers drop them.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output
    private let publisher: P

    /// Subscribes when iteration begins, not here.
    public init(_ publisher: P) { self.publisher = publisher }

    /// Each iterator has a separate subscription.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: Feed(publisher)) }

    /// Cancels its subscription when it is released.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let feed: Feed<P>

        /// The next value, or nil after the end or when the task is cancelled.
        public mutating func next() async -> P.Output? {
            // The publisher cannot fail, so nothing is thrown.
            try? await feed.next()
        }
    }
}

/// The values of a publisher for `for try await`. Buffered as by ``AsyncPublisher``.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    public typealias Element = P.Output
    private let publisher: P

    /// Subscribes when iteration begins, not here.
    public init(_ publisher: P) { self.publisher = publisher }

    /// Each iterator has a separate subscription.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: Feed(publisher)) }

    /// Cancels its subscription when it is released.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let feed: Feed<P>

        /// The next value, or nil after the end or when the task is cancelled. Throws the publisher's
        /// failure.
        public mutating func next() async throws -> P.Output? { try await feed.next() }
    }
}

/// A subscription that buffers values for one iterator. It is cancelled when that iterator is released or its
/// task is cancelled.
private final class Feed<P: Publisher> {
    private let inbox = Inbox<Handover<P.Output>>()
    private let link: AnyCancellable

    init(_ publisher: P) {
        let inbox = self.inbox
        link = publisher.sink(
            receiveCompletion: { completion in
                switch completion {
                case .finished: inbox.end(.success(nil))
                case .failure(let error): inbox.end(.failure(error))
                }
            }, receiveValue: { inbox.put(Handover($0)) })
    }

    func next() async throws -> P.Output? { try await inbox.next()?.value }
}

/// A buffer with one consumer.
private final class Inbox<Value: Sendable>: Sendable {
    typealias Turn = Result<Value?, any Error>
    private struct State {
        var waiting: [Value] = []
        var end: Turn?
        var asking: CheckedContinuation<Turn, Never>?
    }
    private let state = Guarded(State())

    func put(_ value: Value) {
        let asking = state.use { state in
            if state.asking == nil { state.waiting.append(value) }
            defer { state.asking = nil }
            return state.asking
        }
        asking?.resume(returning: .success(value))
    }

    func end(_ end: Turn) {
        let asking = state.use { state in
            if state.end == nil { state.end = end }
            defer { state.asking = nil }
            return state.asking
        }
        asking?.resume(returning: end)
    }

    /// - Returns: nil at the end or when the task is cancelled.
    func next() async throws -> Value? {
        let turn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let turn = state.use { state -> Turn? in
                    if !state.waiting.isEmpty { return .success(state.waiting.removeFirst()) }
                    if state.end == nil { state.asking = continuation }
                    return state.end
                }
                if let turn { continuation.resume(returning: turn) }
            }
        } onCancel: {
            end(.success(nil))
        }
        return try turn.get()
    }
}

extension Publisher {
    /// The values for `for try await value in publisher.values`.
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

extension Publisher where Failure == Never {
    /// The values for `for await value in publisher.values`.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Future {
    /// The result; suspends until there is one. Throws `CancellationError` if the task is cancelled.
    public var value: Output {
        get async throws {
            for try await value in values { return value }
            throw CancellationError()
        }
    }
}

extension Future where Failure == Never {
    /// The result; suspends until there is one. Cancelling the task does not end the wait, as with Apple's.
    public var value: Output {
        get async {
            let result = await withCheckedContinuation { continuation in
                receive(
                    subscriber: Subscribers.Sink<Output, Never>(
                        receiveCompletion: { _ in },
                        receiveValue: { continuation.resume(returning: Handover($0)) }))
            }
            return result.value
        }
    }
}
