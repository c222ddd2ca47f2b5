internal import Bus
internal import Contract
internal import Loop
internal import Store

/// Running writes that take more than one turn, by caller and idempotency key, with all callers that wait for
/// their answers.
@LoopActor final class UnderwayWrites {
    typealias Answer = @LoopActor (Result<[UInt8], ServiceError>) -> Void

    private struct Key: Hashable {
        var caller: String
        var key: String
        init(_ request: Answers.Request) { (caller, key) = (request.caller, request.key) }
    }
    private struct Underway {
        var request: Answers.Request
        var answer: Answer
        /// Answers to repeats, by number; each ends with its own connection.
        var repeats: [Int: (answer: Answer, open: OpenRequest?)] = [:]
    }
    private var all: [Key: Underway] = [:]
    private var nextNumber = 0

    nonisolated init() {}

    /// - Parameter open: the received request; a repeat ends with its connection.
    /// - Returns: false if the same request is running; `answer` then gets its result.
    /// - Throws: `idempotencyConflict` if another request with the same key is running.
    func begin(
        _ request: Answers.Request, _ open: OpenRequest?, _ answer: @escaping Answer
    ) throws(ServiceError) -> Bool {
        let key = Key(request)
        guard let running = all[key] else {
            all[key] = Underway(request: request, answer: answer)
            return true
        }
        guard running.request == request else { throw .keyOfAnother }
        let number = nextNumber
        nextNumber += 1
        all[key]?.repeats[number] = (answer, open)
        open?.suspend { [weak self] error in
            guard self?.all[key]?.repeats.removeValue(forKey: number) != nil else { return }
            answer(.failure(error))
        }
        return false
    }

    /// Checks the key of a write that takes one turn and is therefore not registered here.
    /// - Throws: `idempotencyConflict` if a running write has the same key.
    func refuseKey(of request: Answers.Request) throws(ServiceError) {
        guard all[Key(request)] == nil else { throw .keyOfAnother }
    }

    func end(_ request: Answers.Request, _ result: Result<[UInt8], ServiceError>) {
        guard let ended = all.removeValue(forKey: Key(request)) else { return }
        ended.answer(result)
        for (_, waiting) in ended.repeats {
            waiting.open?.resume()
            waiting.answer(result)
        }
    }
}

extension ServiceError {
    static func withoutKey(_ method: String) -> ServiceError {
        ServiceError(
            .invalidRequest, "\(method) changes state and needs an idempotency_key",
            remedy:
                "Send any text that is unique to this attempt, and the same text when you repeat it.")
    }

    static var keyOfAnother: ServiceError {
        ServiceError(
            .idempotencyConflict, "the idempotency_key was used for another request",
            remedy: "Use a new key for each new request.")
    }
}
