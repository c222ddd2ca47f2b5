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
        } catch {
            throw ServiceError(error)
        }
        withdrawQuestions()
        armDeadline()
    }

    /// One timer for the earliest deadline of all waiting requests.
    /// - Parameter earliest: it does not fire before, however long the deadline is over.
    func armDeadline(earliest: Instant = .min) {
        var next: Instant?
        do { next = try askers.nextDeadline().map { max($0, earliest) } } catch {
            service.log.error("reading the waiting requests failed", [("error", .text(error.kind.rawValue))])
            next = service.clock.now + AuthLimits.rollbackPause
        }
        guard next != deadlineTimer?.due else { return }
        deadlineTimer?.cancel()
        deadlineTimer = nil
        guard let next else { return }
        let timer = service.clock.at(next) { [weak self] in
            self?.deadlineTimer = nil
            self?.endOverdue()
        }
        deadlineTimer = (next, { [weak self] in self?.service.clock.cancel(timer) })
    }

    /// Nobody answered: the waiting requests end with an error, and a question without waiting requests is
    /// withdrawn.
    private func endOverdue() {
        do {
            for asker in try askers.overdue(at: service.clock.now) {
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
            return armDeadline(earliest: service.clock.now + AuthLimits.rollbackPause)
        }
        armDeadline()
    }
}
