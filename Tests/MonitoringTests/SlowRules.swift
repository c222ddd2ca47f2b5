import Contract
import Monitoring
import Rules
import Schedules
import Units

/// The rules in a simple, slow form: at every step every event of every open occurrence is computed again
/// from all use.
struct SlowRules {
    struct Activity {
        let definition: ActivityDefinition
        let schedule: CivilSchedule
        let registered: Instant
        var since: [String: Instant] = [:]
        var open: TimeRange?
        var settled = Instant.min
        var told: Set<String> = []
    }

    var catalogue = Catalogue()
    var activities: [String: Activity] = [:]
    /// Closed stretches, by device.
    var rows: [String: [Use]] = [:]
    var running: [String: [Subject: Instant]] = [:]
    var provisional: [String: [Use]] = [:]

    // MARK: use

    mutating func apply(_ change: UseChange) {
        rows[change.device, default: []].removeAll { change.removed.contains($0) }
        rows[change.device, default: []] += change.added
        running[change.device] = [:]
        for use in change.running { running[change.device]?[use.subject] = use.start }
        provisional[change.device] = change.provisional
    }

    /// Those that no closed stretch of the same subject touches.
    func onlyNew(_ uses: [Use], on device: String) -> [Use] {
        var kept = rows[device] ?? []
        let before = kept.count
        for use in uses {
            let isFree = kept.allSatisfy {
                $0.subject != use.subject || $0.interval.intersection(use.interval) == nil
            }
            if isFree { kept.append(use) }
        }
        return Array(kept[before...])
    }

    var memberUse: MemberUse {
        MemberUse(
            devices: rows.map { DeviceUse(device: $0.key, uses: $0.value) },
            running: running.mapValues { $0.map { RunningUse($0.key, start: $0.value) } },
            provisional: provisional)
    }

    private var devices: [DeviceUse] {
        Set(rows.keys).union(provisional.keys).map {
            DeviceUse(device: $0, uses: (rows[$0] ?? []) + (provisional[$0] ?? []))
        }
    }

    // MARK: activities

    mutating func register(_ definition: ActivityDefinition, _ now: Instant, _ zone: Zone) throws {
        let old = activities[definition.name]
        var new = Activity(
            definition: definition, schedule: try CivilSchedule(definition.schedule, zone: zone),
            registered: now)
        let first = new.schedule.current(orNextAfter: now, registered: now)
        let isSame = old?.open != nil && first?.start == old?.open?.start
        let warnsAlike = new.schedule.warning == old?.schedule.warning
        for event in definition.events ?? [] where old?.definition.events?.contains(event) == true {
            new.since[event.name] = old?.since[event.name] ?? old?.registered
            guard isSame else { continue }
            let reached = "\(CallbackName.eventDidReachThreshold) \(event.name)"
            if old?.told.contains(reached) == true { new.told.insert(reached) }
            let warned = "\(CallbackName.eventWillReachThresholdWarning) \(event.name)"
            if warnsAlike, old?.told.contains(warned) == true { new.told.insert(warned) }
        }
        let warned = "\(CallbackName.intervalWillEndWarning)"
        if warnsAlike, first == old?.open, old?.told.contains(warned) == true { new.told.insert(warned) }
        activities[definition.name] = new
    }

    /// What is due, sorted.
    mutating func due(_ now: Instant) throws -> [String] {
        var due: [(at: Instant, place: Int, name: String, event: String, text: String)] = []
        for name in activities.keys {
            guard var activity = activities[name] else { continue }
            for one in try step(&activity, now) {
                due.append(
                    (
                        one.at, one.place, name, one.event ?? "",
                        Self.text(one.at, one.callback, name, one.event, one.total, one.start)
                    ))
            }
            activities[name] = activity
        }
        due.sort { ($0.at, $0.place, $0.name, $0.event) < ($1.at, $1.place, $1.name, $1.event) }
        return due.map(\.text)
    }

