package import Contract
package import Rules
package import Schedules
package import Units

/// The state of a registration that its owner stores, besides the definition, to continue after a restart.
package struct ActivityState {
    /// Progress through its occurrences.
    package var progress: ActivityProgress
    /// Instants from which events count that were registered before the activity, by name.
    package var countedSince: [String: Instant]
    /// Callbacks that were delivered for the open occurrence, or the next one.
    package var delivered: [DeliveredMark]

    package init(
        progress: ActivityProgress = ActivityProgress(), countedSince: [String: Instant] = [:],
        delivered: [DeliveredMark] = []
    ) {
        self.progress = progress
        self.countedSince = countedSince
        self.delivered = delivered
    }
}

/// A monitored activity, as in `monitoring.list`.
package struct ActivityView {
    /// Its name, client and member.
    package let name: ActivityName
    /// Number of its registration.
    package let registration: Int64
    /// When it was registered.
    package let registered: Instant
    /// As registered.
    package let definition: ActivityDefinition
    /// Whether an occurrence has started and not ended.
    package let isOpen: Bool
    /// The open occurrence, or else the next.
    package let occurrence: TimeRange?

    /// The view as the contract has it.
    package var monitored: MonitoredActivity {
        MonitoredActivity(
            client: name.client, member: name.member, registration: registration, registered: registered,
            activity: definition, inInterval: isOpen, intervalStart: occurrence?.start,
            intervalEnd: occurrence?.end)
    }
}

extension MonitorRules {
    /// Registers an activity; one of the same name is replaced.
    ///
    /// If it is inside an interval, its start is delivered, unless the registering client got it before; the
    /// end of the replaced activity's interval is never delivered. Events with the same rules continue to
    /// count. What was delivered of them, and of the schedule's warnings, stays delivered in an occurrence
    /// that the new schedule also has (with the same start). Everything else is new.
    /// - Parameters:
    ///   - registration: unique, and greater than all before.
    ///   - startTold: start of the interval whose start was delivered to the registering client.
    /// - Returns: the state to store.
    /// - Throws: what is wrong with the definition (``ActivityCheck`` has better messages), and the errors of
    ///   `history`.
    @discardableResult
    package func register(
        _ definition: ActivityDefinition, as name: ActivityName, registration: Int64, registered: Instant,
        zone: Zone, startTold: Instant? = nil, cause: String? = nil
    ) throws -> ActivityState {
        let old = activities[name]
        let new = Activity(
            name: name, registration: registration, registered: registered, definition: definition,
            schedule: try CivilSchedule(definition.schedule, zone: zone), cause: cause)
        let kept = old.map { new.eventsLike($0) } ?? [:]
        try setEvents(of: new, kept.mapValues(\.registered))
        let next = new.upcoming
        if let old {
            if let open = old.progress.open?.range, next?.range.start == open.start {
                new.carryDelivered(from: old, kept, occurrenceStart: open.start)
            }
            discard(old)
        }
        if let next, next.range.start == startTold { new.open(next) }
        activities[name] = new
        try new.startEvents()
        requeue(new)
        requeueOdometers(of: new)
        return state(of: new)
    }

    /// Continues an activity of an earlier process; if the zone has changed meanwhile, as `setZone` does.
    package func restore(
        _ definition: ActivityDefinition, as name: ActivityName, registration: Int64, registered: Instant,
        zone: Zone, _ state: ActivityState, cause: String? = nil
    ) throws {
        let activity = Activity(
            name: name, registration: registration, registered: registered, definition: definition,
            schedule: try CivilSchedule(definition.schedule, zone: zone), cause: cause)
        try setEvents(of: activity, state.countedSince)
        activity.progress = state.progress
        if let open = state.progress.open { activity.progress.open = open.placed(in: zone) }
        activity.restoreDelivered(state.delivered)
        activities[name] = activity
        try activity.startEvents()
        try activity.startEnd()
        requeue(activity)
        requeueOdometers(of: activity)
    }

