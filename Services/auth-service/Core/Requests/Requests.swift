import Bus
import Contract
import JSON
import Schedules
import ServiceKit
import Units

/// Requests for more time. docs/time.md, section 9, has the rules.
extension AuthService {
    func answerRequestMethods() {
        service.write(RequestCreate.self) { [unowned self] params, _, transaction in
            let made = try createRequest(params, transaction)
            return RequestCreate.Result(request: made, sequence: try transaction.head())
        }
        service.read(RequestList.self) { [unowned self] params, _ in try listRequests(params) }
        service.write(RequestDecide.self) { [unowned self] params, _, transaction in
            let decided = try decideRequest(params, transaction)
            return RequestDecide.Result(request: decided, sequence: try transaction.head())
        }
        service.write(RequestWithdraw.self) { [unowned self] params, _, transaction in
            let withdrawn = try withdrawRequest(params.id, transaction)
            return RequestWithdraw.Result(request: withdrawn, sequence: try transaction.head())
        }
    }

    // MARK: asking

    private func createRequest(
        _ params: RequestCreate.Params, _ transaction: Transaction
    ) throws -> TimeRequest {
        try expireRequests(transaction)
        let asked = try newRequest(params)
        if asked.oneMoreMinute == true { return try takeOneMoreMinute(asked, transaction) }
        if let open = try requests.pending(member: asked.member, kind: asked.kind, subject: asked.subject) {
            guard open.minutes == asked.minutes else { throw RequestRefusal.otherLength(open) }
            return open
        }
        try checkRequestRoom(asked)
        try insert(asked, transaction)
        if asked.selfApproval.map({ $0 <= asked.asked }) ?? true {
            try askAboutRequest(asked, transaction)
        }
        transaction.afterCommit { [unowned self] in requestTimer.arm() }
        return asked
    }

    /// What is asked for, checked, and not stored yet.
    private func newRequest(_ params: RequestCreate.Params) throws -> TimeRequest {
        let subject = try Validation.spelling(of: params.subject, params.kind)
        if let minutes = params.minutes { try Validation.minutes(minutes) }
        if params.oneMoreMinute == true, params.minutes != nil || params.reason != nil {
            throw ServiceError(
                .invalidParams, "one more minute has neither minutes nor a reason",
                remedy: "Leave both out, or leave one_more_minute out.")
        }
        let reason = try Validation.words(params.reason, "the reason")
        let id = service.member(params.member)
        guard let member = try members.find(id: id) else { throw Refusal.noMember(id) }
        let now = time.now
        let isOwn = id == Household.defaultMember
        let isOneMore = params.oneMoreMinute == true
        return TimeRequest(
            id: try freeRequestID(), member: id, kind: params.kind, subject: subject,
            minutes: isOneMore ? 1 : params.minutes, oneMoreMinute: isOneMore ? true : nil, reason: reason,
            asked: now,
            selfApproval: isOwn && !isOneMore ? now + member.selfApprovalDelay(at: now) : nil,
            dayEnd: member.dayEnd(after: now))
    }

    /// Approved by the rule, in the same write.
    private func takeOneMoreMinute(_ asked: TimeRequest, _ transaction: Transaction) throws -> TimeRequest {
        guard let member = try members.find(id: asked.member), member.oneMoreMinute != false else {
            throw RequestRefusal.noMoreMinute
        }
        guard time.isJudged else { throw RequestRefusal.unjudgedClock }
        var asked = asked
        let used = try requests.lastMinuteDayEnd(
            member: asked.member, kind: asked.kind, subject: asked.subject)
        // It may have been this subject's.
        let forgotten = try members.forgottenMinuteDayEnd(of: asked.member)
        if let last = [used, forgotten].compactMap(\.self).max() {
            guard used.map({ $0 <= asked.asked }) ?? true else { throw RequestRefusal.minuteIsUsed(asked) }
            guard last <= asked.asked else { throw RequestRefusal.minuteIsForgotten }
            // Another zone or another start of the day must not make days of minutes.
            while asked.dayEnd - last < AuthLimits.minuteDayMin {
                asked.dayEnd = member.dayEnd(after: asked.dayEnd)
            }
        }
        try checkRoomForNeeded(asked)
        try insert(asked, transaction)
        var approved = asked
        (approved.state, approved.decider, approved.decided) = (.approved, .rule, asked.asked)
        stampBoot(&approved)
        (approved.granted, approved.end) = (1, asked.asked + .minute)
        try end(approved, transaction)
        return approved
    }

