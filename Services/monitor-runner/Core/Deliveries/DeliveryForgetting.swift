import Contract
package import ServiceKit
import Store

/// Delivered callbacks are history: those that contain a name to delete are deleted. A callback in progress
/// carries out a rule of the person; it stays until it is delivered, and is reported.
extension MonitorService {
    package var forgetPlan: ForgetPlan {
        ForgetPlan(
            erases: { event, forgetting in
                let delivery =
                    try event.decoded(CallbackDelivered.self)?.delivery
                    ?? event.decoded(CallbackFailed.self)?.delivery
                return delivery.map { Self.isIncluded($0, forgetting) } ?? false
            },
            remove: { [self] forgetting, report, transaction in
                try remove(forgetting, report, transaction)
            },
            textFiles: { [self] in records.flatMap { host.files.logs($0.id) } })
    }

    private static func isIncluded(_ delivery: Delivery, _ forgetting: Forgetting) -> Bool {
        guard forgetting.concerns(member: delivery.about.member) else { return false }
        return forgetting.extent == .everything || forgetting.contains(delivery.about.at)
            || forgetting.isNamed(in: delivery)
    }

    private func remove(
        _ forgetting: Forgetting, _ report: ForgetReport, _ transaction: Transaction
    ) throws {
        let rows = try transaction.database.query("SELECT id, body FROM delivery") {
            ($0.int64(0), $0.bytes(1))
        }
        for (id, body) in rows {
            let delivery = try Delivery.stored(body, in: "delivery")
            guard Self.isIncluded(delivery, forgetting) else { continue }
            let isOnItsWay = delivery.state == .waiting || delivery.state == .running
            guard forgetting.extent == .everything || !isOnItsWay else {
                report.leaves(
                    "delivery \(id) of \(delivery.callback) is \(delivery.state.rawValue)",
                    remedy: "forget again when it is delivered")
                continue
            }
            try transaction.database.run("DELETE FROM delivery WHERE id = ?1", id)
            report.removed("deliveries", 1)
        }
        transaction.afterCommit { [self] in dispatchers.values.forEach { $0.readMissing() } }
        if forgetting.extent == .everything, forgetting.concerns(member: service.member(nil)) {
            try emptyBuiltIn(report, transaction)
        }
    }

    /// Files of built-in apps are the person's rules and their results, and are deleted. Files of other apps
    /// are theirs; `screentime forget` names them.
    private func emptyBuiltIn(_ report: ForgetReport, _ transaction: Transaction) throws {
        // Also for apps that are no longer installed.
        let all = records.filter { $0.client.hasPrefix(BuiltInClient.prefix) }
        let (ids, groups) = (all.map(\.id), Set(all.map { "group.\($0.client)" }).sorted())
        report.removed("files of apps of the system", try host.files.countKept(ids, groups: groups))
        transaction.afterCommit { [self] in
            // A running program may still hold the data in memory.
            for id in ids { dispatchers[id]?.renew() }
            do throws(ServiceError) { try host.files.emptyKept(ids, groups: groups) } catch {
                // The caller reports what remains.
                service.log.error("files of apps could not be removed", [("reason", .text(error.message))])
            }
        }
    }
}
