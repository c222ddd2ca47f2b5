internal import CAccept
import Contract
internal import CZeroMQ
import Glibc
import Loop
import Units

/// Reports failed connections of a bound socket, as counted in `accept4` (`Shared/Service/Accept`): peers
/// that did not complete a handshake (bytes that are not ZMTP, silence, a forbidden name), connections over a
/// limit, and forbidden subscriptions.
@LoopActor final class ConnectionWatch {
    private let monitor: Socket
    private var token: Reactor.Token?
    private var timer: TimerToken?
    /// Whether more connections arrived since the timer was set.
    private var othersCame = false
    /// Identifies the listening socket for the `accept_…` functions; 0 when closed.
    private(set) var listener: Int32 = 0
    private let failed: @LoopActor (RefusalReason, _ whose: String) -> Void
    /// Called with the former descriptor of a connection that has ended.
    var onEnd: (@LoopActor (_ descriptor: Int32) -> Void)?

    /// Never freed: libzmq's threads accept connections as long as the process lives.
    private static let ownPrefix = UnsafePointer(strdup(Topic.sync))

    /// Twice the longest handshake (ZMQ_HANDSHAKE_IVL, 1 s).
    private static let settled: Milliseconds = 2_000
    /// Forbidden subscriptions that are counted per report; the exact size of a flood does not matter.
    private static let reportedMax: UInt32 = 10_000
    private static let ends = ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL

    /// The owner of `socket` must call `stopMonitoring` on it before it releases this object.
    /// - Parameters:
    ///   - path: the path at which `socket` will be bound.
    ///   - topics: topics and topic prefixes that peers may subscribe to; nil if `socket` publishes nothing.
    ///   - failed: called immediately for a connection over a limit and for a disconnected peer; called 2 s
    ///     after a connection arrived for missing handshakes and forbidden subscriptions.
    init(
        _ socket: borrowing Socket, at path: String, topics: [String]? = nil,
        failed: @escaping @LoopActor (RefusalReason, _ whose: String) -> Void
    ) throws(SocketError) {
        self.failed = failed
        accept_limit_prepare(
            accept_limits(
                peer: UInt32(Limits.connectionsPerProcessMax), total: UInt32(Limits.connectionsMax),
                descriptors_kept: UInt32(Limits.descriptorsKept),
                own_topics: UInt32(Limits.syncTopicsMax),
                message_bytes: UInt64(2 * Limits.messageBytesMax), own_prefix: Self.ownPrefix))
        monitor = try Socket(.pair)
        let endpoint = "inproc://connections.\(freshID())"
        try socket.monitor(
            endpoint, events: ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_ACCEPT_FAILED | Self.ends)
        try monitor.connect(endpoint)
        if let topics {
            let texts = topics.map { Array($0.utf8CString) }.reduce([], +) + [0]
            listener = accept_open_endpoint(path, texts)
        } else {
            listener = accept_open_endpoint(path, nil)
        }
        guard listener != 0 else { throw SocketError("count the connections to \(path)") }
        token = Reactor.shared.watch(socket: monitor) { [weak self] in
            self?.receiveEvents()
        }
    }

    isolated deinit { close() }

    func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
        if let timer { EventLoop.main.cancel(timer) }
        timer = nil
        accept_close_endpoint(listener)
        listener = 0
    }

    private func receiveEvents() {
        var frame = Frame()
        var events: Int32 = 0
        var ended: [Int32] = []
        do {
            while try monitor.receive(&frame) {
                // zmq_socket_monitor(3): the event's number and its value, which is a descriptor here.
                let (event, value) = frame.withBytes {
                    (Int32($0.loadUnaligned(as: UInt16.self)),
                        $0.loadUnaligned(fromByteOffset: 2, as: Int32.self))
                }
                try monitor.skipRest(after: &frame)
                events |= event
                if event == ZMQ_EVENT_DISCONNECTED { ended.append(value) }
                // Only connections refused in `accept4` fail here; it recorded their pid.
                if event == ZMQ_EVENT_ACCEPT_FAILED {
                    failed(.tooManyConnections, "pid \(accept_refused_pid())")
                }
            }
        } catch { return }  // Interrupted by a signal; the next poll retries.
        if events & ZMQ_EVENT_ACCEPTED != 0 { expectGreetings() }
        guard events & Self.ends != 0 else { return }
        tell(looksForClosed: false)
        for descriptor in ended { onEnd?(descriptor) }
    }

    private func expectGreetings() {
        guard timer == nil else {
            othersCame = true
            return
        }
        timer = EventLoop.main.after(Self.settled) { [weak self] in
            guard let self else { return }
            timer = nil
            tell(looksForClosed: true)
            if othersCame { expectGreetings() }
            othersCame = false
        }
    }

    private func tell(looksForClosed: Bool) {
        let report = accept_take_report(listener, looksForClosed ? 1 : 0)
        for _ in 0..<report.ungreeted { failed(.malformedHandshake, "pid \(report.pid)") }
        for _ in 0..<report.crowded { failed(.tooManyConnections, "pid \(report.pid)") }
        for _ in 0..<report.overrun { failed(.tooManySubscriptions, "pid \(report.pid)") }
        for _ in 0..<min(report.unknown, Self.reportedMax) {
            failed(.malformedSubscription, "pid \(report.pid)")
        }
        for _ in 0..<report.overlong { failed(.tooLong, "pid \(report.pid)") }
    }
}
