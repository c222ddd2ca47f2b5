package import Bus
package import Contract
internal import JSON
import Loop
internal import Store

/// One page of the present state, made as events.
package struct SnapshotPage {
    /// Whole CloudEvents, encoded.
    package private(set) var events: [[UInt8]]
    package var nextPage: String?
    private var bytes = 0
    package init(events: [[UInt8]] = [], nextPage: String? = nil) {
        self.events = events
        self.nextPage = nextPage
    }

    /// Adds events that belong together, as far as an answer has room for them; the first ones always fit.
    /// - Returns: false: they belong to the next page.
    package mutating func add(_ more: [[UInt8]]) -> Bool {
        let count = more.reduce(0) { $0 + $1.count + 1 }
        guard
            events.isEmpty
                || bytes + count <= Limits.eventBytesPerAnswerMax
                    && events.count + more.count <= Limits.eventsPerAnswerMax
        else { return false }
        events += more
        bytes += count
        return true
    }
}

extension Service {
    // MARK: reads

    /// Answers a read from committed state, after waiting for `not_before`.
    package func read<M: Method>(
        _ method: M.Type, _ handler: @escaping @LoopActor (M.Params, RequestContext) throws -> M.Result
    ) {
        precondition(M.effect == .read, "\(M.name) is a write")
        gate(method) { [weak self] params, context, reply in
            self?.wait(context) { error in
                if let error { return reply.fail(error) }
                self?.whenCommitted {
                    do { try reply.succeed(handler(params, context).fitting(method, context)) } catch {
                        self?.noteDamage(error)
                        reply.fail(ServiceError(anything: error))
                    }
                }
            }
        }
    }

    // MARK: writes

    /// Answers a write after its commit; it waits for `not_before` first. The answer is kept with its
    /// idempotency key in the same transaction; a repeat gets it again, and changes nothing.
    /// - Parameter check: what is wrong with the parameters themselves; it is said to everybody, before it is
    ///   asked who may.
    package func write<M: Method>(
        _ method: M.Type, check: @escaping @LoopActor (M.Params) throws(ServiceError) -> Void = { _ in },
        _ handler: @escaping @LoopActor (M.Params, RequestContext, Transaction) throws -> M.Result
    ) {
        precondition(M.effect == .write, "\(M.name) is a read")
        gate(method, check: check) { [weak self] params, context, reply in
            self?.wait(context) { error in
                if let error { return reply.fail(error) }
                self?.runWrite(method, params, context, reply, handler)
            }
        }
    }

    private func runWrite<M: Method>(
        _ method: M.Type, _ params: M.Params, _ context: RequestContext, _ reply: TypedReply<M>,
        _ handler: @LoopActor (M.Params, RequestContext, Transaction) throws -> M.Result
    ) {
        let request = Self.keyed(method, context)
        do {
            if try repeats(request, reply, waitsForCommit: true) { return }
            try underway.refuseKey(of: request)
            let bytes = try transact(trace: context.trace) { transaction in
                let bytes = try handler(params, context, transaction).fitting(method, context).encoded()
                try answers.keep(request, answer: bytes, at: clock.now)
                bytesSinceTidy += bytes.count + Limits.nameBytesMax
                return bytes
            }
            hold { failure in if let failure { reply.fail(failure) } else { reply.succeed(encoded: bytes) } }
        } catch {
            reply.fail(ServiceError(anything: error))
        }
    }

    /// Whose write it is, and its key.
    package static func asker(_ context: RequestContext) -> (caller: String, key: String) {
        guard let key = context.idempotencyKey else {
            preconditionFailure("a write without an idempotency_key is refused before it is handled")
        }
        return ("\(context.peer.uid)/\(context.client ?? "")", key)
    }

    private static func keyed<M: Method>(_ method: M.Type, _ context: RequestContext) -> Answers.Request {
        let (caller, key) = asker(context)
        return Answers.Request(key: key, caller: caller, method: M.name, hash: context.paramsDigest)
    }

    /// Takes the key of a request that is new, in the write that makes it known: for ``Repeats/areKnown``.
    /// - Throws: `idempotencyConflict` when it is another request's.
    package func takeKey<M: Method>(
        _ method: M.Type, _ context: RequestContext, _ transaction: Transaction
    ) throws {
        let request = Self.keyed(method, context)
        switch try answers.find(request) {
        case .otherMethod, .otherParameters: throw ServiceError.keyOfAnother
        case .none, .answer, .known: break
        }
        try underway.refuseKey(of: request)
        try answers.keepKey(request, at: clock.now)
    }

