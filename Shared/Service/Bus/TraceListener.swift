package import Contract
internal import JSON
package import Loop

/// Receives the spans of one service as they end, from its `~trace` topic. Lost spans can be read by
/// `trace.read`.
@LoopActor package final class TraceListener {
    private let socket: any SubscriberSocket

    /// - Parameter take: called with each span, in the order in which the service ended them.
    package convenience init(
        _ service: ServiceName, in transport: any Transport, handler: @escaping @LoopActor (Span) -> Void
    ) throws(SocketError) {
        try self.init(named: service.rawValue, in: transport, handler: handler)
    }

    /// - Parameter name: of a service or an agent.
    package init(
        named name: String, in transport: any Transport, handler: @escaping @LoopActor (Span) -> Void
    ) throws(SocketError) {
        socket = try transport.subscriber(queuedMax: Limits.queuedMessagesMax)
        try socket.setSubscribed(Topic.trace, true)
        try socket.connect(to: name)
        socket.onReady = { [weak self] in self?.receive(handler) }
    }

    isolated deinit { close() }

    /// Stops listening.
    package func close() { socket.close() }

    private func receive(_ handler: @LoopActor (Span) -> Void) {
        do {
            var span: Span?
            // A span of another contract version is skipped; nothing depends on it.
            while try socket.receive({ _, message in span = message.flatMap { try? Span.decode($0) } }) {
                if let span { handler(span) }
            }
        } catch { return }  // Interrupted by a signal; the next poll retries.
    }
}
