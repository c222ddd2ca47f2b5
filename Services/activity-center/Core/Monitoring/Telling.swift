import Bus
import Contract
import ServiceKit

extension Transaction {
    /// Publishes a callback under Apple's name.
    func emit(_ due: DueCallback, of activity: Activity) throws(ServiceError) {
        let about = ActivityCallback(
            client: activity.name.client, member: activity.name.member, activity: activity.name.name,
            event: due.event?.name, registration: activity.registration,
            occurrenceStartMs: due.occurrence.start_ms, occurrenceEndMs: due.occurrence.end_ms,
            atMs: due.at_ms,
            totalMs: due.total_ms, thresholdMs: due.threshold_ms, late: due.late, definition: due.event)
        let client = activity.name.client
        switch due.callback {
        case .intervalDidStart: try emit(IntervalDidStart(about: about), subject: client)
        case .intervalDidEnd: try emit(IntervalDidEnd(about: about), subject: client)
        case .intervalWillStartWarning: try emit(IntervalWillStartWarning(about: about), subject: client)
        case .intervalWillEndWarning: try emit(IntervalWillEndWarning(about: about), subject: client)
        case .eventDidReachThreshold: try emit(EventDidReachThreshold(about: about), subject: client)
        case .eventWillReachThresholdWarning:
            try emit(EventWillReachThresholdWarning(about: about), subject: client)
        }
    }
}
