package import Contract
import Glibc
package import JSON
import Synchronization
package import Units

/// A program's connection to the system, in both directions.
///
/// Calls may be made from any thread, task, actor or callback. The caller waits for a plain thread that reads
/// the socket, so an answer arrives without Swift's pool, the main thread or a lock of the program. Each call
/// ends at its deadline.
package final class Link: Sendable {
    /// The connection of this process: to the host that started it, or else through `app-link`.
    package static let shared = Link(connecting: { () throws(ServiceError) in try LinkSocket.standard() })

    /// Deadline of calls whose caller names none: `SCREENTIME_DEADLINE_MS`, or else 5000.
    package static let deadline: Milliseconds = {
        let asked = getenv("SCREENTIME_DEADLINE_MS").flatMap { Int64(String(cString: $0)) }
        guard let asked else { return Limits.requestDeadline }
        return min(max(Milliseconds(asked), 1), Limits.requestDeadlineMax)
    }()

    struct State {
        var stream: LinkStream?
        var lifetime = LinkSocket.Lifetime.ofProcess
        var hello: Hello.Answer?
        var tokens = true
        var handlers: [String: HostHandler] = [:]
        var principal: String?
        /// Requests that arrived before the program was ready to serve.
        var postponed: [(stream: LinkStream, id: Int64, method: String, params: RawJSON?)] = []
        var serves = false
        /// Whether an attempt to connect waits for its time.
        var isRetryDue = false
        var subscriptions: [Int64: EventSubscriber] = [:]
        var nextSubscription: Int64 = 1
        var journal: Int32 = -1
        /// Writes that a service did not accept, although they may be valid.
        var missedWrites = 0
        var connections = 0
        var connected: [@Sendable () -> Void] = []
    }

    private let connect: @Sendable () throws(ServiceError) -> LinkSocket
    let state = Mutex(State())
    /// Locked while connecting, so that only one connection is made.
    private let connecting = Mutex(())
    let callbacks = SerialThread("screentime-calls")
    let events = SerialThread("screentime-event")

    /// Delay before a program that only listens reconnects.
    package static let retry: Milliseconds = 1_000
    private static let retryMax: Milliseconds = 60_000
    private let retry: Milliseconds

    /// - Parameter connect: makes a connection; called again after one has ended.
    package init(
        retry: Milliseconds = Link.retry,
        connecting connect: @escaping @Sendable () throws(ServiceError) -> LinkSocket
    ) {
        self.retry = retry
        self.connect = connect
    }

    // MARK: calls

    /// Calls a method of the bus or of the host, and waits for the answer.
    /// - Parameter deadline: milliseconds.
    /// - Throws: the error of the service; `deadlineExceeded`; `unavailable` without a connection.
    package func call<M: Method>(
        _ method: M.Type, _ params: M.Params, deadline: Milliseconds = Link.deadline
    ) throws(ServiceError) -> M.Result {
        try Self.decode(
            M.Result.self, M.name, call(M.name, RawJSON(encoding: params), deadline: deadline))
    }

    /// As `call`, for methods without a type.
    package func call(
        _ method: String, _ params: RawJSON, deadline: Milliseconds = Link.deadline
    ) throws(ServiceError) -> RawJSON {
        let waiter = Waiter()
        try ask(stream(), method, params, deadline) { waiter.end($0) }
        return try waiter.wait().get()
    }

    /// As `call`, without blocking a thread. A cancelled task gets `CancellationError` at once; the request
    /// may be done nevertheless.
    package func call<M: Method>(
        later method: M.Type, _ params: M.Params, deadline: Milliseconds = Link.deadline
    ) async throws -> M.Result {
        let stream = try stream()
        let request = Atomic<Int64>(0)
        let result = try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return await withCheckedContinuation { continuation in
                let id = ask(stream, M.name, RawJSON(encoding: params), deadline) {
                    continuation.resume(returning: $0)
                }
                request.store(id, ordering: .sequentiallyConsistent)
                if Task.isCancelled { stream.abandon(id, LinkError.late) }
            }
        } onCancel: {
            stream.abandon(request.load(ordering: .sequentiallyConsistent), LinkError.late)
        }
        if case .failure = result { try Task.checkCancellation() }
        return try Self.decode(M.Result.self, M.name, result.get())
    }

    /// Counts a missed write before its caller gets the error.
    @discardableResult
    private func ask(
        _ stream: LinkStream, _ method: String, _ params: RawJSON, _ deadline: Milliseconds,
        _ completion: @escaping LinkStream.Completion
    ) -> Int64 {
        stream.send(method, params, deadline: deadline) { [weak self] result in
            if case .failure(let error) = result, error.isOfService, ProgramKind.monitor.writes(method) {
                self?.state.withLock { $0.missedWrites += 1 }
            }
            completion(result)
        }
    }

    private static func decode<R: Record>(
        _ type: R.Type, _ method: String, _ raw: RawJSON
    ) throws(ServiceError) -> R {
        do { return try R.decode(raw.bytes) } catch {
            throw ServiceError(
                .internalError, "the answer to \(method) does not follow the contract: \(error.message)",
                remedy: "Run the same version of the system and of the program's frameworks.")
        }
    }

    /// The identity of this program; requested once per connection.
    /// - Parameter again: request it again, because the host may know more now.
    package func hello(again: Bool = false) throws(ServiceError) -> Hello.Answer {
        _ = try stream()
        let (known, tokens) = state.withLock { ($0.hello, $0.tokens) }
        if let known, !again { return known }
        let raw = try call(Hello.method, RawJSON(encoding: Hello.Params(tokens: tokens)))
        let answer = try Self.decode(Hello.Answer.self, Hello.method, raw)
        state.withLock { $0.hello = answer }
        return answer
    }

    /// Sends and receives names of subjects instead of tokens; call it before the first call.
    package func speakPlainly() { state.withLock { $0.tokens = false } }

    // MARK: the connection

    func stream() throws(ServiceError) -> LinkStream {
        if let present = state.withLock({ $0.stream }) { return present }
        return try connecting.withLock { _ throws(ServiceError) in
            if let present = state.withLock({ $0.stream }) { return present }
            return try open(connect())
        }
    }

    private func open(_ socket: LinkSocket) -> LinkStream {
        let stream = LinkStream(
            socket: socket.descriptor,
            output: LinkStream.Output(
                request: { [weak self] id, method, params in self?.receive(id, method, params) },
                ended: { [weak self] error in self?.ended(socket, error) }))
        let (tokens, types) = state.withLock { state in
            state.stream = stream
            state.lifetime = socket.lifetime
            state.journal = socket.journal
            state.hello = nil
            state.connections += 1
            return (state.tokens, Set(state.subscriptions.values.flatMap(\.types)).sorted())
        }
        // The first request, so that the host knows how to translate all others.
        stream.send(
            Hello.method, RawJSON(encoding: Hello.Params(tokens: tokens)), deadline: Self.deadline
        ) { [weak self] result in
            // If this fails, `hello` requests it again and throws the error.
            guard let self, case .success(let raw) = result, let answer = try? Hello.Answer.decode(raw.bytes)
            else { return }
            state.withLock { $0.hello = answer }
        }
        if !types.isEmpty { send(subscription: types, on: stream) }
        stream.start()
        let (isFirst, connected) = state.withLock { ($0.connections == 1, $0.connected) }
        if !isFirst { events.enqueue { connected.forEach { $0() } } }
        return stream
    }

    /// Runs `body` on the event thread after each connection but the first. If the connection of an app
    /// broke, events in between may be missing.
    package func onConnection(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.connected.append(body) }
    }

    func send(subscription types: [String], on stream: LinkStream) {
        // A host that refuses a subscription also refuses calls, whose callers get the error.
        stream.send(
            Subscribe.method, RawJSON(encoding: Subscribe.Params(types: types)), deadline: Self.deadline
        ) { _ in }
    }

    private func ended(_ socket: LinkSocket, _ error: WireError?) {
        if let error {
            let text = Array("the host violated the protocol: \(error.reason)\n".utf8)
            // Standard error may be closed; then nobody can be notified.
            _ = write(STDERR_FILENO, text, text.count)
        }
        switch socket.lifetime {
        case .ofProcess: exit(error == nil ? 0 : Wire.protocolExitCode)
        case .ofCommand(let pid): waitpid(pid, nil, 0)
        case .ofTest: break
        }
        let listens = state.withLock { state in
            state.stream = nil
            state.hello = nil
            state.postponed = []
            return !state.subscriptions.isEmpty
        }
        if listens { connectToListen() }
    }

    /// Connects a program that only listens, and retries as long as it listens and is not connected. Of
    /// several causes to retry, the first one sets the time.
    /// - Parameter delay: until the next attempt; doubled for each further one.
    func connectToListen(nextTryIn delay: Milliseconds? = nil) {
        events.enqueue { [weak self] in
            guard let self, state.withLock({ $0.stream == nil && !$0.subscriptions.isEmpty }) else { return }
            do throws(ServiceError) { _ = try stream() } catch {
                let isWaiting = state.withLock { state in
                    defer { state.isRetryDue = true }
                    return state.isRetryDue
                }
                guard !isWaiting else { return }
                let delay = delay ?? retry
                let text = Array(
                    "events do not arrive: \(error.message). \(error.remedy) Next attempt in \(delay) ms.\n"
                        .utf8)
                // Standard error may be closed; then nobody can be notified.
                _ = write(STDERR_FILENO, text, text.count)
                PlainThread.start("screentime-next", after: delay) {
                    self.state.withLock { $0.isRetryDue = false }
                    self.connectToListen(nextTryIn: min(delay * 2, Self.retryMax))
                }
            }
        }
    }
}

/// Lets a thread wait for an answer.
private final class Waiter: Sendable {
    private let result = Mutex<Result<RawJSON, ServiceError>?>(nil)
    private let isThere = Semaphore()

    func end(_ result: Result<RawJSON, ServiceError>) {
        self.result.withLock { $0 = result }
        isThere.signal()
    }

    func wait() -> Result<RawJSON, ServiceError> {
        isThere.wait()
        // It was set before the signal.
        return result.withLock { $0 } ?? .failure(LinkError.hostGone)
    }
}
