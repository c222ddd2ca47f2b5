import Bus
import Contract
import Schedules
import ServiceKit
import Store
import Units

/// How requests for more time end.
extension AuthService {
    // MARK: deciding

    /// The first decision that is committed wins. The same one again changes nothing.
    func decideRequest(
        _ params: RequestDecide.Params, _ transaction: Transaction
    ) throws -> TimeRequest {
        if let minutes = params.minutes {
            try Validation.minutes(minutes)
            guard params.decision == .approve else {
                throw ServiceError(
                    .invalidParams, "a denial has no minutes", remedy: "Leave minutes out, or approve.")
            }
        }
        let answer = try Validation.words(params.answer, "the answer")
        try expireRequests(transaction)
        guard let known = try requests.find(id: params.id) else { throw RequestRefusal.unknown(params.id) }
        guard known.state == .pending else {
            guard known.isDecided(params.decision, minutes: params.minutes) else {
                throw RequestRefusal.isOver(known, try zone(of: known))
            }
            return known
        }
        let now = time.now
        var decided = known
        decided.decider = known.selfApproval == nil ? .guardian : .member
        decided.decided = now
        decided.answer = answer
        switch params.decision {
        case .deny: decided.state = .denied
        case .approve:
            if let opens = known.selfApproval {
                guard time.isJudged else { throw RequestRefusal.unjudgedClock }
                guard now >= opens else { throw RequestRefusal.tooEarly(known, opens, try zone(of: known)) }
            }
            decided.state = .approved
            decided.granted = params.minutes ?? known.minutes
            decided.end = decided.granted.map { now + $0 * Milliseconds.minute } ?? known.dayEnd
            stampBoot(&decided)
        }
        try end(decided, transaction)
        return decided
    }

    /// Minutes run on CLOCK_BOOTTIME, so that setting the clock changes no exception.
    func stampBoot(_ approved: inout TimeRequest) {
        guard !isTimeVirtual() else { return }
        (approved.bootID, approved.boottime) = (MachineClock.readBootID(), MachineClock.elapsed)
    }

    func withdrawRequest(_ id: String, _ transaction: Transaction) throws -> TimeRequest {
        try expireRequests(transaction)
        guard let known = try requests.find(id: id) else { throw RequestRefusal.unknown(id) }
        switch known.state {
        case .pending: return try withdraw(known, transaction)
        case .withdrawn: return known
        case .approved, .denied, .expired: throw RequestRefusal.isOver(known, try zone(of: known))
        }
    }

    func withdraw(_ pending: TimeRequest, _ transaction: Transaction) throws -> TimeRequest {
        var withdrawn = pending
        (withdrawn.state, withdrawn.decided) = (.withdrawn, time.now)
        try end(withdrawn, transaction)
        return withdrawn
    }

    /// Withdraws the member's pending requests, and deletes all of them.
    func removeRequests(of member: String, _ transaction: Transaction) throws {
        for pending in try requests.pending(member: member) { _ = try withdraw(pending, transaction) }
        for request in try requests.all(member: member) { try requests.delete(id: request.id) }
    }

    /// Stores and publishes how a request ended, and withdraws its question.
    func end(_ ended: TimeRequest, _ transaction: Transaction) throws {
        try requests.end(ended)
        try transaction.emit(RequestDecided(request: ended), subject: ended.id)
        try requests.prune(to: AuthLimits.requestsKept, at: time.now)
        try requestQuestions.end(ended.id, trace: transaction.trace.traceparent)
        transaction.afterCommit { [unowned self] in
            withdrawQuestions()
            requestTimer.arm()
        }
    }

    private func zone(of request: TimeRequest) throws -> Zone {
        try members.find(id: request.member)?.days ?? .current
    }

    // MARK: what is due

    /// Those whose day has ended, at that instant.
    func expireRequests(_ transaction: Transaction) throws {
        guard time.isJudged else { return }
        for overdue in try requests.overdue(at: time.now) { try expire(overdue, transaction) }
    }

    private func expire(_ overdue: TimeRequest, _ transaction: Transaction) throws {
        var expired = overdue
        (expired.state, expired.decided) = (.expired, overdue.dayEnd)
        try end(expired, transaction)
    }

    /// What is due by the clock: requests expire, buttons that waited for it count, members are asked about
    /// their own, shorter delays take effect. Each in the trace of what made it. Nothing is due before the
    /// clock was judged.
    func endDueRequests() {
        guard time.isJudged else { return }
        let now = time.now
        do {
            for overdue in try requests.overdue(at: now) {
                try service.transact(trace: try trace(of: overdue)) { try expire(overdue, $0) }
            }
            for (question, button) in try requestQuestions.kept() {
                try service.transact(trace: nil) { transaction in
                    try requestQuestions.keep(nil, of: question)
                    try pressOnRequest(question, button, transaction)
                }
            }
            for opened in try requests.opened(at: now) {
                try service.transact(trace: try trace(of: opened)) { try askAboutRequest(opened, $0) }
            }
            for member in try members.all() {
                let settled = member.settled(at: now)
                guard settled != member else { continue }
                try service.transact(trace: nil) { transaction in
                    try members.update(settled)
                    try publish(settled, transaction)
                }
            }
        } catch {
            service.noteDamage(error)
            service.log.error("ending due requests failed", [("error", .name(of: error))])
            return requestTimer.armAfterPause()
        }
        requestTimer.arm()
    }

    func trace(of request: TimeRequest) throws -> TraceContext? {
        try requests.trace(id: request.id).flatMap { TraceContext($0) }
    }

    /// The earliest of what ``endDueRequests()`` does.
    func nextRequestDue() throws(StoreError) -> Instant? {
        guard time.isJudged else { return nil }
        let (request, settling) = (try requests.nextDue(), try members.nextSettling())
        return [request, settling].compactMap { $0 }.min()
    }

    /// After a start: what is overdue ends at once, and open questions are shown again.
    func resumeRequests() throws(ServiceError) {
        do {
            for pending in try requests.pending() {
                guard let question = try requestQuestions.open(pending.id) else { continue }
                try promptAboutRequest(question, pending, try trace(of: pending))
            }
        } catch {
            throw ServiceError(anything: error)
        }
        endDueRequests()
    }
}

extension TimeRequest {
    /// Whether this decision was made.
    /// - Parameter minutes: of an approval; nil approves what was asked for.
    func isDecided(_ decision: Decision, minutes: Int64?) -> Bool {
        switch decision {
        case .approve: state == .approved && granted == minutes ?? self.minutes
        case .deny: state == .denied
        }
    }
}
