internal import CAccept
package import Contract
internal import CZeroMQ
internal import JSON
package import Loop
import Time
import Units

/// The live stream of one service: an XPUB socket on `<service>.events`. Delivery is best effort; lost events
/// are in the log.
@LoopActor package final class EventPublisher {
    private let socket: Socket
    private var token: Reactor.Token?
    private var connections: ConnectionWatch?
    private let position: @LoopActor () -> SyncHead
    private var traceListeners = 0
    /// Called with true when the first subscriber to spans connects, with false when the last one leaves.
    package var onTraceListening: (@LoopActor (Bool) -> Void)?
    /// Called for each refused or malformed subscription, with its reason.
    package var onRefusal: (@LoopActor (RefusalReason, String) -> Void)?
    private let held = QueuedBytes()
    private var ended: Milliseconds = 0
    /// Subscribe and unsubscribe messages that were passed to libzmq.
    private(set) var subscriptionsShown = 0
    /// Bytes of unread events. Small events are not included; they are bounded by number.
    var unreadBytes: Int { held.count }

    /// - Parameters:
    ///   - queuedMax: high-water mark per subscriber, in messages; beyond it they are dropped.
    ///   - position: the log's head, sent to each peer that subscribes to `~sync`.
    package convenience init(
        _ service: ServiceName, in directory: RuntimeDirectory, queuedMax: Int = Limits.queuedMessagesMax,
        position: @escaping @LoopActor () -> SyncHead
    ) throws(SocketError) {
        try self.init(named: service.rawValue, in: directory, queuedMax: queuedMax, position: position)
    }

    /// - Parameter name: of a service, or of an agent, which publishes only spans.
    package init(
        named name: String, in directory: RuntimeDirectory, queuedMax: Int = Limits.queuedMessagesMax,
        position: @escaping @LoopActor () -> SyncHead
    ) throws(SocketError) {
        socket = try Socket(.publisher, queuedMax: queuedMax)
        self.position = position
        let endpoint = directory.endpoint(named: name, .events)
        let path = directory.socketPath(named: name, .events)
        let topics = Registry.events.map { $0.type } + [Topic.trace, Topic.sync]
        connections = try ConnectionWatch(socket, at: path, topics: topics) { [weak self] reason, whose in
            self?.onRefusal?(reason, whose)
        }
        try socket.bind(endpoint)
        token = Reactor.shared.watch(socket: socket.raw) { [weak self] in self?.receiveSubscriptions() }
    }

    /// A socket must be unregistered from the poll before it closes, which happens when this object is
    /// released.
    isolated deinit { close() }

    /// Stops listening; the socket closes with the last reference to this object.
    package func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
        socket.stopMonitoring()
        connections?.close()
    }

    /// Sends one event to all subscribers without waiting. A slow subscriber loses messages and detects the
    /// gap.
    package func publish(topic: String, _ event: [UInt8]) throws(SocketError) {
        _ = try socket.send(Array(topic.utf8), more: true)
        guard event.count > BusOptions.smallEventBytes else {
            _ = try socket.send(event)
            return
        }
        _ = try socket.send(event, heldIn: held)
        if held.count > Limits.unreadEventBytesMax { endSlowSubscribers() }
    }

    /// libzmq bounds a subscriber's queue in messages only and does not report queue sizes. The kernel
    /// reports who does not read: those peers are disconnected and their queues freed. A peer that reads
    /// again reconnects, receives the head and reads the log.
    private func endSlowSubscribers() {
        let now = MonotonicClock.now
        guard now - ended >= BusOptions.slowCheckPause else { return }
        ended = now
        var pid: Int32 = 0
        // At twice the limit disconnect the slowest peer, however little it left unread.
        let least = held.count > 2 * Limits.unreadEventBytesMax ? 0 : BusOptions.slowUnreadBytes
        let count = accept_end_unread(connections?.listener ?? 0, UInt32(least), &pid)
        if count > 0 { onRefusal?(.unreadEvents, "pid \(pid) left events unread") }
    }

    private func receiveSubscriptions() {
        var frame = Frame()
        do {
            for _ in 0..<BusOptions.subscriptionsPerTurnMax {
                guard try socket.receive(&frame) else { return }
                let peer = frame.peer()
                let bytes = frame.bytes
                subscriptionsShown += 1
                try socket.skipRest(after: &frame)
                try handle(bytes, from: peer)
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
            try socket.set(ZMQ_UNSUBSCRIBE, topic)
            if listensToTrace { setTraceListeners(traceListeners - 1) }
            return
        }
        guard let peer, peer.uid == Peer.own.uid else {
            onRefusal?(.wrongUser, "subscription")
            return
        }
        try socket.set(ZMQ_SUBSCRIBE, topic)
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
