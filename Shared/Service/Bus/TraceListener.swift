package import Contract
internal import CZeroMQ
internal import JSON
package import Loop

/// Receives the spans of one service as they end, from its `~trace` topic. Lost spans can be read by
/// `trace.read`.
@LoopActor package final class TraceListener {
    private let socket: Socket
    private var token: Reactor.Token?

    /// - Parameter take: called with each span, in the order in which the service ended them.
    package convenience init(
        _ service: ServiceName, in directory: RuntimeDirectory, handler: @escaping @LoopActor (Span) -> Void
    ) throws(SocketError) {
        try self.init(named: service.rawValue, in: directory, handler: handler)
    }

    /// - Parameter name: of a service or an agent.
    package init(
        named name: String, in directory: RuntimeDirectory, handler: @escaping @LoopActor (Span) -> Void
    ) throws(SocketError) {
        socket = try Socket(.subscriber)
        try socket.set(ZMQ_SUBSCRIBE, Array(Topic.trace.utf8))
        try socket.connect(directory.endpoint(named: name, .events))
        token = Reactor.shared.watch(socket: socket.raw) { [weak self] in self?.receive(handler) }
    }

    /// Stops listening.
    package func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
    }

    private func receive(_ handler: @LoopActor (Span) -> Void) {
        var frame = Frame()
        do {
            while try socket.receive(&frame) {
                guard frame.hasMore, try socket.receive(&frame) else { continue }
                let bytes = frame.bytes
                try socket.skipRest(after: &frame)
                // A span of another contract version is skipped; nothing depends on it.
                if let span = try? Span.decode(bytes) { handler(span) }
            }
        } catch { return }  // Interrupted by a signal; the next poll retries.
    }
}
