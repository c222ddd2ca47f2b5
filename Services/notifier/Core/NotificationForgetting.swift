import Contract
package import ServiceKit
import Store

/// Notifications that contain a name to delete are deleted and closed. A question that waits for an answer
/// stays unless it contains the name itself, since otherwise nobody could answer it.
///
/// All notifications are shown to the person of this account, so they are the person's. What a service
/// says of a member is that member's as well, and so is a scheduled one.
extension NotifierService {
    package var forgetPlan: ForgetPlan {
        ForgetPlan(
            erases: { [self] event, forgetting in
                let told = try event.decoded(NotificationDelivered.self)?.notification
                    ?? event.decoded(NotificationFailed.self)?.notification
                guard try told != nil || event.decoded(NotificationAnswered.self) != nil
                    || event.decoded(DarwinPosted.self) != nil
                else { return false }
                let isOurs = forgetting.concerns(member: service.member(nil))
                    || forgetting.concerns(toldOf: told)
                return isOurs && (forgetting.extent == .everything || forgetting.contains(event.time))
                    || event.isNamed(forgetting.spokenRedaction)
            },
            remove: { [self] forgetting, report, transaction in
                for row in try scheduler.table.all() where isIncluded(row, forgetting) {
                    try unschedule(row.key, transaction)
                    report.removed("notifications", 1)
                }
                for row in try outbox.table.outgoing() where isIncluded(row, forgetting) {
                    try outbox.table.remove(row.number)
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

    private func isIncluded(_ row: OutgoingRow, _ forgetting: Forgetting) -> Bool {
        let isTheirs = forgetting.concerns(member: service.member(row.report.member))
        return forgetting.isNamed(in: row.report, forgetting.spokenRedaction)
            || isTheirs && (forgetting.extent == .everything || forgetting.contains(row.made))
    }

    private func isIncluded(_ row: StoredNotification, _ forgetting: Forgetting) -> Bool {
        if forgetting.isNamed(in: row.record, forgetting.spokenRedaction) { return true }
        let isTheirs = forgetting.concerns(toldOf: row.record)
        // The request that it asks about is forgotten, too.
        if isTheirs, forgetting.extent == .everything { return true }
        guard !row.record.isQuestion, isTheirs || forgetting.concerns(member: service.member(nil)) else {
            return false
        }
        return forgetting.extent == .everything || forgetting.contains(row.record.posted)
            || row.record.delivered.map(forgetting.contains) ?? false
    }
}

extension Forgetting {
    /// Whether a service said of the notification whom it is about, and that member is concerned.
    fileprivate func concerns(toldOf record: NotificationRecord?) -> Bool {
        record?.member.map(concerns(member:)) ?? false
    }
}
