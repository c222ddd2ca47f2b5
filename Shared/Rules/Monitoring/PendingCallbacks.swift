package import Contract
import Rules
package import Units

extension MonitorRules {
    /// The callbacks due in the open and next occurrences, earliest first, those without an instant last. It
    /// visits all matching events.
    package func pending(
        client: String?, member: String?, activity: String?, limit: Int, now: Instant
    ) -> [PendingCallback] {
        var pending: [PendingCallback] = []
        for one in activities.values
        where (client ?? one.name.client) == one.name.client
            && (member ?? one.name.member) == one.name.member
            && (activity ?? one.name.name) == one.name.name
        {
            pending += one.pendingBoundaries(now) + one.pendingEvents(now)
        }
        pending.sort { $0.order < $1.order }
        return Array(pending.prefix(limit))
    }

    /// Recomputes when a delivered threshold is reached with all use known now; nil if the callback is not
    /// about a threshold.
    /// - Throws: the errors of `history`.
    package func recount(_ told: ActivityCallback) throws -> RecountedCallback? {
        guard let definition = told.definition, let counted = told.countedFrom else { return nil }
        guard let counted = TimeRange(start: counted, end: told.occurrenceEnd) else { return nil }
        let rule = try EventRule(definition)
        let curve = try odometers(of: told.member).curve(of: rule, in: counted)
        return RecountedCallback(
            at: curve.first(reaching: rule.threshold), total: curve.total(at: told.at))
    }
}

extension PendingCallback {
    fileprivate var order: (Instant, String, String, String, String) {
        (due ?? .max, client, member, activity, event ?? "")
    }
}

extension Activity {
    fileprivate func pending(_ callback: CallbackName, _ occurrence: TimeRange) -> PendingCallback {
        PendingCallback(
            client: name.client, member: name.member, activity: name.name, callback: callback.rawValue,
            registration: registration, registered: registered, occurrenceStart: occurrence.start,
            occurrenceEnd: occurrence.end)
    }

    fileprivate func pendingBoundaries(_ now: Instant) -> [PendingCallback] {
        var all: [PendingCallback] = []
        func add(_ callback: CallbackName, _ occurrence: TimeRange, at due: Instant?) {
            guard let due else { return }
            var one = pending(callback, occurrence)
            one.due = due
            all.append(one)
        }
        if let open = progress.open?.range {
            if progress.awaitsUse {
                all.append(pending(.intervalDidStart, open))
            } else if warnedEnd != open.start {
                add(.intervalWillEndWarning, open, at: schedule.endWarning(of: open))
            }
            if allUse == nil { add(.intervalDidEnd, open, at: open.end) }
        }
        if let ended = progress.ended { all.append(pending(.intervalDidEnd, ended)) }
        if let next = upcoming?.range {
            if warnedStart != next.start {
                add(.intervalWillStartWarning, next, at: schedule.startWarning(of: next))
            }
            add(.intervalDidStart, next, at: next.start)
        }
        return all
    }

    fileprivate func pendingEvents(_ now: Instant) -> [PendingCallback] {
        guard let open = progress.open?.range, !progress.awaitsUse else { return [] }
        return events.indices.filter { !events[$0].isReached }.map { index in
            let place = EventPlace(self, index)
            var one = pending(place.callback, open)
            one.event = definition(of: index)?.name
            one.threshold = events[index].threshold
            one.total = events[index].odometer.total(from: place.countedFrom, to: now)
            let due = events[index].odometer.due(place)
            one.due = due.flatMap { $0 <= open.end ? $0 : nil }
            return one
        }
    }
}