    /// Gives a repeat the answer that it got before.
    /// - Returns: false: it is new, or to be done again.
    private func repeats<M: Method>(
        _ request: Answers.Request, _ reply: TypedReply<M>, waitsForCommit: Bool
    ) throws -> Bool {
        switch try answers.find(request) {
        case .answer(let bytes):
            count("repeated_writes")
            guard waitsForCommit else {
                reply.succeed(encoded: bytes)
                return true
            }
            hold { failure in
                if let failure { reply.fail(failure) } else { reply.succeed(encoded: bytes) }
            }
            return true
        case .otherMethod, .otherParameters: throw ServiceError.keyOfAnother
        case .none, .known: return false
        }
    }

    /// What a write that takes more than a turn is when it comes again after its end. Its key is no other
    /// request's.
    package enum Repeats {
        /// It gets the same answer, and does nothing.
        case getTheAnswer
        /// It is done again, which comes to the same: its answer names what may not be kept.
        case areDoneAgain
        /// The same, and the store is not touched: also one that cannot be written is backed up.
        case areDoneAgainWithoutTrace
        /// The handler is called for each, also while the first is underway, and makes them one; it calls
        /// ``takeKey(_:_:_:)``.
        case areKnown
    }

    /// Answers a method that has to wait for others or for a person, after waiting for `not_before`. Use
    /// `transact` and `committed()` inside. A write that comes again while it is underway, as a client sends
    /// it over a new connection, is one with the first and gets its answer, as long as its own connection
    /// lives.
    /// - Parameters:
    ///   - waitsForCommit: whether what it answers may come from what is not committed; then the answer waits
    ///     for the commit, and is its error when it fails.
    ///   - repeats: of a write: what those are that come again.
    package func later<M: Method>(
        _ method: M.Type, waitsForCommit: Bool = true, repeats: Repeats = .getTheAnswer,
        _ handler: @escaping @LoopActor (M.Params, RequestContext) async throws -> M.Result
    ) {
        gate(method) { [weak self] params, context, reply in
            self?.wait(context) { error in
                if let error { return reply.fail(error) }
                let joins = M.effect == .write && repeats != .areKnown
                let request = joins ? Self.keyed(method, context) : nil
                guard self?.begins(request, waitsForCommit, context, reply) == true else { return }
                Task { @LoopActor in
                    let result: Result<[UInt8], ServiceError>
                    do {
                        let bytes = try await handler(params, context).fitting(method, context).encoded()
                        if let request { try self?.keep(bytes, of: request, repeats) }
                        if waitsForCommit, let self, self.database.batchIsOpen { try await self.committed() }
                        result = .success(bytes)
                    } catch {
                        self?.noteDamage(error)
                        result = .failure(ServiceError(anything: error))
                    }
                    guard let request, let self else { return reply.end(result) }
                    self.underway.end(request, result)
                }
            }
        }
    }

    /// - Returns: false: another one like it is underway, or was, and `reply` gets the answer of that.
    private func begins<M: Method>(
        _ request: Answers.Request?, _ waitsForCommit: Bool, _ context: RequestContext,
        _ reply: TypedReply<M>
    ) -> Bool {
        guard let request else { return true }
        do {
            if try repeats(request, reply, waitsForCommit: waitsForCommit) { return false }
            if try underway.begin(request, context.open, reply.end) { return true }
            count("repeated_writes")
        } catch {
            reply.fail(ServiceError(anything: error))
        }
        return false
    }

    private func keep(_ answer: [UInt8], of request: Answers.Request, _ repeats: Repeats) throws {
        switch repeats {
        case .getTheAnswer:
            try transact(trace: nil) { _ in try answers.keep(request, answer: answer, at: clock.now) }
            bytesSinceTidy += answer.count + Limits.nameBytesMax
        case .areDoneAgain:
            try transact(trace: nil) { _ in try answers.keepKey(request, at: clock.now) }
            bytesSinceTidy += Limits.nameBytesMax
        case .areDoneAgainWithoutTrace, .areKnown: break
        }
    }

