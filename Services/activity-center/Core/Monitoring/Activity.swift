import Bus
import CivilTime
import Contract
import Engine

/// A registered activity and where it stands.
@BusActor final class Activity {
    struct Name: Hashable, Comparable {
        let client: String
        let member: String
        let name: String

        static func < (left: Name, right: Name) -> Bool {
            (left.client, left.member, left.name) < (right.client, right.member, right.name)
        }
    }

    let registration: Int64
    let name: Name
    let registered_ms: Int64
    let definition: ActivityDefinition
    let schedule: CivilSchedule
    var events: [MonitoredEvent]
    /// The occurrence whose start was told.
    var open: TimeRange? { didSet { upcomingIsKnown = false } }
    /// Occurrences that begin before this are over: a clock set back reopens nothing.
    var settled_ms: Int64 { didSet { upcomingIsKnown = false } }
    /// Warnings of start and end that were told, by the start of their occurrence.
    var warned: [CallbackName: Int64] = [:]
    /// An occurrence is open, and its events were not asked for since it, or the service, began.
    var isUnasked: Bool
    /// Who armed the schedule.
    let trace: TraceContext
    private var upcomingIsKnown = false
    private var knownUpcoming: TimeRange?

    init(
        registration: Int64, name: Name, registered_ms: Int64, definition: ActivityDefinition,
        schedule: CivilSchedule, events: [MonitoredEvent], open: TimeRange?, settled_ms: Int64,
        trace: TraceContext
    ) {
        self.registration = registration
        self.name = name
        self.registered_ms = registered_ms
        self.definition = definition
        self.schedule = schedule
        self.events = events
        self.open = open
        self.settled_ms = settled_ms
        self.trace = trace
        isUnasked = open != nil
    }

    /// The first occurrence that is not over, while none is open.
    var upcoming: TimeRange? {
        if upcomingIsKnown { return knownUpcoming }
        upcomingIsKnown = true
        knownUpcoming = schedule.current(
            orNextAfter: max(settled_ms, registered_ms), registered_ms: registered_ms)
        if let found = knownUpcoming, found.start_ms < settled_ms {
            // Only another zone can put an occurrence across one that is over.
            knownUpcoming = schedule.nextOccurrence(after: settled_ms - 1, registered_ms: registered_ms)
        }
        return knownUpcoming
    }

    /// When something of it is due next; nil: never.
    var due_ms: Int64? {
        guard let open else {
            guard let upcoming else { return nil }
            return min(upcoming.start_ms, warning_ms(.intervalWillStartWarning, of: upcoming) ?? .max)
        }
        let events_ms = events.compactMap(\.due_ms).min() ?? .max
        return min(open.end_ms, warning_ms(.intervalWillEndWarning, of: open) ?? .max, events_ms)
    }

    /// When a warning that was not told is due. One that was due before the registration is not owed.
    func warning_ms(_ callback: CallbackName, of occurrence: TimeRange) -> Int64? {
        let at_ms =
            callback == .intervalWillEndWarning
            ? schedule.endWarning_ms(of: occurrence) : schedule.startWarning_ms(of: occurrence)
        guard let at_ms, at_ms >= registered_ms, warned[callback] != occurrence.start_ms else { return nil }
        return at_ms
    }

    /// As the contract tells it.
    var monitored: MonitoredActivity {
        let interval = open ?? upcoming
        return MonitoredActivity(
            client: name.client, member: name.member, registration: registration, registeredMs: registered_ms,
            activity: definition, inInterval: open != nil, intervalStartMs: interval?.start_ms,
            intervalEndMs: interval?.end_ms)
    }
}
