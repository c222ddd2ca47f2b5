import Contract
import Loop
import Units

/// Received messages that are not handled yet, in two round robins: over processes, and over the connections
/// of each process, one request per turn. A flood from one process therefore does not delay others. Requests
/// of one connection stay in order.
@LoopActor final class RequestQueue {
    struct Message {
        var bytes: [UInt8]
        var route: Route
        var peer: Peer
        /// Monotonic clock, milliseconds. Deadlines count from here.
        var received: Milliseconds

        /// Bytes that it occupies.
        fileprivate var kept: Int { bytes.count + OpenRequest.envelopeBytes }
    }

    /// The messages of one connection.
    @LoopActor final class Line {
        let identity: [UInt8]
        /// The process whose turn this connection uses; 0 for all that the kernel does not name.
        fileprivate let process: Int32
        fileprivate var messages: [Message] = []
        /// Number of leading messages that are handled.
        fileprivate var done = 0
        /// The unhandled rest of the first message, if that is a batch.
        var batch: BatchInProgress?

        fileprivate init(_ identity: [UInt8], _ process: Int32) {
            self.identity = identity
            self.process = process
        }

        var first: Message? { done < messages.count ? messages[done] : nil }
    }

    private var lines: [[UInt8]: Line] = [:]
    /// The connections of each process, the next one first.
    private var linesByProcess: [Int32: [Line]] = [:]
    private var round: [Int32] = []
    private var bytesByProcess: [Int32: Int] = [:]
    private(set) var bytes = 0

    var isEmpty: Bool { round.isEmpty }
    /// Number of messages to receive in this turn. When much is waiting it is 1, so that a new peer is still
    /// received: libzmq takes from its connections in turn.
    var room: Int {
        if bytes >= Limits.openBytesMax { return 0 }
        return bytes < 8 * Limits.messageBytesMax ? Self.messagesPerTurnMax : 1
    }
    private static let messagesPerTurnMax = 64

    /// - Returns: the error if there is no room; nil if the message is queued.
    func add(_ message: Message) -> ServiceError? {
        let pid = message.peer.pid
        let own = bytesByProcess[pid, default: 0]
        guard own + message.kept <= Limits.openBytesMax / 2 else {
            return OpenRequests.refusal("one process may use half of open_bytes_max, \(Limits.openBytesMax)")
        }
        bytesByProcess[pid] = own + message.kept
        bytes += message.kept
        if let line = lines[message.route.identity] {
            line.messages.append(message)
        } else {
            let line = Line(message.route.identity, message.peer.isGone ? 0 : pid)
            line.messages = [message]
            lines[message.route.identity] = line
            if linesByProcess[line.process] == nil { round.append(line.process) }
            linesByProcess[line.process, default: []].append(line)
        }
        return nil
    }

    /// The connection whose turn it is; it moves to the end of the round. It has at least one message.
    func next() -> Line? {
        guard let process = round.first, let line = linesByProcess[process]?.removeFirst() else { return nil }
        linesByProcess[process]?.append(line)
        round.removeFirst()
        round.append(process)
        return line
    }

    /// Removes the first message of `line`, which is handled.
    func end(_ line: Line) {
        guard let message = line.first else { return }
        release(message)
        line.messages[line.done].bytes = []
        line.batch = nil
        line.done += 1
        if line.done == line.messages.count { return forget(line) }
        // Removes handled messages from the front of the array once they are more than half of it.
        guard line.done >= 1_024, line.done * 2 > line.messages.count else { return }
        line.messages.removeFirst(line.done)
        line.done = 0
    }

    /// - Returns: the number of dropped messages.
    func drop(_ line: Line) -> Int {
        let left = line.messages[line.done...]
        for message in left { release(message) }
        forget(line)
        return left.count
    }

    private func release(_ message: Message) {
        bytes -= message.kept
        let left = bytesByProcess[message.peer.pid, default: 0] - message.kept
        bytesByProcess[message.peer.pid] = left == 0 ? nil : left
    }

    private func forget(_ line: Line) {
        lines[line.identity] = nil
        linesByProcess[line.process]?.removeAll { $0 === line }
        guard linesByProcess[line.process]?.isEmpty == true else { return }
        linesByProcess[line.process] = nil
        round.removeAll { $0 == line.process }
    }
}

/// A batch of which some requests are handled.
struct BatchInProgress {
    let answer: BatchAnswer
    /// In reverse order: the next one is the last element.
    private var entries: [RequestParser.BatchEntry]

    init(_ entries: [RequestParser.BatchEntry], _ answer: BatchAnswer) {
        self.entries = entries.reversed()
        self.answer = answer
    }

    var isEmpty: Bool { entries.isEmpty }
    mutating func next() -> RequestParser.BatchEntry? { entries.popLast() }

    /// Discards the remaining requests: nobody will receive their answers.
    @LoopActor mutating func abandon() {
        answer.skip(entries.count(where: { $0.expectsAnswer }))
        entries = []
    }
}
