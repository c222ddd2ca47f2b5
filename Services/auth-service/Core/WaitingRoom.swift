import Contract
import Loop

/// The callers in this process that wait for an answer. The store knows which requests wait; this type only
/// knows where to send the answers.
@LoopActor struct WaitingRoom {
    typealias Answer = Result<AuthorizationRequest.Result, ServiceError>

    private var ways: [String: [Once<Answer>]] = [:]

    /// A repeated request waits beside the first.
    mutating func enter(_ id: String, _ way: Once<Answer>) { ways[id, default: []].append(way) }

    /// Removes one caller; the stored request stays, since the caller may repeat it with the same key.
    /// - Returns: whether other callers still wait for it.
    mutating func leave(_ id: String, _ way: Once<Answer>) -> Bool {
        ways[id]?.removeAll { $0 === way }
        if ways[id]?.isEmpty == true { ways[id] = nil }
        return ways[id] != nil
    }

    mutating func call(_ id: String, _ answer: Answer) {
        for way in ways.removeValue(forKey: id) ?? [] { way.call(answer) }
    }
}
