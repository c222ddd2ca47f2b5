package import Contract
package import Rules
package import Schedules

/// What a registration's owner keeps of it, besides the definition, to go on after a restart.
package struct ActivityState {
    package var standing: Standing
    /// Since when events count that were registered before the activity, by name.
    package var countedSince: [String: Int64]
    /// What was told of the open occurrence, or the one to come.
    package var told: [ToldMark]

    package init(
        standing: Standing = Standing(), countedSince: [String: Int64] = [:], told: [ToldMark] = []
    ) {
        self.standing = standing
        self.countedSince = countedSince
        self.told = told
    }
}

/// An activity that is monitored, as `monitoring.list` has it.
package struct ActivityView {
    package let name: ActivityName
    package let registration: Int64
    package let registered_ms: Int64
    package let definition: ActivityDefinition
    package let isOpen: Bool
    /// The open occurrence, else the next.
    package let occurrence: TimeRange?

    package var monitored: MonitoredActivity {
        MonitoredActivity(
            client: name.client, member: name.member, registration: registration, registeredMs: registered_ms,
            activity: definition, inInterval: isOpen, intervalStartMs: occurrence?.start_ms,
            intervalEndMs: occurrence?.end_ms)
    }
}

extension MonitorRules {
    /// Registers an activity in the place of the one of its name.
    ///
    /// Its start is told when it is inside an interval, unless who registers was told it before; the end of
    /// the old one's never. Events that count like before go on counting; what was told of them, and of the
    /// schedule's warnings, in an occurrence
    /// that the new schedule has too (begins at the same instant) stays told. All else is a new event.
    /// - Parameters:
    ///   - registration: unique, and larger than any before.
    ///   - startTold_ms: an interval that begins there has told its start to who registers.
    /// - Returns: what its owner has to keep.
    /// - Throws: what is wrong with the definition (``ActivityCheck`` says it better), what `history` throws.
    @discardableResult
    package func register(
        _ definition: ActivityDefinition, as name: ActivityName, registration: Int64, registered_ms: Int64,
        zone: Zone, startTold_ms: Int64? = nil, cause: String? = nil
    ) throws -> ActivityState {
        let old = activities[name]
        let new = Activity(
            name: name, registration: registration, registered_ms: registered_ms, definition: definition,
            schedule: try CivilSchedule(definition.schedule, zone: zone), cause: cause)
        let kept = old.map { new.eventsLike($0) } ?? [:]
        try setEvents(of: new, kept.mapValues(\.registered_ms))
        let next = new.upcoming
        if let old {
            if let open = old.standing.open?.range, next?.range.start_ms == open.start_ms {
                new.carryTold(from: old, kept, occurrenceStart_ms: open.start_ms)
            }
            discard(old)
        }
        if let next, next.range.start_ms == startTold_ms { new.open(next) }
        activities[name] = new
        try new.startEvents()
        requeue(new)
        requeueOdometers(of: new)
        return state(of: new)
    }

    /// Goes on with an activity of an earlier process; where the zone changed meanwhile, as `setZone` does.
    package func restore(
        _ definition: ActivityDefinition, as name: ActivityName, registration: Int64, registered_ms: Int64,
        zone: Zone, _ state: ActivityState, cause: String? = nil
    ) throws {
        let activity = Activity(
            name: name, registration: registration, registered_ms: registered_ms, definition: definition,
            schedule: try CivilSchedule(definition.schedule, zone: zone), cause: cause)
        try setEvents(of: activity, state.countedSince)
        activity.standing = state.standing
        if let open = state.standing.open { activity.standing.open = open.placed(in: zone) }
        activity.setTold(state.told)
        activities[name] = activity
        try activity.startEvents()
        try activity.startEnd()
        requeue(activity)
        requeueOdometers(of: activity)
    }

    /// Stops an activity.
    /// - Parameter now_ms: when; the end of a running interval is told as of this instant.
    /// - Returns: that end.
    @discardableResult
    package func remove(_ name: ActivityName, now_ms: Int64, cause: String? = nil) -> DueCallback? {
        guard let activity = activities[name] else { return nil }
        let standing = activity.standing
        discard(activity)
        activities[name] = nil
        guard let running = standing.told else { return nil }
        var end = activity.due(.intervalDidEnd, running, at: now_ms, now_ms)
        end.cause = cause
        return end
    }

