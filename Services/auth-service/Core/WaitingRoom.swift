import Bus
import Contract

/// The requests whose callers wait for an answer in this very process. The store knows who waits; here are
/// only the ways back.
@BusActor struct WaitingRoom {
    typealias Answer = Result<AuthorizationRequest.Result, ServiceError>

    private var continuations: [String: [CheckedContinuation<Answer, Never>]] = [:]

    /// A repeat of a request waits beside the first.
    mutating func enter(_ id: String, _ continuation: CheckedContinuation<Answer, Never>) {
        continuations[id, default: []].append(continuation)
    }

    mutating func call(_ id: String, _ answer: Answer) {
        for continuation in continuations.removeValue(forKey: id) ?? [] {
            continuation.resume(returning: answer)
        }
    }
}
