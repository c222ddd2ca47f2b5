import Bus
package import Contract
package import Loop
package import ServiceKit
package import Store
import Units

/// Owns the members of the household and what clients may do for them.
@LoopActor package final class AuthService: ServiceProgram {
    package nonisolated static let name = ServiceName.auth
    package static let migrations = Schema.migrations
    package let service: Service
    let members: MemberTable
    let authorizations: AuthorizationTable
    let askers: AskerTable
    let questions: QuestionTable
    let requests: RequestTable
    let requestQuestions: QuestionTable
    let grants: GrantTable
    let selections: SelectionTable
    /// Created with the first token.
    var tokenSealer: TokenSealer?
    var waitingRoom = PendingAnswers()
    /// The process that asked last, by the authorization's id.
    var askingProcesses: [String: Int32] = [:]
    /// Whether a process has exited; tests use processes that never existed.
    var hasEnded: @LoopActor (Int32) -> Bool = { Peer.isGone($0) }
    /// When waiting requests end, by the loop's clock, which nobody can set; by the id of the asker.
    var deadlines: [String: Milliseconds] = [:]
    var cancelDeadlineTimer: (@LoopActor () -> Void)?
    /// Whether the timers will be armed again; a turn can end many requests, and a full disk many turns.
    var willArmTimers = false
    /// Whether the time is virtual; then requests end by the virtual clock.
    lazy var isTimeVirtual: @LoopActor () -> Bool = { [clock = service.clock] in
        (clock as? SystemClock)?.isVirtual ?? true
    }
    /// By which requests for more time are dated and end. Authorizations have the machine's time, as stores.
    let time: TrustedClock
    /// For what is due of requests for more time.
    private(set) lazy var requestTimer = DueTimer(
        service, of: time, next: { [unowned self] in try nextRequestDue() },
        fire: { [weak self] in self?.endDueRequests() })
    var isWithdrawing = false

    package init(_ service: Service) throws {
        self.service = service
        members = MemberTable(database: service.database)
        authorizations = AuthorizationTable(database: service.database)
        askers = AskerTable(database: service.database)
        questions = QuestionTable(database: service.database, topic: .authorization)
        requests = RequestTable(database: service.database)
        requestQuestions = QuestionTable(database: service.database, topic: .request)
        grants = GrantTable(database: service.database)
        selections = SelectionTable(database: service.database)
        time = try TrustedClock(service)
        time.onChange = { [weak self] in self?.endDueRequests() }
    }

    package func follow() throws {
        try followNotifier()
        try service.follow(
            .activity, consequence: "requests for more time are dated by an earlier judgement of the clock"
        ) { following in
            following.reset = { [time] in try time.reset($0) }
            time.follow(following)
        }
        time.reportSilence("requests for more time do not expire, and nobody can approve their own")
        try service.transact(trace: nil) { transaction in
            try ensureMaster()
            try ensurePerson(transaction)
            try completeOwnCopy(transaction)
        }
        try resumeAsking()
        try resumeRequests()
    }

    /// Requests that the undone turn ended are waiting again. Retried after a pause, because the disk may be
    /// full.
    package func turnWasUndone() {
        armTimersSoon(after: Service.retryPause)
    }

    package func stop() { time.close() }

    package func registerMethods() {
        service.read(MemberList.self) { [unowned self] _, context in
            let all = try members.all()
            guard let client = context.client else { return MemberList.Result(members: all) }
            let asked = Set(try authorizations.all(client: client).map(\.member))
            return MemberList.Result(members: all.filter { asked.contains($0.id) })
        }
        service.write(MemberAdd.self) { [unowned self] params, _, transaction in
            try addMember(params, transaction)
        }
        service.write(MemberSet.self) { [unowned self] params, _, transaction in
            try setMember(params, transaction)
        }
        service.write(MemberRemove.self) { [unowned self] params, _, transaction in
            try removeMember(params, transaction)
        }
        service.later(AuthorizationRequest.self, repeats: .areKnown) { [unowned self] params, context in
            try await request(params, context)
        }
        service.read(AuthorizationList.self) { [unowned self] params, context in
            try list(params, context)
        }
        service.write(AuthorizationDecide.self) { [unowned self] params, _, transaction in
            try decide(params, transaction)
        }
        service.write(AuthorizationRevoke.self) { [unowned self] params, context, transaction in
            try revoke(params, context, transaction)
        }
        service.write(AuthorizationSwitch.self) { [unowned self] params, _, transaction in
            try turnSwitches(params, transaction)
        }
        service.read(AuditRead.self) { [unowned self] params, _ in try readAudit(params) }
        answerTokenMethods()
        answerSelectionMethods()
        answerRequestMethods()
    }
}
