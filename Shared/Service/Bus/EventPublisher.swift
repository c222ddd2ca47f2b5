package import Contract
internal import JSON
package import Loop

/// The live stream of one service: an XPUB socket on `<service>.events`. Delivery is best effort; lost events
/// are in the log.
@LoopActor package final class EventPublisher {
    private let socket: any PublisherSocket
    private let position: @LoopActor () -> SyncHead
    private var traceListeners = 0
    /// Called with true when the first subscriber to spans connects, with false when the last one leaves.
    package var onTraceListening: (@LoopActor (Bool) -> Void)?
    /// Called for each refused or malformed subscription, with its reason.
    package var onRefusal: (@LoopActor (RefusalReason, String) -> Void)?
    /// Subscribe and unsubscribe messages that were passed to libzmq.
    private(set) var subscriptionsShown = 0
    /// Bytes of unread events, as far as they are counted.
    var unreadBytes: Int { socket.unreadBytes }

    /// - Parameters:
    ///   - queuedMax: high-water mark per subscriber, in messages; beyond it they are dropped.
    ///   - position: the log's head, sent to each peer that subscribes to `~sync`.
    package convenience init(
        _ service: ServiceName, in transport: any Transport, queuedMax: Int = Limits.queuedMessagesMax,
        position: @escaping @LoopActor () -> SyncHead
    ) throws(SocketError) {
        try self.init(named: service.rawValue, in: transport, queuedMax: queuedMax, position: position)
    }

    /// - Parameter name: of a service, or of an agent, which publishes only spans.
    package init(
        named name: String, in transport: any Transport, queuedMax: Int = Limits.queuedMessagesMax,
        position: @escaping @LoopActor () -> SyncHead
    ) throws(SocketError) {
        self.position = position
        let topics = Registry.events.map { $0.type } + [Topic.trace, Topic.sync]
        socket = try transport.publisher(of: name, topics: topics, queuedMax: queuedMax)
        socket.onRefusal = { [weak self] reason, whose in self?.onRefusal?(reason, whose) }
        socket.onReady = { [weak self] in self?.receiveSubscriptions() }
    }

    isolated deinit { close() }

    /// Stops listening; the socket closes with the last reference to this object.
    package func close() { socket.close() }

    /// Sends one event to all subscribers without waiting. A slow subscriber loses messages and detects the
    /// gap.
    package func publish(topic: String, _ event: [UInt8]) throws(SocketError) {
        try socket.publish(Array(topic.utf8), event)
    }

    private func receiveSubscriptions() {
        do {
            for _ in 0..<BusOptions.subscriptionsPerTurnMax {
                guard let message = try socket.receive() else { return }
                subscriptionsShown += 1
                try handle(message.bytes, from: message.peer)
            }
        } catch {
            onRefusal?(.malformedSubscription, "subscription")
        }
    }

    private func handle(_ bytes: [UInt8], from peer: Peer?) throws(SocketError) {
        guard let first = bytes.first, first < 2, bytes.count <= 1 + Limits.nameBytesMax else {
            onRefusal?(.malformedSubscription, "subscription")
            return
        }
        let topic = Array(bytes.dropFirst())
        let listensToTrace = topic == Array(Topic.trace.utf8)
        guard first == 1 else {
            try socket.setSubscribed(topic, false)
            if listensToTrace { setTraceListeners(traceListeners - 1) }
            return
        }
        guard let peer, peer.uid == Peer.own.uid else {
            onRefusal?(.wrongUser, "subscription")
            return
        }
        try socket.setSubscribed(topic, true)
        if listensToTrace { setTraceListeners(traceListeners + 1) }
        if topic.starts(with: Topic.sync.utf8) { try answerSync(String(decoding: topic, as: UTF8.self)) }
    }

    private func setTraceListeners(_ count: Int) {
        let was = traceListeners > 0
        traceListeners = max(0, count)
        if was != (traceListeners > 0) { onTraceListening?(traceListeners > 0) }
    }

    /// Subscriptions of one peer arrive in the order it sent them, `~sync` last. Every event after the head
    /// in this answer therefore reaches the peer live.
    private func answerSync(_ topic: String) throws(SocketError) {
        try publish(topic: topic, position().encoded())
    }
}

/// Topics that carry no events. They begin with `~`, which sorts after every event type.
package enum Topic {
    /// Followed by an id that the subscriber chooses; answered with a ``SyncHead``.
    package static let sync = "~sync."
    /// Spans, one per message, sent while there is a subscriber.
    package static let trace = "~trace"
}
