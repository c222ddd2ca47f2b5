import Bus
import Contract
import ServiceKit

extension AuthService {
    func decide(
        _ params: AuthorizationDecide.Params, _ transaction: Transaction
    ) throws -> AuthorizationDecide.Result {
        guard let asked = try authorizations.find(id: params.id) else {
            throw ServiceError(
                .notFound, "there is no authorization with this id",
                remedy: "See `screentime authorization list`.")
        }
        let decided = try settle(asked, params.decision, transaction)
        return AuthorizationDecide.Result(authorization: decided, sequence: try transaction.head())
    }

    /// Applies the person's decision on a pending request. Repeating it changes nothing, unless another
    /// question was asked meanwhile. If no request is pending, another decision is refused.
    @discardableResult
    func settle(
        _ asked: Authorization, _ decision: Decision, _ transaction: Transaction
    ) throws -> Authorization {
        let wanted: AuthorizationStatus = decision == .approve ? .approved : .denied
        if !asked.pending, asked.status == wanted { return asked }
        guard asked.pending else {
            throw ServiceError(
                .conflict, "the app no longer asks",
                remedy: "Use `screentime authorization access \(VisibleText.shellWord(asked.client)) on` "
                    + "or `off`.")
        }
        switch decision {
        case .approve:
            // Agreeing to more does not turn a switch that the person turned off.
            let restrictions = asked.status == .approved ? asked.restrictions : true
            return try approve(asked, restrictions: restrictions, transaction)
        case .deny:
            var denied = asked
            // A refusal of additional access does not revoke an existing approval.
            if asked.status != .approved { denied.status = .denied }
            denied.decided = service.clock.now
            return try endAsking(denied, .failure(Refusal.denied), transaction)
        }
    }

    private func approve(
        _ known: Authorization, restrictions: Bool, _ transaction: Transaction
    ) throws -> Authorization {
        try checkConflict(client: known.client, member: known.member, known.forWhom)
        var approved = known
        approved.status = .approved
        approved.access = true
        approved.restrictions = restrictions
        if known.asksDataAccess == true { approved.dataAccess = true }
        approved.decided = service.clock.now
        return try endAsking(approved, .success(()), transaction)
    }

    /// Revokes the approval and ends pending requests.
    func withdraw(
        _ known: Authorization, status: AuthorizationStatus, _ transaction: Transaction
    ) throws {
        guard known.pending || known.status == .approved else { return }
        // The built-in limits app needs no approval, so revoking an old one must not remove the person's
        // limits.
        let isWithdrawn = known.status == .approved && known.client != BuiltInClient.limits
        var revoked = known
        revoked.status = status
        revoked.access = false
        revoked.dataAccess = nil
        // A withdrawn question was not decided.
        if known.status == .approved || status != .notDetermined { revoked.decided = service.clock.now }
        if isWithdrawn { try grants.end(client: known.client, member: known.member) }
        let answer = status == .denied ? Refusal.denied : Refusal.withdrawn
        try endAsking(revoked, .failure(answer), revoked: isWithdrawn, transaction)
    }

    func revoke(
        _ params: AuthorizationRevoke.Params, _ context: RequestContext, _ transaction: Transaction
    ) throws -> Written {
        if let client = context.client, client != params.client {
            throw ServiceError(
                .accessDenied, "an app can only revoke its own authorization",
                remedy: "Ask the person to do it with the command line.")
        }
        for known in try known(params.client, params.member) {
            try withdraw(known, status: .notDetermined, transaction)
        }
        return try transaction.written()
    }

    func turnSwitches(
        _ params: AuthorizationSwitch.Params, _ transaction: Transaction
    ) throws -> Written {
        for known in try known(params.client, params.member) {
            var present = known
            if params.access == true, known.status != .approved || !known.access {
                present = try approve(known, restrictions: known.restrictions, transaction)
            } else if params.access == false {
                try withdraw(known, status: .denied, transaction)
                present = try authorizations.find(id: known.id) ?? known
            }
            guard let restrictions = params.restrictions, present.restrictions != restrictions else {
                continue
            }
            present.restrictions = restrictions
            try publish(present, revoked: false, transaction)
        }
        return try transaction.written()
    }

    private func known(_ client: String, _ member: String?) throws -> [Authorization] {
        if let member, try members.find(id: member) == nil { throw Refusal.noMember(member) }
        let found = try authorizations.all(client: client, member: member)
        guard !found.isEmpty else { throw Refusal.neverAsked(client) }
        return found
    }

    // MARK: publishing

    /// Stores and publishes the present state.
    func publish(_ authorization: Authorization, revoked: Bool, _ transaction: Transaction) throws {
        try authorizations.save(authorization)
        try transaction.emit(
            AuthorizationChanged(authorization: authorization, revoked: revoked),
            subject: authorization.client)
        try service.household.note(authorization, transaction)
    }

    /// Ends the pending question with the state in `ended`, and answers the waiting requests. Those that ask
    /// for more than what was agreed to go on waiting, for another question.
    /// - Returns: the state afterwards.
    @discardableResult
    func endAsking(
        _ ended: Authorization, _ outcome: Result<Void, ServiceError>, revoked: Bool = false,
        _ transaction: Transaction
    ) throws -> Authorization {
        var ended = ended
        note(nil, waitsFor: ended.id, transaction)
        if ended.pending {
            try questions.end(ended.id, trace: transaction.trace.traceparent)
            transaction.afterCommit { [unowned self] in withdrawQuestions() }
        }
        ended.pending = false
        ended.asksDataAccess = nil
        try publish(ended, revoked: revoked, transaction)
        let head = try transaction.head()
        let answer = outcome.map { AuthorizationRequest.Result(authorization: ended, sequence: head) }
        var asksMore = false
        for asker in try askers.waiting(authorization: ended.id) {
            if case .success = outcome, ended.dataAccess != true, try asker.asksDataAccess {
                asksMore = true
            } else {
                try end(asker, answer, transaction)
            }
        }
        guard asksMore, let person = try members.find(id: ended.member) else { return ended }
        return try ask(ended, dataAccess: true, person, transaction)
    }

    func end(_ asker: Asker, _ answer: PendingAnswers.Answer, _ transaction: Transaction) throws {
        try askers.end(asker, answer, at: service.clock.now)
        transaction.afterCommit { [unowned self] in
            waitingRoom.call(asker.id, answer)
            armTimersSoon()
        }
    }
}
