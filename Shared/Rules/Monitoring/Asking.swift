package import Contract
import Rules

extension MonitorRules {
    /// The callbacks that are to come in the open and next occurrences, earliest first, those without an
    /// instant last. It looks at all events that fit.
    package func pending(
        client: String?, member: String?, activity: String?, limit: Int, now_ms: Int64
    ) -> [PendingCallback] {
        var pending: [PendingCallback] = []
        for one in activities.values
        where (client ?? one.name.client) == one.name.client
            && (member ?? one.name.member) == one.name.member
            && (activity ?? one.name.name) == one.name.name
        {
            pending += one.pendingBoundaries(now_ms) + one.pendingEvents(now_ms)
        }
        pending.sort { $0.order < $1.order }
        return Array(pending.prefix(limit))
    }

    /// When a threshold that was told is reached by what is known now; `nil` if it is about no threshold.
    /// - Throws: what `history` throws.
    package func recount(_ told: ActivityCallback) throws -> RecountedCallback? {
        guard let definition = told.definition, let counted_ms = told.countedFromMs else { return nil }
        guard let counted = TimeRange(start_ms: counted_ms, end_ms: told.occurrenceEndMs) else { return nil }
        let rule = try EventRule(definition)
        let course = try odometers(of: told.member).course(of: rule, in: counted)
        return RecountedCallback(
            atMs: course.first_ms(reaching: rule.threshold_ms), totalMs: course.total_ms(at: told.atMs))
    }
}

extension PendingCallback {
    fileprivate var order: (Int64, String, String, String, String) {
        (dueMs ?? .max, client, member, activity, event ?? "")
    }
}

extension Activity {
    fileprivate func pending(_ callback: CallbackName, _ occurrence: TimeRange) -> PendingCallback {
        PendingCallback(
            client: name.client, member: name.member, activity: name.name, callback: callback.rawValue,
            registration: registration, registeredMs: registered_ms, occurrenceStartMs: occurrence.start_ms,
            occurrenceEndMs: occurrence.end_ms)
    }

    fileprivate func pendingBoundaries(_ now_ms: Int64) -> [PendingCallback] {
        var all: [PendingCallback] = []
        func add(_ callback: CallbackName, _ occurrence: TimeRange, at due_ms: Int64?) {
            guard let due_ms else { return }
            var one = pending(callback, occurrence)
            one.dueMs = due_ms
            all.append(one)
        }
        if let open = standing.open?.range {
            if standing.awaitsUse {
                all.append(pending(.intervalDidStart, open))
            } else if warnedEnd_ms != open.start_ms {
                add(.intervalWillEndWarning, open, at: schedule.endWarning_ms(of: open))
            }
            if allUse == nil { add(.intervalDidEnd, open, at: open.end_ms) }
        }
        if let ended = standing.ended { all.append(pending(.intervalDidEnd, ended)) }
        if let next = upcoming?.range {
            if warnedStart_ms != next.start_ms {
                add(.intervalWillStartWarning, next, at: schedule.startWarning_ms(of: next))
            }
            add(.intervalDidStart, next, at: next.start_ms)
        }
        return all
    }

    fileprivate func pendingEvents(_ now_ms: Int64) -> [PendingCallback] {
        guard let open = standing.open?.range, !standing.awaitsUse else { return [] }
        return events.indices.filter { !events[$0].isReached }.map { index in
            let place = EventPlace(self, index)
            var one = pending(place.callback, open)
            one.event = definition(of: index)?.name
            one.thresholdMs = events[index].threshold_ms
            one.totalMs = events[index].odometer.total_ms(from: place.countedFrom_ms, to: now_ms)
            let due_ms = events[index].odometer.due_ms(place)
            one.dueMs = due_ms.flatMap { $0 <= open.end_ms ? $0 : nil }
            return one
        }
    }
}
