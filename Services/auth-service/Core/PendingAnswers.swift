import Contract
import Loop

/// The callers in this process that wait for an answer. The store knows which requests wait; this type only
/// knows where to send the answers.
@LoopActor struct PendingAnswers {
    typealias Answer = Result<AuthorizationRequest.Result, ServiceError>

    private var callers: [String: [Once<Answer>]] = [:]
    /// The authorization that each of them waits for.
    private var authorizations: [String: String] = [:]

    /// A repeated request waits beside the first.
    mutating func enter(_ asker: Asker, _ caller: Once<Answer>) {
        callers[asker.id, default: []].append(caller)
        authorizations[asker.id] = asker.authorization
    }

    /// Removes one caller; the stored request stays, since the caller may repeat it with the same key.
    /// - Returns: whether other callers still wait for the same authorization.
    mutating func leave(_ asker: Asker, _ caller: Once<Answer>) -> Bool {
        callers[asker.id]?.removeAll { $0 === caller }
        if callers[asker.id]?.isEmpty == true {
            callers[asker.id] = nil
            authorizations[asker.id] = nil
        }
        return authorizations.values.contains(asker.authorization)
    }

    mutating func call(_ id: String, _ answer: Answer) {
        authorizations[id] = nil
        for caller in callers.removeValue(forKey: id) ?? [] { caller.call(answer) }
    }
}
