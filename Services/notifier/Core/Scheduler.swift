import Bus
import Contract
import Loop
import Schedules
import ServiceKit
import Store

/// Keeps notifications until they are due: one timer waits for the first.
@LoopActor final class Scheduler {
    private let service: Service
    private let notifications: NotificationTable
    private let deliverer: Deliverer
    let table: ScheduleTable
    let clients: ClientTable
    private var timer: (token: TimerToken, dueMs: Int64)?
    /// Milliseconds until it looks again after a failed write.
    private static let retryMs: Int64 = 1_000

    init(_ service: Service, _ notifications: NotificationTable, _ deliverer: Deliverer) {
        self.service = service
        self.notifications = notifications
        self.deliverer = deliverer
        table = ScheduleTable(database: service.database)
        clients = ClientTable(database: service.database)
    }

    // MARK: when

    /// The first instant after `instantMs` at which `trigger` is due; nil: never again.
    /// - Parameter postedMs: when it was posted.
    /// - Throws: `invalidParams`, naming what no clock or calendar can mean.
    func next(
        of trigger: NotificationTrigger, member: String, postedMs: Int64, after instantMs: Int64
    ) throws(ServiceError) -> Int64? {
        if let afterMs = trigger.afterMs {
            guard instantMs >= postedMs + afterMs else { return postedMs + afterMs }
            guard trigger.repeats ?? false else { return nil }
            return instantMs + afterMs - (instantMs - postedMs) % afterMs
        }
        do {
            let zone = try trigger.zone.map { (name) throws(CivilTimeError) in try Zone(name) }
            let moments = try CivilMoments(
                trigger.components ?? DateComponents(), "components", zone: zone ?? self.zone(of: member))
            return moments.next(after: instantMs)
        } catch {
            throw ServiceError(
                .invalidParams, "the trigger fits no time: \(error)",
                remedy: "See DateComponents in the contract.")
        }
    }

    private func zone(of member: String) -> Zone {
        guard let name = service.household.member(member)?.zone else { return .current }
        do { return try Zone(name) } catch {
            service.log.warnOnce(
                "zone.\(name)", "a member's time zone is not known here", [("zone", .text(name))])
            return .current
        }
    }

    /// A member moved: what is due by the calendar is due at another instant.
    func moved(_ member: Member, _ transaction: Transaction) throws {
        for var row in try table.all() where row.member == member.id {
            guard let trigger = row.record.trigger, trigger.components != nil, trigger.zone == nil else {
                continue
            }
            row.record.dueMs = try next(
                of: trigger, member: row.member, postedMs: row.record.postedMs,
                after: service.clock.nowMs)
            if row.record.dueMs == nil { try table.remove(row.key) } else { try table.update(row) }
        }
        transaction.afterCommit { [weak self] in self?.rearm() }
    }

    // MARK: what is due

    /// Looks at everything: at the start, and when the timer comes.
    func look() {
        timer = nil
        do {
            for row in try table.due(until: service.clock.nowMs) {
                try service.transact(trace: TraceContext(row.trace)) { try bring(row, $0) }
            }
            rearm()
        } catch {
            service.log.error("bringing what is due failed", [("error", .text("\(error)"))])
            arm(service.clock.nowMs + Self.retryMs)
        }
    }

    /// It is posted now, and waits again if it repeats.
    private func bring(_ row: ScheduledNotification, _ transaction: Transaction) throws {
        let nowMs = service.clock.nowMs
        var record = row.record
        record.state = .pending
        let lateMs = nowMs - row.dueMs
        record.lateMs = lateMs >= NotifierLimits.lateMsMin ? lateMs : nil
        try post(record, trace: row.trace, transaction)
        guard let trigger = record.trigger, trigger.repeats ?? false,
            let next = try next(
                of: trigger, member: row.member, postedMs: record.postedMs, after: nowMs)
        else { return try table.remove(row.key) }
        var again = row
        again.record.dueMs = next
        try table.update(again)
    }

    /// Puts it among those that shall be shown now, in the place of one with the same key.
    func post(_ record: NotificationRecord, trace: String, _ transaction: Transaction) throws {
        let key = NotificationKey(client: record.client, identifier: record.identifier)
        let former = try notifications.find(key)
        try notifications.replace(
            StoredNotification(record: record, trace: trace, shownAs: former?.shownAs))
        try notifications.trim(keeping: NotifierLimits.recordsKept)
        if let badge = record.details?.badge { try clients.setBadge(badge, of: key.client) }
        transaction.afterCommit { [deliverer] in deliverer.flush() }
    }

    // MARK: the timer

    /// After each commit that changed what is scheduled.
    func rearm() {
        do { arm(try table.nextDueMs()) } catch {
            service.log.error("reading what is scheduled failed")
            arm(service.clock.nowMs + Self.retryMs)
        }
    }

    /// Not at once: what kept the turn from being kept may last.
    func rolledBack() {
        do {
            let earliestMs = service.clock.nowMs + Self.retryMs
            arm(try table.nextDueMs().map { max($0, earliestMs) })
        } catch {
            service.log.error("reading what is scheduled failed")
            arm(service.clock.nowMs + Self.retryMs)
        }
    }

    private func arm(_ dueMs: Int64?) {
        guard timer?.dueMs != dueMs else { return }
        if let timer { service.clock.cancel(timer.token) }
        timer = dueMs.map { dueMs in
            (service.clock.at(dueMs) { [weak self] in self?.look() }, dueMs)
        }
    }
}
