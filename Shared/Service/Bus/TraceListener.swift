package import Contract
internal import CZeroMQ
internal import JSON
package import Loop

/// The spans of one service while they happen: a subscriber of its `~trace`. What it loses, `trace.read` has.
@LoopActor package final class TraceListener {
    private let socket: Socket
    private var token: Reactor.Token?

    /// - Parameter take: each span, in the order the service ended them.
    package convenience init(
        _ service: ServiceName, in directory: RuntimeDirectory, take: @escaping @LoopActor (Span) -> Void
    ) throws(SocketError) {
        try self.init(named: service.rawValue, in: directory, take: take)
    }

    /// - Parameter name: of a service, or of a hand.
    package init(
        named name: String, in directory: RuntimeDirectory, take: @escaping @LoopActor (Span) -> Void
    ) throws(SocketError) {
        socket = try Socket(.subscriber)
        try socket.set(ZMQ_SUBSCRIBE, Array(Topic.trace.utf8))
        try socket.connect(directory.endpoint(named: name, .events))
        token = Reactor.shared.watch(socket: socket.raw) { [weak self] in self?.receive(take) }
    }

    package func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
    }

    private func receive(_ take: @LoopActor (Span) -> Void) {
        var frame = Frame()
        do {
            while try socket.receive(&frame) {
                guard frame.hasMore, try socket.receive(&frame) else { continue }
                let bytes = frame.bytes
                try socket.skipRest(after: &frame)
                // A span of another version is not shown; nothing else depends on it.
                if let span = try? Span.decode(bytes) { take(span) }
            }
        } catch { return }  // A signal; the poll comes back to it.
    }
}
