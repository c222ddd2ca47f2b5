import Contract
import Loop
import ServiceKit
import Store
import Units

/// Stands in for activity-center where a test wants callbacks without use and time. `monitoring.start`
/// publishes, for each activity named `<client>|<activity>`, one callback for each of its events, whose name
/// is `<callback>:<event>`.
@LoopActor final class ActivityDouble: ServiceProgram {
    nonisolated static let name = ServiceName.activity
    static let migrations: [Migration] = []
    let service: Service
    let forgetPlan = ForgetPlan(erases: { _, _ in false }, remove: { _, _, _ in })

    init(_ service: Service) { self.service = service }

    func registerMethods() {
        service.write(MonitoringStart.self) { [unowned self] params, _, transaction in
            for activity in params.activities {
                for event in activity.events ?? [] { try publish(activity, event, transaction) }
            }
            return MonitoringStart.Result(activities: [], sequence: try transaction.head())
        }
        service.read(MonitoringList.self) { [unowned self] _, _ in
            MonitoringList.Result(activities: registered)
        }
    }

    func follow() {}
    func snapshot(_ page: String?) -> SnapshotPage { SnapshotPage() }

    /// Each published event as an activity of its own; what `monitoring.list` answers.
    private var registered: [MonitoredActivity] = []

    private func publish(
        _ activity: ActivityDefinition, _ event: EventDefinition, _ transaction: Transaction
    ) throws {
        let names = activity.name.split(separator: "|").map(String.init)
        let parts = event.name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2, parts.count == 2 else {
            throw ServiceError(
                .invalidParams, "not client|activity and callback:event", remedy: "See the double.")
        }
        var about = ActivityCallback(
            client: names[0], member: Household.defaultMember, activity: names[1], registration: 1,
            occurrenceStart: 1_000, occurrenceEnd: 2_000, at: 1_500)
        // A new registration each time: the same callback is never published twice.
        about.registered = Instant(milliseconds: try transaction.head() + 1)
        if !parts[1].isEmpty {
            about.event = parts[1]
            about.total = 60_000
            about.threshold = 360_000
            about.definition = event
            about.definition?.name = parts[1]
            let known = registered.first { $0.activity.name == names[1] }?.activity.events ?? []
            let events = known.filter { $0.name != parts[1] } + [about.definition ?? event]
            registered = [
                MonitoredActivity(
                    client: names[0], member: about.member,
                    activity: ActivityDefinition(name: names[1], events: events))
            ]
        }
        switch CallbackName(rawValue: parts[0]) {
        case .intervalDidStart: try transaction.emit(IntervalDidStart(about: about))
        case .intervalDidEnd: try transaction.emit(IntervalDidEnd(about: about))
        case .intervalWillStartWarning: try transaction.emit(IntervalWillStartWarning(about: about))
        case .intervalWillEndWarning: try transaction.emit(IntervalWillEndWarning(about: about))
        case .eventDidReachThreshold: try transaction.emit(EventDidReachThreshold(about: about))
        case .eventWillReachThresholdWarning:
            try transaction.emit(EventWillReachThresholdWarning(about: about))
        case nil: throw ServiceError(.invalidParams, "no such callback", remedy: "See the double.")
        }
    }
}

@main struct ActivityDoubleMain {
    static func main() { ServiceMain.run(ActivityDouble.self) }
}
