import Bus
import Contract
import Loop
import Schedules
import ServiceKit
import Store
import Units
import ZoneWatch

/// Stores notifications until they are due; one timer waits for the first.
@LoopActor final class Scheduler {
    private let service: Service
    private let notifications: NotificationTable
    private let deliverer: Deliverer
    let table: ScheduleTable
    let clients: ClientTable
    private(set) lazy var timer = DueTimer(
        service, next: { [table] in try table.nextDue() }, fire: { [weak self] in self?.poll() })

    init(_ service: Service, _ notifications: NotificationTable, _ deliverer: Deliverer) {
        self.service = service
        self.notifications = notifications
        self.deliverer = deliverer
        table = ScheduleTable(database: service.database)
        clients = ClientTable(database: service.database)
    }

    // MARK: when

    /// The first instant after `instant` at which `trigger` is due. Nil if never again.
    /// - Parameter posted: when it was posted.
    /// - Throws: `invalidParams` naming what is not valid for a clock or calendar.
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
                trigger.components ?? DateComponents(), "components", zone: zone ?? service.zone(of: member))
            return moments.next(after: instant)
        } catch {
            throw ServiceError(
                .invalidParams, "the trigger is never due: \(error)",
                remedy: "See DateComponents in the contract.")
        }
    }

    /// As ``next(of:member:posted:after:)``, of a trigger that was accepted. If the machine has lost its zone
    /// since, it goes on in the member's.
    private func nextKnown(
        of trigger: NotificationTrigger, member: String, posted: Instant, after instant: Instant
    ) throws(ServiceError) -> Instant? {
        do throws(ServiceError) {
            return try next(of: trigger, member: member, posted: posted, after: instant)
        } catch {
            guard let name = trigger.zone else { throw error }
            service.log.warnOnce(
                "zone.\(name)", "a trigger's time zone is unknown on this machine", [("zone", .text(name))])
            var own = trigger
            own.zone = nil
            return try next(of: own, member: member, posted: posted, after: instant)
        }
    }

    /// A member's zone may have changed, and with it when calendar triggers are due. One that is due already
    /// stays due, since posting it failed and is tried again; but a weekly report whose day is yet to come
    /// there waits for it.
    func moved(_ members: [Member], _ transaction: Transaction) throws {
        let now = service.clock.now
        let moved = Set(members.map(\.id))
        for var row in try table.all() where moved.contains(row.member) {
            guard let trigger = row.record.trigger, trigger.components != nil, trigger.zone == nil else {
                continue
            }
            let isReport = Self.isOnItsDay(row.record)
            guard row.due > now || isReport else { continue }
            // Its time may have passed there: then it is due now.
            do throws(ServiceError) {
                row.record.due =
                    try nextKnown(
                        of: trigger, member: row.member, posted: row.record.posted,
                        after: isReport ? row.due - Self.moveMax : now)
                    ?? now
            } catch {
                service.log.error("a trigger cannot be moved", [("error", .name(of: error))])
                continue
            }
            try table.update(row)
        }
        transaction.afterCommit { [weak self] in self?.timer.arm() }
    }

    /// A weekly report tells the days before its own one. It stays on that day when the zone changes, so that
    /// none is left out or told twice.
    private static func isOnItsDay(_ record: NotificationRecord) -> Bool {
        guard let trigger = record.trigger, record.details?.weeklyReport ?? false else { return false }
        return trigger.zone == nil && trigger.components?.weekday != nil
    }

    /// More than the same time of the same day is earlier or later in another zone (26 hours), and less than
    /// half a week.
    private static let moveMax = Milliseconds.days(3)

    // MARK: what is due

    /// Checks everything: at the start, and when the timer fires.
    func poll() {
        timer.disarm()
        do {
            for row in try table.due(until: service.clock.now) {
                try service.transact(trace: TraceContext(row.trace)) { try bring(row, $0) }
            }
            timer.arm()
        } catch {
            service.noteDamage(error)
            service.log.error("posting due notifications failed", [("error", .name(of: error))])
            timer.armForRetry()
        }
    }

    /// Posts it now, and schedules it again if it repeats.
    private func bring(_ row: ScheduledNotification, _ transaction: Transaction) throws {
        let now = service.clock.now
        var record = row.record
        record.state = .pending
        // A report is about the newest week, however many were missed.
        if record.details?.weeklyReport ?? false { record.due = try newestDue(of: row, at: now) }
        let late = now - (record.due ?? row.due)
        record.late = late >= NotifierLimits.lateMin ? late : nil
        try post(record, trace: row.trace, transaction)
        // The same day may come again in a zone that this service does not know of yet.
        let told = Self.isOnItsDay(record) ? record.due.map { max($0 + Self.moveMax, now) } : nil
        guard let trigger = record.trigger, trigger.repeats ?? false,
            let next = try nextKnown(
                of: trigger, member: row.member, posted: record.posted, after: told ?? now)
        else { return try table.remove(row.key) }
        var again = row
        again.record.due = next
        try table.update(again)
    }

    /// The last instant, not after `now`, at which it was due.
    private func newestDue(of row: ScheduledNotification, at now: Instant) throws(ServiceError) -> Instant {
        guard let trigger = row.record.trigger, trigger.repeats ?? false else { return row.due }
        func next(_ instant: Instant) throws(ServiceError) -> Instant? {
            try nextKnown(of: trigger, member: row.member, posted: row.record.posted, after: instant)
                .flatMap { $0 <= now ? $0 : nil }
        }
        // Of a week or less: not all that were missed in years.
        var newest = try next(max(row.due, now - .days(8))) ?? row.due
        while let later = try next(newest) { newest = later }
        return newest
    }

    /// Adds it to the pending notifications, replacing one with the same key.
    func post(_ record: NotificationRecord, trace: String, _ transaction: Transaction) throws {
        let key = NotificationKey(client: record.client, identifier: record.identifier)
        let former = try notifications.find(key)
        try notifications.replace(
            StoredNotification(record: record, trace: trace, shownAs: former?.shownAs))
        try notifications.trim(keeping: NotifierLimits.recordsKept)
        if let badge = record.details?.badge { try clients.setBadge(badge, of: key.client) }
        transaction.afterCommit { [deliverer] in deliverer.flush() }
    }
}