    /// Stops an activity.
    /// - Parameter now: when; the end of a running interval is reported for this instant.
    /// - Returns: that end.
    @discardableResult
    package func remove(_ name: ActivityName, now: Instant, cause: String? = nil) -> DueCallback? {
        guard let activity = activities[name] else { return nil }
        let progress = activity.progress
        discard(activity)
        activities[name] = nil
        guard let running = progress.told else { return nil }
        var end = activity.due(.intervalDidEnd, running, at: now, now)
        end.cause = cause
        return end
    }

    private func setEvents(of activity: Activity, _ since: [String: Instant]) throws {
        let member = odometers(of: activity.name.member)
        if activity.definition.atFirstUse == true {
            activity.allUse = member.odometer(for: EventRule(threshold: 1))
        }
        let definitions = activity.definition.events ?? []
        activity.events.reserveCapacity(definitions.count)
        for definition in definitions {
            let rule = try EventRule(definition)
            activity.events.append(
                Activity.Event(
                    odometer: member.odometer(for: rule), threshold: rule.threshold,
                    includesPastActivity: rule.includesPastActivity,
                    registered: since[definition.name] ?? activity.registered))
        }
    }

    private func discard(_ activity: Activity) {
        let member = odometers(of: activity.name.member)
        activity.stopEvents()
        activity.stopEnd()
        queue.set(nil, for: activity)
        requeueOdometers(of: activity)
        for odometer in activity.odometers { member.release(odometer) }
        activity.events = []
        activity.allUse = nil
    }

    // MARK: another zone

    /// Applies a change of the member's zone. An open occurrence keeps its start, and ends at its nominal end
    /// in the new zone, immediately if that has passed. The next one starts at its nominal start, but not
    /// before that end. So no occurrence starts or ends twice, and none is lost.
    /// - Returns: the activities whose state changed: the open occurrence now ends at another time, or the
    ///   next one, whose warning was delivered, now starts at another.
    package func setZone(_ zone: Zone, of member: String, now: Instant) throws -> [ActivityName] {
        var moved: [ActivityName] = []
        for activity in activities.values where activity.name.member == member {
            guard activity.schedule.zone != zone else { continue }
            let next = activity.upcoming
            let (open, warned) = (activity.progress.open, activity.warnedStart)
            activity.schedule = try CivilSchedule(activity.definition.schedule, zone: zone)
            activity.progress.open = open?.placed(in: zone, notBefore: now)
            if let next, warned == next.range.start, activity.upcoming?.startWall == next.startWall {
                activity.warnedStart = activity.upcoming?.range.start
            }
            if (activity.progress.open, activity.warnedStart) != (open, warned) {
                moved.append(activity.name)
            }
            requeue(activity)
        }
        return moved.sorted()
    }

    // MARK: views

    /// All activities, sorted.
    package var names: [ActivityName] { activities.keys.sorted() }

    /// The spelling of a registered name that is equal by Unicode's canonical equivalence; else `name`.
    package func stored(_ name: ActivityName) -> ActivityName {
        activities.index(forKey: name).map { activities[$0].key } ?? name
    }

    /// One activity; nil if it is not registered.
    package func view(of name: ActivityName) -> ActivityView? {
        activities[name].map { activity in
            ActivityView(
                name: name, registration: activity.registration, registered: activity.registered,
                definition: activity.definition, isOpen: activity.progress.open != nil,
                occurrence: activity.progress.open?.range ?? activity.upcoming?.range)
        }
    }

    /// The state to store of one activity; nil if it is not registered.
    package func state(of name: ActivityName) -> ActivityState? { activities[name].map { state(of: $0) } }

