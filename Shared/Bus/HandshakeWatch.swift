internal import CAccept
internal import CZeroMQ
import Contract

/// A connection that did not come about.
struct FailedHandshake {
    var reason: RefusalReason
    /// Which process it was of, where that is known.
    var detail: String?
}

/// Counts connections to a bound socket that ended before they had greeted: bytes that are not ZMTP,
/// silence, a peer that left; and those that were closed at once, because there was no room for them. libzmq
/// tells of each begun and each completed handshake, not of each failed one (a greeting followed by garbage
/// ends without a word), so what is missing when all have had their time has failed.
@BusActor final class HandshakeWatch {
    private let monitor: Socket
    private var token: Reactor.Token?
    private var timer: TimerToken?
    private var open = 0
    private let failed: @BusActor (FailedHandshake) -> Void

    /// How long a handshake may last (ZMQ_HANDSHAKE_IVL, 1 s), and as much again.
    private static let settledMs: Int64 = 2_000

    /// The owner of `socket` calls `stopMonitoring` on it before this object goes.
    /// - Parameter failed: called once per connection without room at once, and once per failed handshake
    ///   2 s after the last connection came.
    init(
        _ socket: borrowing Socket, failed: @escaping @BusActor (FailedHandshake) -> Void
    ) throws(SocketError) {
        self.failed = failed
        accept_limit_prepare(
            accept_limits(
                peer: UInt32(Limits.connectionsPerProcessMax), total: UInt32(Limits.connectionsMax),
                descriptors_kept: UInt32(Limits.descriptorsKept)))
        monitor = try Socket(.pair)
        let endpoint = "inproc://handshakes.\(freshID())"
        try socket.monitor(
            endpoint,
            events: ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_ACCEPT_FAILED)
        try monitor.connect(endpoint)
        token = Reactor.shared.watch(socket: monitor.raw) { [weak self] in self?.take() }
    }

    isolated deinit { close() }

    func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
        cancelTimer()
    }

    private func cancelTimer() {
        if let timer { Reactor.shared.cancel(timer) }
        timer = nil
    }

    private func take() {
        var frame = Frame()
        do {
            while try monitor.receive(&frame) {
                let event = frame.withBytes { Int32($0.loadUnaligned(as: UInt16.self)) }
                try monitor.skipRest(after: &frame)
                if event == ZMQ_EVENT_ACCEPT_FAILED {
                    failed(Self.noRoom)
                } else {
                    open = max(0, open + (event == ZMQ_EVENT_ACCEPTED ? 1 : -1))
                }
            }
        } catch { return }  // A signal; the poll comes back to it.
        cancelTimer()
        guard open > 0 else { return }
        timer = Reactor.shared.after(milliseconds: Self.settledMs) { [weak self] in self?.settle() }
    }

    private func settle() {
        timer = nil
        let count = open
        open = 0
        for _ in 0..<count { failed(FailedHandshake(reason: .malformedHandshake)) }
    }

    /// Only what was refused in `accept4` fails; who it was stands there.
    private static var noRoom: FailedHandshake {
        FailedHandshake(reason: .tooManyConnections, detail: "pid \(accept_refused_pid())")
    }
}
