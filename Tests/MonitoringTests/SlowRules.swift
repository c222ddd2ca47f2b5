import Contract
import Monitoring
import Rules
import Schedules

/// The rules as one would write them down without a thought of speed: at every step every event of every
/// open occurrence is asked for anew, with all use there is.
struct SlowRules {
    struct Activity {
        let definition: ActivityDefinition
        let schedule: CivilSchedule
        let registered_ms: Int64
        var since: [String: Int64] = [:]
        var open: TimeRange?
        var settled_ms = Int64.min
        var told: Set<String> = []
    }

    var catalogue = Catalogue()
    var activities: [String: Activity] = [:]
    /// Closed stretches, by device.
    var rows: [String: [Use]] = [:]
    var running: [String: [Subject: Int64]] = [:]
    var provisional: [String: [Use]] = [:]

    // MARK: use

    mutating func take(_ change: UseChange) {
        rows[change.device, default: []].removeAll { change.removed.contains($0) }
        rows[change.device, default: []] += change.added
        running[change.device] = [:]
        for use in change.running { running[change.device]?[use.subject] = use.start_ms }
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
            running: running.mapValues { $0.map { RunningUse($0.key, start_ms: $0.value) } },
            provisional: provisional)
    }

    private var devices: [DeviceUse] {
        Set(rows.keys).union(provisional.keys).map {
            DeviceUse(device: $0, uses: (rows[$0] ?? []) + (provisional[$0] ?? []))
        }
    }

    // MARK: activities

    mutating func register(_ definition: ActivityDefinition, _ now_ms: Int64, _ zone: Zone) throws {
        let old = activities[definition.name]
        var new = Activity(
            definition: definition, schedule: try CivilSchedule(definition.schedule, zone: zone),
            registered_ms: now_ms)
        let first = new.schedule.current(orNextAfter: now_ms, registered_ms: now_ms)
        let isSame = old?.open != nil && first?.start_ms == old?.open?.start_ms
        let warnsAlike = new.schedule.warning_ms == old?.schedule.warning_ms
        for event in definition.events ?? [] where old?.definition.events?.contains(event) == true {
            new.since[event.name] = old?.since[event.name] ?? old?.registered_ms
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
    mutating func due(_ now_ms: Int64) throws -> [String] {
        var due: [(at_ms: Int64, place: Int, name: String, event: String, text: String)] = []
        for name in activities.keys {
            guard var activity = activities[name] else { continue }
            for one in try step(&activity, now_ms) {
                due.append(
                    (
                        one.at_ms, one.place, name, one.event ?? "",
                        Self.text(one.at_ms, one.callback, name, one.event, one.total_ms, one.start_ms)
                    ))
            }
            activities[name] = activity
        }
        due.sort { ($0.at_ms, $0.place, $0.name, $0.event) < ($1.at_ms, $1.place, $1.name, $1.event) }
        return due.map(\.text)
    }

    static func text(
        _ at_ms: Int64, _ callback: CallbackName, _ name: String, _ event: String?, _ total_ms: Int64?,
        _ start_ms: Int64
    ) -> String {
        "\(at_ms) \(callback) \(name) \(event ?? "-") total \(total_ms ?? -1) in \(start_ms)"
    }

    private struct Due {
        let at_ms: Int64
        let callback: CallbackName
        let start_ms: Int64
        var event: String?
        var total_ms: Int64?

        /// As the design orders one instant; what is due where its occurrence starts comes after that start.
        var place: Int {
            let places: [CallbackName] = [
                .eventWillReachThresholdWarning, .eventDidReachThreshold, .intervalWillEndWarning,
                .intervalDidEnd, .intervalWillStartWarning, .intervalDidStart,
            ]
            let place = places.firstIndex(of: callback) ?? 0
            return at_ms == start_ms && place < 3 ? places.count + place : place
        }
    }

    private func step(_ activity: inout Activity, _ now_ms: Int64) throws -> [Due] {
        var due: [Due] = []
        while true {
            if activity.open == nil {
                guard let next = next(activity) else { return due }
                due += startWarning(&activity, next, now_ms)
                guard next.start_ms <= now_ms else { return due }
                guard next.end_ms + 5000 >= now_ms else {
                    activity.settled_ms = next.end_ms
                    continue
                }
                activity.open = next
                due.append(Due(at_ms: next.start_ms, callback: .intervalDidStart, start_ms: next.start_ms))
            }
            guard let open = activity.open else { return due }
            due += try thresholds(&activity, open, now_ms)
            if let at_ms = activity.schedule.endWarning_ms(of: open), at_ms <= now_ms,
                open.end_ms + 5000 >= now_ms,
                activity.told.insert("\(CallbackName.intervalWillEndWarning)").inserted
            {
                due.append(Due(at_ms: at_ms, callback: .intervalWillEndWarning, start_ms: open.start_ms))
            }
            guard open.end_ms <= now_ms else {
                let following = activity.schedule.nextOccurrence(
                    after: open.end_ms - 1, registered_ms: activity.registered_ms)
                if let following { due += startWarning(&activity, following, now_ms) }
                return due
            }
            due.append(Due(at_ms: open.end_ms, callback: .intervalDidEnd, start_ms: open.start_ms))
            activity.open = nil
            activity.settled_ms = open.end_ms
            activity.told = activity.told.filter { $0.hasPrefix("start warning") }
        }
    }

    private func startWarning(_ activity: inout Activity, _ next: TimeRange, _ now_ms: Int64) -> [Due] {
        guard let at_ms = activity.schedule.startWarning_ms(of: next), at_ms <= now_ms,
            next.start_ms > activity.registered_ms, next.start_ms + 5000 >= now_ms,
            activity.told.insert("start warning \(next.start_ms)").inserted
        else { return [] }
        return [Due(at_ms: at_ms, callback: .intervalWillStartWarning, start_ms: next.start_ms)]
    }

    private func next(_ activity: Activity) -> TimeRange? {
        activity.schedule.current(
            orNextAfter: max(activity.settled_ms, activity.registered_ms),
            registered_ms: activity.registered_ms)
    }

    private func thresholds(
        _ activity: inout Activity, _ open: TimeRange, _ now_ms: Int64
    ) throws -> [Due] {
        var due: [Due] = []
        for event in activity.definition.events ?? [] {
            let rule = try EventRule(event)
            var question = ThresholdQuestion(
                event: rule, occurrence: open,
                registered_ms: activity.since[event.name] ?? activity.registered_ms,
                warning_ms: activity.schedule.warning_ms, now_ms: now_ms)
            let running = running.mapValues { $0.map { RunningUse($0.key, start_ms: $0.value) } }
            let answer = question.answer(devices, running: running, catalogue)
            let reached = "\(CallbackName.eventDidReachThreshold) \(event.name)"
            for (callback, at_ms) in [
                (CallbackName.eventWillReachThresholdWarning, answer.warning_ms),
                (.eventDidReachThreshold, answer.crossing_ms),
            ] {
                guard let at_ms, !activity.told.contains(reached),
                    activity.told.insert("\(callback) \(event.name)").inserted
                else { continue }
                question.now_ms = at_ms
                let total_ms = question.answer(devices, running: running, catalogue).total_ms
                due.append(
                    Due(
                        at_ms: at_ms, callback: callback, start_ms: open.start_ms, event: event.name,
                        total_ms: total_ms))
            }
        }
        return due
    }
}
