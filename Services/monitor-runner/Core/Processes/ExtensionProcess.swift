import Bus
import Contract
import ExtensionLink
import Glibc
import JSON

/// One running extension program and the talk with it.
@BusActor final class ExtensionProcess {
    /// What its courier wants to hear.
    struct Output {
        /// The callback returned, or was refused.
        var answered: @BusActor (_ id: Int64, Result<RawJSON, ServiceError>) -> Void
        /// It asks for something; call back with the answer.
        var asked:
            @BusActor (
                _ method: String, RawJSON?, @escaping @BusActor (Result<RawJSON, ServiceError>) -> Void
            )
                -> Void
        /// It is gone, and why.
        var ended: @BusActor (String) -> Void
    }

    let pid: Int32
    private let socket: Int32
    private let exitDescriptor: Int32
    private let output: Output
    private var frames = FrameReader()
    private var waiting: [UInt8] = []
    private var socketToken: Reactor.Token?
    private var exitToken: Reactor.Token?
    private var watchesWriting = false
    private var openRequests = 0
    /// Why we ended it; nil: it ended by itself.
    private var killedBecause: String?
    private var endOfStreamSeen = false

    init(_ program: SpawnedProgram, _ output: Output) {
        pid = program.pid
        socket = program.socket
        exitDescriptor = program.exitDescriptor
        self.output = output
        socketToken = Reactor.shared.watch(descriptor: socket) { [weak self] in self?.ready() }
        exitToken = Reactor.shared.watch(descriptor: exitDescriptor) { [weak self] in self?.reap() }
    }

    /// Sends a request; the answer comes to `answered`.
    func send(callback params: CallbackParams, id: Int64) {
        send(WireMessage.request(id, Wire.callbackMethod, RawJSON(encoding: params)))
    }

    /// Ends it in order: the end of the stream, then, after a grace, SIGKILL.
    func finish() {
        closeSocket()
        Reactor.shared.after(milliseconds: MonitorLimits.graceMs) { [weak self] in
            self?.destroy("it did not end when it was no longer needed")
        }
    }

    /// Kills it with everything it started in its process group.
    func destroy(_ reason: String) {
        guard exitToken != nil else { return }
        killedBecause = killedBecause ?? reason
        closeSocket()
        kill(-pid, SIGKILL)
    }

    /// It closed its end: it died, or it lives on without being of use.
    private func closedItself() {
        endOfStreamSeen = true
        closeSocket()
        kill(-pid, SIGKILL)
    }

    private func closeSocket() {
        guard let token = socketToken else { return }
        Reactor.shared.forget(token)
        socketToken = nil
        close(socket)
    }

    // MARK: the stream

    private func send(_ message: [UInt8]) {
        guard socketToken != nil else { return }
        waiting += Wire.frame(message)
        guard waiting.count <= MonitorLimits.waitingBytesMax else {
            return destroy("it left \(waiting.count) bytes unread")
        }
        flush()
    }

    private func flush() {
        while !waiting.isEmpty {
            let count = waiting.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // EAGAIN waits for room; any other error is told by the end of the process.
            guard count > 0 else { break }
            waiting.removeFirst(count)
        }
        guard watchesWriting != !waiting.isEmpty, let token = socketToken else { return }
        watchesWriting = !waiting.isEmpty
        Reactor.shared.forget(token)
        socketToken = Reactor.shared.watch(descriptor: socket, writable: watchesWriting) { [weak self] in
            self?.ready()
        }
    }

    private func ready() {
        receive()
        if socketToken != nil { flush() }
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while socketToken != nil {
            let count = read(socket, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return closedItself() }
            frames.append(buffer[..<count])
            do throws(WireError) {
                while let message = try frames.next() { take(try WireMessage.read(message)) }
            } catch {
                return destroy("it does not keep to the protocol: \(error.reason)")
            }
        }
    }

    private func take(_ message: WireMessage) {
        switch message {
        case .answer(let id, let result): output.answered(id, result)
        case .request(let id, let method, let params, _):
            guard openRequests < MonitorLimits.openRequestsMax else {
                return send(WireMessage.answer(id, .failure(Self.tooMany)))
            }
            openRequests += 1
            output.asked(method, params) { [weak self] result in
                self?.openRequests -= 1
                self?.send(WireMessage.answer(id, result))
            }
        }
    }

    private static let tooMany = ServiceError(
        .tooManyRequests, "openRequestsMax of an extension is \(MonitorLimits.openRequestsMax)",
        remedy: "Wait for some answers first.")

    // MARK: the end

    private func reap() {
        // What it said last counts: an answer may lie before the end.
        if killedBecause == nil { receive() }
        // What it started dies with it; before the wait, so that the group's number is still its own.
        kill(-pid, SIGKILL)
        var raw: Int32 = 0
        guard waitpid(pid, &raw, WNOHANG) == pid else { return }
        if let exitToken { Reactor.shared.forget(exitToken) }
        exitToken = nil
        close(exitDescriptor)
        closeSocket()
        output.ended(killedBecause ?? Self.describe(status: raw, endOfStreamSeen))
    }

    private static func describe(status: Int32, _ endOfStreamSeen: Bool) -> String {
        let signal = status & 0x7f
        if signal == 0 { return "it ended with code \((status >> 8) & 0xff)" }
        if signal == SIGKILL, endOfStreamSeen { return "it closed its connection" }
        return "it was ended by signal \(signal)"
    }
}
