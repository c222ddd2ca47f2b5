import Contract
package import ServiceKit
import Store

/// Notifications that contain a name to delete are deleted and closed. A question that waits for an answer
/// stays unless it contains the name itself, since otherwise nobody could answer it.
///
/// All notifications are shown to the person of this account, so they are the person's: what is deleted of
/// another member by its time, or altogether, is not among them. A scheduled one is its member's.
extension NotifierService {
    package var forgetPlan: ForgetPlan {
        ForgetPlan(
            erases: { [self] event, forgetting in
                guard try event.decoded(NotificationDelivered.self) != nil
                    || event.decoded(NotificationAnswered.self) != nil
                    || event.decoded(NotificationFailed.self) != nil
                    || event.decoded(DarwinPosted.self) != nil
                else { return false }
                let isOurs = forgetting.concerns(member: service.member(nil))
                return isOurs && (forgetting.extent == .everything || forgetting.contains(event.time))
                    || event.isNamed(forgetting.spokenRedaction)
            },
            remove: { [self] forgetting, report, transaction in
                for row in try scheduler.table.all() where isIncluded(row, forgetting) {
                    try unschedule(row.key, transaction)
                    report.removed("notifications", 1)
                }
                for state in NotificationState.allCases {
                    for row in try table.all(state) where isIncluded(row, forgetting) {
                        try table.remove(row)
                        report.removed("notifications", 1)
                        transaction.afterCommit { [deliverer] in deliverer.close(row) }
                    }
                }
            })
    }

    /// A scheduled notification is not history: no time includes it.
    private func isIncluded(_ row: ScheduledNotification, _ forgetting: Forgetting) -> Bool {
        forgetting.isNamed(in: row.record, forgetting.spokenRedaction)
            || forgetting.extent == .everything && forgetting.concerns(member: row.member)
    }

    private func isIncluded(_ row: StoredNotification, _ forgetting: Forgetting) -> Bool {
        if forgetting.isNamed(in: row.record, forgetting.spokenRedaction) { return true }
        guard !row.record.isQuestion, forgetting.concerns(member: service.member(nil)) else { return false }
        return forgetting.extent == .everything || forgetting.contains(row.record.posted)
            || row.record.delivered.map(forgetting.contains) ?? false
    }
}
