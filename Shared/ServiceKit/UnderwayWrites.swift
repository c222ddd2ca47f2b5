internal import Bus
internal import Contract
internal import Store

/// Writes that take more than a turn, by caller and idempotency key, with all who wait for their answers.
@BusActor final class UnderwayWrites {
    typealias Answer = @BusActor (Result<[UInt8], ServiceError>) -> Void

    private struct Key: Hashable {
        var caller: String
        var key: String
    }
    private var waiting: [Key: (request: Answers.Request, answers: [Answer])] = [:]

    nonisolated init() {}

    /// - Returns: false: the same is underway, and `answer` gets what that one will get.
    /// - Throws: `idempotencyConflict` when another request of the same key is underway.
    func begin(_ request: Answers.Request, _ answer: @escaping Answer) throws(ServiceError) -> Bool {
        let key = Key(caller: request.caller, key: request.key)
        guard let running = waiting[key] else {
            waiting[key] = (request, [answer])
            return true
        }
        guard running.request == request else { throw .keyOfAnother }
        waiting[key]?.answers.append(answer)
        return false
    }

    func end(_ request: Answers.Request, _ result: Result<[UInt8], ServiceError>) {
        let all = waiting.removeValue(forKey: Key(caller: request.caller, key: request.key))?.answers ?? []
        for answer in all { answer(result) }
    }
}

extension ServiceError {
    static var keyOfAnother: ServiceError {
        ServiceError(
            .idempotencyConflict, "the idempotency_key was used for another request",
            remedy: "Use a fresh key for each new request.")
    }
}
