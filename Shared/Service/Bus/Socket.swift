import Contract
internal import CZeroMQ
import Glibc
import Units

/// A libzmq call that failed.
package struct SocketError: Error, Equatable, Sendable {
    /// What was attempted, as "connect ipc:///…".
    package var attempt: String
    /// The errno.
    package var number: Int32

    /// Reads errno; must be the first call after the one that failed.
    init(_ attempt: String) {
        number = zmq_errno()
        self.attempt = attempt
    }
    /// An error of another transport.
    package init(_ attempt: String, errno: Int32) {
        self.attempt = attempt
        number = errno
    }

    /// The attempt with the text of the errno.
    package var message: String { "\(attempt): \(String(cString: zmq_strerror(number)))" }
}

/// The libzmq context of the process. It is never destroyed; owners close their sockets.
enum Context {
    // zmq(3): "ØMQ contexts are thread safe and may be shared among as many application threads as
    // necessary".
    nonisolated(unsafe) static let shared: UnsafeMutableRawPointer = {
        guard let context = zmq_ctx_new() else { preconditionFailure("libzmq has no memory for a context") }
        zmq_ctx_set(context, ZMQ_BLOCKY, 0)
        return context
    }()
}

/// Whether a socket was used since its state was read last. Each use may consume the signal of its descriptor
/// (zmq_getsockopt(3), ZMQ_FD), so its state must then be read again.
final class SocketUsage {
    var isUsed = true
}

/// One libzmq socket, used and closed by one owner on one thread. All sockets have linger 0, bounded message
/// size and queue, and a handshake limit of one second.
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
    let usage = SocketUsage()

    /// - Parameters:
    ///   - queuedMax: messages per peer that libzmq may queue in each direction; `sentMax`: for sending.
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
        // Without it requests queue for a dead server and reach its successor too late.
        case .dealer: return common + [(ZMQ_IMMEDIATE, 1)]
        // Without it an answer to a peer that disconnected is dropped without an error.
        case .router: return common + [(ZMQ_ROUTER_MANDATORY, 1)]
        // Each subscription is passed to us, with the kernel's identification of its sender, before it takes
        // effect.
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
        usage.isUsed = true
        guard zmq_setsockopt(raw, option, bytes, bytes.count) == 0 else {
            throw SocketError("set socket option \(option)")
        }
    }

    deinit { zmq_close(raw) }

    func bind(_ endpoint: String) throws(SocketError) {
        usage.isUsed = true
        guard zmq_bind(raw, endpoint) == 0 else { throw SocketError("bind \(endpoint)") }
    }

    func connect(_ endpoint: String) throws(SocketError) {
        usage.isUsed = true
        guard zmq_connect(raw, endpoint) == 0 else { throw SocketError("connect to \(endpoint)") }
    }

    /// Publishes connection events on an inproc endpoint (zmq_socket_monitor(3)).
    func monitor(_ endpoint: String, events: Int32) throws(SocketError) {
        guard zmq_socket_monitor(raw, endpoint, events) == 0 else { throw SocketError("monitor \(endpoint)") }
    }

    /// Ends `monitor`. Call it before the reader of those events closes: libzmq's I/O thread writes them
    /// without a time limit and would block without a reader, and with it every socket of the process.
    func stopMonitoring() { zmq_socket_monitor(raw, nil, 0) }

    /// A descriptor that becomes readable when the socket's state changes, also when there is room to send
    /// (zmq_getsockopt(3), ZMQ_FD). libzmq owns it.
    func readinessDescriptor() throws(SocketError) -> Int32 {
        usage.isUsed = true
        var descriptor: Int32 = -1
        var size = MemoryLayout<Int32>.size
        guard zmq_getsockopt(raw, ZMQ_FD, &descriptor, &size) == 0 else {
            throw SocketError("ask for the socket's descriptor")
        }
        return descriptor
    }

    /// Sends one frame without waiting. A multipart message is atomic: only its first frame can block.
    func send(_ bytes: UnsafeRawBufferPointer, more: Bool = false) throws(SocketError) -> Sent {
        usage.isUsed = true
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

    /// Sends the last frame of a message without waiting and without copying it. `held` counts its bytes
    /// until libzmq has sent it to all peers.
    func send(_ bytes: [UInt8], heldIn held: QueuedBytes) throws(SocketError) -> Sent {
        var message = zmq_msg_t()
        let copy = QueuedBytes.Copy(bytes, in: held)
        let hint = Unmanaged.passRetained(copy)
        let made = zmq_msg_init_data(
            &message, copy.memory.baseAddress, copy.memory.count,
            { _, hint in
                // Releases the reference passed above; libzmq calls this once, from any thread.
                if let hint { Unmanaged<QueuedBytes.Copy>.fromOpaque(hint).release() }
            }, hint.toOpaque())
        guard made == 0 else {
            hint.release()
            throw SocketError("make a message of \(bytes.count) bytes")
        }
        usage.isUsed = true
        while zmq_msg_send(&message, raw, ZMQ_DONTWAIT) < 0 {
            let number = zmq_errno()
            if number == EINTR { continue }
            zmq_msg_close(&message)
            guard number == EAGAIN else { throw SocketError("send \(bytes.count) bytes") }
            return .wouldBlock
        }
        return .sent
    }

    /// Receives the next frame without waiting. False if there is none.
    func receive(_ frame: inout Frame) throws(SocketError) -> Bool {
        usage.isUsed = true
        while zmq_msg_recv(&frame.message, raw, ZMQ_DONTWAIT) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return false
            default: throw SocketError("receive")
            }
        }
        return true
    }

    /// Discards the rest of a multipart message whose last received frame was `frame`.
    func skipRest(after frame: inout Frame) throws(SocketError) {
        while frame.hasMore { guard try receive(&frame) else { return } }
    }
}

