package import Contract
package import Loop
package import ServiceKit
internal import Store

/// Owns notifications: accepts them, shows them on the desktop, and publishes the answers.
@LoopActor package final class NotifierService {
    let service: Service
    let table: NotificationTable
    let deliverer: Deliverer
    let scheduler: Scheduler
    private let address: String?

    /// Opens the store; see `start`.
    /// - Parameter address: DBUS_SESSION_BUS_ADDRESS; nil or empty without a desktop session.
    package init(_ configuration: Configuration, address: String?) throws(ServiceError) {
        service = try Service(.notifier, configuration: configuration, migrations: Schema.migrations)
        table = NotificationTable(database: service.database)
        deliverer = Deliverer(service)
        scheduler = Scheduler(service, table, deliverer)
        self.address = address.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Opens the sockets and connects to the desktop. The handlers keep this object alive.
    package func start() throws(ServiceError) {
        service.onRollback.append { [deliverer, scheduler] in
            deliverer.retryLater()
            scheduler.rolledBack()
        }
        service.onStop.append { [deliverer] in deliverer.stop() }
        service.unfinished.append { [deliverer] in deliverer.unfinished }
        service.snapshot = { [self] in try snapshot($0) }
        service.forgetPlan = { [self] in forgetPlan }
        try service.start(
            answering: { _ in answer() },
            following: { service in
                try service.followHousehold(
                    changed: { [self] in try apply($0, $1) },
                    member: { [self] in try scheduler.moved($0, $1) })
                scheduler.poll()
                deliverer.start(address: address)
            })
    }

    /// A revoked app's notifications are deleted and closed.
    private func apply(_ change: AuthorizationChanged, _ transaction: Transaction) throws {
        guard change.revoked else { return }
        let client = change.authorization.client
        for row in try scheduler.table.all(client: client) { try unschedule(row.key, transaction) }
        try scheduler.clients.forget(client)
        for state in [NotificationState.pending, .delivered] {
            for row in try table.all(state) where row.record.client == client {
                try withdraw(row, transaction)
            }
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
    private func snapshot(_ page: String?) throws -> SnapshotPage {
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
