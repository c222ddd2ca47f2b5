import Bus
import Contract
import ExtensionLink
import Glibc
import JSON

/// The socket to the app: frames in both directions, on the reactor.
@BusActor final class ProgramStream {
    typealias Taking = @BusActor (_ id: Int64, _ method: String, RawJSON?, _ deadlineMs: Int64?) -> Void

    /// Bytes that may wait for an app that does not read.
    private static let waitingBytesMax = 16 * Wire.messageBytesMax

    private let socket: Int32
    private var frames = FrameReader()
    private var waiting: [UInt8] = []
    private var token: Reactor.Token?
    private var watchesWriting = false
    private var taking: Taking?
    private var ended: (@BusActor (WireError?) -> Void)?

    init(_ socket: Int32) {
        self.socket = socket
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    }

    func start(taking: @escaping Taking, ended: @escaping @BusActor (WireError?) -> Void) {
        self.taking = taking
        self.ended = ended
        watch(writable: false)
    }

    func answer(_ id: Int64, _ result: Result<RawJSON, ServiceError>) {
        let message = WireMessage.answer(id, result)
        guard message.count <= Wire.messageBytesMax else {
            return answer(
                id,
                .failure(
                    ServiceError(
                        .messageTooLong, "the answer has \(message.count) bytes", remedy: "Ask for less.")))
        }
        send(message)
    }

    func request(_ id: Int64, _ method: String, _ params: RawJSON) {
        let message = WireMessage.request(id, method, params)
        // An event that is too long with its tokens is read from the present state.
        if message.count <= Wire.messageBytesMax { send(message) }
    }

    private func send(_ message: [UInt8]) {
        waiting += Wire.frame(message)
        guard waiting.count <= Self.waitingBytesMax else {
            ended?(WireError("the app left \(waiting.count) bytes unread"))
            return
        }
        flush()
    }

    private func flush() {
        while !waiting.isEmpty {
            let count = waiting.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // EAGAIN waits for room; any other error shows in reading.
            guard count > 0 else { break }
            waiting.removeFirst(count)
        }
        if watchesWriting == waiting.isEmpty { watch(writable: !waiting.isEmpty) }
    }

    private func watch(writable: Bool) {
        if let token { Reactor.shared.forget(token) }
        watchesWriting = writable
        token = Reactor.shared.watch(descriptor: socket, writable: writable) { [weak self] in
            self?.receive()
            self?.flush()
        }
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(socket, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else {
                ended?(nil)
                return
            }
            frames.append(buffer[..<count])
            do throws(WireError) {
                while let message = try frames.next() { take(try WireMessage.read(message)) }
            } catch {
                ended?(error)
                return
            }
        }
    }

    private func take(_ message: WireMessage) {
        // Answers to events say nothing more.
        guard case .request(let id, let method, let params, let deadlineMs) = message else { return }
        taking?(id, method, params, deadlineMs)
    }
}
