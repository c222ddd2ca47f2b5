import Contract
import Rules
import Schedules

/// A registered activity and where it stands.
final class Activity: DueSource {
    let name: ActivityName
    let registration: Int64
    let registered_ms: Int64
    let definition: ActivityDefinition
    var schedule: CivilSchedule { didSet { upcomingIsKnown = false } }
    /// On whose behalf it was registered.
    let cause: String?
    var events: [Event] = []
    /// Of an activity whose starts and ends wait for use: all use.
    var allUse: Odometer?
    var standing = Standing() { didSet { upcomingIsKnown = false } }
    /// Occurrences, by their start, whose warning was told.
    var warnedStart_ms: Int64?
    var warnedEnd_ms: Int64?
    /// Grows when what its events, or its start, wait for is void.
    private(set) var round: UInt32 = 0
    /// The same of an end that waits for use.
    private(set) var endRound: UInt32 = 0
    private var upcomingIsKnown = false
    private var knownUpcoming: CivilOccurrence?

    /// One event, and where it stands in the occurrence.
    struct Event {
        let odometer: Odometer
        let threshold_ms: Int64
        let includesPastActivity: Bool
        /// Since when it is registered as it is.
        let registered_ms: Int64
        var isWarned = false
        var isReached = false
    }

    init(
        name: ActivityName, registration: Int64, registered_ms: Int64, definition: ActivityDefinition,
        schedule: CivilSchedule, cause: String?
    ) {
        self.name = name
        self.registration = registration
        self.registered_ms = registered_ms
        self.definition = definition
        self.schedule = schedule
        self.cause = cause
    }

    func definition(of event: Int) -> EventDefinition? { definition.events?[event] }

    var odometers: [Odometer] { events.map(\.odometer) + (allUse.map { [$0] } ?? []) }

    // MARK: occurrences

    /// The occurrence after the open one, else the first that is not over. One that another zone puts across
    /// the end of the one before begins there.
    var upcoming: CivilOccurrence? {
        if !upcomingIsKnown {
            upcomingIsKnown = true
            knownUpcoming = findUpcoming()
        }
        return knownUpcoming
    }

    private func findUpcoming() -> CivilOccurrence? {
        let settled_ms = standing.open?.range.end_ms ?? standing.settled_ms
        let settledWall_ms = standing.open?.endWall_ms ?? standing.settledWall_ms
        guard schedule.repeats || settledWall_ms == .min else { return nil }
        let from_ms = max(settled_ms, registered_ms)
        guard let found = schedule.occurrence(endingAfter: from_ms, fromWall: settledWall_ms) else {
            return nil
        }
        let start_ms = max(found.range.start_ms, settled_ms)
        guard let range = TimeRange(start_ms: start_ms, end_ms: found.range.end_ms) else { return nil }
        return CivilOccurrence(
            range: range, startWall_ms: found.startWall_ms, endWall_ms: found.endWall_ms)
    }

    /// The next boundary or warning of the schedule.
    var nextKey: DueKey? {
        var keys: [DueKey] = []
        if let next = upcoming?.range {
            if let at_ms = schedule.startWarning_ms(of: next), warnedStart_ms != next.start_ms {
                keys.append(DueKey(at_ms: at_ms, callback: .intervalWillStartWarning))
            }
            if standing.open == nil {
                keys.append(DueKey(at_ms: next.start_ms, callback: .intervalDidStart))
            }
        }
        if let open = standing.open?.range {
            if !standing.awaitsUse, warnedEnd_ms != open.start_ms,
                let at_ms = schedule.endWarning_ms(of: open)
            {
                keys.append(DueKey(at_ms: at_ms, callback: .intervalWillEndWarning))
            }
            keys.append(DueKey(at_ms: open.end_ms, callback: .intervalDidEnd))
        }
        return keys.min()
    }

    // MARK: events

    /// Lets the events of the open occurrence count that are not told yet, or its start wait for use.
    func startEvents() throws {
        guard standing.open != nil else { return }
        if standing.awaitsUse {
            try allUse?.add(EventPlace(startOf: self))
            return
        }
        for index in events.indices where !events[index].isReached {
            try events[index].odometer.add(EventPlace(self, index))
        }
    }

    /// What its events, or its start, wait for is void. Until `startEvents` none waits.
    func stopEvents() {
        guard standing.open != nil else { return }
        round &+= 1
        if standing.awaitsUse {
            allUse?.drop()
        } else {
            for event in events where !event.isReached { event.odometer.drop() }
        }
    }

    /// Lets the end of an occurrence that is over wait for use.
    func startEnd() throws {
        if standing.ended != nil { try allUse?.add(EventPlace(endOf: self)) }
    }

    func stopEnd() {
        guard standing.ended != nil else { return }
        endRound &+= 1
        allUse?.drop()
    }

    func forgetTold() {
        for index in events.indices {
            events[index].isWarned = false
            events[index].isReached = false
        }
    }
}

/// One event of an activity, as long as it waits in one occurrence; or a start or end that waits for use.
struct EventPlace {
    let activity: Activity
    private let number: Int32
    private let round: UInt32

    private static let start: Int32 = -1
    private static let end: Int32 = -2

    init(_ activity: Activity, _ index: Int) {
        self.activity = activity
        // An activity has fewer events than that: see ActivityCheck.
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

    /// Nil: no event, but a boundary that waits for use.
    var index: Int? { number < 0 ? nil : Int(number) }
    var isCurrent: Bool { (number == Self.end ? activity.endRound : activity.round) == round }

    /// What it waits for.
    var callback: CallbackName {
        switch number {
        case Self.start: .intervalDidStart
        case Self.end: .intervalDidEnd
        default: waitsForWarning ? .eventWillReachThresholdWarning : .eventDidReachThreshold
        }
    }

    /// The instant to tell, where its total is reached at `at_ms`: the use itself begins before the first
    /// millisecond of it is over.
    func told_ms(reached at_ms: Int64) -> Int64 { number < 0 ? at_ms - 1 : at_ms }

    private var waitsForWarning: Bool {
        guard let index else { return false }
        return activity.schedule.warning_ms != nil && !activity.events[index].isWarned
    }

    /// Where counting starts: the later of the occurrence's start and the registration, or the start.
    var countedFrom_ms: Int64 {
        if number == Self.end { return activity.standing.ended?.end_ms ?? .min }
        let start_ms = activity.standing.open?.range.start_ms ?? .min
        guard let index else { return start_ms }
        let event = activity.events[index]
        return event.includesPastActivity ? start_ms : max(start_ms, event.registered_ms)
    }

    /// What must be counted from there: the threshold, or for a warning so much less.
    var rest_ms: Int64 {
        guard let index else { return 1 }
        let threshold_ms = activity.events[index].threshold_ms
        guard waitsForWarning, let warning_ms = activity.schedule.warning_ms else { return threshold_ms }
        return max(0, threshold_ms - warning_ms)
    }
}
