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
        deadlineTimer.arm()
    }

    /// Nobody answered: the waiting requests end with an error, and a question without waiting requests is
    /// withdrawn.
    func endOverdue() {
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
            return deadlineTimer.armAfterPause()
        }
        deadlineTimer.arm()
    }
}
