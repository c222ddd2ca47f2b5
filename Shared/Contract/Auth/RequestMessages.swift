package import JSON
package import Units

/// State of a request for more time. Only `pending` changes.
package enum RequestState: String, NameEnum {
    case pending
    case approved
    case denied
    /// The asker took it back.
    case withdrawn
    /// The member's day ended before anybody decided.
    case expired
}

/// Who decided a request.
package enum RequestDecider: String, NameEnum {
    /// A guardian of the member.
    case guardian
    /// The member, after the delay that they chose beforehand.
    case member
    /// Nobody: one more minute needs no decision.
    case rule
}

/// A request for more time with one shielded app, domain or category.
@Record
package struct TimeRequest: Record {
    /// Id to pass to request.decide; also the key of the exception that follows from an approval.
    @Field(.publicText) package var id: String = ""
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// App, domain, category (of apps) or domain_category.
    package var kind: SubjectKind = .app
    /// App id, domain or category.
    @Field(markedBy: "subjectMark") package var subject: String = ""
    /// Minutes asked for, 1 to 1440; absent: the rest of the member's day. One more minute has 1.
    package var minutes: Int64?
    /// True: one more minute, which needs no decision.
    package var oneMoreMinute: Bool?
    /// Why, in the asker's words.
    @Field(.personal) package var reason: String?
    /// When it was made, UTC milliseconds.
    package var asked: Instant = 0
    /// From when the member may decide, UTC milliseconds; absent: only a guardian may.
    package var selfApproval: Instant?
    /// End of the member's day: it expires then, and an exception for the rest of the day ends. Of one more
    /// minute: from then on there is another one.
    package var dayEnd: Instant = 0
    /// Its present state.
    package var state: RequestState = .pending
    /// When it was decided or withdrawn, or expired (then `day_end`), UTC milliseconds.
    package var decided: Instant?
    /// Who decided.
    package var decider: RequestDecider?
    /// Id of the boot of the approval; absent: not approved, or approved under a virtual clock.
    @Field(.publicText) package var bootID: String?
    /// CLOCK_BOOTTIME of the approval.
    package var boottime: Milliseconds?
    /// Minutes granted; absent: the rest of the day, or not approved.
    package var granted: Int64?
    /// End of the exception, UTC milliseconds; absent: not approved.
    package var end: Instant?
    /// The decider's words.
    @Field(.personal) package var answer: String?

    private var subjectMark: FieldMark { .subject(kind.mark) }
}

/// Asks for more time with something shielded, or takes one more minute.
///
/// The same request while it is pending is the same request: no second one is made; for another length it is
/// conflict. An approval becomes an exception of shield-service.
@Method("request.create", of: .auth, .write, for: .person)
package enum RequestCreate: Method {
    /// What is asked for.
    @Record("request.create.params")
    package struct Params: Record {
        /// Member id; default the person of the uid.
        package var member: String?
        /// App, domain, category (of apps) or domain_category.
        package var kind: SubjectKind = .app
        /// App id, domain or category.
        @Field(markedBy: "subjectMark") package var subject: String = ""
        /// Minutes, 1 to 1440; absent: the rest of the member's day.
        package var minutes: Int64?
        /// True: one more minute, without `minutes` and `reason`. Once per member, subject and day, unless
        /// the member has none.
        package var oneMoreMinute: Bool?
        /// Why; one line of up to 500 characters.
        @Field(.personal) package var reason: String?

        private var subjectMark: FieldMark { .subject(kind.mark) }
    }

    /// The request.
    @Record("request.create.result")
    package struct Result: Record {
        /// As it is now.
        package var request: TimeRequest = TimeRequest()
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// Lists requests for more time, the newest first.
@Method("request.list", of: .auth, .read, for: .person)
package enum RequestList: Method {
    /// Filters.
    @Record("request.list.params")
    package struct Params: Record {
        /// Member id; default all.
        package var member: String?
        /// Only with this state.
        package var state: RequestState?
        /// Only older than this request.
        package var before: String?
        /// Maximum number; default 100, up to 500.
        package var limit: Int64?
    }

    /// The requests.
    @Record("request.list.result")
    package struct Result: Record {
        /// The newest first.
        package var requests: [TimeRequest] = []
        /// True: there are older ones.
        package var more: Bool?
    }
}

/// Approves or denies a request for more time. The first decision that is stored wins; the same again (an
/// approval: of the same minutes) changes nothing, and another is conflict. Before its `self_approval` the
/// member's own approval is notAuthorized.
@Method("request.decide", of: .auth, .write, for: .person)
package enum RequestDecide: Method {
    /// The request and the decision.
    @Record("request.decide.params")
    package struct Params: Record {
        /// The request's id.
        package var id: String = ""
        /// The decision.
        package var decision: Decision = .deny
        /// Minutes to grant, 1 to 1440; default what was asked for.
        package var minutes: Int64?
        /// Words for the asker; one line of up to 500 characters.
        @Field(.personal) package var answer: String?
    }

    /// The request after the decision.
    @Record("request.decide.result")
    package struct Result: Record {
        /// As decided.
        package var request: TimeRequest = TimeRequest()
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// Takes a pending request back.
@Method("request.withdraw", of: .auth, .write, for: .person)
package enum RequestWithdraw: Method {
    /// The request.
    @Record("request.withdraw.params")
    package struct Params: Record {
        /// The request's id.
        package var id: String = ""
    }

    /// The request after the withdrawal.
    @Record("request.withdraw.result")
    package struct Result: Record {
        /// As withdrawn.
        package var request: TimeRequest = TimeRequest()
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// Somebody asked for more time.
@Event("request.created", of: .auth)
package struct RequestCreated: EventData {
    /// As made.
    package var request: TimeRequest = TimeRequest()
}

/// A request for more time was approved, denied, withdrawn, or expired.
@Event("request.decided", of: .auth)
package struct RequestDecided: EventData {
    /// As it is now; its `end` is the end of the exception.
    package var request: TimeRequest = TimeRequest()
}
