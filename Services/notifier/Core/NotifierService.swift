package import Contract
package import Loop
package import ServiceKit
package import Store
import ZoneWatch

/// Owns notifications: accepts them, shows them on the desktop, and publishes the answers.
@LoopActor package final class NotifierService: ServiceProgram {
    package nonisolated static let name = ServiceName.notifier
    package static let migrations = Schema.migrations
    package static let records = Schema.records
    package let service: Service
    let table: NotificationTable
    let deliverer: Deliverer
    let scheduler: Scheduler
    let outbox: Outbox
    private var zoneWatch: ZoneWatch?

    package convenience init(_ service: Service) { self.init(service, channel: nil) }

    /// - Parameter channel: nil for the session bus of the configuration.
    package init(_ service: Service, channel: (any DesktopChannel)?) {
        self.service = service
        table = NotificationTable(database: service.database)
        outbox = Outbox(service)
        deliverer = Deliverer(service, channel, outbox)
        scheduler = Scheduler(service, table, deliverer)
    }

    package func follow() throws {
        try service.followHousehold(
            changed: { [unowned self] in try apply($0, $1) },
            member: { [unowned self] in try scheduler.moved([$0], $1) },
            removed: { [unowned self] member, transaction in
                for row in try scheduler.table.all() where row.member == member.id {
                    try unschedule(row.key, transaction)
                }
                for row in try table.unwritten() where row.record.member == member.id {
                    try withdraw(row, transaction)
                }
            },
            rebuilt: { [unowned self] in try endUnauthorized($0, $1) })
        // The machine may have moved while this service was away.
        try service.transact(trace: nil) { try scheduler.moved(service.membersOfMachine, $0) }
        scheduler.poll()
        deliverer.start()
        outbox.poll()
    }

    package func ready() {
        zoneWatch = service.watchZone { [unowned self] in try scheduler.moved($0, $1) }
    }

    package func turnWasUndone() {
        deliverer.retryLater()
        scheduler.timer.armAfterPause()
    }

    package var unfinished: [String] { deliverer.unfinished + outbox.unfinished }

    package func stop() {
        zoneWatch?.stop()
        deliverer.stop()
        outbox.stop()
    }

    /// What a revoked app planned for the member is deleted. With its last approval go its notifications,
    /// which are shown to the person of this account, whoever they are about.
    private func apply(_ change: AuthorizationChanged, _ transaction: Transaction) throws {
        guard change.revoked else { return }
        let client = change.authorization.client
        for row in try scheduler.table.all(client: client) where row.member == change.authorization.member {
            try unschedule(row.key, transaction)
        }
        if !service.household.isApproved(client) { try forget(client, transaction) }
    }

    private func forget(_ client: String, _ transaction: Transaction) throws {
        try scheduler.clients.forget(client)
        for state in [NotificationState.pending, .delivered] {
            for row in try table.all(state) where row.record.client == client {
                try withdraw(row, transaction)
            }
        }
    }

    /// Deletes what belonged to an approval or a member that ended unread.
    private func endUnauthorized(_ rebuild: Rebuild, _ transaction: Transaction) throws {
        for row in try scheduler.table.all()
        where service.household.ended(
            client: row.record.client, member: row.member, made: row.record.posted, by: rebuild)
        {
            try unschedule(row.key, transaction)
        }
        for row in try table.unwritten() {
            // There will be no use of theirs to write about.
            if let member = row.record.member,
                service.household.ended(
                    client: nil, member: member, made: row.record.due ?? row.record.posted, by: rebuild)
            {
                try withdraw(row, transaction)
            }
        }
        guard rebuild.isOfMissedEvents else { return }
        let rows = try table.all(.pending) + table.all(.delivered)
        let posters = Set(
            rows.filter { UTCTime.text($0.record.posted) < rebuild.described }.compactMap(\.record.client))
        // What a client set by itself has no instant; one that was approved since then sets it again.
        for client in posters.union(try scheduler.clients.all()).sorted()
        where !service.household.isApproved(client) {
            try forget(client, transaction)
        }
    }

    func withdraw(_ row: StoredNotification, _ transaction: Transaction) throws {
        guard row.record.state == .pending || row.record.state == .delivered else { return }
        var closed = row
        closed.record.state = .closed
        try table.update(closed)
        transaction.afterCommit { [deliverer] in deliverer.close(closed) }
    }

    /// The present state as events, as many as fit into an answer. A page token is the last row's number.
    package func snapshot(_ page: String?) throws -> SnapshotPage {
        let rowsMax: Int64 = 50
        let rows = try table.page(after: page.flatMap { Int64($0) } ?? 0, limit: rowsMax)
        var result = SnapshotPage()
        for row in rows {
            guard result.add(told(of: row)) else { return result }
            result.nextPage = String(row.number)
        }
        if rows.count < rowsMax { result.nextPage = nil }
        return result
    }

    private func told(of row: StoredNotification) -> [[UInt8]] {
        let record = row.record
        switch record.state {
        case .scheduled, .pending: return []
        case .delivered, .closed:
            return [service.snapshotEvent(NotificationDelivered(notification: record))]
        case .answered:
            let answered = NotificationAnswered(
                identifier: record.identifier, action: record.answer ?? "", client: record.client,
                notification: record.client == nil ? nil : record)
            return [
                service.snapshotEvent(NotificationDelivered(notification: record)),
                service.snapshotEvent(answered),
            ]
        case .failed:
            let failed = NotificationFailed(notification: record, reason: row.failure ?? "")
            return [service.snapshotEvent(failed)]
        }
    }
}
