import Contract
import CPosix
import Glibc
import JSON
import Synchronization
import Time
import Units

/// One connection to a host. Any thread may send; one plain thread reads, writes what the socket did not
/// accept at once, and ends requests at their deadline.
final class LinkStream: Sendable {
    typealias Completion = @Sendable (Result<RawJSON, ServiceError>) -> Void

    /// Callbacks to the owner, all on the stream's thread.
    struct Output: Sendable {
        var request: @Sendable (_ id: Int64, _ method: String, RawJSON?) -> Void
        /// The stream ended: nil if the host closed it, or else how the host violated the protocol.
        var ended: @Sendable (WireError?) -> Void
    }

    private struct Open {
        var due: Milliseconds
        var completion: Completion
    }

    private struct State {
        var nextID: Int64 = 1
        var open: [Int64: Open] = [:]
        var outgoing: [UInt8] = []
        /// Until when the stream's thread sleeps, unless something arrives.
        var sleepsUntil = Milliseconds.max
        var hasEnded = false
    }

    /// Maximum bytes queued for a host that does not read.
    static let outgoingBytesMax = 16 * Wire.messageBytesMax

    private static let atOnce = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

    private let socket: Int32
    private let wake: Int32
    private let output: Output
    private let state = Mutex(State())

    /// - Parameter socket: connected; owned by this object from now on.
    init(socket: Int32, output: Output) {
        self.socket = socket
        self.output = output
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(wake >= 0, "no descriptor left for the link's eventfd")
    }

    deinit {
        close(socket)
        close(wake)
    }

    func start() { PlainThread.start("screentime-link") { self.run() } }

    // MARK: sending

    /// Sends a request; `completion` runs once, on the stream's thread, or on this one if sending fails.
    /// - Returns: the request's id for ``abandon(_:_:)``.
    @discardableResult
    func send(
        _ method: String, _ params: RawJSON, deadline: Milliseconds, _ completion: @escaping Completion
    ) -> Int64 {
        let due = MonotonicClock.now + deadline
        let (id, refusal, mustWake) = state.withLock { state -> (Int64, ServiceError?, Bool) in
            let id = state.nextID
            state.nextID += 1
            guard !state.hasEnded else { return (id, LinkError.hostGone, false) }
            let message = WireMessage.request(id, method, params, deadline: Self.hosts(of: deadline))
            if let refusal = Self.refusal(of: message, state) { return (id, refusal, false) }
            state.open[id] = Open(due: due, completion: completion)
            write(Wire.frame(message), &state)
            return (id, nil, !state.outgoing.isEmpty || due < state.sleepsUntil)
        }
        if let refusal { completion(.failure(refusal)) }
        if mustWake { wakeThread() }
        return id
    }

    /// The host's deadline is slightly earlier than the program's, because it knows which service did not
    /// answer, and why.
    private static func hosts(of deadline: Milliseconds) -> Milliseconds {
        deadline - min(deadline / 2, 1_000)
    }

    private static func refusal(of message: [UInt8], _ state: State) -> ServiceError? {
        guard message.count <= Wire.messageBytesMax else {
            return ServiceError(
                .messageTooLong, "a request of \(message.count) bytes; the limit is \(Wire.messageBytesMax)",
                remedy: "Split it.")
        }
        guard state.outgoing.count <= outgoingBytesMax else {
            return ServiceError(
                .tooManyRequests, "\(state.outgoing.count) bytes are queued for a host that does not read",
                remedy: "Wait for some answers first.")
        }
        return nil
    }

    func answer(_ id: Int64, _ result: Result<RawJSON, ServiceError>) {
        var message = WireMessage.answer(id, result)
        if message.count > Wire.messageBytesMax {
            message = WireMessage.answer(
                id,
                .failure(
                    ServiceError(
                        .messageTooLong,
                        "an answer of \(message.count) bytes; the limit is \(Wire.messageBytesMax)",
                        remedy: "Send a shorter answer.")))
        }
        let mustWake = state.withLock { state in
            guard !state.hasEnded else { return false }
            write(Wire.frame(message), &state)
            return !state.outgoing.isEmpty
        }
        if mustWake { wakeThread() }
    }

