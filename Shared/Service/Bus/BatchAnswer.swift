import Contract
import Loop

/// Gathers the answers of a batch; sends them as one array when all are there, in order of completion. What
/// it gathers counts as open: one request of the batch may wait long for its answer, and the others with it.
@LoopActor final class BatchAnswer {
    private var missing: Int
    private var bytes: [UInt8] = []
    /// Why the answers were dropped.
    private var failure: ServiceError?
    private let pid: Int32
    private let open: OpenRequests
    private let send: @LoopActor ([UInt8]) -> Void

    /// Whether what is gathered was dropped: nobody will see another answer of it.
    var isRefused: Bool { failure != nil }

    init(
        expected: Int, pid: Int32, open: OpenRequests, send: @escaping @LoopActor ([UInt8]) -> Void
    ) {
        missing = expected
        self.pid = pid
        self.open = open
        self.send = send
    }

    func add(_ answer: [UInt8]) {
        missing -= 1
        if failure == nil { failure = gather(answer) }
        if failure != nil { drop() }
        sendWhenComplete()
    }

    /// So many requests of it are not handled, and have no answer.
    func skip(_ count: Int) {
        guard count > 0 else { return }
        missing -= count
        sendWhenComplete()
    }

    private func sendWhenComplete() {
        guard missing == 0 else { return }
        let answers = bytes + [UInt8(ascii: "]")]
        drop()
        send(failure.map { RequestParser.refusal(nil, $0) } ?? answers)
    }

    private func gather(_ answer: [UInt8]) -> ServiceError? {
        // With the bracket or comma that precedes it, and the bracket at the end.
        guard bytes.count + answer.count + 2 <= Limits.messageBytesMax else { return Self.tooLong }
        if let refusal = open.keep(answer.count + 1, of: pid) { return refusal }
        bytes.append(UInt8(ascii: bytes.isEmpty ? "[" : ","))
        bytes += answer
        return nil
    }

    private func drop() {
        open.letGo(bytes.count, of: pid)
        bytes = []
    }

    private static let tooLong = ServiceError(
        .limitExceeded,
        "the answers of the batch have more than \(Limits.messageBytesMax) bytes together",
        remedy: "Ask for less at once. What of the batch came later was not done; what came before stays.")
}
