internal import CAccept
package import Contract
internal import CZeroMQ
internal import JSON
package import Loop
import Time
import Units

/// The live stream of one service: an XPUB socket on `<service>.events`. It only hints: what it loses, the
/// log has.
@LoopActor package final class EventPublisher {
    private let socket: Socket
    private var token: Reactor.Token?
    private var connections: ConnectionWatch?
    private let position: @LoopActor () -> SyncHead
    private var traceListeners = 0
    /// Called when somebody begins (true) or nobody goes on (false) to listen to spans.
    package var onTraceListening: (@LoopActor (Bool) -> Void)?
    /// Called for each refused or malformed subscription with a stable reason.
    package var onRefusal: (@LoopActor (RefusalReason, String) -> Void)?
    private let held = HeldBytes()
    private var ended: Milliseconds = 0
    /// Subscriptions, and their ends, that libzmq was given.
    private(set) var subscriptionsShown = 0
    /// Bytes of events that subscribers have not read yet, without small ones: those are bounded by number.
    var unreadBytes: Int { held.count }

    /// - Parameters:
    ///   - queuedMax: high-water mark per subscriber, messages; what is above is dropped for that one.
    ///   - position: where the log ends, told to whoever asks `~sync`.
    package convenience init(
        _ service: ServiceName, in directory: RuntimeDirectory, queuedMax: Int = Limits.queuedMessagesMax,
        position: @escaping @LoopActor () -> SyncHead
    ) throws(SocketError) {
        try self.init(named: service.rawValue, in: directory, queuedMax: queuedMax, position: position)
    }

    /// - Parameter name: of a service, or of a hand, which publishes nothing but its spans.
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
        token = Reactor.shared.watch(socket: socket.raw) { [weak self] in self?.takeSubscriptions() }
    }

    /// A socket must not be polled after it is closed, and it closes with this object.
    isolated deinit { close() }

    /// Stops listening; the socket closes with the last reference.
    package func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
        socket.stopMonitoring()
        connections?.close()
    }

    /// Hands one event to whoever listens now. Never waits; a slow subscriber loses its tail and finds out.
    package func publish(topic: String, _ event: [UInt8]) throws(SocketError) {
        _ = try socket.send(Array(topic.utf8), more: true)
        guard event.count > BusOptions.smallEventBytes else {
            _ = try socket.send(event)
            return
        }
        _ = try socket.send(event, heldIn: held)
        if held.count > Limits.unreadEventBytesMax { endSlowSubscribers() }
    }

    /// libzmq bounds what waits for a subscriber in messages only, and does not say for whom how much waits.
    /// The kernel says who does not read: those are disconnected, and what waited for them goes. Whoever
    /// reads again connects again, hears the head, and has the log.
    private func endSlowSubscribers() {
        let now = MonotonicClock.now
        guard now - ended >= BusOptions.slowPause else { return }
        ended = now
        var pid: Int32 = 0
        // Twice over the limit it does not matter any more who it is.
        let least = held.count > 2 * Limits.unreadEventBytesMax ? 0 : BusOptions.slowUnreadBytes
        let count = accept_end_unread(connections?.door ?? 0, UInt32(least), &pid)
        if count > 0 { onRefusal?(.unreadEvents, "pid \(pid) left events unread") }
    }

    private func takeSubscriptions() {
        var frame = Frame()
        do {
            for _ in 0..<BusOptions.subscriptionsPerTurnMax {
                guard try socket.receive(&frame) else { return }
                let peer = frame.peer()
                let bytes = frame.bytes
                subscriptionsShown += 1
                try socket.skipRest(after: &frame)
                try take(bytes, from: peer)
            }
        } catch {
            onRefusal?(.malformedSubscription, "subscription")
        }
    }

    private func take(_ bytes: [UInt8], from peer: Peer?) throws(SocketError) {
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

    /// Subscriptions of one peer arrive in the order it sent them, `~sync` last: from here on everything
    /// after the head told here reaches it live.
    private func answerSync(_ topic: String) throws(SocketError) {
        try publish(topic: topic, position().encoded())
    }
}

/// Topics that are not events: they begin with `~`, which sorts behind every type.
package enum Topic {
    /// Followed by an id of the subscriber's choice; answered with a ``SyncHead``.
    package static let sync = "~sync."
    /// Spans, one per message, while somebody listens.
    package static let trace = "~trace"
}
