import Bus
import Contract
import Loop
import Monitoring
import Rules
import Schedules
import ServiceKit
import Store
import Units
import ZoneWatch

/// Manages the registered activities, publishes each callback once when it is due, and keeps one timer for
/// the next. The rules decide what is due when.
@LoopActor final class Monitor {
    let service: Service
    private let log: UsageLog
    let table: ActivityTable
    private var known: MonitorRules?
    /// Bytes of the stored definitions, by client.
    private var definitionBytes: [String: Int64]?
    private(set) lazy var timer = DueTimer(
        service, next: { [unowned self] in try rules().nextDue }, fire: { [weak self] in self?.poll() })
    private var isSettling = false

    init(_ service: Service, _ log: UsageLog) {
        self.service = service
        self.log = log
        table = ActivityTable(database: service.database)
    }

    // MARK: memory

    /// The rules with the state of the store.
    func rules() throws -> MonitorRules {
        if let known { return known }
        let history = UseHistory(log: log)
        let rules = MonitorRules(try log.catalog.catalogue(for: [])) { member, from in
            try history.use(of: member, from: from)
        }
        for row in try table.all(zone: service.zone(of:)) {
            try rules.restore(
                row.definition, as: row.name, registration: row.registration,
                registered: row.registered, zone: service.zone(of: row.name.member), row.state,
                cause: TraceContext.root().traceparent)
        }
        known = rules
        return rules
    }

    /// Discards the state in memory after a failed write, and checks again soon.
    func reload() {
        known = nil
        definitionBytes = nil
        timer.armForRetry()
    }

    /// Applies a changed member. Delivered callbacks stay delivered.
    func apply(_ member: Member, _ transaction: Transaction) throws {
        let rules = try rules(changing: transaction)
        let now = service.clock.now
        for name in try rules.setZone(service.zone(of: member.id), of: member.id, now: now) {
            guard let view = rules.view(of: name), let state = rules.state(of: name) else { continue }
            try table.save(state, of: view.registration, now: now)
        }
        try settle(transaction)
    }

    /// The rules, for changing them in a write; if it is undone, they are reloaded.
    private func rules(changing transaction: Transaction) throws -> MonitorRules {
        transaction.onUndo(reloading: self) { [weak self] in self?.reload() }
        return try rules()
    }

    // MARK: changing what is monitored

    /// Registers an activity, replacing the one of the same name.
    func register(
        _ definition: ActivityDefinition, as name: ActivityName, startTold: Instant?,
        _ transaction: Transaction
    ) throws {
        let rules = try rules(changing: transaction)
        let name = rules.stored(name)
        let now = service.clock.now
        try countBytes(of: name, Int64(definition.weight))
        let registration = try table.insert(definition, as: name, registered: now)
        let state = try rules.register(
            definition, as: name, registration: registration, registered: now,
            zone: service.zone(of: name.member), startTold: startTold,
            cause: transaction.trace.traceparent)
        try table.save(state, of: registration, now: now)
    }

    /// - Parameter silently: without a callback for the end of a running interval.
    func remove(_ name: ActivityName, silently: Bool, _ transaction: Transaction) throws {
        let rules = try rules(changing: transaction)
        let name = rules.stored(name)
        let end = rules.remove(name, now: service.clock.now)
        try countBytes(of: name, 0)
        try table.remove(name)
        if let end, !silently { try transaction.emit(end) }
    }

    /// Counts a definition that replaces the stored one. Making it smaller is always allowed.
    /// - Throws: `limitExceeded`; the write must then be undone.
    private func countBytes(of name: ActivityName, _ bytes: Int64) throws {
        var sums = try definitionBytes ?? table.definitionBytes()
        let grown = try bytes - table.definitionBytes(of: name)
        sums[name.client, default: 0] += grown
        definitionBytes = sums
        guard grown > 0 else { return }
        let own = sums[name.client] ?? 0
        let all = sums.values.reduce(0, +)
        // The person's activities are limited only by the total.
        let isOver = name.client != BuiltInClient.limits && own > ActivityLimits.bytesPerClientMax
        guard isOver || all > ActivityLimits.bytesMax else { return }
        throw ServiceError(
            .limitExceeded,
            isOver
                ? "the app's activities would take more than \(ActivityLimits.bytesPerClientMax) bytes "
                    + "(bytesPerClientMax)"
                : "all activities would take more than \(ActivityLimits.bytesMax) bytes (bytesMax)",
            remedy: "Stop activities that are not used, or select categories instead of single apps.")
    }

    // MARK: what is due

    /// Publishes due callbacks within a write.
    func settle(_ transaction: Transaction) throws {
        // Catching up settles after each sensor; what is due is known after the last.
        guard !isSettling else { return }
        isSettling = true
        defer { isSettling = false }
        try log.life.catchUp(transaction)
        let rules = try rules(changing: transaction)
        for due in try rules.due(until: service.clock.now) { try publish(due, transaction) }
        try timer.rearm()
    }

    /// Applies a change of use.
    func apply(_ change: StreamChange, _ transaction: Transaction) throws {
        let rules = try rules(changing: transaction)
        let stream = change.stream
        let cause = transaction.trace.traceparent
        let use = UseChange(
            member: stream.member, device: stream.device, added: change.delta.added.uses,
            removed: change.delta.removed.uses, running: stream.running, provisional: stream.provisional)
        let subjects = use.subjects
        let catalogue = try log.catalog.catalogue(for: subjects)
        if !change.renamed.isEmpty { rules.apply(catalogue, changed: change.renamed.sorted(), cause: cause) }
        rules.learn(catalogue, of: subjects)
        try rules.apply(use, cause: cause)
        try settle(transaction)
    }

    /// After categories changed: recounts every event of an open occurrence. Delivered callbacks stay
    /// delivered.
    func recount(_ transaction: Transaction) throws {
        let rules = try rules(changing: transaction)
        let catalogue = try log.catalog.catalogue(for: rules.subjects)
        rules.apply(catalogue, changed: nil, cause: transaction.trace.traceparent)
        try settle(transaction)
    }

    /// Checks everything: at the start, and when the timer fires.
    func poll() {
        timer.disarm()
        do {
            if log.life.isBehind { try service.transact(trace: nil) { try settle($0) } }
            for due in try rules().due(until: service.clock.now) {
                try service.transact(trace: due.cause.flatMap { TraceContext($0) }) { transaction in
                    _ = try rules(changing: transaction)
                    try publish(due, transaction)
                }
            }
            try timer.rearm()
        } catch {
            service.noteDamage(error)
            service.log.error("publishing due callbacks failed", [("error", .name(of: error))])
            reload()
        }
    }

    private func publish(_ due: DueCallback, _ transaction: Transaction) throws {
        try table.save(due.progress, of: due.registration)
        if due.callback == .intervalDidStart {
            try table.clearDelivered(
                of: due.registration, before: due.occurrence.start - ActivityLimits.deliveredKept)
        }
        guard due.fate != .awaited, try table.markDelivered(due), due.fate == .told else { return }
        try transaction.emit(due)
    }

    /// Milliseconds until a callback of any client is due if nothing changes; nil: none will be.
    var untilNextCallback: Milliseconds? {
        get throws { try rules().nextDue.map { max(0, $0 - service.clock.now) } }
    }
}

extension Transaction {
    /// Publishes a callback as the event with Apple's name.
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
