import Bus
import Contract
import Loop
import ServiceKit
import Units

extension AuthService {
    /// After a start: pending questions are shown again, or have expired meanwhile.
    func resumeAsking() throws(ServiceError) {
        do {
            for pending in try authorizations.pending() {
                guard let person = try members.find(id: pending.member),
                    let question = try questions.open(pending.id)
                else { continue }
                let trace = try askers.waiting(authorization: pending.id).first
                prompt(question, pending, person, trace.flatMap { TraceContext($0.traceparent) })
            }
        } catch {
            throw ServiceError(error)
        }
        withdrawQuestions()
        armDeadline()
    }

    /// Arms this timer and that of requests for more time once, in the next turn or after a pause.
    func armTimersSoon(after pause: Milliseconds = 0) {
        guard !willArmTimers else { return }
        willArmTimers = true
        service.loop.after(pause) { [weak self] in
            self?.willArmTimers = false
            self?.armDeadline()
            self?.requestTimer.arm()
        }
    }

    /// Whoever waits has a deadline on the monotonic clock: a clock that is set, or sleep, ends no question
    /// whose caller still waits. Only the row has the deadline after a restart.
    private func left(_ asker: AskerTable.Waiting) -> Milliseconds {
        let left = asker.deadline - service.clock.now
        guard !isTimeVirtual() else { return left }
        let due = deadlines[asker.id] ?? service.loop.now + min(max(left, 0), Limits.requestDeadlineMax)
        deadlines[asker.id] = due
        return due - service.loop.now
    }

    /// One timer for the earliest deadline of all waiting requests.
    /// - Parameter earliest: time from now; it does not fire before, however long the deadline is over.
    func armDeadline(earliest: Milliseconds = 0) {
        cancelDeadlineTimer?()
        cancelDeadlineTimer = nil
        let next: Milliseconds?
        do {
            let waiting = try askers.waiting()
            // An end that is not committed yet may be undone.
            if !service.database.batchIsOpen {
                let ids = Set(waiting.map(\.id))
                deadlines = deadlines.filter { ids.contains($0.key) }
            }
            next = waiting.map(left).min().map { max($0, earliest) }
        } catch {
            service.noteDamage(error)
            service.log.error("reading the waiting requests failed", [("error", .name(of: error))])
            next = Service.retryPause
        }
        guard let next else { return }
        let fire: @LoopActor @Sendable () -> Void = { [weak self] in
            self?.cancelDeadlineTimer = nil
            self?.endOverdue()
        }
        if isTimeVirtual() {
            let timer = service.clock.at(service.clock.now + max(next, 0), fire)
            cancelDeadlineTimer = { [weak self] in self?.service.clock.cancel(timer) }
        } else {
            let timer = service.loop.after(max(next, 0), fire)
            cancelDeadlineTimer = { [weak self] in self?.service.loop.cancel(timer) }
        }
    }

    /// Nobody answered: the waiting requests end with an error, and a question without waiting requests is
    /// withdrawn.
    private func endOverdue() {
        do {
            for waiting in try askers.waiting() where left(waiting) <= 0 {
                guard let asker = try askers.find(caller: waiting.caller, key: waiting.key) else { continue }
                try service.transact(trace: TraceContext(asker.traceparent)) { transaction in
                    try end(asker, .failure(Refusal.noAnswer), transaction)
                    guard try askers.waiting(authorization: asker.authorization).isEmpty,
                        let asked = try authorizations.find(id: asker.authorization), asked.pending
                    else { return }
                    try endAsking(asked, .failure(Refusal.noAnswer), transaction)
                }
            }
        } catch {
            service.noteDamage(error)
            service.log.error("ending unanswered requests failed", [("error", .name(of: error))])
            // At once it would fail again, and again.
            return armDeadline(earliest: Service.retryPause)
        }
        armDeadline()
    }
}
