import Bus
import Contract
import Loop
import Monitoring
import Rules
import Schedules
import ServiceKit
import Store
import Units

/// Keeps the registered activities, tells each callback once when it is due, and lets one timer wait for the
/// next. What is due when, the rules know.
@LoopActor final class Monitor {
    /// Whose activities the person's own are.
    static let personsClient = "org.screentime.limits"
    /// How long what was told is remembered: 31 days.
    private static let toldKept: Milliseconds = .days(31)
    /// Milliseconds until it looks again after a failed write.
    private static let retry: Milliseconds = 1_000

    let service: Service
    private let log: UsageLog
    private let table: ActivityTable
    private var known: MonitorRules?
    /// Of the stored definitions, by client.
    private var definitionBytes: [String: Int64]?
    private var timer: (token: TimerToken, due: Instant)?

    init(_ service: Service, _ log: UsageLog) {
        self.service = service
        self.log = log
        table = ActivityTable(database: service.database)
    }

    // MARK: memory

    /// The rules, as far as the store has come.
    func rules() throws -> MonitorRules {
        if let known { return known }
        let history = UseHistory(log: log)
        let rules = MonitorRules(try log.catalog.catalogue(for: [])) { member, from in
            try history.use(of: member, from: from)
        }
        for row in try table.all(zone: zone) {
            try rules.restore(
                row.definition, as: row.name, registration: row.registration,
                registered: row.registered, zone: zone(of: row.name.member), row.state,
                cause: TraceContext.root().traceparent)
        }
        known = rules
        return rules
    }

    /// Forgets what is in memory, because a write failed, and looks again shortly.
    func reload() {
        known = nil
        definitionBytes = nil
        arm(service.clock.now + Self.retry)
    }

    /// Where a member lives: their own zone, else the machine's. A zone that this machine does not know is
    /// the machine's too; auth-service takes none.
    func zone(of member: String) -> Zone {
        guard let name = service.household.member(member)?.zone else { return .current }
        do { return try Zone(name) } catch {
            service.log.warnOnce(
                "zone.\(name)", "a member's time zone is not known here", [("zone", .text(name))])
            return .current
        }
    }

    /// The member's record is another. What was told stays told.
    func take(_ member: Member, _ transaction: Transaction) throws {
        let rules = try rules(changing: transaction)
        let moved = try rules.setZone(zone(of: member.id), of: member.id, now: service.clock.now)
        for name in moved {
            guard let view = rules.view(of: name), let state = rules.state(of: name) else { continue }
            try table.save(state.standing, of: view.registration)
        }
        try settle(transaction)
    }

    /// The rules, to be changed in a write: when it is undone, memory forgets them.
    private func rules(changing transaction: Transaction) throws -> MonitorRules {
        transaction.onUndo(reloading: self) { [weak self] in self?.reload() }
        return try rules()
    }

    // MARK: changing what is monitored

    /// In the place of the activity of the same name.
    func register(
        _ definition: ActivityDefinition, as name: ActivityName, startTold: Instant?,
        _ transaction: Transaction
    ) throws {
        let rules = try rules(changing: transaction)
        let now = service.clock.now
        try countBytes(of: name, Int64(definition.weight))
        let registration = try table.insert(definition, as: name, registered: now)
        let state = try rules.register(
            definition, as: name, registration: registration, registered: now,
            zone: zone(of: name.member), startTold: startTold,
            cause: transaction.trace.traceparent)
        try table.save(state, of: registration, now: now)
    }

    /// - Parameter silently: without the end of a running interval.
    func remove(_ name: ActivityName, silently: Bool, _ transaction: Transaction) throws {
        let end = try rules(changing: transaction).remove(name, now: service.clock.now)
        try countBytes(of: name, 0)
        try table.remove(name)
        if let end, !silently { try transaction.emit(end) }
    }

    /// Bytes of all activities of one client, and of all, a million thresholds of the person's own: they are
    /// in memory, too. Names of subjects count by ``Record/weight``.
    private static let bytesPerClientMax: Int64 = 16 << 20
    static let bytesMax: Int64 = 512 << 20

