import Contract
internal import Loop

/// The request for the head of a source's log: a subscription to `~sync.<id>`, which the source answers
/// there. The answer can be lost like any message, so the request is repeated until it comes. Answers to
/// earlier requests may still be under way; they have another id. Whoever owns it cancels it at its end.
@LoopActor final class HeadRequest {
    private let socket: any SubscriberSocket
    private let loop: EventLoop
    private var topic = ""
    private var timer: TimerToken?
    /// Number of requests since the last answer.
    private var unanswered = 0

    init(_ socket: any SubscriberSocket, _ loop: EventLoop) {
        self.socket = socket
        self.loop = loop
    }

    /// Asks under a new id.
    func send() throws(SocketError) {
        if !topic.isEmpty { try socket.setSubscribed(topic, false) }
        topic = Topic.sync + TraceContext.hexText(freshID())
        try socket.setSubscribed(topic, true)
    }

    /// Asks again under the same id: an answer to any of the repetitions will do.
    func `repeat`() throws(SocketError) {
        try socket.setSubscribed(topic, false)
        try socket.setSubscribed(topic, true)
    }

    /// Whether a message with this topic answers the last request.
    func isAnswer(_ other: UnsafeRawBufferPointer) -> Bool { other.elementsEqual(topic.utf8) }

    /// Calls `overdue` if no answer comes in time.
    func wait(overdue: @escaping @LoopActor () -> Void) {
        cancel()
        timer = loop.after(Limits.syncRetry, overdue)
    }

    func cancel() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    /// An answer came, or the connection ended and none can come.
    func end() {
        unanswered = 0
        cancel()
    }

    /// Counts a request that was not answered.
    /// - Returns: whether the source is silent for so long that somebody has to know.
    func missed() -> Bool {
        unanswered += 1
        return unanswered >= Limits.syncRetriesMax
    }
}