    private func state(of activity: Activity) -> ActivityState {
        var state = ActivityState(progress: activity.progress)
        if let start = activity.warnedStart {
            state.delivered.append(DeliveredMark(.intervalWillStartWarning, occurrenceStart: start))
        }
        let start = activity.progress.open?.range.start ?? activity.upcoming?.range.start
        guard let start else { return state }
        func mark(_ callback: CallbackName, _ event: String? = nil) {
            state.delivered.append(DeliveredMark(callback, event: event, occurrenceStart: start))
        }
        if activity.warnedEnd == start { mark(.intervalWillEndWarning) }
        for (event, definition) in zip(activity.events, activity.definition.events ?? []) {
            if event.registered != activity.registered {
                state.countedSince[definition.name] = event.registered
            }
            if event.isWarned { mark(.eventWillReachThresholdWarning, definition.name) }
            if event.isReached { mark(.eventDidReachThreshold, definition.name) }
        }
        return state
    }
}

extension OpenOccurrence {
    /// The occurrence with its nominal end mapped to a zone.
    fileprivate func placed(in zone: Zone, notBefore at: Instant = .min) -> OpenOccurrence {
        let end = max(zone.instant(ofWall: endWall), at, range.start + 1)
        guard let range = TimeRange(start: range.start, end: end) else { return self }
        return OpenOccurrence(range: range, endWall: endWall)
    }
}

extension Activity {
    /// The events of another registration with the same rules as ones of this, by name.
    fileprivate func eventsLike(_ old: Activity) -> [String: Event] {
        let before = old.indexes
        var kept: [String: Event] = [:]
        for event in definition.events ?? [] {
            guard let index = before[event.name], let known = old.definition(of: index) else { continue }
            if known.countsLike(event) { kept[event.name] = old.events[index] }
        }
        return kept
    }

    /// Events by name.
    private var indexes: [String: Int] {
        var indexes: [String: Int] = [:]
        for (index, event) in (definition.events ?? []).enumerated() { indexes[event.name] = index }
        return indexes
    }

    /// Enters an occurrence whose start was delivered.
    fileprivate func open(_ occurrence: CivilOccurrence) {
        progress.open = OpenOccurrence(range: occurrence.range, endWall: occurrence.endWall)
    }

    fileprivate func carryDelivered(from old: Activity, _ kept: [String: Event], occurrenceStart: Instant) {
        let warnsAlike = old.schedule.warning == schedule.warning
        if warnsAlike, let open = old.progress.open?.range, old.warnedEnd == open.start,
            upcoming?.range == open
        {
            warnedEnd = occurrenceStart
        }
        for (index, event) in (definition.events ?? []).enumerated() {
            guard let before = kept[event.name] else { continue }
            events[index].isWarned = warnsAlike && before.isWarned
            events[index].isReached = before.isReached
        }
    }

    /// Restores what was delivered for the open or the next occurrence; older marks are ignored.
    fileprivate func restoreDelivered(_ delivered: [DeliveredMark]) {
        guard !delivered.isEmpty else { return }
        let indexes = indexes
        let next = upcoming?.range.start
        let present = progress.open?.range.start ?? next
        for mark in delivered {
            if mark.callback == .intervalWillStartWarning {
                if mark.occurrenceStart == next { warnedStart = next }
                continue
            }
            guard mark.occurrenceStart == present else { continue }
            let index = mark.event.flatMap { indexes[$0] }
            switch mark.callback {
            case .intervalWillEndWarning: warnedEnd = mark.occurrenceStart
            case .eventWillReachThresholdWarning: if let index { events[index].isWarned = true }
            case .eventDidReachThreshold: if let index { events[index].isReached = true }
            case .intervalWillStartWarning, .intervalDidStart, .intervalDidEnd: break
            }
        }
    }
}

extension EventDefinition {
    /// Whether it counts the same use up to the same threshold; the messages may differ.
    fileprivate func countsLike(_ other: EventDefinition) -> Bool {
        var mine = self
        mine.message = other.message
        return mine == other
    }
}
