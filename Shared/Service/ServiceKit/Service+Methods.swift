package import Bus
package import Contract
internal import JSON
import Loop
internal import Store

extension Service {
    // MARK: reads

    /// Answers a read from committed state, after waiting for `not_before`.
    package func read<M: Method>(
        _ method: M.Type, _ handler: @escaping @LoopActor (M.Params, RequestContext) throws -> M.Result
    ) {
        read(replying: method) { params, context, reply in
            try reply.succeed(handler(params, context).fitting(method, context))
        }
    }

    /// As `read`, for a handler that answers by itself, where the result is too large to be made first. It
    /// throws instead of answering with an error. Only for methods that show names: the size of the answer is
    /// not checked for programs.
    package func read<M: Method>(
        replying method: M.Type,
        _ handler: @escaping @LoopActor (M.Params, RequestContext, TypedReply<M>) throws -> Void
    ) {
        precondition(M.effect == .read, "\(M.name) is a write")
        gate(method) { [weak self] params, context, reply in
            self?.waiting.wait(context) { error in
                if let error { return reply.fail(error) }
                self?.whenCommitted {
                    do { try handler(params, context, reply) } catch {
                        self?.noteDamage(error)
                        reply.fail(ServiceError(anything: error))
                    }
                }
            }
        }
    }

    // MARK: writes