    // MARK: who may

    private func gate<M: Method>(
        _ method: M.Type, check: @escaping @LoopActor (M.Params) throws(ServiceError) -> Void = { _ in },
        _ handler: @escaping @LoopActor (M.Params, RequestContext, TypedReply<M>) -> Void
    ) {
        server?.answer(method) { [weak self] params, context, reply in
            guard let self else { return }
            guard M.effect == .read || context.idempotencyKey != nil else {
                return reply.fail(.withoutKey(M.name))
            }
            do throws(ServiceError) {
                try RawToken.refuse(in: params, readFrom: context.params)
                try check(params)
            } catch { return reply.fail(error) }
            var context = context
            if M.effect == .write { context.paramsDigest = Digest.of(context.params) }
            // They may wait long, and are kept twice otherwise.
            context.params = []
            switch M.access {
            case .anyone: handler(params, context, reply)
            case .person where context.client == nil: handler(params, context, reply)
            case .person:
                refused(.notAuthorized, M.name)
                reply.fail(
                    ServiceError(
                        .accessDenied, "\(M.name) is for the person, not for apps",
                        remedy: "Ask the person to do it with the command line."))
            case .authorizedClient:
                let members = Set(((params as? any MemberScoped)?.judgedMembers ?? [nil]).map(member))
                enter(method, members, context, reply) { handler(params, context, reply) }
            }
        }
    }

    /// Goes on when the caller may act for the members, and all that the request names is taken in. Judged
    /// before it waits, so that no stranger does, and again after it: what it waited for may be the end of
    /// the approval.
    private func enter<M: Method>(
        _ method: M.Type, _ members: Set<String>, _ context: RequestContext, _ reply: TypedReply<M>,
        _ proceed: @escaping @LoopActor () -> Void
    ) {
        let judgeAndWait: @LoopActor () -> Void = { [self] in
            admit(method, members, context, reply) { [self] in
                guard !hasReached(context.notBefore) else { return proceed() }
                wait(context) { [self] error in
                    if let error { return reply.fail(error) }
                    enter(method, members, context, reply, proceed)
                }
            }
        }
        // Who reads is judged by what is committed; a write is lost together with the approval.
        if M.effect == .read { whenCommitted(judgeAndWait) } else { judgeAndWait() }
    }

    /// Goes on when the caller may act for the members. Refuses only by what is committed.
    private func admit<M: Method>(
        _ method: M.Type, _ members: Set<String>, _ context: RequestContext, _ reply: TypedReply<M>,
        isLast: Bool = false, _ proceed: @escaping @LoopActor () -> Void
    ) {
        judge(context, members: members) { [self] error in
            guard var error else { return proceed() }
            guard isLast || !database.batchIsOpen else {
                return whenCommitted { [self] in
                    admit(method, members, context, reply, isLast: true, proceed)
                }
            }
            if error.name == .notAuthorized {
                refused(.notAuthorized, M.name)
                error.name = M.refusal
            }
            reply.fail(error)
        }
    }

    // MARK: what every service answers

    func answerCommonMethods() {
        server?.answer(HealthCheck.self) { [weak self] _, _, reply in
            if let self { reply.succeed(healthReport()) }
        }
        server?.answer(TraceRead.self) { [weak self] params, context, reply in
            guard let self else { return }
            guard context.client == nil else {
                return reply.fail(
                    ServiceError(
                        .accessDenied, "trace.read is for the person, not for apps",
                        remedy: "Use `screentime trace`."))
            }
            let limit = Int(
                max(0, min(params.limit ?? Int64(Limits.spansKeptMax), Int64(Limits.spansKeptMax))))
            reply.succeed(TraceRead.Result(spans: tracer.spans(traceID: params.traceID, limit: limit)))
        }
        read(EventsRead.self) { [unowned self] params, _ in try readEvents(params) }
        read(EventsSnapshot.self) { [unowned self] params, _ in try readSnapshot(params) }
        read(EventsRuns.self) { [unowned self] _, _ in try readRuns() }
        answerForget()
        answerStoreMethods()
        later(CopyRebuild.self) { [unowned self] _, _ in
            let copies = try followers.filter { try $0.value.rebuildCopy("somebody asked for it") }
            return CopyRebuild.Result(sources: copies.keys.sorted { $0.rawValue < $1.rawValue })
        }
    }

