import Contract
import ExtensionLink
import Glibc
import JSON
import Loop
import Units

/// The socket to the app: frames in both directions, on the reactor.
@LoopActor final class ProgramStream {
    typealias Taking =
        @LoopActor (_ id: Int64, _ method: String, RawJSON?, _ deadline: Milliseconds?) -> Void

    /// At this many unread bytes, or requests without an answer, nothing more is read from the app. Its
    /// further requests wait in the socket, and no answer is lost.
    private static let unreadBytesMax = 4 * Wire.messageBytesMax
    private static let openRequestsMax = 256
    /// At this many unread bytes an event ends the link. The app connects again when it reads, and requests
    /// the present state.
    private static let eventBytesMax = 16 * Wire.messageBytesMax

    private let socket: Int32
    private var frames = FrameReader()
    private var waiting: [UInt8] = []
    private var openRequests = 0
    private var token: Reactor.Token?
    /// The poll events that are registered.
    private var watched = (reading: false, writing: false)
    private var taking: Taking?
    private var ended: (@LoopActor (ServiceError?) -> Void)?

    init(_ socket: Int32) {
        self.socket = socket
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    }

    func start(taking: @escaping Taking, ended: @escaping @LoopActor (ServiceError?) -> Void) {
        self.taking = taking
        self.ended = ended
        watch()
    }

    func answer(_ id: Int64, _ result: Result<RawJSON, ServiceError>) {
        let message = WireMessage.answer(id, result)
        guard message.count <= Wire.messageBytesMax else {
            return answer(
                id,
                .failure(
                    ServiceError(
                        .messageTooLong, "the answer has \(message.count) bytes", remedy: "Request less.")))
        }
        let waits = !hasRoom
        openRequests -= 1
        send(message)
        // Messages that are already buffered cause no further poll event.
        if waits, hasRoom { EventLoop.main.inNextTurn { [weak self] in self?.ready() } }
    }

    func request(_ id: Int64, _ method: String, _ params: RawJSON) {
        let message = WireMessage.request(id, method, params)
        // An event that is too long with its tokens is dropped; the app reads the present state.
        guard message.count <= Wire.messageBytesMax else { return }
        guard waiting.count <= Self.eventBytesMax else {
            ended?(
                ServiceError(
                    .tooManyRequests, "the app left \(waiting.count) bytes unread",
                    remedy: "The app connects again when it reads."))
            return
        }
        send(message)
    }

    private func send(_ message: [UInt8]) {
        waiting += Wire.frame(message)
        flush()
    }

    private func flush() {
        while !waiting.isEmpty {
            let count = waiting.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                // The socket of an app with unread answers is not read, so its end is noticed here.
                if count < 0, errno != EAGAIN { ended?(nil) }
                break
            }
            waiting.removeFirst(count)
        }
        watch()
    }

    private var hasRoom: Bool {
        waiting.count <= Self.unreadBytesMax && openRequests < Self.openRequestsMax
    }

    private func watch() {
        let wanted = (reading: hasRoom, writing: !waiting.isEmpty)
        guard wanted != watched else { return }
        watched = wanted
        if let token { Reactor.shared.forget(token) }
        token = Reactor.shared.watch(
            descriptor: socket, readable: wanted.reading, writable: wanted.writing
        ) { [weak self] in
            self?.ready()
        }
    }

    private func ready() {
        flush()
        receive()
        watch()
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while receiveMessages() {
            let count = read(socket, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else {
                ended?(nil)
                return
            }
            frames.append(buffer[..<count])
        }
    }

    /// Handles the buffered messages.
    /// - Returns: whether there is room for more.
    private func receiveMessages() -> Bool {
        do throws(WireError) {
            while hasRoom, let message = try frames.next() { receive(try WireMessage.read(message)) }
            return hasRoom
        } catch {
            ended?(ServiceError(.invalidRequest, error.reason, remedy: "Run the same version of all parts."))
            return false
        }
    }

    private func receive(_ message: WireMessage) {
        // Answers to events contain nothing.
        guard case .request(let id, let method, let params, let deadline) = message else { return }
        openRequests += 1
        taking?(id, method, params, deadline)
    }
}
