/// The values of a publisher for `for await`. What comes between two turns waits; with Apple's some
/// publishers lose it.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output
    private let publisher: P

    public init(_ publisher: P) { self.publisher = publisher }

    public func makeAsyncIterator() -> Iterator { Iterator(feed: Feed(publisher)) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let feed: Feed<P>

        public mutating func next() async -> P.Output? {
            // A publisher that never fails ends without an error.
            try? await feed.next()
        }
    }
}

/// The values of a publisher for `for try await`.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    public typealias Element = P.Output
    private let publisher: P

    public init(_ publisher: P) { self.publisher = publisher }

    public func makeAsyncIterator() -> Iterator { Iterator(feed: Feed(publisher)) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let feed: Feed<P>

        public mutating func next() async throws -> P.Output? { try await feed.next() }
    }
}

/// A subscription whose values wait for the one that iterates; it ends with it, or with its task.
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

/// Values that wait for one who takes them.
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

    /// - Returns: nil at the end, or when the task is cancelled.
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
    /// For `for try await value in publisher.values`.
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

extension Publisher where Failure == Never {
    /// For `for await value in publisher.values`.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Future {
    /// The result, as soon as it is there.
    public var value: Output {
        get async throws {
            for try await value in values { return value }
            throw CancellationError()
        }
    }
}

extension Future where Failure == Never {
    /// The result, as soon as it is there; a cancelled task waits on, as Apple's does.
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
