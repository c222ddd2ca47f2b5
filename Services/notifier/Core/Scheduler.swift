import Bus
import Contract
import Loop
import Schedules
import ServiceKit
import Store
import Units

/// Keeps notifications until they are due: one timer waits for the first.
@LoopActor final class Scheduler {
    private let service: Service
    private let notifications: NotificationTable
    private let deliverer: Deliverer
    let table: ScheduleTable
    let clients: ClientTable
    private var timer: (token: TimerToken, due: Instant)?
    /// How long until it looks again after a failed write.
    private static let retry: Milliseconds = 1_000

    init(_ service: Service, _ notifications: NotificationTable, _ deliverer: Deliverer) {
        self.service = service
        self.notifications = notifications
        self.deliverer = deliverer
        table = ScheduleTable(database: service.database)
        clients = ClientTable(database: service.database)
    }

    // MARK: when

    /// The first instant after `instant` at which `trigger` is due; nil: never again.
    /// - Parameter posted: when it was posted.
    /// - Throws: `invalidParams`, naming what no clock or calendar can mean.
    func next(
        of trigger: NotificationTrigger, member: String, posted: Instant, after instant: Instant
    ) throws(ServiceError) -> Instant? {
        if let after = trigger.after {
            guard instant >= posted + after else { return posted + after }
            guard trigger.repeats ?? false else { return nil }
            return instant + after - (instant - posted).flooredRemainder(after)
        }
        do {
            let zone = try trigger.zone.map { (name) throws(CivilTimeError) in try Zone(name) }
            let moments = try CivilMoments(
                trigger.components ?? DateComponents(), "components", zone: zone ?? self.zone(of: member))
            return moments.next(after: instant)
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
            row.record.due = try next(
                of: trigger, member: row.member, posted: row.record.posted,
                after: service.clock.now)
            if row.record.due == nil { try table.remove(row.key) } else { try table.update(row) }
        }
        transaction.afterCommit { [weak self] in self?.rearm() }
    }

    // MARK: what is due

    /// Looks at everything: at the start, and when the timer comes.
    func look() {
        timer = nil
        do {
            for row in try table.due(until: service.clock.now) {
                try service.transact(trace: TraceContext(row.trace)) { try bring(row, $0) }
            }
            rearm()
        } catch {
            service.log.error("bringing what is due failed", [("error", .text("\(error)"))])
            arm(service.clock.now + Self.retry)
        }
    }

    /// It is posted now, and waits again if it repeats.
    private func bring(_ row: ScheduledNotification, _ transaction: Transaction) throws {
        let now = service.clock.now
        var record = row.record
        record.state = .pending
        let late = now - row.due
        record.late = late >= NotifierLimits.lateMin ? late : nil
        try post(record, trace: row.trace, transaction)
        guard let trigger = record.trigger, trigger.repeats ?? false,
            let next = try next(
                of: trigger, member: row.member, posted: record.posted, after: now)
        else { return try table.remove(row.key) }
        var again = row
        again.record.due = next
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
        do { arm(try table.nextDue()) } catch {
            service.log.error("reading what is scheduled failed")
            arm(service.clock.now + Self.retry)
        }
    }

    /// Not at once: what kept the turn from being kept may last.
    func rolledBack() {
        do {
            let earliest = service.clock.now + Self.retry
            arm(try table.nextDue().map { max($0, earliest) })
        } catch {
            service.log.error("reading what is scheduled failed")
            arm(service.clock.now + Self.retry)
        }
    }

    private func arm(_ due: Instant?) {
        guard timer?.due != due else { return }
        if let timer { service.clock.cancel(timer.token) }
        timer = due.map { due in
            (service.clock.at(due) { [weak self] in self?.look() }, due)
        }
    }
}
