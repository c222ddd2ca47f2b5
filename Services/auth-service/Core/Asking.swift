import Bus
internal import CSodium
import Contract
import Loop
import ServiceKit
import Time
import Units

extension AuthService {
    /// Answers when the person has decided.
    /// - Throws: `authorizationCanceled` if the person refused or did not answer until the caller's deadline;
    ///   `authorizationConflict` if another app, or this one for another purpose, is authorized.
    func request(
        _ params: AuthorizationRequest.Params, _ context: RequestContext
    ) async throws -> AuthorizationRequest.Result {
        let asker = try newAsker(params, context)
        try service.transact(trace: context.trace) { try arrive(asker, params, context, $0) }
        let (answer, waited) = await withCheckedContinuation { continuation in
            let way = Once<(PendingAnswers.Answer, Bool)> { continuation.resume(returning: $0) }
            // What is decided from the next turn on finds it in the waiting room.
            service.afterTurn { [weak self] failure in
                guard let failure else { self?.wait(asker, context, way); return }
                way.call((.failure(failure), false))
            }
        }
        if waited {
            service.requestsAtRest -= 1
            context.open?.resume()
        }
        return try answer.get()
    }

    /// Calls `way` with the answer, when there is one, and whether it was waited for.
    private func wait(
        _ asker: Asker, _ context: RequestContext, _ way: Once<(PendingAnswers.Answer, Bool)>
    ) {
        do {
            guard let arrived = try askers.find(caller: asker.caller, key: asker.key) else {
                // The request has ended and its answer was deleted, so nothing would ever resume it.
                throw ServiceError(
                    .deadlineExceeded, "the request has ended, and its answer was deleted",
                    remedy: "Send a new request with a new key.")
            }
            if let answer = arrived.answer { return way.call((answer, false)) }
            service.requestsAtRest += 1
            let later = Once<PendingAnswers.Answer> { way.call(($0, true)) }
            waitingRoom.enter(arrived, later)
            context.open?.suspend { [weak self] error in
                self?.leave(arrived, later)
                later.call(.failure(error))
            }
        } catch {
            way.call((.failure(ServiceError(anything: error)), false))
        }
    }

    private func leave(_ asker: Asker, _ way: Once<PendingAnswers.Answer>) {
        guard !waitingRoom.leave(asker, way) else { return }
        note(nil, waitsFor: asker.authorization, nil)
    }

    private func newAsker(
        _ params: AuthorizationRequest.Params, _ context: RequestContext
    ) throws(ServiceError) -> Asker {
        try Validation.bundleID(params.client)
        if let name = params.clientName { try Validation.clientName(name) }
        if let client = context.client, client != params.client {
            throw ServiceError(
                .accessDenied, "an app can only ask for itself",
                remedy: "Name the same bundle id in both places.")
        }
        guard params.client != BuiltInClient.limits else {
            throw ServiceError(
                .accessDenied, "\(BuiltInClient.limits) speaks for the person and needs no authorization",
                remedy: "Use the app's own bundle id.")
        }
        let (caller, key) = Service.asker(context)
        // The answer must be sent before the caller's deadline.
        let left = max(1, context.deadline - service.loop.now)
        return Asker(
            caller: caller, key: key, params: params.encoded(),
            authorization: "", traceparent: context.trace.traceparent,
            deadline: service.clock.now + left - min(2_000, left / 5))
    }

    private func arrive(
        _ new: Asker, _ params: AuthorizationRequest.Params, _ context: RequestContext,
        _ transaction: Transaction
    ) throws {
        let pid = context.peer.pid
        if let known = try askers.find(caller: new.caller, key: new.key) {
            guard known.params == new.params else {
                throw ServiceError(
                    .idempotencyConflict, "the idempotency_key was used for another request",
                    remedy: "Use a new key for each new request.")
            }
            if known.answer == nil { note(pid, waitsFor: known.authorization, transaction) }
            return
        }
        try service.takeKey(AuthorizationRequest.self, context, transaction)
        let now = service.clock.now
        try askers.expire(before: now - Limits.answersKept)
        let (authorization, isDecided) = try place(params, pid, transaction)
        var asker = new
        asker.authorization = authorization.id
        try askers.insert(asker)
        if !isDecided {
            deadlines[asker.id] = service.loop.now + (asker.deadline - now)
            note(pid, waitsFor: authorization.id, transaction)
            transaction.afterCommit { [unowned self] in armTimersSoon() }
        } else {
            let result = AuthorizationRequest.Result(
                authorization: authorization, sequence: try transaction.head())
            try askers.end(asker, .success(result), at: now)
        }
    }