    /// Ends a request for its caller; a later answer is dropped.
    func abandon(_ id: Int64, _ reason: ServiceError) {
        let open = state.withLock { $0.open.removeValue(forKey: id) }
        open?.completion(.failure(reason))
    }

    /// Writes what the socket accepts now, and queues the rest.
    private func write(_ bytes: [UInt8], _ state: inout State) {
        state.outgoing += bytes
        flush(&state)
    }

    private func flush(_ state: inout State) {
        while !state.outgoing.isEmpty {
            let count = state.outgoing.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Self.atOnce)
            }
            if count < 0, errno == EINTR { continue }
            // EAGAIN waits for room; reading reports any other error.
            guard count > 0 else { return }
            state.outgoing.removeFirst(count)
        }
    }

    private func wakeThread() {
        var one: UInt64 = 1
        // Fails only if the counter is full, in which case the thread is awake already.
        _ = Glibc.write(wake, &one, 8)
    }

    // MARK: the stream's thread

    private func run() {
        var frames = FrameReader()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            pollOnce()
            endOverdue()
            do throws(WireError) {
                guard try receive(&frames, &buffer) else { return end(nil) }
            } catch {
                return end(error)
            }
        }
    }

    private func pollOnce() {
        let (events, timeout) = state.withLock { state -> (Int32, Milliseconds) in
            state.sleepsUntil = state.open.values.map(\.due).min() ?? .max
            let out = state.outgoing.isEmpty ? 0 : POLLOUT
            let left = state.sleepsUntil == .max ? -1 : max(0, state.sleepsUntil - MonotonicClock.now)
            return (POLLIN | out, left)
        }
        var items = [
            pollfd(fd: socket, events: Int16(events), revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&items, 2, Int32(clamping: timeout.count))
        if items[1].revents != 0 {
            var count: UInt64 = 0
            // There may be nothing to read; only the wake-up matters.
            _ = read(wake, &count, 8)
        }
        state.withLock { flush(&$0) }
    }

    private func endOverdue() {
        let now = MonotonicClock.now
        let overdue = state.withLock { state in
            guard now >= state.sleepsUntil else { return [Open]() }
            let ids = state.open.filter { $0.value.due <= now }.keys
            return ids.compactMap { state.open.removeValue(forKey: $0) }
        }
        for open in overdue { open.completion(.failure(LinkError.late)) }
    }

    /// Returns false at the end of the stream.
    private func receive(_ frames: inout FrameReader, _ buffer: inout [UInt8]) throws(WireError) -> Bool {
        while true {
            let count = recv(socket, &buffer, buffer.count, Self.atOnce)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return true }
            guard count > 0 else { return false }
            frames.append(buffer[..<count])
            while let message = try frames.next() { try receive(message) }
        }
    }

    private func receive(_ message: [UInt8]) throws(WireError) {
        switch try WireMessage.read(message) {
        case .request(let id, let method, let params, _): output.request(id, method, params)
        case .answer(let id, let result):
            let (open, wasSent) = state.withLock { state in
                (state.open.removeValue(forKey: id), (1..<state.nextID).contains(id))
            }
            guard wasSent else { throw WireError("an answer to a request that was not sent") }
            // Nobody waits for an answer after its deadline.
            open?.completion(result)
        }
    }

    private func end(_ error: WireError?) {
        let open = state.withLock { state in
            state.hasEnded = true
            state.outgoing = []
            defer { state.open = [:] }
            return Array(state.open.values)
        }
        for open in open { open.completion(.failure(LinkError.hostGone)) }
        output.ended(error)
    }
}

/// Errors of the link itself.
enum LinkError {
    static let late = ServiceError(
        .deadlineExceeded, "there was no answer before the deadline",
        remedy: "A write may be done: read the present state before writing again; see `screentime status`."
    )
    static let hostGone = ServiceError(
        .unavailable, "the connection to the system was closed",
        remedy: "Try again; see `screentime status`.")
}
