import Contract
internal import CZeroMQ
import Glibc
import Units

/// A libzmq call that failed: what was tried, and the errno with its words.
package struct SocketError: Error, Equatable, Sendable {
    package var attempt: String
    package var number: Int32

    /// Reads errno; must be the first call after the one that failed.
    init(_ attempt: String) {
        number = zmq_errno()
        self.attempt = attempt
    }
    package var message: String { "\(attempt): \(String(cString: zmq_strerror(number)))" }
}

/// The one libzmq context of the process. It lives as long as the process: sockets are closed by their
/// owners.
enum Context {
    // zmq(3): "ØMQ contexts are thread safe and may be shared among as many application threads as
    // necessary".
    nonisolated(unsafe) static let shared: UnsafeMutableRawPointer = {
        guard let context = zmq_ctx_new() else { preconditionFailure("libzmq has no memory for a context") }
        zmq_ctx_set(context, ZMQ_BLOCKY, 0)
        return context
    }()
}

/// One libzmq socket, used and closed by one owner on one thread. Options that every socket of ours has are
/// set on purpose: linger 0, message size and queue bounded, a handshake that must finish within a second.
struct Socket: ~Copyable {
    enum Kind {
        case dealer, router, subscriber, publisher, pair
        var number: Int32 {
            switch self {
            case .dealer: ZMQ_DEALER
            case .router: ZMQ_ROUTER
            case .subscriber: ZMQ_SUB
            case .publisher: ZMQ_XPUB
            case .pair: ZMQ_PAIR
            }
        }
    }

    let raw: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - queuedMax: messages of one peer that may wait in libzmq, in each direction; `sentMax`: to be sent.
    ///   - bytesMax: a longer frame closes its connection.
    init(
        _ kind: Kind, queuedMax: Int = Limits.queuedMessagesMax, sentMax: Int? = nil,
        bytesMax: Int = Limits.messageBytesMax
    ) throws(SocketError) {
        guard let opened = zmq_socket(Context.shared, kind.number) else {
            throw SocketError("open a \(kind) socket")
        }
        do throws(SocketError) {
            for (option, value) in Self.options(kind, queuedMax, sentMax ?? queuedMax) {
                try Self.set(opened, option, value)
            }
            var bytesMax = Int64(bytesMax)
            guard zmq_setsockopt(opened, ZMQ_MAXMSGSIZE, &bytesMax, MemoryLayout<Int64>.size) == 0 else {
                throw SocketError("bound the message size")
            }
        } catch {
            zmq_close(opened)
            throw error
        }
        raw = opened
    }

    private static func options(_ kind: Kind, _ queuedMax: Int, _ sentMax: Int) -> [(Int32, Int32)] {
        let common = [
            (ZMQ_LINGER, 0), (ZMQ_SNDHWM, Int32(sentMax)), (ZMQ_RCVHWM, Int32(queuedMax)),
            (ZMQ_HANDSHAKE_IVL, 1_000), (ZMQ_RECONNECT_IVL, 10), (ZMQ_RECONNECT_IVL_MAX, 500),
        ]
        switch kind {
        // Without it requests queue for a dead server and reach its successor stale.
        case .dealer: return common + [(ZMQ_IMMEDIATE, 1)]
        // Without it an answer to a peer that left is dropped in silence.
        case .router: return common + [(ZMQ_ROUTER_MANDATORY, 1)]
        // Every subscription is shown to us, with the kernel's word on its sender, before it counts.
        case .publisher: return common + [(ZMQ_XPUB_MANUAL, 1)]
        case .subscriber, .pair: return common
        }
    }

    private static func set(
        _ raw: UnsafeMutableRawPointer, _ option: Int32, _ value: Int32
    ) throws(SocketError) {
        var value = value
        guard zmq_setsockopt(raw, option, &value, MemoryLayout<Int32>.size) == 0 else {
            throw SocketError("set socket option \(option)")
        }
    }

    func set(_ option: Int32, _ bytes: [UInt8]) throws(SocketError) {
        guard zmq_setsockopt(raw, option, bytes, bytes.count) == 0 else {
            throw SocketError("set socket option \(option)")
        }
    }

    deinit { zmq_close(raw) }

    func bind(_ endpoint: String) throws(SocketError) {
        guard zmq_bind(raw, endpoint) == 0 else { throw SocketError("bind \(endpoint)") }
    }

    func connect(_ endpoint: String) throws(SocketError) {
        guard zmq_connect(raw, endpoint) == 0 else { throw SocketError("connect to \(endpoint)") }
    }

    /// Publishes connection events on an inproc endpoint (zmq_socket_monitor(3)).
    func monitor(_ endpoint: String, events: Int32) throws(SocketError) {
        guard zmq_socket_monitor(raw, endpoint, events) == 0 else { throw SocketError("monitor \(endpoint)") }
    }

    /// Ends `monitor`. Must come before the reader of those events closes: libzmq's own thread writes them
    /// without a time limit, and without a reader it would stand still, with every socket of the process.
    func stopMonitoring() { zmq_socket_monitor(raw, nil, 0) }

