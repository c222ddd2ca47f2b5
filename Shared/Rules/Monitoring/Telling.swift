import Contract
import Rules

extension Activity {
    /// Takes one boundary or warning of the schedule and moves on.
    /// - Returns: `nil` when it is not owed any more.
    func takeBoundary(_ callback: CallbackName, at at_ms: Int64, _ now_ms: Int64) throws -> DueCallback? {
        switch callback {
        case .intervalWillStartWarning:
            guard let next = upcoming?.range else { return nil }
            warnedStart_ms = next.start_ms
            guard isOwed(warningOf: next.start_ms, now_ms) else { return nil }
            return due(callback, next, at: at_ms, now_ms)
        case .intervalWillEndWarning:
            guard let open = standing.open?.range else { return nil }
            warnedEnd_ms = open.start_ms
            guard isOwed(warningOf: open.end_ms, now_ms) else { return nil }
            return due(callback, open, at: at_ms, now_ms)
        case .intervalDidStart: return try start(now_ms)
        case .intervalDidEnd: return try end(now_ms)
        case .eventDidReachThreshold, .eventWillReachThresholdWarning: return nil
        }
    }

    /// A warning is owed until its boundary has passed, also when its own moment lies before the
    /// registration.
    private func isOwed(warningOf boundary_ms: Int64, _ now_ms: Int64) -> Bool {
        boundary_ms > registered_ms && boundary_ms + DueCallback.lateAfter_ms >= now_ms
    }

    private func start(_ now_ms: Int64) throws -> DueCallback? {
        guard let next = upcoming else { return nil }
        let start_ms = next.range.start_ms
        if next.range.end_ms + DueCallback.lateAfter_ms < now_ms {
            // Missed as a whole.
            standing.settled_ms = next.range.end_ms
            standing.settledWall_ms = next.endWall_ms
            var start = due(.intervalDidStart, next.range, at: start_ms, now_ms)
            start.fate = .missed
            return start
        }
        standing.open = OpenOccurrence(range: next.range, endWall_ms: next.endWall_ms)
        standing.awaitsUse = allUse != nil
        try startEvents()
        var start = due(.intervalDidStart, next.range, at: start_ms, now_ms)
        if standing.awaitsUse { start.fate = .awaited }
        return start
    }

    private func end(_ now_ms: Int64) throws -> DueCallback? {
        guard let open = standing.open else { return nil }
        stopEvents()
        forgetTold()
        var ended = Standing(
            settled_ms: open.range.end_ms, settledWall_ms: open.endWall_ms, ended: standing.ended)
        if allUse != nil, !standing.awaitsUse { ended.ended = open.range }
        let waits = ended.ended != standing.ended
        standing = ended
        if waits { try startEnd() }
        var end = due(.intervalDidEnd, open.range, at: open.range.end_ms, now_ms)
        if allUse != nil { end.fate = .awaited }
        return end
    }

    /// The first use inside, or after, an occurrence that waited for it.
    func takeUse(_ callback: CallbackName, at at_ms: Int64, _ now_ms: Int64) throws -> DueCallback? {
        if callback == .intervalDidEnd {
            guard let ended = standing.ended else { return nil }
            stopEnd()
            standing.ended = nil
            return due(.intervalDidEnd, ended, at: at_ms, now_ms)
        }
        guard let open = standing.open?.range, standing.awaitsUse else { return nil }
        stopEvents()
        standing.awaitsUse = false
        try startEvents()
        return due(.intervalDidStart, open, at: at_ms, now_ms)
    }

    func due(
        _ callback: CallbackName, _ occurrence: TimeRange, at at_ms: Int64, _ now_ms: Int64
    ) -> DueCallback {
        DueCallback(
            name: name, registration: registration, registered_ms: registered_ms, callback: callback,
            occurrence: occurrence, zone: schedule.zone.identifier, at_ms: at_ms,
            // Registered after it: nobody was late.
            isLate: at_ms + DueCallback.lateAfter_ms < now_ms && at_ms >= registered_ms,
            cause: cause, standing: standing)
    }
}

extension EventPlace {
    /// Tells the event's warning or threshold; after the warning it waits for the threshold.
    func take(at at_ms: Int64, _ now_ms: Int64) throws -> DueCallback? {
        guard isCurrent else { return nil }
        guard let index else { return try activity.takeUse(callback, at: at_ms, now_ms) }
        guard let open = activity.standing.open?.range else { return nil }
        let event = activity.events[index]
        let odometer = event.odometer
        var due = activity.due(callback, open, at: at_ms, now_ms)
        due.event = activity.definition(of: index)
        due.threshold_ms = event.threshold_ms
        due.countedFrom_ms = countedFrom_ms
        due.total_ms = odometer.total_ms(from: countedFrom_ms, to: at_ms)
        due.isPast = at_ms < event.registered_ms
        due.isLate = due.isPast || at_ms + DueCallback.lateAfter_ms < now_ms
        due.cause = due.isPast ? activity.cause : odometer.cause ?? activity.cause
        if callback == .eventWillReachThresholdWarning {
            activity.events[index].isWarned = true
            try odometer.add(self)
        } else {
            activity.events[index].isReached = true
        }
        odometer.drop()
        return due
    }
}
