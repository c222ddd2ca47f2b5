import Bus
import Contract
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
            for asker in try askers.waiting() { deadlines[asker.id] = deadline(of: asker) }
        } catch {
            throw ServiceError(error)
        }
        withdrawQuestions()
        armDeadline()
    }

    /// On the loop's clock. Only its row has it after a restart; no request waits longer than one may.
    private func deadline(of asker: Asker) -> Milliseconds {
        let left = asker.deadline - service.clock.now
        return deadlines[asker.id] ?? service.loop.now + min(max(left, 0), Limits.requestDeadlineMax)
    }

    /// One timer for the earliest deadline of all waiting requests.
    /// - Parameter earliest: it does not fire before, however long the deadline is over.
    func armDeadline(earliest: Milliseconds = .min) {
        var next: Milliseconds?
        do { next = try askers.waiting().map(deadline).min().map { max($0, earliest) } } catch {
            service.log.error("reading the waiting requests failed", [("error", .text(error.kind.rawValue))])
            next = service.loop.now + AuthLimits.rollbackPause
        }
        guard next != deadlineTimer?.due else { return }
        if let armed = deadlineTimer { service.loop.cancel(armed.token) }
        deadlineTimer = next.map { due in
            let token = service.loop.after(max(due - service.loop.now, 0)) { [weak self] in
                self?.deadlineTimer = nil
                self?.endOverdue()
            }
            return (due, token)
        }
    }

    /// Nobody answered: the waiting requests end with an error, and a question without waiting requests is
    /// withdrawn.
    private func endOverdue() {
        do {
            for asker in try askers.waiting() where deadline(of: asker) <= service.loop.now {
                try service.transact(trace: TraceContext(asker.traceparent)) { transaction in
                    try end(asker, .failure(Refusal.noAnswer), transaction)
                    guard try askers.waiting(authorization: asker.authorization).isEmpty,
                        let asked = try authorizations.find(id: asker.authorization), asked.pending
                    else { return }
                    try endAsking(asked, .failure(Refusal.noAnswer), transaction)
                }
            }
        } catch {
            service.log.error("ending unanswered requests failed")
            // At once it would fail again, and again.
            return armDeadline(earliest: service.loop.now + AuthLimits.rollbackPause)
        }
        armDeadline()
    }
}