    /// Becomes readable whenever libzmq has news for this socket, also of room to send (zmq_getsockopt(3),
    /// ZMQ_FD). It is libzmq's.
    func newsDescriptor() throws(SocketError) -> Int32 {
        var descriptor: Int32 = -1
        var size = MemoryLayout<Int32>.size
        guard zmq_getsockopt(raw, ZMQ_FD, &descriptor, &size) == 0 else {
            throw SocketError("ask for the socket's descriptor")
        }
        return descriptor
    }

    enum Sent { case sent, wouldBlock, noSuchPeer }

    /// Sends one frame without waiting. A multipart message is atomic: only its first frame can block.
    func send(_ bytes: UnsafeRawBufferPointer, more: Bool = false) throws(SocketError) -> Sent {
        let flags = ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0)
        while zmq_send(raw, bytes.baseAddress, bytes.count, flags) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case EHOSTUNREACH: return .noSuchPeer
            default: throw SocketError("send \(bytes.count) bytes")
            }
        }
        return .sent
    }

    func send(_ bytes: [UInt8], more: Bool = false) throws(SocketError) -> Sent {
        var result = Result<Sent, SocketError>.success(.sent)
        bytes.withUnsafeBytes { buffer in
            result = Result { () throws(SocketError) in try send(buffer, more: more) }
        }
        return try result.get()
    }

    /// Sends the last frame of a message without waiting and without a copy of libzmq's own: `held` knows of
    /// its bytes until no peer waits for them any more.
    func send(_ bytes: [UInt8], heldIn held: HeldBytes) throws(SocketError) -> Sent {
        var message = zmq_msg_t()
        let copy = HeldBytes.Copy(bytes, in: held)
        let hint = Unmanaged.passRetained(copy)
        let made = zmq_msg_init_data(
            &message, copy.memory.baseAddress, copy.memory.count,
            { _, hint in
                // The reference that was passed on above; libzmq calls once, from any thread.
                if let hint { Unmanaged<HeldBytes.Copy>.fromOpaque(hint).release() }
            }, hint.toOpaque())
        guard made == 0 else {
            hint.release()
            throw SocketError("make a message of \(bytes.count) bytes")
        }
        while zmq_msg_send(&message, raw, ZMQ_DONTWAIT) < 0 {
            let number = zmq_errno()
            if number == EINTR { continue }
            zmq_msg_close(&message)
            guard number == EAGAIN else { throw SocketError("send \(bytes.count) bytes") }
            return .wouldBlock
        }
        return .sent
    }

    /// Takes the next frame without waiting; false: there is none.
    func receive(_ frame: inout Frame) throws(SocketError) -> Bool {
        while zmq_msg_recv(&frame.message, raw, ZMQ_DONTWAIT) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return false
            default: throw SocketError("receive")
            }
        }
        return true
    }

    /// Drops the rest of a multipart message whose last received frame was `frame`.
    func skipRest(after frame: inout Frame) throws(SocketError) {
        while frame.hasMore { guard try receive(&frame) else { return } }
    }
}

/// What only the sockets of this module need to agree on; the contract's own numbers are in `Limits`.
enum BusOptions {
    /// Messages that wait for each other before they are sent: enough to wake libzmq's thread less often, few
    /// enough for the other end to begin meanwhile.
    static let messagesSentTogether = 8
    /// Requests of one connection that libzmq takes before they are read; the peer's own sending waits then.
    /// Few: libzmq counts them, but not their bytes, and each may be as long as two messages.
    static let requestsQueuedMax = 4
    /// Milliseconds that a request has waited before it is looked whether anybody is still there to hear its
    /// answer.
    static let heard: Milliseconds = 1_000
    /// Subscriptions that are taken before others have their turn.
    static let subscriptionsPerTurnMax = 256
    /// Answers to one peer that libzmq holds. Few: it counts them, but not their bytes, and what it holds
    /// cannot be taken back. What comes beyond waits in an ``AnswerBacklog``.
    static let answersQueuedMax = 8
    /// Events up to so many bytes are bounded by their number.
    static let smallEventBytes = 1_024
    /// A subscriber with so many bytes unread in the kernel's buffer, which has about 200 KiB, does not keep
    /// up.
    static let slowUnreadBytes = 64 * 1024
    /// Milliseconds that those who were disconnected have to be gone before others are looked for.
    static let slowPause: Milliseconds = 50
    /// Milliseconds after which what waits is tried again, should libzmq's news be missed.
    static let backlogPause: Milliseconds = 20
}

/// One received frame: libzmq's own memory, released when the next one is received or the frame ends.
struct Frame: ~Copyable {
    // For this module only: libzmq's own calls need it.
    var message = zmq_msg_t()

    init() { zmq_msg_init(&message) }
    deinit {
        var copy = message
        zmq_msg_close(&copy)
    }

    var hasMore: Bool { mutating get { zmq_msg_more(&message) != 0 } }
    var count: Int { mutating get { zmq_msg_size(&message) } }

    mutating func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try body(UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message)))
    }
    var bytes: [UInt8] { mutating get { withBytes { Array($0) } } }

    /// The kernel's word on the sender, see ``Peer``.
    mutating func peer() -> Peer? {
        guard let text = zmq_msg_gets(&message, "Peer-Address") else { return nil }
        return Peer(address: text)
    }
}