    private func setEvents(of activity: Activity, _ since: [String: Int64]) throws {
        let member = odometers(of: activity.name.member)
        if activity.definition.atFirstUse == true {
            activity.allUse = member.odometer(for: EventRule(threshold_ms: 1))
        }
        let definitions = activity.definition.events ?? []
        activity.events.reserveCapacity(definitions.count)
        for definition in definitions {
            let rule = try EventRule(definition)
            activity.events.append(
                Activity.Event(
                    odometer: member.odometer(for: rule), threshold_ms: rule.threshold_ms,
                    includesPastActivity: rule.includesPastActivity,
                    registered_ms: since[definition.name] ?? activity.registered_ms))
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

    /// The member lives in another zone from now on. An open occurrence keeps its start, and ends where its
    /// nominal end lies in the new zone, at once if that has passed; the next one begins at its nominal
    /// start, at the earliest then. So no occurrence starts or ends twice, and none is left out.
    /// - Returns: the activities whose open occurrence ends at another time now.
    package func setZone(_ zone: Zone, of member: String, now_ms: Int64) throws -> [ActivityName] {
        var moved: [ActivityName] = []
        for activity in activities.values where activity.name.member == member {
            guard activity.schedule.zone != zone else { continue }
            let next = activity.upcoming
            activity.schedule = try CivilSchedule(activity.definition.schedule, zone: zone)
            if let open = activity.standing.open {
                activity.standing.open = open.placed(in: zone, notBefore: now_ms)
                if activity.standing.open != open { moved.append(activity.name) }
            }
            if let next, activity.warnedStart_ms == next.range.start_ms,
                activity.upcoming?.startWall_ms == next.startWall_ms
            {
                activity.warnedStart_ms = activity.upcoming?.range.start_ms
            }
            requeue(activity)
        }
        return moved.sorted()
    }

    // MARK: views

    package var names: [ActivityName] { activities.keys.sorted() }

    package func view(of name: ActivityName) -> ActivityView? {
        activities[name].map { activity in
            ActivityView(
                name: name, registration: activity.registration, registered_ms: activity.registered_ms,
                definition: activity.definition, isOpen: activity.standing.open != nil,
                occurrence: activity.standing.open?.range ?? activity.upcoming?.range)
        }
    }

    package func state(of name: ActivityName) -> ActivityState? { activities[name].map { state(of: $0) } }

    private func state(of activity: Activity) -> ActivityState {
        var state = ActivityState(standing: activity.standing)
        if let start_ms = activity.warnedStart_ms {
            state.told.append(ToldMark(.intervalWillStartWarning, occurrenceStart_ms: start_ms))
        }
        let start_ms = activity.standing.open?.range.start_ms ?? activity.upcoming?.range.start_ms
        guard let start_ms else { return state }
        func mark(_ callback: CallbackName, _ event: String? = nil) {
            state.told.append(ToldMark(callback, event: event, occurrenceStart_ms: start_ms))
        }
        if activity.warnedEnd_ms == start_ms { mark(.intervalWillEndWarning) }
        for (event, definition) in zip(activity.events, activity.definition.events ?? []) {
            if event.registered_ms != activity.registered_ms {
                state.countedSince[definition.name] = event.registered_ms
            }
            if event.isWarned { mark(.eventWillReachThresholdWarning, definition.name) }
            if event.isReached { mark(.eventDidReachThreshold, definition.name) }
        }
        return state
    }
}

extension OpenOccurrence {
    /// With its end where it nominally lies in a zone.
    fileprivate func placed(in zone: Zone, notBefore at_ms: Int64 = .min) -> OpenOccurrence {
        let end_ms = max(zone.instant_ms(ofWall: endWall_ms), at_ms, range.start_ms + 1)
        guard let range = TimeRange(start_ms: range.start_ms, end_ms: end_ms) else { return self }
        return OpenOccurrence(range: range, endWall_ms: endWall_ms)
    }
}

extension Activity {
    /// The events of another registration that count like ones of this, by name.
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

    /// Is inside an occurrence whose start was told.
    fileprivate func open(_ occurrence: CivilOccurrence) {
        standing.open = OpenOccurrence(range: occurrence.range, endWall_ms: occurrence.endWall_ms)
    }

    fileprivate func carryTold(from old: Activity, _ kept: [String: Event], occurrenceStart_ms: Int64) {
        let warnsAlike = old.schedule.warning_ms == schedule.warning_ms
        if warnsAlike, let open = old.standing.open?.range, old.warnedEnd_ms == open.start_ms,
            upcoming?.range == open
        {
            warnedEnd_ms = occurrenceStart_ms
        }
        for (index, event) in (definition.events ?? []).enumerated() {
            guard let before = kept[event.name] else { continue }
            events[index].isWarned = warnsAlike && before.isWarned
            events[index].isReached = before.isReached
        }
    }

    /// Of the open occurrence, or the one to come; older marks say nothing any more.
    fileprivate func setTold(_ told: [ToldMark]) {
        guard !told.isEmpty else { return }
        let indexes = indexes
        let next_ms = upcoming?.range.start_ms
        let present_ms = standing.open?.range.start_ms ?? next_ms
        for mark in told {
            if mark.callback == .intervalWillStartWarning {
                if mark.occurrenceStart_ms == next_ms { warnedStart_ms = next_ms }
                continue
            }
            guard mark.occurrenceStart_ms == present_ms else { continue }
            let index = mark.event.flatMap { indexes[$0] }
            switch mark.callback {
            case .intervalWillEndWarning: warnedEnd_ms = mark.occurrenceStart_ms
            case .eventWillReachThresholdWarning: if let index { events[index].isWarned = true }
            case .eventDidReachThreshold: if let index { events[index].isReached = true }
            case .intervalWillStartWarning, .intervalDidStart, .intervalDidEnd: break
            }
        }
    }
}

extension EventDefinition {
    /// Whether it counts the same use to the same threshold; the words shown may differ.
    fileprivate func countsLike(_ other: EventDefinition) -> Bool {
        var mine = self
        mine.message = other.message
        return mine == other
    }
}
