package import Contract
package import JSON
package import Loop
package import Units

/// Sends requests to one service: a DEALER socket on its `<service>.requests`. Each request ends with an
/// answer or at its deadline, whatever the server does. When the server dies, open requests are sent again to
/// its successor. This is safe because reads change nothing and writes carry an idempotency key.
@LoopActor package final class RequestClient {
    /// Receives the raw result of a request, or its error.
    package typealias Completion = @LoopActor (Result<RawJSON, ServiceError>) -> Void

    private struct Open {
        var bytes: [UInt8]
        var deadline: Milliseconds
        var sent: Bool
        var completion: Completion
    }

    /// Name of the service or agent that answers.
    package let peer: String
    private let socket: any DealerSocket
    private let loop: EventLoop
    private let tracer: Tracer
    private var open: [Int64: Open] = [:]
    /// Number of requests without an answer.
    package var openCount: Int { open.count }
    /// Number of requests since the start; a request that is sent again counts once.
    package var sentCount: Int64 { nextID - 1 }
    private var waiting: [Int64] = []
    private var nextID: Int64 = 1
    private var willSend = false
    private var wasConnected = false
    private var sweep: (timer: TimerToken, due: Milliseconds)?

    /// Connects to a service, which may start later.
    package convenience init(
        to service: ServiceName, in transport: any Transport, tracer: Tracer
    ) throws(SocketError) {
        try self.init(toNamed: service.rawValue, in: transport, tracer: tracer)
    }

    /// - Parameter name: of a service or an agent.
    package init(toNamed name: String, in transport: any Transport, tracer: Tracer) throws(SocketError) {
        peer = name
        self.tracer = tracer
        loop = transport.loop
        socket = try transport.dealer(to: name)
        socket.onReady = { [weak self] in self?.socketIsReady() }
        socket.onConnections = { [weak self] in self?.connected($0) }
    }

    isolated deinit {
        socket.close()
        if let sweep { loop.cancel(sweep.timer) }
    }

    /// Ends all open requests with `shuttingDown` and closes the connection.
    package func close() {
        socket.close()
        if let sweep { loop.cancel(sweep.timer) }
        let abandoned = open.values
        open.removeAll()
        for request in abandoned {
            request.completion(
                .failure(
                    ServiceError(
                        .shuttingDown, "this process is stopping", remedy: "Repeat it after the restart.")))
        }
    }

    /// Sends a request and suspends until it ends.
    package func call<M: Method>(
        _ method: M.Type, _ params: M.Params, options: CallOptions = CallOptions()
    ) async throws(ServiceError) -> M.Result {
        let result: Result<M.Result, ServiceError> = await withCheckedContinuation { continuation in
            send(method, params, options: options) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Sends a request. `completion` runs exactly once, with the result or an error.
    package func send<M: Method>(
        _ method: M.Type, _ params: M.Params, options: CallOptions = CallOptions(),
        completion: @escaping @LoopActor (Result<M.Result, ServiceError>) -> Void
    ) {
        let span = tracer.start(M.name, .client, parent: options.trace)
        let tracer = tracer
        sendRaw(
            method: M.name, params: params.encoded(), isWrite: M.effect == .write,
            traceparent: span.context.traceparent, options: options
        ) { answer in
            let result = answer.flatMap { raw in Self.decode(M.self, raw) }
            tracer.end(span, outcome: Self.outcome(result))
            completion(result)
        }
    }

    private static func outcome<R>(_ result: Result<R, ServiceError>) -> String {
        switch result {
        case .success: "ok"
        case .failure(let error): error.name.rawValue
        }
    }

    private static func decode<M: Method>(_ method: M.Type, _ raw: RawJSON) -> Result<M.Result, ServiceError>
    {
        do {
            return .success(try M.Result.decode(raw.bytes))
        } catch {
            return .failure(
                ServiceError(
                    .internalError, "the answer to \(M.name) violates the contract: \(error.message)",
                    remedy: "Run the same version of all services."))
        }
    }

    /// Sends a request of any method. For callers that do not know its type: the command line and tests.
    package func sendRaw(
        method: String, params: [UInt8], isWrite: Bool, traceparent: String, options: CallOptions,
        completion: @escaping Completion
    ) {
        let id = nextID
        nextID += 1
        let bytes = Self.encode(
            id: id, method: method, params: params, traceparent: traceparent, isWrite: isWrite,
            options: options)
        guard bytes.count <= Limits.messageBytesMax else {
            completion(
                .failure(
                    ServiceError(
                        .messageTooLong,
                        "a request of \(bytes.count) bytes; \(Limits.messageBytesMax) are allowed",
                        remedy: "Split it.")))
            return
        }
        guard open.count < Limits.openRequestsMax else {
            completion(
                .failure(
                    ServiceError(
                        .tooManyRequests, "\(open.count) requests to \(peer) are open",
                        remedy: "Wait for some of the answers, then send the request again.")))
            return
        }
        let deadline = loop.now + options.deadline
        // Registered before it is sent: the answer may arrive in the same turn.
        open[id] = Open(bytes: bytes, deadline: deadline, sent: false, completion: completion)
        armSweep(deadline)
        waiting.append(id)
        if waiting.count >= BusOptions.messagesSentTogether { return sendWaiting() }
        guard !willSend else { return }
        willSend = true
        loop.beforeSleeping { [weak self] in
            self?.willSend = false
            self?.sendWaiting()
        }
    }

    /// The same, and suspends until it ends.
    package func callRaw(
        method: String, params: [UInt8], isWrite: Bool, traceparent: String, options: CallOptions
    ) async throws(ServiceError) -> RawJSON {
        let result: Result<RawJSON, ServiceError> = await withCheckedContinuation { continuation in
            sendRaw(
                method: method, params: params, isWrite: isWrite, traceparent: traceparent, options: options
            ) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    private static func encode(
        id: Int64, method: String, params: [UInt8], traceparent: String, isWrite: Bool, options: CallOptions
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: params.count + 256)
        writer.beginObject()
        writer.key("jsonrpc")
        writer.string("2.0")
        writer.key("id")
        writer.integer(id)
        writer.key("method")
        writer.string(method)
        writer.key("traceparent")
        writer.string(traceparent)
        writer.key("deadline")
        writer.integer(min(options.deadline, Limits.requestDeadlineMax).count)
        if isWrite {
            writer.key("idempotency_key")
            writer.string(
                options.idempotencyKey ?? TraceContext.hexText(freshID()) + TraceContext.hexText(freshID()))
        }
        if let client = options.client {
            writer.key("client")
            writer.string(client)
        }
        if !options.notBefore.isEmpty {
            writer.key("not_before")
            options.notBefore.write(&writer)
        }
        writer.key("params")
        writer.raw(params)
        writer.endObject()
        return writer.bytes
    }

    // MARK: the socket

    private func socketIsReady() {
        receiveAnswers()
        sendWaiting()
    }

    private func sendWaiting() {
        var sentCount = 0
        defer {
            waiting.removeFirst(sentCount)
            socket.wantsToSend = !waiting.isEmpty
        }
        while sentCount < waiting.count {
            let id = waiting[sentCount]
            if let request = open[id], !request.sent {
                do {
                    guard try socket.send(request.bytes) == .sent else { return }
                    open[id]?.sent = true
                } catch {
                    end(
                        id,
                        .failure(
                            ServiceError(.unavailable, error.message, remedy: "Check that the service runs."))
                    )
                }
            }
            sentCount += 1
        }
    }

    private func receiveAnswers() {
        while true {
            var answer: Answer?
            do {
                // A malformed answer is ignored: the request ends at its deadline.
                guard try socket.receive({ answer = try? Answer.decode($0) }) else { return }
            } catch { return }  // Interrupted by a signal, or the context is closed; the next poll retries.
            guard let answer, let raw = answer.id, let id = Int64(String(decoding: raw.bytes, as: UTF8.self))
            else { continue }
            if let error = answer.error {
                end(id, .failure(error.serviceError))
            } else if let result = answer.result {
                end(id, .success(result))
            }
        }
    }

    private func end(_ id: Int64, _ result: Result<RawJSON, ServiceError>) {
        guard let request = open.removeValue(forKey: id) else { return }  // It has reached its deadline.
        request.completion(result)
    }

    /// Every connection after the first may lead to a new server process, so open requests are sent again.
    /// This does not happen at the disconnection: its event can arrive before the old pipe is closed, and a
    /// request sent then would be lost without an error.
    private func connected(_ count: Int) {
        let isFirst = !wasConnected && count == 1
        wasConnected = true
        guard !isFirst else { return }
        receiveAnswers()
        for (id, request) in open where request.sent {
            open[id]?.sent = false
            waiting.append(id)
        }
        waiting.sort()
        sendWaiting()
    }

    // MARK: deadlines

    private func armSweep(_ due: Milliseconds) {
        if let sweep, sweep.due <= due { return }
        if let sweep { loop.cancel(sweep.timer) }
        let timer = loop.after(due - loop.now) { [weak self] in
            self?.endOverdue()
        }
        sweep = (timer, due)
    }

    private func endOverdue() {
        sweep = nil
        let now = loop.now
        for (id, request) in open where request.deadline <= now {
            end(id, .failure(overdue(request)))
        }
        waiting.removeAll { open[$0] == nil }
        if let next = open.values.map(\.deadline).min() { armSweep(next) }
    }

    private func overdue(_ request: Open) -> ServiceError {
        request.sent
            ? ServiceError(
                .deadlineExceeded, "\(peer) did not answer in time",
                remedy: "See `screentime status`; it may be stopped or busy.")
            : ServiceError(
                .unavailable, "\(peer) is not running",
                remedy: "Start it with scripts/run-all.sh, or read its log.")
    }
}

/// How one request is sent.
package struct CallOptions: Sendable {
    /// Milliseconds until the request ends with `deadlineExceeded`; 1 to 3,600,000.
    package var deadline: Milliseconds = Limits.requestDeadline
    /// The span that causes this request; nil starts a new trace.
    package var trace: TraceContext?
    /// For writes. If nil, a new key. Set it when a repeat after a restart of this process must be
    /// recognised.
    package var idempotencyKey: String?
    /// Bundle id of the client on whose behalf it is sent; nil for the person.
    package var client: String?
    /// Log positions that the service must have reached before it handles the request.
    package var notBefore: [Position] = []

    /// The defaults fit a request that a person started.
    package init(
        deadline: Milliseconds = Limits.requestDeadline, trace: TraceContext? = nil,
        idempotencyKey: String? = nil,
        client: String? = nil, notBefore: [Position] = []
    ) {
        self.deadline = deadline
        self.trace = trace
        self.idempotencyKey = idempotencyKey
        self.client = client
        self.notBefore = notBefore
    }
}
