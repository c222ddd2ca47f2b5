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

    /// A process, or all that the kernel does not name together, with connections that have messages.
    @LoopActor fileprivate final class Turn {
        /// Process id; 0 for all that the kernel does not name.
        let process: Int32
        /// The next one first.
        var lines: [Line] = []

        init(_ process: Int32) { self.process = process }
    }

    /// The messages of one connection.
    @LoopActor final class Line {
        let identity: [UInt8]
        /// Nil while there are no messages.
        fileprivate var turn: Turn?
        fileprivate var messages: [Message] = []
        /// Number of leading messages that are handled.
        fileprivate var done = 0
        /// The unhandled rest of the first message, if that is a batch.
        var batch: BatchInProgress?

        fileprivate init(_ identity: [UInt8]) { self.identity = identity }

        var first: Message? { done < messages.count ? messages[done] : nil }
    }

    /// Those with messages, and the recent one.
    private var lines: [[UInt8]: Line] = [:]
    /// The connection of the last message: many messages in a row come over the same one.
    private var recent: Line?
    private var turns: [Int32: Turn] = [:]
    private var round: [Turn] = []
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
        let line = line(message.route.identity)
        if line.turn == nil { begin(line, message.peer) }
        line.messages.append(message)
        return nil
    }

    private func line(_ identity: [UInt8]) -> Line {
        if let recent, recent.identity == identity { return recent }
        if let recent, recent.turn == nil { lines[recent.identity] = nil }
        let line = lines[identity] ?? Line(identity)
        lines[identity] = line
        recent = line
        return line
    }

    /// The first message of `line` arrives.
    private func begin(_ line: Line, _ peer: Peer) {
        let process = peer.isGone ? 0 : peer.pid
        let turn = turns[process] ?? Turn(process)
        if turn.lines.isEmpty {
            turns[process] = turn
            round.append(turn)
        }
        turn.lines.append(line)
        line.turn = turn
    }

    /// The connection whose turn it is; it moves to the end of the round. It has at least one message.
    func next() -> Line? {
        guard let turn = round.first, let line = turn.lines.first else { return nil }
        if turn.lines.count > 1 { turn.lines.append(turn.lines.removeFirst()) }
        if round.count > 1 { round.append(round.removeFirst()) }
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
        if line !== recent { lines[line.identity] = nil }
        line.messages.removeAll(keepingCapacity: line.messages.count <= Self.messagesPerTurnMax)
        line.done = 0
        line.batch = nil
        guard let turn = line.turn else { return }
        line.turn = nil
        turn.lines.removeAll { $0 === line }
        guard turn.lines.isEmpty else { return }
        turns[turn.process] = nil
        round.removeAll { $0 === turn }
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
