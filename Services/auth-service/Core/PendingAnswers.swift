import Contract
import Loop

/// The callers in this process that wait for an answer. The store knows which requests wait; this type only
/// knows where to send the answers.
@LoopActor struct PendingAnswers {
    typealias Answer = Result<AuthorizationRequest.Result, ServiceError>

    private var callers: [String: [Once<Answer>]] = [:]

    /// A repeated request waits beside the first.
    mutating func enter(_ id: String, _ caller: Once<Answer>) { callers[id, default: []].append(caller) }

    /// Removes one caller; the stored request stays, since the caller may repeat it with the same key.
    /// - Returns: whether other callers still wait for it.
    mutating func leave(_ id: String, _ caller: Once<Answer>) -> Bool {
        callers[id]?.removeAll { $0 === caller }
        if callers[id]?.isEmpty == true { callers[id] = nil }
        return callers[id] != nil
    }

    func has(_ id: String) -> Bool { callers[id] != nil }

    mutating func call(_ id: String, _ answer: Answer) {
        for caller in callers.removeValue(forKey: id) ?? [] { caller.call(answer) }
    }
}