/// Options that only the sockets of this module share; limits of the contract are in `Limits`.
enum BusOptions {
    /// Messages that are collected before they are sent: enough to wake libzmq's thread less often, few
    /// enough that the receiver can start meanwhile.
    static let messagesSentTogether = 32
    /// Requests of one connection that libzmq receives ahead; beyond it the peer blocks. The number is small
    /// because libzmq counts messages, not bytes, and each can have twice the allowed length.
    static let requestsQueuedMax = 8
    /// Milliseconds a request may wait before the server checks that its peer is still connected.
    static let abandonmentCheckDelay: Milliseconds = 1_000
    /// Subscriptions that are handled per turn.
    static let subscriptionsPerTurnMax = 256
    /// Answers to one peer that libzmq queues. Further ones wait in an ``AnswerBacklog``, because libzmq
    /// cannot give queued ones back.
    static let answersQueuedMax = 256
    /// Bytes of long answers to one peer that libzmq queues, or one that is longer; those of up to
    /// ``smallBytes`` are not counted.
    static let answerBytesQueuedMax = Limits.messageBytesMax
    /// Events and answers up to this size, in bytes, are bounded by number only.
    static let smallBytes = 1_024
    /// A subscriber with this many unread bytes in the kernel's buffer (of about 200 KiB) is too slow.
    static let slowUnreadBytes = 64 * 1024
    /// Milliseconds for disconnected peers to disappear before the next check.
    static let slowCheckPause: Milliseconds = 50
}

/// One received frame in libzmq's memory, released with the next receive or with this value.
struct Frame: ~Copyable {
    // Only for this module, which passes it to libzmq.
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
    mutating func hasBytes(_ bytes: [UInt8]) -> Bool {
        count == bytes.count && memcmp(zmq_msg_data(&message), bytes, bytes.count) == 0
    }

    /// The sender as the kernel reports it, see ``Peer``.
    mutating func peer() -> Peer? {
        guard let text = zmq_msg_gets(&message, "Peer-Address") else { return nil }
        return Peer(address: text)
    }
}
