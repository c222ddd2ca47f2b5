import Contract
import Rules
import Schedules
import Units

/// A registered activity with its state.
final class Activity: DueSource {
    let name: ActivityName
    let registration: Int64
    let registered: Instant
    let definition: ActivityDefinition
    var schedule: CivilSchedule { didSet { upcomingIsKnown = false } }
    /// Cause of the registration, see ``DueCallback/cause``.
    let cause: String?
    var events: [Event] = []
    /// Odometer of all use, for an activity whose starts and ends wait for use.
    var allUse: Odometer?
    var progress = ActivityProgress() { didSet { upcomingIsKnown = false } }
    /// Start of the occurrence whose warning was delivered.
    var warnedStart: Instant?
    var warnedEnd: Instant?
    /// Incremented to invalidate what its events, or its start, wait for.
    private(set) var round: UInt32 = 0
    /// As `round`, for an end that waits for use.
    private(set) var endRound: UInt32 = 0
    private var upcomingIsKnown = false
    private var knownUpcoming: CivilOccurrence?

    /// One event with its state in the occurrence.
    struct Event {
        let odometer: Odometer
        let threshold: Milliseconds
        let includesPastActivity: Bool
        /// When it was registered with its present definition.
        let registered: Instant
        var isWarned = false
        var isReached = false
    }

    init(
        name: ActivityName, registration: Int64, registered: Instant, definition: ActivityDefinition,
        schedule: CivilSchedule, cause: String?
    ) {
        self.name = name
        self.registration = registration
        self.registered = registered
        self.definition = definition
        self.schedule = schedule
        self.cause = cause
    }

    func definition(of event: Int) -> EventDefinition? { definition.events?[event] }

    var odometers: [Odometer] { events.map(\.odometer) + (allUse.map { [$0] } ?? []) }

    // MARK: occurrences

    /// The occurrence after the open one, or else the first that is not over. If another zone moved its start
    /// before the end of the previous one, it starts at that end.
    var upcoming: CivilOccurrence? {
        if !upcomingIsKnown {
            upcomingIsKnown = true
            knownUpcoming = findUpcoming()
        }
        return knownUpcoming
    }

    private func findUpcoming() -> CivilOccurrence? {
        let settled = progress.open?.range.end ?? progress.settled
        let settledWall = progress.open?.endWall ?? progress.settledWall
        guard schedule.repeats || settledWall == .min else { return nil }
        let from = max(settled, registered)
        guard let found = schedule.occurrence(endingAfter: from, fromWall: settledWall) else {
            return nil
        }
        let start = max(found.range.start, settled)
        guard let range = TimeRange(start: start, end: found.range.end) else { return nil }
        return CivilOccurrence(
            range: range, startWall: found.startWall, endWall: found.endWall)
    }

    /// When the next boundary or warning of the schedule is due.
    var nextKey: DueKey? {
        var keys: [DueKey] = []
        if let next = upcoming?.range {
            if let at = schedule.startWarning(of: next), warnedStart != next.start {
                keys.append(DueKey(at: at, callback: .intervalWillStartWarning))
            }
            if progress.open == nil {
                keys.append(DueKey(at: next.start, callback: .intervalDidStart))
            }
        }
        if let open = progress.open?.range {
            if !progress.awaitsUse, warnedEnd != open.start,
                let at = schedule.endWarning(of: open)
            {
                keys.append(DueKey(at: at, callback: .intervalWillEndWarning))
            }
            keys.append(DueKey(at: open.end, callback: .intervalDidEnd))
        }
        return keys.min()
    }

    // MARK: events

    /// Arms the events of the open occurrence that are not delivered yet, or its start if that waits for use.
    func startEvents() throws {
        guard progress.open != nil else { return }
        if progress.awaitsUse {
            try allUse?.add(EventPlace(startOf: self))
            return
        }
        for index in events.indices where !events[index].isReached {
            try events[index].odometer.add(EventPlace(self, index))
        }
    }

    /// Disarms its events and its start until `startEvents`.
    func stopEvents() {
        guard progress.open != nil else { return }
        round &+= 1
        if progress.awaitsUse {
            allUse?.drop()
        } else {
            for event in events where !event.isReached { event.odometer.drop() }
        }
    }

    /// Arms the end of an occurrence that is over and waits for use.
    func startEnd() throws {
        if progress.ended != nil { try allUse?.add(EventPlace(endOf: self)) }
    }

    func stopEnd() {
        guard progress.ended != nil else { return }
        endRound &+= 1
        allUse?.drop()
    }

    func clearDelivered() {
        for index in events.indices {
            events[index].isWarned = false
            events[index].isReached = false
        }
    }
}

/// One event of an activity while it waits in one occurrence; or a start or end that waits for use.
struct EventPlace {
    let activity: Activity
    private let number: Int32
    private let round: UInt32

    private static let start: Int32 = -1
    private static let end: Int32 = -2

    init(_ activity: Activity, _ index: Int) {
        self.activity = activity
        // The number of events is limited, see ActivityCheck.
        number = Int32(index)
        round = activity.round
    }

    init(startOf activity: Activity) {
        self.activity = activity
        number = Self.start
        round = activity.round
    }

    init(endOf activity: Activity) {
        self.activity = activity
        number = Self.end
        round = activity.endRound
    }

    /// Index of the event; nil for a boundary that waits for use.
    var index: Int? { number < 0 ? nil : Int(number) }
    var isCurrent: Bool { (number == Self.end ? activity.endRound : activity.round) == round }

    /// The callback it waits for.
    var callback: CallbackName {
        switch number {
        case Self.start: .intervalDidStart
        case Self.end: .intervalDidEnd
        default: waitsForWarning ? .eventWillReachThresholdWarning : .eventDidReachThreshold
        }
    }

    /// The instant to report if its total is reached at `at`. Use starts before the first millisecond of it
    /// has passed.
    func told(reached at: Instant) -> Instant { number < 0 ? at - 1 : at }

    private var waitsForWarning: Bool {
        guard let index else { return false }
        return activity.schedule.warning != nil && !activity.events[index].isWarned
    }

    /// Start of counting: the later of the occurrence's start and the registration, or the start itself.
    var countedFrom: Instant {
        if number == Self.end { return activity.progress.ended?.end ?? .min }
        let start = activity.progress.open?.range.start ?? .min
        guard let index else { return start }
        let event = activity.events[index]
        return event.includesPastActivity ? start : max(start, event.registered)
    }

    /// Use to count from there: the threshold, or for a warning, the threshold without the warning time.
    var rest: Milliseconds {
        guard let index else { return 1 }
        let threshold = activity.events[index].threshold
        guard waitsForWarning, let warning = activity.schedule.warning else { return threshold }
        return max(0, threshold - warning)
    }
}
