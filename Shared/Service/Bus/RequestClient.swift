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

    /// Name of the service or agent that answers.
    package let peer: String
    private let socket: any DealerSocket
    private let loop: EventLoop
    private let tracer: Tracer
    private var open: [Int64: OpenCall] = [:]
    /// Number of requests without an answer.
    package var openCount: Int { open.count }
    /// Number of requests since the start; a request that is sent again counts once.
    package var sentCount: Int64 { nextID - 1 }
    /// Not sent yet; some may have ended.
    private var waiting: [OpenCall] = []
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
        waiting.removeAll()
        for request in abandoned {
            request.hasEnded = true
            fail(
                request.end, .shuttingDown, "this process is stopping", "Repeat it after the restart.")
        }
    }

    /// Sends a request and suspends until it ends.
    package func call<M: Call>(
        _ method: M.Type, _ params: M.Params, options: CallOptions = CallOptions()
    ) async throws(ServiceError) -> M.Result {
        let result: Result<M.Result, ServiceError> = await withCheckedContinuation { continuation in
            send(method, params, options: options) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Sends a request. `completion` runs exactly once, with the result or an error.
    package func send<M: Call>(
        _ method: M.Type, _ params: M.Params, options: CallOptions = CallOptions(),
        completion: @escaping @LoopActor (Result<M.Result, ServiceError>) -> Void
    ) {
        let span = tracer.start(M.name, .client, parent: options.trace)
        let tracer = tracer
        start(M.name, isWrite: M.effect == .write, .of(span.context), options, { params.encode(into: &$0) }) {
            end in
            switch end {
            case .inPlace(var reader):
                // Why it is not valid is determined with the result's bytes.
                guard let result = try? M.Result.decodeNext(&reader), reader.takeObjectEnd(), reader.isAtEnd
                else { return false }
                tracer.end(span)
                completion(.success(result))
            case .result(let raw):
                let result = Self.decode(M.self, raw)
                if case .failure(let error) = result { tracer.end(span, outcome: error.name.rawValue) } else {
                    tracer.end(span)
                }
                completion(result)
            case .error(let error):
                tracer.end(span, outcome: error.name.rawValue)
                completion(.failure(error))
            }
            return true
        }
    }

    private static func decode<M: Call>(_ method: M.Type, _ raw: RawJSON) -> Result<M.Result, ServiceError>
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
        start(method, isWrite: isWrite, .text(traceparent), options, { $0.raw(params) }) { end in
            switch end {
            case .inPlace: return false
            case .result(let raw): completion(.success(raw))
            case .error(let error): completion(.failure(error))
            }
            return true
        }
    }

    private func start(
        _ method: String, isWrite: Bool, _ trace: Traceparent, _ options: CallOptions,
        _ writeParams: (inout JSONWriter) -> Void, _ end: @escaping CallEnd.Handler
    ) {
        let id = nextID
        nextID += 1
        let bytes = Self.encode(id, method, trace, isWrite: isWrite, options, writeParams)
        guard bytes.count <= Limits.messageBytesMax else {
            return fail(
                end, .messageTooLong,
                "a request of \(bytes.count) bytes; \(Limits.messageBytesMax) are allowed", "Split it.")
        }
        guard open.count < Limits.openRequestsMax else {
            return fail(
                end, .tooManyRequests, "\(open.count) requests to \(peer) are open",
                "Wait for some of the answers, then send the request again.")
        }
        let call = OpenCall(id, deadline: loop.now + options.deadline, bytes, end)
        // Registered before it is sent: the answer may arrive in the same turn.
        open[call.id] = call
        armSweep(call.deadline)
        waiting.append(call)
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

    private func fail(_ end: CallEnd.Handler, _ name: ErrorName, _ message: String, _ remedy: String) {
        _ = end(.error(ServiceError(name, message, remedy: remedy)))
    }

    private enum Traceparent {
        case of(TraceContext)
        case text(String)
    }

    private static func encode(
        _ id: Int64, _ method: String, _ trace: Traceparent, isWrite: Bool, _ options: CallOptions,
        _ writeParams: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 768)
        writer.beginObject()
        writer.key("jsonrpc")
        writer.string("2.0")
        writer.key("id")
        writer.integer(id)
        writer.key("method")
        writer.string(method)
        writer.key("traceparent")
        switch trace {
        case .of(let context): writer.string(length: TraceContext.traceparentBytes, context.put)
        case .text(let text): writer.string(text)
        }
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
        writeParams(&writer)
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
            let call = waiting[sentCount]
            if !call.hasEnded, !call.isSent {
                do {
                    guard try socket.send(call.bytes) == .sent else { return }
                    call.isSent = true
                } catch {
                    end(
                        call.id,
                        .error(
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
                let isOne = try socket.receive { message in
                    // A malformed answer is ignored: the request ends at its deadline.
                    if !endInPlace(message) { answer = try? Answer.decode(message) }
                }
                guard isOne else { return }
            } catch { return }  // Interrupted by a signal, or the context is closed; the next poll retries.
            if let answer { end(answer) }
        }
    }

    /// Ends the request that a message answers, in one pass over it.
    /// - Returns: false, and nothing is done, unless it answers an open request with a valid result, its
    ///   members in the order of ``Answer``.
    private func endInPlace(_ message: UnsafeRawBufferPointer) -> Bool {
        var reader = JSONReader(message.assumingMemoryBound(to: UInt8.self))
        guard (try? reader.beginObject()) != nil, reader.takeKey("jsonrpc"), reader.plainString() != nil,
            reader.takeKey("id"), let id = try? reader.integer(), reader.takeKey("result"),
            let call = open.removeValue(forKey: id)
        else { return false }
        // Its end may send further requests, or close this client.
        call.hasEnded = true
        if call.end(.inPlace(reader)) { return true }
        call.hasEnded = false
        open[id] = call
        return false
    }

    private func end(_ answer: Answer) {
        guard let raw = answer.id, let id = Int64(String(decoding: raw.bytes, as: UTF8.self)) else { return }
        if let error = answer.error {
            end(id, .error(error.serviceError))
        } else if let result = answer.result {
            end(id, .result(result))
        }
    }

    private func end(_ id: Int64, _ end: CallEnd) {
        guard let call = open.removeValue(forKey: id) else { return }  // It has reached its deadline.
        call.hasEnded = true
        _ = call.end(end)
    }

    /// Every connection after the first may lead to a new server process, so open requests are sent again.
    /// This does not happen at the disconnection: its event can arrive before the old pipe is closed, and a
    /// request sent then would be lost without an error.
    private func connected(_ count: Int) {
        let isFirst = !wasConnected && count == 1
        wasConnected = true
        guard !isFirst else { return }
        receiveAnswers()
        for call in open.values where call.isSent {
            call.isSent = false
            waiting.append(call)
        }
        waiting.sort { $0.id < $1.id }
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
            end(id, .error(overdue(request)))
        }
        waiting.removeAll { $0.hasEnded }
        if let next = open.values.map(\.deadline).min() { armSweep(next) }
    }

    private func overdue(_ request: OpenCall) -> ServiceError {
        request.isSent
            ? ServiceError(
                .deadlineExceeded, "\(peer) did not answer in time",
                remedy: "See `screentime status`; it may be stopped or busy.")
            : Self.absence(of: peer)
    }

    /// The error of a request that could not be sent.
    package static func absence(of peer: String) -> ServiceError {
        ServiceError(
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