    private func readEvents(_ params: EventsRead.Params) throws -> EventsRead.Result {
        let first = try eventLog.first()
        guard params.after >= 0 else {
            throw ServiceError(.invalidParams, "after is \(params.after)", remedy: "Use 0 for the beginning.")
        }
        guard params.after >= first - 1 else {
            throw ServiceError(
                .logTrimmed, "the log begins at \(first), you asked after \(params.after)",
                remedy: "Call events.snapshot, then go on after its sequence.")
        }
        try compare(params)
        let limit = min(
            max(1, params.limit ?? Int64(Limits.eventsPerAnswerMax)), Int64(Limits.eventsPerAnswerMax))
        let page = try eventLog.page(
            after: params.after, types: params.types ?? [], limit: Int(limit),
            bytesMax: Limits.eventBytesPerAnswerMax)
        // Events of this very turn are not committed yet and must not be told.
        let committed = page.events.filter { $0.sequence <= head }
        let through = min(page.through, head)
        return EventsRead.Result(
            epoch: eventLog.epoch, first: first, head: head,
            through: through, events: try committed.map { try RawJSON(bytes: $0.body) },
            run: try eventLog.run(of: through))
    }

    /// A reader that says which run made the event it stands at must stand in this log.
    private func compare(_ params: EventsRead.Params) throws {
        guard let run = params.run, params.after > 0 else { return }
        let owner = params.after <= head ? try eventLog.run(of: params.after) : nil
        guard owner != run else { return }
        let found = owner.map { "run \($0) made it" } ?? "the log ends at \(head)"
        throw ServiceError(
            .logForked, "event \(params.after) is not of run \(run): \(found)",
            remedy: "Call events.runs, and go on from where the logs part.")
    }

    private func readRuns() throws -> EventsRuns.Result {
        // A run whose first events are of this very turn has none that is committed.
        let runs = try eventLog.runs().filter { $0.first <= head }
        return EventsRuns.Result(
            epoch: eventLog.epoch, head: head, runs: runs.map { LogRun(id: $0.id, first: $0.first) })
    }

    private func readSnapshot(_ params: EventsSnapshot.Params) throws -> EventsSnapshot.Result {
        guard let snapshot else {
            throw ServiceError(
                .notFound, "\(name.rawValue) keeps its whole log and has no snapshot",
                remedy: "Call events.read after 0.")
        }
        let page = try snapshot(params.page)
        let through = params.through ?? head
        return EventsSnapshot.Result(
            epoch: eventLog.epoch, through: through,
            events: try page.events.map { try RawJSON(bytes: $0) }, nextPage: page.nextPage,
            run: try eventLog.run(of: through))
    }

    /// One event of a snapshot: the data of the present state under the sequence of the log's head.
    package func snapshotEvent<E: EventData>(_ data: E) -> [UInt8] {
        var event = EventHead()
        event.type = E.type
        event.source = source
        event.id = "snapshot"
        event.time = UTCTime.text(clock.now)
        event.sequence = SequenceText(head)
        event.previous = SequenceText(0)
        event.traceparent = TraceContext.root().traceparent
        return Event(event, data).encoded()
    }
}

/// Tells two parameter sets apart: FNV-1a of 64 bits twice, from both ends, and the length. Not against
/// malice: the keys are the caller's own.
package enum Digest {
    package static func of(_ bytes: [UInt8]) -> [UInt8] {
        let parts = [fnv(bytes), fnv(bytes.reversed()), UInt64(bytes.count)]
        return parts.flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> UInt64(8 * $0)) } }
    }

    private static func fnv(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}

extension Record {
    /// An answer to a client has room for it with one length for every name: by the real one, whoever fills
    /// the rest with words of its own would find out how long names are.
    /// - Throws: `limitExceeded`
    fileprivate func fitting(
        _ method: any Method.Type, _ context: RequestContext
    ) throws(ServiceError) -> Self {
        guard context.client != nil, !method.showsNames, weight > Limits.clientMessageBytesMax
        else { return self }
        throw ServiceError(
            .limitExceeded, "the answer has more than \(Limits.clientMessageBytesMax) bytes",
            remedy: "Ask for less at once.")
    }
}
