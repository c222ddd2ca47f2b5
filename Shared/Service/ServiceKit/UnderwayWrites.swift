internal import Bus
internal import Contract
internal import Loop
internal import Store

/// Writes that take more than a turn, by caller and idempotency key, with all who wait for their answers.
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
        /// Of those that came again, by their numbers; each lives as long as its own connection.
        var repeats: [Int: (answer: Answer, open: OpenRequest?)] = [:]
    }
    private var all: [Key: Underway] = [:]
    private var nextNumber = 0

    nonisolated init() {}

    /// - Parameter open: the request that came, which ends with its connection when it is a repeat.
    /// - Returns: false: the same is underway, and `answer` gets what that one will get.
    /// - Throws: `idempotencyConflict` when another request of the same key is underway.
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
        open?.waits { [weak self] error in
            guard self?.all[key]?.repeats.removeValue(forKey: number) != nil else { return }
            answer(.failure(error))
        }
        return false
    }

    /// For a write that takes no more than a turn, and so is none of those that are underway.
    /// - Throws: `idempotencyConflict` when one of the same key is underway.
    func refuseKey(of request: Answers.Request) throws(ServiceError) {
        guard all[Key(request)] == nil else { throw .keyOfAnother }
    }

    func end(_ request: Answers.Request, _ result: Result<[UInt8], ServiceError>) {
        guard let ended = all.removeValue(forKey: Key(request)) else { return }
        ended.answer(result)
        for (_, waiting) in ended.repeats {
            waiting.open?.goesOn()
            waiting.answer(result)
        }
    }
}

extension ServiceError {
    static func withoutKey(_ method: String) -> ServiceError {
        ServiceError(
            .invalidRequest, "\(method) changes state and needs an idempotency_key",
            remedy:
                "Send any text that is unique to this attempt, and the same one again when you repeat it.")
    }

    static var keyOfAnother: ServiceError {
        ServiceError(
            .idempotencyConflict, "the idempotency_key was used for another request",
            remedy: "Use a fresh key for each new request.")
    }
}