    private func insert(_ request: TimeRequest, _ transaction: Transaction) throws {
        try requests.insert(request, trace: transaction.trace.traceparent)
        try transaction.emit(RequestCreated(request: request), subject: request.id)
    }

    private func checkRequestRoom(_ asked: TimeRequest) throws {
        let pending = try requests.pending()
        let own = pending.count { $0.member == asked.member }
        guard own < AuthLimits.requestsPerMemberMax, pending.count < AuthLimits.requestsMax else {
            let isOwn = own >= AuthLimits.requestsPerMemberMax
            let most = isOwn ? AuthLimits.requestsPerMemberMax : AuthLimits.requestsMax
            throw ServiceError(
                .limitExceeded,
                "\(isOwn ? own : pending.count) requests \(isOwn ? "of this member " : "")are pending, "
                    + "\(most) are allowed",
                remedy: "Decide or withdraw some; see `screentime requests --state pending`.")
        }
        try checkRoomForNeeded(asked)
    }

    /// Those that are over and still needed are not deleted, so their number must be limited here.
    private func checkRoomForNeeded(_ asked: TimeRequest) throws {
        let count = try requests.countNeeded(of: asked.member, at: asked.asked)
        guard count >= AuthLimits.neededPerMemberMax else { return }
        throw ServiceError(
            .limitExceeded,
            "\(count) requests of this member are approved or were one more minute of this day, "
                + "\(AuthLimits.neededPerMemberMax) are allowed",
            remedy: "Ask again tomorrow; `screentime requests --state approved` lists them.")
    }

    /// Also the question of an earlier request may still be on the screen.
    private func freeRequestID() throws -> String {
        func new() -> String { Self.shortID { Int(freshID() % UInt64($0)) } }
        var id = new()
        while try requests.find(id: id) != nil || requestQuestions.isKnown(id) { id = new() }
        return id
    }

    // MARK: listing

    private func listRequests(_ params: RequestList.Params) throws -> RequestList.Result {
        let limit = params.limit ?? AuthLimits.requestsListed
        guard (1...AuthLimits.requestsListedMax).contains(limit) else {
            throw ServiceError(
                .invalidParams, "limit is \(limit), 1 to \(AuthLimits.requestsListedMax) are allowed",
                remedy: "Read the rest with before.")
        }
        if let member = params.member, try members.find(id: member) == nil { throw Refusal.noMember(member) }
        if let before = params.before, try requests.find(id: before) == nil {
            throw RequestRefusal.unknown(before)
        }
        let found = try requests.newest(
            member: params.member, state: params.state, before: params.before, limit: limit + 1)
        var result = RequestList.Result()
        var bytes = 0
        for request in found.prefix(Int(limit)) {
            bytes += request.encoded().count + 1
            guard result.requests.isEmpty || bytes <= Limits.eventBytesPerAnswerMax else { break }
            result.requests.append(request)
        }
        if result.requests.count < found.count { result.more = true }
        return result
    }
}

extension Member {
    /// The first start of one of their days after an instant.
    fileprivate func dayEnd(after instant: Instant) -> Instant {
        days.dayEnd(after: instant, dayStart: dayStartMinutes * Milliseconds.minute)
    }

    /// The zone of their days. One that is unknown on this machine counts as none.
    var days: Zone {
        guard let zone else { return .current }
        do throws(CivilTimeError) { return try Zone(zone) } catch { return .current }
    }
}
