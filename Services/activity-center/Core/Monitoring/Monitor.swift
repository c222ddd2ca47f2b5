import Bus
import CivilTime
import Contract
import Engine
import ServiceKit
import Store

/// Watches registered activities: tells each callback once, when it is due. One timer waits for the earliest.
@BusActor final class Monitor {
    /// Whose activities the person's own are.
    static let personsClient = "org.screentime.limits"
    /// How long what was told is remembered: 31 days.
    private static let firedKept_ms: Int64 = 31 * 86_400_000
    /// Milliseconds until it looks again after a failed write.
    private static let retry_ms: Int64 = 1_000

    let service: Service
    let zone: Zone
    private let table: ActivityTable
    private let windows: UseWindows
    private var loaded: [Activity.Name: Activity]?
    private var timer: (token: TimerToken, due_ms: Int64)?

    init(_ service: Service, _ log: UsageLog, zone: Zone) {
        self.service = service
        self.zone = zone
        table = ActivityTable(service.database, zone: zone)
        windows = UseWindows(log)
    }

    /// Forgets what is in memory, because a write failed, and looks again shortly.
    func reload() {
        loaded = nil
        windows.reload()
        arm(service.clock.nowMs + Self.retry_ms)
    }

    func activities() throws -> [Activity.Name: Activity] {
        if let loaded { return loaded }
        // The name is unique in the table.
        let all = Dictionary(uniqueKeysWithValues: try table.all().map { ($0.name, $0) })
        loaded = all
        return all
    }

    // MARK: changing what is monitored

    /// In the place of the activity of the same name.
    func register(
        _ definition: ActivityDefinition, as name: Activity.Name, _ transaction: Transaction
    ) throws -> Activity {
        let old = try activities()[name]
        let activity = try table.register(
            definition, as: name, replacing: old, now_ms: service.clock.nowMs, trace: transaction.trace)
        loaded?[name] = activity
        return activity
    }

    /// - Parameter silently: without the end of a running interval.
    func remove(_ activity: Activity, silently: Bool, _ transaction: Transaction) throws {
        if let open = activity.open, !silently {
            let end = DueCallback(
                callback: .intervalDidEnd, occurrence: open, at_ms: service.clock.nowMs,
                trace: transaction.trace)
            try transaction.emit(end, of: activity)
        }
        try table.remove(activity)
        loaded?[activity.name] = nil
    }

    // MARK: what is due

    /// Tells what is due of these activities within a write.
    func settle(_ activities: [Activity], _ transaction: Transaction) throws {
        try takeDue(activities) { due, activity in try tell(due, of: activity, transaction) }
        try rearm()
    }

    /// After use changed: thresholds whose subjects are touched.
    func take(_ change: UseChange, _ transaction: Transaction) throws {
        windows.take(change)
        let now_ms = service.clock.nowMs
        var due: [(DueCallback, Activity)] = []
        for activity in try activities().values where activity.name.member == change.stream.member {
            guard let open = activity.open, change.concerns(open) else { continue }
            due += try thresholds(
                of: activity, touched: change.touched, now_ms: now_ms, trace: transaction.trace)
        }
        for (due, activity) in Self.ordered(due) { try tell(due, of: activity, transaction) }
        try rearm()
    }

    /// After categories changed: every event of an open occurrence. What was told stays told.
    func recount(_ transaction: Transaction) throws {
        let now_ms = service.clock.nowMs
        let due = try activities().values.flatMap {
            try thresholds(of: $0, touched: nil, now_ms: now_ms, trace: transaction.trace)
        }
        for (due, activity) in Self.ordered(due) { try tell(due, of: activity, transaction) }
        try rearm()
    }

    /// Looks at everything: at the start, and when the timer comes.
    func look() {
        timer = nil
        do {
            try takeDue(Array(try activities().values)) { due, activity in
                try service.transact(trace: due.trace) { try tell(due, of: activity, $0) }
            }
            try rearm()
        } catch {
            service.log.error("telling due callbacks failed", [("error", .text("\(error)"))])
            reload()
        }
    }

    /// Round after round, until nothing is due: what a start makes due comes after it.
    private func takeDue(_ activities: [Activity], _ tell: (DueCallback, Activity) throws -> Void) throws {
        let now_ms = service.clock.nowMs
        func isDue(_ activity: Activity) -> Bool { activity.isUnasked || activity.due_ms ?? .max <= now_ms }
        var waiting = activities.filter(isDue)
        while !waiting.isEmpty {
            var due: [(DueCallback, Activity)] = []
            for activity in waiting {
                activity.isUnasked = false
                due += try thresholds(of: activity, touched: nil, now_ms: now_ms, trace: activity.trace)
                let boundaries = activity.takeBoundaries(now_ms: now_ms)
                activity.isUnasked = boundaries.contains { $0.callback == .intervalDidStart && $0.told }
                due += boundaries.map { ($0, activity) }
            }
            for (due, activity) in Self.ordered(due) { try tell(due, activity) }
            waiting = waiting.filter(isDue)
        }
    }

    private func thresholds(
        of activity: Activity, touched: Set<Subject>?, now_ms: Int64, trace: TraceContext
    ) throws -> [(DueCallback, Activity)] {
        guard let open = activity.open, activity.events.contains(where: { !$0.isOver }) else { return [] }
        let use = try windows.use(of: activity.name.member, from: open.start_ms)
        return activity.takeThresholds(use, touched: touched, now_ms: now_ms, trace: trace).map {
            ($0, activity)
        }
    }

    /// By instant, then as the design orders one instant, then by name.
    private static func ordered(_ due: [(DueCallback, Activity)]) -> [(DueCallback, Activity)] {
        due.sorted { left, right in
            if left.0.at_ms != right.0.at_ms { return left.0.at_ms < right.0.at_ms }
            if left.0.callback != right.0.callback { return left.0.callback < right.0.callback }
            if left.1.name != right.1.name { return left.1.name < right.1.name }
            return left.0.event?.name ?? "" < right.0.event?.name ?? ""
        }
    }

    private func tell(_ due: DueCallback, of activity: Activity, _ transaction: Transaction) throws {
        try table.save(activity)
        if due.callback == .intervalDidStart {
            try table.forgetFired(of: activity, before: due.occurrence.start_ms - Self.firedKept_ms)
        }
        guard try table.markFired(due, of: activity), due.told else { return }
        try transaction.emit(due, of: activity)
    }

    // MARK: the timer

    func rearm() throws { arm(try activities().values.compactMap(\.due_ms).min()) }

    private func arm(_ due_ms: Int64?) {
        guard timer?.due_ms != due_ms else { return }
        if let timer { service.clock.cancel(timer.token) }
        timer = due_ms.map { due_ms in
            (service.clock.at(due_ms) { [weak self] in self?.look() }, due_ms)
        }
    }
}

extension UseChange {
    /// Imports of long ago move nothing in an occurrence.
    @BusActor fileprivate func concerns(_ occurrence: TimeRange) -> Bool {
        if stream.isLive { return true }
        return (delta.added.uses + delta.removed.uses).contains { $0.interval.end_ms > occurrence.start_ms }
    }
}
