package import Contract
internal import JSON
package import Loop
import Units

/// The requests of one service: a ROUTER socket on `<service>.requests`. It decodes requests, checks the
/// caller's uid and sends answers.
@LoopActor package final class RequestServer {
    private let socket: any RouterSocket
    private let loop: EventLoop
    private var isClosed = false
    private let tracer: Tracer
    private var methods: [String: AnsweredMethod] = [:]
    /// The method of the last request: many requests in a row have the same one.
    private var lastMethod: AnsweredMethod?
    private let waiting = RequestQueue()
    /// Whether the next turn handles waiting requests.
    private var hasMoreWaiting = false
    private var answerBytesInTurn = 0
    /// When the present request began to be handled, on the monotonic clock.
    private var handledAt = Milliseconds.zero
    private var unsent: [(bytes: [UInt8], route: Route)] = []
    private let backlog = AnswerBacklog()
    private var backlogTimer: TimerToken?
    /// Milliseconds between retries of queued answers, in case a readiness event is missed.
    var backlogPause: Milliseconds = 20
    let open: OpenRequests
    /// Number of received requests without an answer.
    package var unanswered: Int { open.count }
    /// Number of requests since the start, not counting untraced methods.
    package private(set) var takenCount: Int64 = 0
    /// Called for each refused or dropped message, with text that is safe to log.
    package var onRefusal: (@LoopActor (RefusalReason, String) -> Void)?

    /// Binds the request socket of a service.
    package convenience init(
        _ service: ServiceName, in transport: any Transport, tracer: Tracer
    ) throws(SocketError) {
        try self.init(named: service.rawValue, in: transport, tracer: tracer)
    }

    /// - Parameter name: of a service or an agent.
    package init(named name: String, in transport: any Transport, tracer: Tracer) throws(SocketError) {
        self.tracer = tracer
        loop = transport.loop
        let socket = try transport.router(of: name)
        self.socket = socket
        open = OpenRequests { [weak socket] in socket?.isOpen($0) ?? false }
        open.onLoss = { [weak self] pid in
            self?.onRefusal?(.tooManyRequests, "pid \(pid) had the most waiting; it was ended")
        }
        socket.onRefusal = { [weak self] reason, whose in self?.onRefusal?(reason, whose) }
        socket.onEnd = { [weak self] in self?.open.endUnwanted($0) }
        socket.onReady = { [weak self] in self?.receiveRequests() }
        socket.onRoom = { [weak self] in self?.flushBacklog() }
    }

    isolated deinit { close() }

    /// Stops listening; the socket closes with the last reference to this object.
    package func close() {
        isClosed = true
        stopWaiting()
        socket.close()
        open.close()
    }

    /// Registers the handler of `method`. It calls the reply exactly once, immediately or later.
    /// - Parameter traced: false for a method that is called so often that its spans would displace all
    ///   others.
    package func answer<M: Call>(
        _ method: M.Type, traced: Bool = true,
        _ handler: @escaping @LoopActor (M.Params, RequestContext, TypedReply<M>) -> Void
    ) {
        methods[M.name] = AnsweredMethod(M.self, isTraced: traced, handler) { [weak self] in
            self?.onRefusal?(.invalidParams, M.name)
        }
        lastMethod = nil
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
        for _ in 0..<waiting.room {
            do {
                guard let message = try socket.receive() else { return }
                // Read after each message: what arrives while this process is stopped has waited for nothing.
                take(message, at: loop.now)
            } catch {
                onRefusal?(.wrongFrames, error.message)
                return
            }
        }
    }

    private func handleWaiting() {
        var now = loop.nowNs
        let end = now + Self.workPerTurnNs
        answerBytesInTurn = 0
        var handled = 0
        while handled < Self.requestsPerTurnMax, answerBytesInTurn < Self.answerBytesPerTurnMax,
            handled == 0 || now < end, let line = waiting.next()
        {
            handledAt = Milliseconds(now / 1_000_000)
            handleNext(of: line)
            handled += 1
            if !waiting.isEmpty { now = loop.nowNs }
        }
        guard !waiting.isEmpty else { return }
        hasMoreWaiting = true
        loop.inNextTurn { [weak self] in
            guard let self, !isClosed else { return }
            hasMoreWaiting = false
            handleWaiting()
        }
    }

    private func take(_ received: RouterMessage, at now: Milliseconds) {
        let route = received.route
        guard !backlog.isMuted(route.identity) else {
            onRefusal?(.unreadAnswers, "a request of a peer that gets no more answers")
            return
        }
        guard let body = received.body else {
            onRefusal?(.wrongFrames, "more than one body frame")
            return
        }
        guard let peer = received.peer, peer.uid == Peer.own.uid else {
            onRefusal?(.wrongUser, "uid \(received.peer.map { String($0.uid) } ?? "unknown")")
            send(
                RequestParser.refusal(
                    nil,
                    ServiceError(
                        .wrongUser, "this instance belongs to uid \(Peer.own.uid)",
                        remedy: "Run as that user, or start an instance of your own.")), route)
            return
        }
        guard body.count <= Limits.messageBytesMax else {
            onRefusal?(.tooLong, "\(body.count) bytes")
            send(
                RequestParser.refusal(
                    nil,
                    ServiceError(
                        .messageTooLong,
                        "a request of \(body.count) bytes; \(Limits.messageBytesMax) are allowed",
                        remedy: "Send less at once.")), route)
            return
        }
        let message = RequestQueue.Message(bytes: body, route: route, peer: peer, received: now)
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
        case .valid(let request)?: handle(request, message, batch: batch.answer)
        case .invalid(let answer)?: batch.answer.add(answer)
        case nil: break
        }
        if batch.answer.isRefused { batch.abandon() }
        if batch.isEmpty { waiting.end(line) } else { line.batch = batch }
    }

    /// Handles a message that is one request; of a batch, it only queues the requests.
    private func begin(_ message: RequestQueue.Message, _ line: RequestQueue.Line) {
        if handleInPlace(message) { return }
        let route = message.route
        switch message.bytes.withUnsafeBytes(RequestParser.parse) {
        case .one(let request): handle(request, message, batch: nil)
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

    /// Handles a request in one pass over its message.
    /// - Returns: false, and nothing is done, unless it is a single request of a known method with valid
    ///   parameters, its members in the order of ``Request``.
    private func handleInPlace(_ message: RequestQueue.Message) -> Bool {
        message.bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes)
            guard let (head, name) = RequestHead.read(&reader), let method = method(name)
            else { return false }
            let start = reader.position
            return method.answerInPlace(&reader) { end in
                guard
                    let reply = admit(
                        head, method.name, method, message, paramsCount: end - start, batch: nil)
                else { return nil }
                return (context(head, message, reply, params: message.bytes, in: start..<end), reply)
            }
        }
    }

    private func method(_ name: UnsafeBufferPointer<UInt8>) -> AnsweredMethod? {
        if let lastMethod, lastMethod.isNamed(name) { return lastMethod }
        let method = methods[String(decoding: name, as: UTF8.self)]
        if let method { lastMethod = method }
        return method
    }

    private func handle(_ request: Request, _ message: RequestQueue.Message, batch: BatchAnswer?) {
        let head = RequestHead(request)
        let method = methods[request.method]
        let params = request.params?.bytes ?? []
        let count = params.count
        guard let reply = admit(head, request.method, method, message, paramsCount: count, batch: batch)
        else { return }
        guard let method else {
            onRefusal?(.unknownMethod, "method of \(request.method.utf8.count) bytes")
            reply.fail(
                ServiceError(
                    .methodNotFound, "there is no method '\(request.method.prefix(64))' here",
                    remedy: "See the contract for the methods of this service."))
            return
        }
        method.answer(request.params, context(head, message, reply, params: params), reply)
    }

    /// Counts a request as open and begins its span; refuses it if there is no room, or nobody would receive
    /// the answer.
    private func admit(
        _ head: RequestHead, _ name: String, _ method: AnsweredMethod?, _ message: RequestQueue.Message,
        paramsCount: Int, batch: BatchAnswer?
    ) -> Reply? {
        let peer = message.peer
        let reply = Reply(server: self, route: message.route, id: head.id, batch: batch)
        switch open.begin(
            pid: peer.pid, bytes: paramsCount + OpenRequest.envelopeBytes,
            connection: head.id != nil ? message.route.connection : nil)
        {
        case .success(let kept): reply.open = kept
        case .failure(let refusal):
            onRefusal?(.tooManyRequests, "pid \(peer.pid) has too many open requests")
            reply.fail(refusal)
            return nil
        }
        if let reason = overdue(head, message) {
            onRefusal?(.overdue, reason.message)
            reply.fail(reason)
            return nil
        }
        if method?.isTraced ?? true {
            takenCount += 1
            reply.span = tracer.start(name, .server, parent: head.trace)
        }
        return reply
    }

    private func context(
        _ head: RequestHead, _ message: RequestQueue.Message, _ reply: Reply, params: [UInt8],
        in range: Range<Int>? = nil
    ) -> RequestContext {
        RequestContext(
            peer: message.peer, client: head.client, idempotencyKey: head.idempotencyKey,
            notBefore: head.notBefore, deadline: deadline(head, message),
            trace: reply.span?.context ?? head.trace ?? .root(), params: params, in: range, open: reply.open)
    }

    private func deadline(_ head: RequestHead, _ message: RequestQueue.Message) -> Milliseconds {
        let asked = head.deadline ?? Limits.requestDeadline
        return message.received + min(max(asked, 1), Limits.requestDeadlineMax)
    }

    /// The error for a request that waited so long that nobody would receive the answer. Notifications are
    /// always handled. Of a write it is always looked whether the caller is there: where this process stood
    /// still, it waited before it was received, and its caller has told the person that it failed.
    private func overdue(_ head: RequestHead, _ message: RequestQueue.Message) -> ServiceError? {
        let isLong = handledAt - message.received >= BusOptions.abandonmentCheckDelay
        guard head.id != nil, isLong || head.idempotencyKey != nil else { return nil }
        // Of a connection that has ended before it was received nothing is known any more.
        let isHeard = message.route.connection.map(socket.isOpen) ?? false
        guard handledAt >= deadline(head, message) || !isHeard else { return nil }
        return ServiceError(
            .deadlineExceeded,
            "the request waited \(handledAt - message.received) ms for its turn, and was not handled",
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
        loop.beforeSleeping { [weak self] in self?.sendAnswers() }
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

    private func trySend(_ bytes: [UInt8], _ route: Route) -> Sent {
        do {
            let sent = try socket.send(bytes, to: route)
            if sent == .noSuchPeer { onRefusal?(.peerGone, "an answer found nobody") }
            return sent
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
        backlogTimer = loop.after(backlogPause) { [weak self] in
            self?.backlogTimer = nil
            self?.flushBacklog()
        }
        socket.wantsRoom = true
    }

    private func stopWaiting() {
        socket.wantsRoom = false
        if let backlogTimer { loop.cancel(backlogTimer) }
        backlogTimer = nil
    }

    private func flushBacklog() {
        guard !backlog.isEmpty else { return }
        backlog.flush { answer, route in trySend(answer, route) }
        waitForRoom()
    }
}
