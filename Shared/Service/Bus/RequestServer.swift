package import Contract
import Glibc
internal import JSON
package import Loop
import Time
package import Units

/// What a handler knows about a request besides its parameters.
package struct RequestContext: Sendable {
    /// The connected process, as the kernel reports it.
    package var peer: Peer
    /// Bundle id of the client on whose behalf it is sent; nil for the person of the uid.
    package var client: String?
    /// Set for each write; the same key and parameters return the first answer.
    package var idempotencyKey: String?
    /// Log positions that must be reached before the request is handled.
    package var notBefore: [Position]
    /// Deadline on the monotonic clock, in milliseconds.
    package var deadline: Milliseconds
    /// The span of this request; pass it to calls made on its behalf.
    package var trace: TraceContext
    /// The encoded parameters; empty once they are validated.
    package var params: [UInt8]
    /// Digest of the parameters, to compare a repeat with the first request.
    package var paramsDigest: [UInt8] = []
    /// Notify it when the request has to wait; nil if the request is not counted.
    package var open: OpenRequest?
}

/// The requests of one service: a ROUTER socket on `<service>.requests`. It decodes requests, checks the
/// caller's uid and sends answers.
@LoopActor package final class RequestServer {
    typealias Handler = @LoopActor (RawJSON?, RequestContext, Reply) -> Void

    private let socket: Socket
    private var token: Reactor.Token?
    private var connections: ConnectionWatch?
    private let tracer: Tracer
    private var handlers: [String: Handler] = [:]
    private var untraced: Set<String> = []
    private let waiting = RequestQueue()
    /// Whether the next turn handles waiting requests.
    private var hasMoreWaiting = false
    private var answerBytesInTurn = 0
    private var unsent: [(bytes: [UInt8], route: Route)] = []
    private let backlog = AnswerBacklog()
    private var readinessToken: Reactor.Token?
    private var backlogTimer: TimerToken?
    let open = OpenRequests()
    /// Number of received requests without an answer.
    package var unanswered: Int { open.count }
    /// Number of requests since the start, not counting untraced methods.
    package private(set) var takenCount: Int64 = 0
    /// Called for each refused or dropped message, with text that is safe to log.
    package var onRefusal: (@LoopActor (RefusalReason, String) -> Void)?

    /// Binds the request socket of a service.
    package convenience init(
        _ service: ServiceName, in directory: RuntimeDirectory, tracer: Tracer
    ) throws(SocketError) {
        try self.init(named: service.rawValue, in: directory, tracer: tracer)
    }

    /// - Parameter name: of a service or an agent.
    package init(named name: String, in directory: RuntimeDirectory, tracer: Tracer) throws(SocketError) {
        self.tracer = tracer
        // A message slightly over the limit is received and refused with an answer; one far over it closes
        // the connection.
        socket = try Socket(
            .router, queuedMax: BusOptions.requestsQueuedMax, sentMax: BusOptions.answersQueuedMax,
            bytesMax: 2 * Limits.messageBytesMax)
        let path = directory.socketPath(named: name, .requests)
        connections = try ConnectionWatch(socket, at: path) { [weak self] reason, whose in
            self?.onRefusal?(reason, whose)
        }
        connections?.onEnd = { [weak self] in self?.open.endUnwanted($0) }
        open.onLoss = { [weak self] pid in
            self?.onRefusal?(.tooManyRequests, "pid \(pid) had the most waiting; it was ended")
        }
        try socket.bind(directory.endpoint(named: name, .requests))
        token = Reactor.shared.watch(socket: socket.raw) { [weak self] in self?.receiveRequests() }
    }

    /// A socket must be unregistered from the poll before it closes, which happens when this object is
    /// released.
    isolated deinit { close() }

    /// Stops listening; the socket closes with the last reference to this object.
    package func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
        stopWaiting()
        socket.stopMonitoring()
        connections?.close()
        open.close()
    }

    /// Registers the handler of `method`. It calls the reply exactly once, immediately or later.
    /// - Parameter traced: false for a method that is called so often that its spans would displace all
    ///   others.
    package func answer<M: Method>(
        _ method: M.Type, traced: Bool = true,
        _ handler: @escaping @LoopActor (M.Params, RequestContext, TypedReply<M>) -> Void
    ) {
        if !traced { untraced.insert(M.name) }
        handlers[M.name] = { [weak self] raw, context, reply in
            let params: M.Params
            do throws(JSONError) {
                params = try M.Params.decodeStrictly(raw?.bytes ?? Array("{}".utf8))
            } catch {
                self?.onRefusal?(.invalidParams, M.name)
                reply.fail(
                    ServiceError(
                        .invalidParams, "the parameters of \(M.name) are wrong: \(error.message)",
                        remedy: "See the schema \(M.name).params of the contract."))
                return
            }
            handler(params, context, TypedReply<M>(reply))
        }
    }

    // MARK: receiving

    /// Limits of one turn. After each turn writes are committed, answers are sent, and timers, events and new
    /// peers are served.
    private static let requestsPerTurnMax = 512
    private static let workPerTurnNs: Int64 = 5_000_000
    private static let answerBytesPerTurnMax = 8 * Limits.messageBytesMax

    private func receiveRequests() {
        // Receiving also processes libzmq's internal commands, among them free space to send.
        defer { flushBacklog() }
        receive()
        if !hasMoreWaiting { handleWaiting() }
    }

    /// libzmq takes from connected peers in turn, so a flood from one does not block others.
    private func receive() {
        var frame = Frame()
        for _ in 0..<waiting.room {
            do {
                guard try socket.receive(&frame) else { return }
                try receiveRequest(&frame)
            } catch {
                onRefusal?(.wrongFrames, error.message)
                return
            }
        }
    }

    private func handleWaiting() {
        let end = MonotonicClock.nowNs + Self.workPerTurnNs
        answerBytesInTurn = 0
        var handled = 0
        while handled < Self.requestsPerTurnMax, answerBytesInTurn < Self.answerBytesPerTurnMax,
            handled == 0 || MonotonicClock.nowNs < end, let line = waiting.next()
        {
            handleNext(of: line)
            handled += 1
        }
        guard !waiting.isEmpty else { return }
        hasMoreWaiting = true
        Reactor.shared.inNextTurn { [weak self] in
            guard let self, token != nil else { return }
            hasMoreWaiting = false
            handleWaiting()
        }
    }

    /// Frames: the peer's routing id, an empty delimiter if the peer is a REQ socket, the body.
    private func receiveRequest(_ frame: inout Frame) throws(SocketError) {
        var route = Route(identity: frame.bytes, hasDelimiter: false)
        guard frame.hasMore, try socket.receive(&frame) else { return }
        guard !backlog.isMuted(route.identity) else {
            try socket.skipRest(after: &frame)
            onRefusal?(.unreadAnswers, "a request of a peer that gets no more answers")
            return
        }
        if frame.count == 0, frame.hasMore {
            route.hasDelimiter = true
            guard try socket.receive(&frame) else { return }
        }
        guard !frame.hasMore else {
            try socket.skipRest(after: &frame)
            onRefusal?(.wrongFrames, "more than one body frame")
            return
        }
        let peer = frame.peer()
        route.pid = peer?.pid ?? 0
        route.connection = frame.connection()
        guard let peer, peer.uid == Peer.own.uid else {
            onRefusal?(.wrongUser, "uid \(peer.map { String($0.uid) } ?? "unknown")")
            send(
                RequestParser.refusal(
                    nil,
                    ServiceError(
                        .wrongUser, "this instance belongs to uid \(Peer.own.uid)",
                        remedy: "Run as that user, or start an instance of your own.")), route)
            return
        }
        guard frame.count <= Limits.messageBytesMax else {
            onRefusal?(.tooLong, "\(frame.count) bytes")
            send(
                RequestParser.refusal(
                    nil,
                    ServiceError(
                        .messageTooLong,
                        "a request of \(frame.count) bytes; \(Limits.messageBytesMax) are allowed",
                        remedy: "Send less at once.")), route)
            return
        }
        let message = RequestQueue.Message(
            bytes: frame.bytes, route: route, peer: peer, received: MonotonicClock.now)
        if let refusal = waiting.add(message) {
            onRefusal?(.tooManyRequests, "pid \(peer.pid) has too many requests waiting")
            refuse(message, refusal)
        }
    }

    /// Longest refused message, in bytes, that is parsed for its id; a longer one is answered with id null.
    private static let refusalReadMax = 4_096

    private func refuse(_ message: RequestQueue.Message, _ refusal: ServiceError) {
        var id: RawJSON?
        if message.bytes.count <= Self.refusalReadMax,
            case .one(let request) = message.bytes.withUnsafeBytes(RequestParser.parse)
        {
            // A notification gets no answer.
            guard request.id != nil else { return }
            id = request.id
        }
        send(RequestParser.refusal(id, refusal), message.route)
    }

    /// Handles one request of a connection.
    private func handleNext(of line: RequestQueue.Line) {
        guard !backlog.isMuted(line.identity) else {
            for _ in 0..<waiting.drop(line) {
                onRefusal?(.unreadAnswers, "a request of a peer that gets no more answers")
            }
            return
        }
        guard let message = line.first else { return }
        if line.batch == nil { begin(message, line) }
        guard var batch = line.batch else { return waiting.end(line) }
        line.batch = nil
        switch batch.next() {
        case .valid(let request)?:
            handle(request, message, Reply(server: self, route: message.route, request, batch: batch.answer))
        case .invalid(let answer)?: batch.answer.add(answer)
        case nil: break
        }
        if batch.answer.isRefused { batch.abandon() }
        if batch.isEmpty { waiting.end(line) } else { line.batch = batch }
    }

    /// Handles a message that is one request; of a batch, it only queues the requests.
    private func begin(_ message: RequestQueue.Message, _ line: RequestQueue.Line) {
        let route = message.route
        switch message.bytes.withUnsafeBytes(RequestParser.parse) {
        case .one(let request):
            handle(request, message, Reply(server: self, route: route, request, batch: nil))
        case .batch(let requests):
            let expected = requests.count(where: { $0.expectsAnswer })
            let answer = BatchAnswer(expected: expected, pid: message.peer.pid, open: open) {
                [weak self] bytes in self?.send(bytes, route)
            }
            line.batch = BatchInProgress(requests, answer)
        case .refused(let reason, let answer):
            onRefusal?(reason, reason.rawValue)
            send(answer, route)
        }
    }

    private func handle(_ request: Request, _ message: RequestQueue.Message, _ reply: Reply) {
        let peer = message.peer
        var reply = reply
        let parent = request.traceparent.flatMap(TraceContext.init)
        let params = request.params?.bytes ?? []
        switch open.begin(
            pid: peer.pid, bytes: params.count + OpenRequest.envelopeBytes,
            connection: request.id != nil ? message.route.connection : nil)
        {
        case .success(let kept): reply.open = kept
        case .failure(let refusal):
            onRefusal?(.tooManyRequests, "pid \(peer.pid) has too many open requests")
            return reply.fail(refusal)
        }
        if let reason = overdue(request, message) {
            onRefusal?(.overdue, reason.message)
            return reply.fail(reason)
        }
        if !untraced.contains(request.method) {
            takenCount += 1
            reply.span = tracer.start(request.method, .server, parent: parent)
        }
        guard let handler = handlers[request.method] else {
            onRefusal?(.unknownMethod, "method of \(request.method.utf8.count) bytes")
            reply.fail(
                ServiceError(
                    .methodNotFound, "there is no method '\(request.method.prefix(64))' here",
                    remedy: "See the contract for the methods of this service."))
            return
        }
        handler(
            request.params,
            RequestContext(
                peer: peer, client: request.client, idempotencyKey: request.idempotencyKey,
                notBefore: request.notBefore ?? [], deadline: deadline(request, message),
                trace: reply.span?.context ?? parent ?? .root(), params: params, open: reply.open),
            reply)
    }

    private func deadline(_ request: Request, _ message: RequestQueue.Message) -> Milliseconds {
        let asked = request.deadline ?? Limits.requestDeadline
        return message.received + min(max(asked, 1), Limits.requestDeadlineMax)
    }

    /// The error for a request that waited so long that nobody would receive the answer. Notifications are
    /// always handled.
    private func overdue(_ request: Request, _ message: RequestQueue.Message) -> ServiceError? {
        let now = MonotonicClock.now
        guard request.id != nil,
            now - message.received >= BusOptions.abandonmentCheckDelay
        else { return nil }
        let isHeard = message.route.connection?.isOpen ?? true
        guard now >= deadline(request, message) || !isHeard else { return nil }
        return ServiceError(
            .deadlineExceeded,
            "the request waited \(now - message.received) ms for its turn, and was not handled",
            remedy: "Send it again with the same key.")
    }

    // MARK: answering

    func finish(_ reply: Reply, _ bytes: [UInt8]?, outcome: String) {
        if let kept = reply.open { open.end(kept) }
        if let span = reply.span { tracer.end(span, outcome: outcome) }
        guard let bytes else { return }
        answerBytesInTurn += bytes.count
        if let batch = reply.batch {
            batch.add(bytes)
        } else {
            send(bytes, reply.route)
        }
    }

    /// Queues an answer; all answers of a turn are sent at its end.
    private func send(_ bytes: [UInt8], _ route: Route) {
        unsent.append((bytes, route))
        if unsent.count >= BusOptions.messagesSentTogether { return sendAnswers() }
        guard unsent.count == 1 else { return }
        Reactor.shared.beforeSleeping { [weak self] in self?.sendAnswers() }
    }

    private func sendAnswers() {
        let answers = unsent
        unsent.removeAll(keepingCapacity: true)
        for (bytes, route) in answers { sendNow(bytes, route) }
        // Sending also processes libzmq's internal commands.
        flushBacklog()
    }

    private func sendNow(_ bytes: [UInt8], _ route: Route) {
        guard !backlog.isMuted(route.identity) else { return }
        guard backlog.holds(route) || trySend(bytes, route) == .wouldBlock else { return }
        if let slow = backlog.add(bytes, route) {
            onRefusal?(.unreadAnswers, "pid \(slow.route.pid) left \(slow.bytes) bytes of answers unread")
        }
        waitForRoom()
    }

    private func trySend(_ bytes: [UInt8], _ route: Route) -> Socket.Sent {
        do {
            let sent = try socket.send(route.identity, more: true)
            guard sent == .sent else {
                if sent == .noSuchPeer { onRefusal?(.peerGone, "an answer found nobody") }
                return sent
            }
            if route.hasDelimiter { _ = try socket.send([], more: true) }
            return try socket.send(bytes)
        } catch {
            onRefusal?(.peerGone, error.message)
            return .noSuchPeer
        }
    }

    // MARK: answers that wait

    /// Bytes of answers that peers have not read yet.
    var unreadBytes: Int { backlog.bytes }

    private func waitForRoom() {
        guard !backlog.isEmpty else { return stopWaiting() }
        guard backlogTimer == nil else { return }
        backlogTimer = Reactor.shared.after(BusOptions.backlogPause) { [weak self] in
            self?.backlogTimer = nil
            self?.flushBacklog()
        }
        // Without the descriptor the timer alone retries.
        guard readinessToken == nil, let descriptor = try? socket.readinessDescriptor() else { return }
        readinessToken = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.flushBacklog() }
    }

    private func stopWaiting() {
        if let readinessToken { Reactor.shared.forget(readinessToken) }
        readinessToken = nil
        if let backlogTimer { Reactor.shared.cancel(backlogTimer) }
        backlogTimer = nil
    }

    private func flushBacklog() {
        guard !backlog.isEmpty else { return }
        backlog.flush { answer, route in trySend(answer, route) }
        waitForRoom()
    }
}
