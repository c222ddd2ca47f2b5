import Bus
import Contract
import Engine

/// One callback that is due.
struct DueCallback {
    let callback: CallbackName
    let occurrence: TimeRange
    /// The boundary or crossing it is about.
    let at_ms: Int64
    var event: EventDefinition?
    var threshold_ms: Int64?
    /// Use counted at `at_ms`.
    var total_ms: Int64?
    var late = false
    /// False: recorded, not told.
    var told = true
    let trace: TraceContext

    /// A callback is late when its instant lies further back than this: nobody was there to tell.
    static let lateAfter_ms: Int64 = 5_000
}

extension Activity {
    /// What is due of the schedule up to `now_ms`; moves the activity on, at most to the next start.
    /// Thresholds of the open occurrence must be asked for before.
    func takeBoundaries(now_ms: Int64) -> [DueCallback] {
        var due: [DueCallback] = []
        if let open { due += takeEnd(of: open, now_ms) }
        while open == nil, let next = upcoming {
            guard next.start_ms <= now_ms else {
                if let at_ms = warning_ms(.intervalWillStartWarning, of: next), at_ms <= now_ms {
                    warned[.intervalWillStartWarning] = next.start_ms
                    due.append(boundary(.intervalWillStartWarning, next, at_ms, now_ms))
                }
                break
            }
            var start = boundary(.intervalDidStart, next, next.start_ms, now_ms)
            if next.end_ms + DueCallback.lateAfter_ms < now_ms {
                // Missed as a whole.
                settled_ms = next.end_ms
                start.told = false
            } else {
                open = next
                // Registered inside: nobody was late.
                start.late = start.late && next.start_ms >= registered_ms
            }
            due.append(start)
        }
        return due
    }

    private func takeEnd(of occurrence: TimeRange, _ now_ms: Int64) -> [DueCallback] {
        var due: [DueCallback] = []
        let isMissed = occurrence.end_ms + DueCallback.lateAfter_ms < now_ms
        if let at_ms = warning_ms(.intervalWillEndWarning, of: occurrence), at_ms <= now_ms, !isMissed {
            warned[.intervalWillEndWarning] = occurrence.start_ms
            due.append(boundary(.intervalWillEndWarning, occurrence, at_ms, now_ms))
        }
        guard occurrence.end_ms <= now_ms else { return due }
        due.append(boundary(.intervalDidEnd, occurrence, occurrence.end_ms, now_ms))
        open = nil
        settled_ms = occurrence.end_ms
        for index in events.indices {
            events[index].fired = []
            events[index].due_ms = nil
        }
        return due
    }

    private func boundary(
        _ callback: CallbackName, _ occurrence: TimeRange, _ at_ms: Int64, _ now_ms: Int64
    ) -> DueCallback {
        DueCallback(
            callback: callback, occurrence: occurrence, at_ms: at_ms,
            late: at_ms + DueCallback.lateAfter_ms < now_ms, trace: trace)
    }

    /// What is due of the events in the open occurrence, and when the rest will be.
    /// - Parameters:
    ///   - touched: subjects whose use changed; nil asks for every event.
    ///   - trace: on whose behalf; kept with the event when it changes what is due next.
    func takeThresholds(
        _ use: MemberUse, touched: Set<Subject>?, now_ms: Int64, trace: TraceContext
    ) -> [DueCallback] {
        guard let open else { return [] }
        var due: [DueCallback] = []
        for index in events.indices where !events[index].isOver {
            if let touched, !events[index].counts(anyOf: touched) { continue }
            due += events[index].takeDue(open, schedule.warning_ms, use, now_ms, trace)
        }
        return due
    }
}

extension MonitoredEvent {
    fileprivate mutating func takeDue(
        _ occurrence: TimeRange, _ warning_ms: Int64?, _ use: MemberUse, _ now_ms: Int64,
        _ trace: TraceContext
    ) -> [DueCallback] {
        var question = ThresholdQuestion(
            event: rule, occurrence: occurrence, registered_ms: registered_ms, warning_ms: warning_ms,
            now_ms: now_ms)
        let answer = question.answer(use.devices, running: use.running, use.catalogue)
        // What a timer waited for belongs to what armed it.
        let wasDue = due_ms.map { $0 <= now_ms } ?? false
        let cause = wasDue ? self.trace ?? trace : trace
        let reached = [
            (CallbackName.eventWillReachThresholdWarning, answer.warning_ms),
            (CallbackName.eventDidReachThreshold, answer.crossing_ms),
        ]
        var due: [DueCallback] = []
        for case (let callback, let at_ms?) in reached where fired.insert(callback).inserted {
            question.now_ms = at_ms
            let counted = question.answer(use.devices, running: use.running, use.catalogue)
            due.append(
                DueCallback(
                    callback: callback, occurrence: occurrence, at_ms: at_ms, event: definition,
                    threshold_ms: rule.threshold_ms, total_ms: counted.total_ms,
                    late: at_ms + DueCallback.lateAfter_ms < now_ms, trace: cause))
        }
        let warning = fired.contains(.eventWillReachThresholdWarning) ? nil : answer.nextWarning_ms
        let next_ms = [warning, isOver ? nil : answer.nextCrossing_ms].compactMap { $0 }.min()
        if next_ms != due_ms {
            due_ms = next_ms
            self.trace = cause
        }
        return due
    }
}
