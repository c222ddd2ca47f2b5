import Contract
import Loop

/// Collects the answers of one batch in order of completion and sends them as one array when all are there.
/// The collected bytes count as open, because one slow request delays the answers of all others.
@LoopActor final class BatchAnswer {
    private var missing: Int
    private var bytes: [UInt8] = []
    /// Why the collected answers were dropped, if they were.
    private var failure: ServiceError?
    private let pid: Int32
    private let open: OpenRequests
    private let send: @LoopActor ([UInt8]) -> Void

    /// Whether the collected answers were dropped. Later answers of the batch are discarded.
    var isRefused: Bool { failure != nil }

    init(
        expected: Int, pid: Int32, open: OpenRequests, send: @escaping @LoopActor ([UInt8]) -> Void
    ) {
        missing = expected
        self.pid = pid
        self.open = open
        self.send = send
    }

    /// A batch that is not completed, because its peer gets no more answers, counts no longer.
    isolated deinit { drop() }

    func add(_ answer: [UInt8]) {
        missing -= 1
        if failure == nil { failure = gather(answer) }
        if failure != nil { drop() }
        sendWhenComplete()
    }

    /// Counts requests that are not handled and get no answer.
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
        // Includes the bracket or comma before it, and the closing bracket.
        guard bytes.count + answer.count + 2 <= Limits.messageBytesMax else { return Self.tooLong }
        if let refusal = open.keep(answer.count + 1, of: pid) { return refusal }
        bytes.append(UInt8(ascii: bytes.isEmpty ? "[" : ","))
        bytes += answer
        return nil
    }

    private func drop() {
        open.release(bytes.count, of: pid)
        bytes = []
    }

    private static let tooLong = ServiceError(
        .limitExceeded,
        "the answers of the batch have more than \(Limits.messageBytesMax) bytes together",
        remedy: "Send a smaller batch. Of this one only the earlier requests took effect.")
}
