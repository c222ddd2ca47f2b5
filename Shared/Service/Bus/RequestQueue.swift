import Contract
import Loop
import Units

/// Messages that were received and wait for their turn. Processes go round, one request each, and of each its
/// connections, so that what one asks for does not keep the others waiting; the requests of one connection
/// stay in their order.
@LoopActor final class RequestQueue {
    struct Message {
        var bytes: [UInt8]
        var route: Route
        var peer: Peer
        /// Monotonic clock, milliseconds: deadlines count from here.
        var received: Milliseconds

        /// What it keeps here.
        fileprivate var kept: Int { bytes.count + OpenRequest.envelopeBytes }
    }

    /// The messages of one connection.
    @LoopActor final class Line {
        let identity: [UInt8]
        /// Whose turn it takes; 0: of all that the kernel does not name any more.
        fileprivate let process: Int32
        fileprivate var messages: [Message] = []
        /// How many of them are done.
        fileprivate var done = 0
        /// The requests of the first message that are left, when it is a batch.
        var batch: BatchInProgress?

        fileprivate init(_ identity: [UInt8], _ process: Int32) {
            self.identity = identity
            self.process = process
        }

        var first: Message? { done < messages.count ? messages[done] : nil }
    }

    private var lines: [[UInt8]: Line] = [:]
    /// Of each process its connections, whose turn it is first.
    private var linesByProcess: [Int32: [Line]] = [:]
    private var round: [Int32] = []
    private var bytesByProcess: [Int32: Int] = [:]
    private(set) var bytes = 0

    var isEmpty: Bool { round.isEmpty }
    /// Messages that should be received in this turn. With much waiting it is one, so that a new peer still
    /// comes in, since libzmq gives the messages of its connections in turn.
    var room: Int {
        if bytes >= Limits.openBytesMax { return 0 }
        return bytes < 8 * Limits.messageBytesMax ? Self.messagesPerTurnMax : 1
    }
    private static let messagesPerTurnMax = 64

    /// - Returns: why there is no room for it; nil: it waits.
    func add(_ message: Message) -> ServiceError? {
        let pid = message.peer.pid
        let own = bytesByProcess[pid, default: 0]
        guard own + message.kept <= Limits.openBytesMax / 2 else {
            return OpenRequests.refusal("one process may fill half of open_bytes_max, \(Limits.openBytesMax)")
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

    /// Whose turn it is; it is the last of the round then. It has a message.
    func next() -> Line? {
        guard let process = round.first, let line = linesByProcess[process]?.removeFirst() else { return nil }
        linesByProcess[process]?.append(line)
        round.removeFirst()
        round.append(process)
        return line
    }

    /// The first message of `line` is done.
    func end(_ line: Line) {
        guard let message = line.first else { return }
        letGo(message)
        line.messages[line.done].bytes = []
        line.batch = nil
        line.done += 1
        if line.done == line.messages.count { return forget(line) }
        // Lets go of what is done, now and then.
        guard line.done >= 1_024, line.done * 2 > line.messages.count else { return }
        line.messages.removeFirst(line.done)
        line.done = 0
    }

    /// - Returns: how many messages it had.
    func drop(_ line: Line) -> Int {
        let left = line.messages[line.done...]
        for message in left { letGo(message) }
        forget(line)
        return left.count
    }

    private func letGo(_ message: Message) {
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

/// A batch of which some requests were handled.
struct BatchInProgress {
    let answer: BatchAnswer
    /// The next one is the last.
    private var entries: [RequestParser.BatchEntry]

    init(_ entries: [RequestParser.BatchEntry], _ answer: BatchAnswer) {
        self.entries = entries.reversed()
        self.answer = answer
    }

    var isEmpty: Bool { entries.isEmpty }
    mutating func next() -> RequestParser.BatchEntry? { entries.popLast() }

    /// Those that are left are not handled: nobody will see their answers.
    @LoopActor mutating func abandon() {
        answer.skip(entries.count(where: { $0.expectsAnswer }))
        entries = []
    }
}
