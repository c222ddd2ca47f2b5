import Contract
import Loop

/// The requests whose callers wait for an answer in this very process. The store knows who waits; here are
/// only the ways back.
@LoopActor struct WaitingRoom {
    typealias Answer = Result<AuthorizationRequest.Result, ServiceError>

    private var ways: [String: [Once<Answer>]] = [:]

    /// A repeat of a request waits beside the first.
    mutating func enter(_ id: String, _ way: Once<Answer>) { ways[id, default: []].append(way) }

    /// Its place stays: the caller may ask again, with the same key.
    /// - Returns: whether others wait there still.
    mutating func leave(_ id: String, _ way: Once<Answer>) -> Bool {
        ways[id]?.removeAll { $0 === way }
        if ways[id]?.isEmpty == true { ways[id] = nil }
        return ways[id] != nil
    }

    mutating func call(_ id: String, _ answer: Answer) {
        for way in ways.removeValue(forKey: id) ?? [] { way.tell(answer) }
    }
}