    static func text(
        _ at: Instant, _ callback: CallbackName, _ name: String, _ event: String?,
        _ total: Milliseconds?, _ start: Instant
    ) -> String {
        "\(at) \(callback) \(name) \(event ?? "-") total \(total ?? -1) in \(start)"
    }

    private struct Due {
        let at: Instant
        let callback: CallbackName
        let start: Instant
        var event: String?
        var total: Milliseconds?

        /// The order of callbacks at one instant; callbacks due at the start of their occurrence follow that
        /// start.
        var place: Int {
            let places: [CallbackName] = [
                .eventWillReachThresholdWarning, .eventDidReachThreshold, .intervalWillEndWarning,
                .intervalDidEnd, .intervalWillStartWarning, .intervalDidStart,
            ]
            let place = places.firstIndex(of: callback) ?? 0
            return at == start && place < 3 ? places.count + place : place
        }
    }

    private func step(_ activity: inout Activity, _ now: Instant) throws -> [Due] {
        var due: [Due] = []
        while true {
            if activity.open == nil {
                guard let next = next(activity) else { return due }
                due += startWarning(&activity, next, now)
                guard next.start <= now else { return due }
                guard next.end + 5000 >= now else {
                    activity.settled = next.end
                    continue
                }
                activity.open = next
                due.append(Due(at: next.start, callback: .intervalDidStart, start: next.start))
            }
            guard let open = activity.open else { return due }
            due += try thresholds(&activity, open, now)
            if let at = activity.schedule.endWarning(of: open), at <= now,
                open.end + 5000 >= now,
                activity.told.insert("\(CallbackName.intervalWillEndWarning)").inserted
            {
                due.append(Due(at: at, callback: .intervalWillEndWarning, start: open.start))
            }
            guard open.end <= now else {
                let following = activity.schedule.nextOccurrence(
                    after: open.end - 1, registered: activity.registered)
                if let following { due += startWarning(&activity, following, now) }
                return due
            }
            due.append(Due(at: open.end, callback: .intervalDidEnd, start: open.start))
            activity.open = nil
            activity.settled = open.end
            activity.told = activity.told.filter { $0.hasPrefix("start warning") }
        }
    }

    private func startWarning(_ activity: inout Activity, _ next: TimeRange, _ now: Instant) -> [Due] {
        guard let at = activity.schedule.startWarning(of: next), at <= now,
            next.start > activity.registered, next.start + 5000 >= now,
            activity.told.insert("start warning \(next.start)").inserted
        else { return [] }
        return [Due(at: at, callback: .intervalWillStartWarning, start: next.start)]
    }

    private func next(_ activity: Activity) -> TimeRange? {
        activity.schedule.current(
            orNextAfter: max(activity.settled, activity.registered),
            registered: activity.registered)
    }

    private func thresholds(
        _ activity: inout Activity, _ open: TimeRange, _ now: Instant
    ) throws -> [Due] {
        var due: [Due] = []
        for event in activity.definition.events ?? [] {
            let rule = try EventRule(event)
            var question = ThresholdQuestion(
                event: rule, occurrence: open,
                registered: activity.since[event.name] ?? activity.registered,
                warning: activity.schedule.warning, now: now)
            let running = running.mapValues { $0.map { RunningUse($0.key, start: $0.value) } }
            let answer = question.answer(devices, running: running, catalogue)
            let reached = "\(CallbackName.eventDidReachThreshold) \(event.name)"
            for (callback, at) in [
                (CallbackName.eventWillReachThresholdWarning, answer.warning),
                (.eventDidReachThreshold, answer.crossing),
            ] {
                guard let at, !activity.told.contains(reached),
                    activity.told.insert("\(callback) \(event.name)").inserted
                else { continue }
                question.now = at
                let total = question.answer(devices, running: running, catalogue).total
                due.append(
                    Due(
                        at: at, callback: callback, start: open.start, event: event.name,
                        total: total))
            }
        }
        return due
    }
}
