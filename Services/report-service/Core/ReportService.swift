import Bus
package import Contract
package import Hosting
package import Loop
import Rules
package import ServiceKit
package import Store
import Units

/// The service report-service: who used what for how long.
@LoopActor package final class ReportService: ServiceProgram {
    package nonisolated static let name = ServiceName.report
    package static let migrations = Schema.migrations
    package static let records = HostedPrograms.records
    package let service: Service
    let copy: UsageCopy
    private let reporter: Reporter
    private let notice: ChangeNotice
    let renderer: ReportRenderer
    /// Open use counts up to the trusted time.
    let time: HeldTime

    package convenience init(_ service: Service) throws { try self.init(service, runner: nil) }

    /// - Parameter runner: nil for processes of this machine.
    package init(_ service: Service, runner: (any ProgramRunner)?) throws {
        self.service = service
        copy = try UsageCopy(service.database)
        time = try HeldTime(service)
        reporter = Reporter(copy)
        notice = ChangeNotice(service)
        renderer = try ReportRenderer(service, runner)
        notice.onPublished = { [renderer] in renderer.changed(member: $0) }
        renderer.query = { [weak self] params in
            guard let self else {
                throw ServiceError(
                    .unavailable, "report-service has stopped", remedy: "Send it again when it runs.")
            }
            return try ReportQuery.Result.decode(try answer(params, client: nil, isDrawn: true).encoded())
        }
    }

    package func registerMethods() {
        service.read(replying: ReportQuery.self) { [unowned self] params, context, reply in
            let answer = try answer(params, client: context.client)
            reply.succeed(about: answer.bytes, answer.write)
        }
        service.later(ReportRender.self) { [unowned self] params, context in
            try await renderer.render(params, context.trace)
        }
    }

    package func follow() throws {
        try service.followHousehold(
            changed: { [unowned self] change, transaction in
                transaction.afterCommit { [self] in renderer.forget(change.authorization) }
            },
            // Their zone and the start of their day decide to which day use belongs.
            member: { [unowned self] member, transaction in
                guard try copy.members().contains(member.id) else { return }
                notice.note(member.id, from: 0, transaction)
            })
        try renderer.follow()
        try service.follow(.activity, consequence: "reports are not updated") { following in
            following.on(UsageRecorded.self) { [unowned self] in try apply($0.data, $1) }
            following.on(CatalogChanged.self) { [unowned self] in try apply($0.data, $1) }
            time.follow(following)
            following.on(UsageForgotten.self) { [unowned self] in try apply($0, $1) }
            following.reset = { [unowned self] in try forget($0) }
        }
        // The name was to arrive before the end and did not.
        if try Settings(service.database).get(Self.missingForgetSetting) != nil { buildAgain() }
    }

    /// Nothing: `report.changed` only reports that something changed, and a new reader reads everything
    /// anyway. With a snapshot the log may be trimmed.
    package func snapshot(_ page: String?) -> SnapshotPage { SnapshotPage() }

    package func completeTurn(_ transaction: Transaction) throws {
        try copy.settle()
        try notice.publish()
    }

    package func turnWasUndone() { copy.discard() }

    package var unfinished: [String] { renderer.unfinished }

    package func stop() { renderer.stop() }

    private func answer(
        _ params: ReportQuery.Params, client: String?, isDrawn: Bool = false
    ) throws -> ReportAnswer {
        try reporter.answer(
            params, members: try members(params, client), now: service.clock.now - time.held,
            isDrawn: isDrawn)
    }

    /// The members of a query; the caller may query each of them.
    private func members(
        _ params: ReportQuery.Params, _ client: String?
    ) throws(ServiceError) -> [ReportMember] {
        let ways = [params.member != nil, params.members != nil, params.users != nil]
        guard ways.count(where: { $0 }) <= 1 else {
            throw ServiceError(
                .invalidArgument, "member, members and users exclude each other",
                remedy: "Use one of them.")
        }
        if let users = params.users {
            let allowed = service.membersAllowed(client).filter { users == .all || $0.role == .child }
            return allowed.map { ReportMember($0.id, $0) }
        }
        let ids = try ReportSelection.names(params.judgedMembers.map(service.member), "members").sorted()
        return ids.map { ReportMember($0, service.household.member($0)) }
    }

    private func apply(_ event: UsageRecorded, _ transaction: Transaction) throws {
        do {
            notice.note(event.member, from: try copy.apply(event), transaction)
        } catch let error as ServiceError where error.name == .invalidArgument {
            throw MalformedEvent(error.message)
        }
    }

    /// Reports show the present categories for any time.
    private func apply(_ event: CatalogChanged, _ transaction: Transaction) throws {
        guard try copy.apply(event) else { return }
        for member in try copy.members() { notice.note(member, from: 0, transaction) }
    }

    /// Cuts a time range out of this copy, too.
    private func apply(_ received: Received<UsageForgotten>, _ transaction: Transaction) throws {
        let event = received.data
        guard let from = event.from, let to = event.to,
            let stretch = TimeRange(start: from, end: to)
        else { return try applyNameless(received.head, transaction) }
        try transaction.leaveBytes()
        for member in try copy.cut(stretch, member: event.member) {
            notice.note(member, from: from, transaction)
        }
    }

    /// The names to delete arrive with `privacy.forget`, soon after this event and in the same trace. That
    /// request was sent once, when the event was new, so an older copy of this store does not receive it. It
    /// is expected only if the event arrives live and no other request is missing.
    private func applyNameless(_ head: EventHead, _ transaction: Transaction) throws {
        let settings = Settings(service.database)
        let forgetting = TraceContext(head.traceparent)?.traceID ?? head.time
        let missingForget = try settings.get(Self.missingForgetSetting) ?? forgetting
        let isTold = service.isLive(.activity) && missingForget == forgetting
        if !isTold { try forget(transaction) }
        try settings.set(Self.missingForgetSetting, forgetting)
        transaction.afterCommit { [self] in isTold ? reportMissingForget() : buildAgain() }
    }

    private static let missingForgetSetting = "forgotten_and_not_told"

    private func reportMissingForget() {
        service.setNotActing(
            Self.missingForgetSetting,
            "reports still show what activity-center deleted: the name to delete has not arrived, but is "
                + "needed (run the same `screentime forget` again, or `screentime repair report-service`)")
    }

    /// A received name is deleted. If another request is missing, its names are unknown, so the copy is
    /// rebuilt.
    private func settle(_ told: TraceContext, _ transaction: Transaction) throws {
        let settings = Settings(service.database)
        guard let missingForget = try settings.get(Self.missingForgetSetting) else { return }
        guard missingForget == told.traceID else { return transaction.afterCommit { [self] in buildAgain() } }
        try settings.set(Self.missingForgetSetting, nil)
        transaction.afterCommit { [self] in service.setNotActing(Self.missingForgetSetting, nil) }
    }

    private func buildAgain() {
        do throws(ServiceError) {
            try service.rebuildCopy(
                of: .activity, because: "something was deleted while this copy was unavailable")
        } catch {
            service.setNotActing(
                Self.missingForgetSetting, "reports are incomplete: rebuilding them failed: \(error.message)")
        }
    }

    /// Events of this service name used subjects only in filters.
    package var forgetPlan: ForgetPlan {
        ForgetPlan(
            erases: { event, forgetting in
                guard try event.decoded(ReportRendered.self) != nil else { return false }
                return forgetting.extent == .everything || event.isNamed(forgetting)
            },
            remove: { [self] forgetting, report, transaction in
                transaction.afterCommit { [renderer] in renderer.forgetWatched() }
                // All changes in memory were written before the deletion.
                transaction.onUndo(reloading: copy) { [copy] in copy.discard() }
                let touched: Set<String>
                if case .stretch(let from, let to) = forgetting.extent {
                    let end = min(to, forgetting.until)
                    let stretch = TimeRange(start: from, end: end)
                    touched = try stretch.map { try copy.cut($0, member: forgetting.member) } ?? []
                } else {
                    touched = try copy.remove(forgetting)
                    try settle(transaction.trace, transaction)
                }
                for member in touched { notice.note(member, from: 0, transaction) }
            })
    }

    /// What activity-center still has is delivered again.
    private func forget(_ transaction: Transaction) throws {
        try time.reset(transaction)
        try Settings(service.database).set(Self.missingForgetSetting, nil)
        transaction.afterCommit { [self] in service.setNotActing(Self.missingForgetSetting, nil) }
        // The files may contain what was deleted meanwhile.
        try transaction.leaveBytes()
        let members = try copy.members()
        try copy.clear()
        for member in members { notice.note(member, from: 0, transaction) }
    }
}