    /// The authorization that the request concerns: it already permits what is asked, is already pending, or
    /// is shown to the person now.
    private func place(
        _ params: AuthorizationRequest.Params, _ pid: Int32, _ transaction: Transaction
    ) throws -> (Authorization, isDecided: Bool) {
        let member = service.member(params.member)
        guard let person = try members.find(id: member) else { throw Refusal.noMember(member) }
        let known = try authorizations.find(client: params.client, member: member)
        let asksMore = params.dataAccess == true && known?.dataAccess != true
        let isDecided = known?.status == .approved && !asksMore
        if let known, known.pending || isDecided {
            guard known.forWhom == params.forWhom else { throw Refusal.otherPurpose(known) }
            if !isDecided { try checkRoom(known) }
            return (known, isDecided)
        }
        try checkConflict(client: params.client, member: member, params.forWhom)
        var asked = try known ?? newAuthorization(params, member, pid, transaction)
        asked.clientName = params.clientName ?? asked.clientName
        asked.forWhom = params.forWhom
        return (try ask(asked, dataAccess: asksMore, person, transaction), false)
    }

    /// Asks the person a new question about `known`.
    func ask(
        _ known: Authorization, dataAccess: Bool, _ person: Member, _ transaction: Transaction
    ) throws -> Authorization {
        var asked = known
        asked.pending = true
        asked.asksDataAccess = dataAccess ? true : nil
        asked.requested = service.clock.now
        try publish(asked, revoked: false, transaction)
        let question = try questions.ask(asked.id)
        transaction.afterCommit { [unowned self] in prompt(question, asked, person, transaction.trace) }
        return asked
    }

    private func newAuthorization(
        _ params: AuthorizationRequest.Params, _ member: String, _ pid: Int32, _ transaction: Transaction
    ) throws -> Authorization {
        try makeRoom(for: pid, transaction)
        let taken = Set(try authorizations.all().map(\.id))
        var id = Self.shortID()
        while taken.contains(id) { id = Self.shortID() }
        return Authorization(id: id, client: params.client, member: member, restrictions: true)
    }

    /// Six letters and digits that are not confused with each other when read aloud or typed.
    nonisolated static func shortID() -> String { shortID { Int(randombytes_uniform(UInt32($0))) } }

    /// - Parameter random: a random number below its argument.
    nonisolated static func shortID(_ random: (Int) -> Int) -> String {
        let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")
        return String((0..<6).map { _ in alphabet[random(alphabet.count)] })
    }

    private func checkRoom(_ authorization: Authorization) throws {
        guard try askers.waiting(authorization: authorization.id).count < AuthLimits.askersMax else {
            throw ServiceError(
                .tooManyRequests, "\(AuthLimits.askersMax) requests already wait for this decision",
                remedy: "Wait for the person's decision.")
        }
    }

    /// Only one app at a time may be a guardian of a member.
    func checkConflict(client: String, member: String, _ forWhom: AuthorizationFor) throws {
        guard forWhom == .child else { return }
        let others = try authorizations.all(member: member).filter {
            $0.client != client && $0.forWhom == .child && $0.status == .approved
        }
        guard others.isEmpty else { throw Refusal.conflict }
    }

    func list(
        _ params: AuthorizationList.Params, _ context: RequestContext
    ) throws -> AuthorizationList.Result {
        guard let own = context.client else {
            return AuthorizationList.Result(authorizations: try authorizations.all(client: params.client))
        }
        let mayName = params.client == nil || params.client == own
        return AuthorizationList.Result(authorizations: mayName ? try authorizations.all(client: own) : [])
    }
}
