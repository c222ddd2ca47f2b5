import Contract
package import ServiceKit
import Store

/// Notifications that contain a name to delete are deleted and closed. A question that waits for an answer
/// stays unless it contains the name itself, since otherwise nobody could answer it.
extension NotifierService {
    package var forgetPlan: ForgetPlan {
        ForgetPlan(
            erases: { event, forgetting in
                guard try event.decoded(NotificationDelivered.self) != nil
                    || event.decoded(NotificationAnswered.self) != nil
                    || event.decoded(NotificationFailed.self) != nil
                    || event.decoded(DarwinPosted.self) != nil
                else { return false }
                return forgetting.extent == .everything || forgetting.contains(event.time)
                    || event.isNamed(forgetting.spokenRedaction)
            },
            remove: { [self] forgetting, report, transaction in
                // A scheduled notification is not history: it is deleted if it contains the name.
                for row in try scheduler.table.all() {
                    guard forgetting.isNamed(in: row.record, forgetting.spokenRedaction) else { continue }
                    try unschedule(row.key, transaction)
                    report.removed("notifications", 1)
                }
                for state in NotificationState.allCases {
                    for row in try table.all(state) where Self.isIncluded(row, forgetting) {
                        try table.remove(row)
                        report.removed("notifications", 1)
                        transaction.afterCommit { [deliverer] in deliverer.close(row) }
                    }
                }
            })
    }

    private static func isIncluded(_ row: StoredNotification, _ forgetting: Forgetting) -> Bool {
        if forgetting.isNamed(in: row.record, forgetting.spokenRedaction) { return true }
        guard !row.record.isQuestion else { return false }
        return forgetting.extent == .everything || forgetting.contains(row.record.posted)
            || row.record.delivered.map(forgetting.contains) ?? false
    }
}