    /// A definition is put in the place of what is stored. What makes less of it is always allowed.
    /// - Throws: `limitExceeded`; the write must be undone
    private func countBytes(of name: ActivityName, _ bytes: Int64) throws {
        var sums = try definitionBytes ?? table.definitionBytes()
        let grown = try bytes - table.definitionBytes(of: name)
        sums[name.client, default: 0] += grown
        definitionBytes = sums
        guard grown > 0 else { return }
        let own = sums[name.client] ?? 0
        let all = sums.values.reduce(0, +)
        // What the person monitors has the whole room.
        let isOver = name.client != Self.personsClient && own > Self.bytesPerClientMax
        guard isOver || all > Self.bytesMax else { return }
        throw ServiceError(
            .limitExceeded,
            isOver
                ? "the app's activities would take more than \(Self.bytesPerClientMax) bytes "
                    + "(bytesPerClientMax)"
                : "all activities would take more than \(Self.bytesMax) bytes (bytesMax)",
            remedy: "Stop activities that are not used, or select categories instead of single apps.")
    }

    // MARK: what is due

    /// Tells what is due within a write.
    func settle(_ transaction: Transaction) throws {
        let rules = try rules(changing: transaction)
        for due in try rules.due(until: service.clock.now) { try tell(due, transaction) }
        try rearm()
    }

    /// After use changed.
    func take(_ change: StreamChange, _ transaction: Transaction) throws {
        let rules = try rules(changing: transaction)
        let stream = change.stream
        let cause = transaction.trace.traceparent
        let use = UseChange(
            member: stream.member, device: stream.device, added: change.delta.added.uses,
            removed: change.delta.removed.uses, running: stream.running, provisional: stream.provisional)
        let subjects = use.subjects
        let catalogue = try log.catalog.catalogue(for: subjects)
        if !change.renamed.isEmpty { rules.take(catalogue, changed: change.renamed.sorted(), cause: cause) }
        rules.learn(catalogue, of: subjects)
        try rules.take(use, cause: cause)
        try settle(transaction)
    }

    /// After categories changed: every event of an open occurrence. What was told stays told.
    func recount(_ transaction: Transaction) throws {
        let rules = try rules(changing: transaction)
        let catalogue = try log.catalog.catalogue(for: rules.subjects)
        rules.take(catalogue, changed: nil, cause: transaction.trace.traceparent)
        try settle(transaction)
    }

    /// Looks at everything: at the start, and when the timer comes.
    func look() {
        timer = nil
        do {
            for due in try rules().due(until: service.clock.now) {
                try service.transact(trace: due.cause.flatMap { TraceContext($0) }) { transaction in
                    _ = try rules(changing: transaction)
                    try tell(due, transaction)
                }
            }
            try rearm()
        } catch {
            service.log.error("telling due callbacks failed", [("error", .text("\(error)"))])
            reload()
        }
    }

    private func tell(_ due: DueCallback, _ transaction: Transaction) throws {
        try table.save(due.standing, of: due.registration)
        if due.callback == .intervalDidStart {
            try table.forgetTold(of: due.registration, before: due.occurrence.start - Self.toldKept)
        }
        guard due.fate != .awaited, try table.markTold(due), due.fate == .told else { return }
        try transaction.emit(due)
    }

    // MARK: the timer

    func rearm() throws { arm(try rules().nextDue) }

    private func arm(_ due: Instant?) {
        guard timer?.due != due else { return }
        if let timer { service.clock.cancel(timer.token) }
        timer = due.map { due in
            (service.clock.at(due) { [weak self] in self?.look() }, due)
        }
    }
}

extension Transaction {
    /// Publishes a callback under Apple's name.
    func emit(_ due: DueCallback) throws(ServiceError) {
        let about = due.about
        let client = due.name.client
        switch due.callback {
        case .intervalDidStart: try emit(IntervalDidStart(about: about), subject: client)
        case .intervalDidEnd: try emit(IntervalDidEnd(about: about), subject: client)
        case .intervalWillStartWarning: try emit(IntervalWillStartWarning(about: about), subject: client)
        case .intervalWillEndWarning: try emit(IntervalWillEndWarning(about: about), subject: client)
        case .eventDidReachThreshold: try emit(EventDidReachThreshold(about: about), subject: client)
        case .eventWillReachThresholdWarning:
            try emit(EventWillReachThresholdWarning(about: about), subject: client)
        }
    }
}