    /// Answers a write after its commit, and waits for `not_before` first. The answer is stored with its
    /// idempotency key in the same transaction; a repeat gets the same answer and changes nothing.
    /// - Parameter check: validates the parameters alone. Its error goes to any caller, before the access
    ///   check.
    package func write<M: Method>(
        _ method: M.Type, check: @escaping @LoopActor (M.Params) throws(ServiceError) -> Void = { _ in },
        _ handler: @escaping @LoopActor (M.Params, RequestContext, Transaction) throws -> M.Result
    ) {
        precondition(M.effect == .write, "\(M.name) is a read")
        gate(method, check: check) { [weak self] params, context, reply in
            self?.waiting.wait(context) { error in
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

    /// The caller of a write, and its idempotency key.
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

    /// Stores the key of a new request in the write that records it; for ``Repeats/areKnown``.
    /// - Throws: `idempotencyConflict` if another request used the key.
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

    /// Answers a repeat with the stored answer.
    /// - Returns: false if the request is new or must be handled again.
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

    /// How to treat a repeat of a long write after it has ended. Another request with its key is refused.
    package enum Repeats {
        /// It gets the stored answer and has no effect.
        case getTheAnswer
        /// It is handled again, with the same result: its answer contains names that must not be stored.
        case areDoneAgain
        /// As `areDoneAgain`, without touching the store, so that a read-only store can still be backed up.
        case areDoneAgainWithoutTrace
        /// The handler is called for every repeat, even while the first is running, and must merge them; it
        /// calls ``takeKey(_:_:_:)``.
        case areKnown
    }

    /// Answers a method that waits for other services or a person, after waiting for `not_before`. Use
    /// `transact` and `committed()` inside. If a client repeats a running write over a new connection, both
    /// get the answer of the first, as long as their connections live.
    /// - Parameters:
    ///   - waitsForCommit: whether the answer may depend on uncommitted state. It is then sent after the
    ///     commit. If the commit fails, a write is answered with its error, and a read's handler is called
    ///     once more.
    ///   - repeats: for a write, how repeats are treated.
    package func later<M: Method>(
        _ method: M.Type, waitsForCommit: Bool = true, repeats: Repeats = .getTheAnswer,
        _ handler: @escaping @LoopActor (M.Params, RequestContext) async throws -> M.Result
    ) {
        gate(method) { [weak self] params, context, reply in
            self?.waiting.wait(context) { error in
                if let error { return reply.fail(error) }
                let joins = M.effect == .write && repeats != .areKnown
                let request = joins ? Self.keyed(method, context) : nil
                guard self?.begins(request, waitsForCommit, context, reply) == true else { return }
                Task { @LoopActor in
                    let result: Result<[UInt8], ServiceError>
                    do {
                        var bytes = try await handler(params, context).fitting(method, context).encoded()
                        if let request { try self?.keep(bytes, of: request, repeats) }
                        if waitsForCommit, let self, try await self.isUndone(M.effect) {
                            bytes = try await handler(params, context).fitting(method, context).encoded()
                            if self.database.batchIsOpen { try await self.committed() }
                        }
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

    /// Waits for the end of the open turn, if any.
    /// - Returns: true if the turn was undone and a read may have seen its writes, which are those of others:
    ///   it must be repeated. For a write this is an error.
    private func isUndone(_ effect: Effect) async throws(ServiceError) -> Bool {
        guard database.batchIsOpen else { return false }
        do {
            try await committed()
            return false
        } catch {
            guard effect == .read else { throw error }
            return true
        }
    }

    /// - Returns: false if the same request is running or has ended, and `reply` gets its answer.
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
            let encoded = context.params
            do throws(ServiceError) {
                try RawToken.refuse(in: params, readFrom: encoded)
                try check(params)
            } catch { return reply.fail(error) }
            var context = context
            if M.effect == .write { context.paramsDigest = Digest.of(encoded) }
            // A request may wait long, and its encoded parameters would be held twice.
            context.releaseParams()
            switch M.access {
            case .anyone: handler(params, context, reply)
            case .person where context.client == nil: handler(params, context, reply)
            case .person:
                refused(.notAuthorized, M.name)
                reply.fail(
                    ServiceError(
                        .accessDenied, "\(M.name) can be called by the person only, not by apps",
                        remedy: "Ask the person to do it with the command line."))
            case .authorizedClient:
                let members = Set(((params as? any MemberScoped)?.judgedMembers ?? [nil]).map(member))
                enter(method, members, context, reply) { handler(params, context, reply) }
            }
        }
    }

    /// Continues when the caller may act for the members and all positions in `not_before` are reached.
    /// Access is checked before the wait, so that no stranger can wait, and again after it, because the
    /// awaited event may be a revocation.
    private func enter<M: Method>(
        _ method: M.Type, _ members: Set<String>, _ context: RequestContext, _ reply: TypedReply<M>,
        _ proceed: @escaping @LoopActor () -> Void
    ) {
        let judgeAndWait: @LoopActor () -> Void = { [self] in
            admit(method, members, context, reply) { [self] in
                guard !hasReached(context.notBefore) else { return proceed() }
                waiting.wait(context) { [self] error in
                    if let error { return reply.fail(error) }
                    enter(method, members, context, reply, proceed)
                }
            }
        }
        // A read is checked against committed authorizations; a write is undone together with an uncommitted
        // one.
        if M.effect == .read { whenCommitted(judgeAndWait) } else { judgeAndWait() }
    }

    /// Continues if the caller may act for the members. Refuses only by committed state.
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
}

/// Distinguishes two parameter sets: FNV-1a of 64 bits from both ends, and the length. Not safe against
/// malice, which is acceptable because the keys are the caller's own.
package enum Digest {
    /// A digest of 24 bytes.
    package static func of(_ bytes: [UInt8]) -> [UInt8] {
        let parts = [fnv(bytes), fnv(bytes.reversed()), UInt64(bytes.count)]
        return parts.flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> UInt64(8 * $0)) } }
    }

    private static func fnv(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}

extension Record {
    /// Checks the size of an answer to a client, counting a fixed length for every name. With the real
    /// length, a client could find out how long the names are by filling the rest itself.
    /// - Throws: `limitExceeded`
    fileprivate func fitting(
        _ method: any Method.Type, _ context: RequestContext
    ) throws(ServiceError) -> Self {
        guard context.client != nil, !method.showsNames, weight > Limits.clientMessageBytesMax
        else { return self }
        throw ServiceError(
            .limitExceeded, "the answer has more than \(Limits.clientMessageBytesMax) bytes",
            remedy: "Request less at once, for example by a smaller limit.")
    }
}
