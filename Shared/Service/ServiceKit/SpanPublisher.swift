package import Bus
import Contract
package import Loop

/// Publishes the spans of a process that has no event log, on `~trace`, while somebody listens.
@LoopActor package final class SpanPublisher {
    private let publisher: EventPublisher
    private let tracer: Tracer

    /// - Parameters:
    ///   - name: of the process, as in its socket.
    ///   - onRefusal: called with why something that was received is refused, and with details.
    /// - Throws: `SocketError`
    package init(
        named name: String, in runtime: RuntimeDirectory, tracer: Tracer,
        onRefusal: @escaping @LoopActor (String, String) -> Void
    ) throws(SocketError) {
        self.tracer = tracer
        publisher = try EventPublisher(named: name, in: runtime) {
            SyncHead(source: "/local/-/\(name)", head: SequenceText(0))
        }
        publisher.onRefusal = { reason, detail in onRefusal(reason.rawValue, detail) }
        publisher.onTraceListening = { [weak self] in self?.stream($0) }
    }

    package func close() {
        tracer.listener = nil
        publisher.close()
    }

    private func stream(_ isHeard: Bool) {
        guard isHeard else { return tracer.listener = nil }
        tracer.listener = { [weak self] span in
            // A lost span only leaves a gap in a live trace; trace.read has it.
            try? self?.publisher.publish(topic: Topic.trace, span.encoded())
        }
    }
}
