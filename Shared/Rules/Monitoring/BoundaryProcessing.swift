import Contract
import Rules
import Units

extension Activity {
    /// Processes one boundary or warning of the schedule and advances the state.
    /// - Returns: nil if it is not due any more.
    func processBoundary(_ callback: CallbackName, at: Instant, _ now: Instant) throws -> DueCallback? {
        switch callback {
        case .intervalWillStartWarning:
            guard let next = upcoming?.range else { return nil }
            warnedStart = next.start
            guard isOwed(warningOf: next.start, now) else { return nil }
            return due(callback, next, at: at, now)
        case .intervalWillEndWarning:
            guard let open = progress.open?.range else { return nil }
            warnedEnd = open.start
            guard isOwed(warningOf: open.end, now) else { return nil }
            return due(callback, open, at: at, now)
        case .intervalDidStart: return try start(now)
        case .intervalDidEnd: return try end(now)
        case .eventDidReachThreshold, .eventWillReachThresholdWarning: return nil
        }
    }

    /// A warning is due until its boundary has passed, even if its own instant is before the registration.
    private func isOwed(warningOf boundary: Instant, _ now: Instant) -> Bool {
        boundary > registered && boundary + DueCallback.lateAfter >= now
    }

    private func start(_ now: Instant) throws -> DueCallback? {
        guard let next = upcoming else { return nil }
        let start = next.range.start
        if next.range.end + DueCallback.lateAfter < now {
            // The whole occurrence was missed.
            progress.settled = next.range.end
            progress.settledWall = next.endWall
            var callback = due(.intervalDidStart, next.range, at: start, now)
            callback.fate = .missed
            return callback
        }
        progress.open = OpenOccurrence(range: next.range, endWall: next.endWall)
        progress.awaitsUse = allUse != nil
        try startEvents()
        var callback = due(.intervalDidStart, next.range, at: start, now)
        if progress.awaitsUse { callback.fate = .awaited }
        return callback
    }

    private func end(_ now: Instant) throws -> DueCallback? {
        guard let open = progress.open else { return nil }
        stopEvents()
        clearDelivered()
        var ended = ActivityProgress(
            settled: open.range.end, settledWall: open.endWall, ended: progress.ended)
        if allUse != nil, !progress.awaitsUse { ended.ended = open.range }
        let waits = ended.ended != progress.ended
        progress = ended
        if waits { try startEnd() }
        var end = due(.intervalDidEnd, open.range, at: open.range.end, now)
        if allUse != nil { end.fate = .awaited }
        return end
    }

    /// Processes the first use inside, or after, an occurrence that waited for it.
    func processUse(_ callback: CallbackName, at: Instant, _ now: Instant) throws -> DueCallback? {
        if callback == .intervalDidEnd {
            guard let ended = progress.ended else { return nil }
            stopEnd()
            progress.ended = nil
            return due(.intervalDidEnd, ended, at: at, now)
        }
        guard let open = progress.open?.range, progress.awaitsUse else { return nil }
        stopEvents()
        progress.awaitsUse = false
        try startEvents()
        return due(.intervalDidStart, open, at: at, now)
    }

    func due(
        _ callback: CallbackName, _ occurrence: TimeRange, at: Instant, _ now: Instant
    ) -> DueCallback {
        DueCallback(
            name: name, registration: registration, registered: registered, callback: callback,
            occurrence: occurrence, zone: schedule.zone.identifier, at: at,
            // If it was registered later, it is not late.
            isLate: at + DueCallback.lateAfter < now && at >= registered,
            cause: cause, progress: progress)
    }
}

extension EventPlace {
    /// Returns the event's warning or threshold. After the warning it waits for the threshold.
    func process(at: Instant, _ now: Instant) throws -> DueCallback? {
        guard isCurrent else { return nil }
        guard let index else { return try activity.processUse(callback, at: at, now) }
        guard let open = activity.progress.open?.range else { return nil }
        let event = activity.events[index]
        let odometer = event.odometer
        var due = activity.due(callback, open, at: at, now)
        due.event = activity.definition(of: index)
        due.threshold = event.threshold
        due.countedFrom = countedFrom
        due.total = odometer.total(from: countedFrom, to: at)
        due.isPast = at < event.registered
        due.isLate = due.isPast || at + DueCallback.lateAfter < now
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
