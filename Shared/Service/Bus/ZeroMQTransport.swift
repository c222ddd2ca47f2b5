internal import CAccept
internal import CZeroMQ
import Contract
import Glibc
package import Loop
import Units

/// libzmq's sockets on ipc, in this directory.
extension RuntimeDirectory: Transport {
    @LoopActor package var loop: EventLoop { .main }

    @LoopActor package func dealer(to name: String) throws(SocketError) -> any DealerSocket {
        try ZeroMQDealer(endpoint(named: name, .requests))
    }

    @LoopActor package func router(of name: String) throws(SocketError) -> any RouterSocket {
        try ZeroMQRouter(endpoint(named: name, .requests), path: socketPath(named: name, .requests))
    }

    @LoopActor package func publisher(
        of name: String, topics: [String], queuedMax: Int
    ) throws(SocketError) -> any PublisherSocket {
        try ZeroMQPublisher(
            endpoint(named: name, .events), path: socketPath(named: name, .events), topics: topics,
            queuedMax: queuedMax)
    }

    @LoopActor package func subscriber(queuedMax: Int) throws(SocketError) -> any SubscriberSocket {
        try ZeroMQSubscriber(self, queuedMax: queuedMax)
    }
}

/// A DEALER socket. Like all of these it must be unregistered from the poll before it closes, which happens
/// when the object is released.
@LoopActor final class ZeroMQDealer: DealerSocket {
    var onReady: (@LoopActor () -> Void)?
    var onConnections: (@LoopActor (Int) -> Void)?
    var wantsToSend = false
    private let socket: Socket
    private let monitor: Socket
    private var tokens: [Reactor.Token] = []

    init(_ endpoint: String) throws(SocketError) {
        socket = try Socket(.dealer)
        monitor = try Socket(.pair)
        let events = "inproc://monitor.\(freshID())"
        try socket.monitor(events, events: ZMQ_EVENT_HANDSHAKE_SUCCEEDED)
        try monitor.connect(events)
        try socket.connect(endpoint)
        tokens = [
            Reactor.shared.watch(
                socket: socket, wantsToSend: { [weak self] in self?.wantsToSend == true }
            ) { [weak self] in self?.onReady?() },
            Reactor.shared.watch(socket: monitor) { [weak self] in
                self?.receiveConnections()
            },
        ]
    }

    isolated deinit {
        socket.stopMonitoring()
        close()
    }

    func close() {
        tokens.forEach(Reactor.shared.forget)
        tokens = []
    }

    func send(_ message: [UInt8]) throws(SocketError) -> Sent { try socket.send(message) }

    func receive(_ body: (UnsafeRawBufferPointer) -> Void) throws(SocketError) -> Bool {
        var frame = Frame()
        guard try socket.receive(&frame) else { return false }
        frame.withBytes(body)
        return true
    }

    private func receiveConnections() {
        var frame = Frame()
        var connections = 0
        do {
            while try monitor.receive(&frame) {
                connections += 1
                // zmq_socket_monitor(3): two frames, the event's number and value, and the endpoint.
                try monitor.skipRest(after: &frame)
            }
        } catch { return }  // Interrupted by a signal; the next poll retries.
        if connections > 0 { onConnections?(connections) }
    }
}

/// A ROUTER socket, whose connections are counted in `accept4`.
@LoopActor final class ZeroMQRouter: RouterSocket {
    var onReady: (@LoopActor () -> Void)?
    var onRoom: (@LoopActor () -> Void)?
    var onEnd: (@LoopActor (_ descriptor: Int32) -> Void)?
    var onRefusal: (@LoopActor (RefusalReason, String) -> Void)?
    var wantsRoom = false { didSet { if wantsRoom != oldValue { watchForRoom() } } }
    private struct Sender {
        var route: Route
        var peer: Peer?
    }

    private let socket: Socket
    /// The sender of the last message.
    private var last: Sender?
    /// Bytes of long answers in libzmq, by the peer's routing id.
    private var held: [[UInt8]: QueuedBytes] = [:]
    private let heldByAll = QueuedBytes()
    /// Signals that long answers have gone that kept others back; libzmq signals only room for messages.
    private let roomSignal: QueuedBytes.Signal
    private var signalToken: Reactor.Token?
    private var connections: ConnectionWatch?
    private var token: Reactor.Token?
    private var roomToken: Reactor.Token?

    init(_ endpoint: String, path: String) throws(SocketError) {
        // A message slightly over the limit is received and refused with an answer; one far over it closes
        // the connection.
        roomSignal = try QueuedBytes.Signal()
        socket = try Socket(
            .router, queuedMax: BusOptions.requestsQueuedMax, sentMax: BusOptions.answersQueuedMax,
            bytesMax: 2 * Limits.messageBytesMax)
        connections = try ConnectionWatch(socket, at: path) { [weak self] reason, whose in
            self?.onRefusal?(reason, whose)
        }
        connections?.onEnd = { [weak self] in self?.onEnd?($0) }
        try socket.bind(endpoint)
        token = Reactor.shared.watch(socket: socket) { [weak self] in self?.onReady?() }
        signalToken = Reactor.shared.watch(descriptor: roomSignal.descriptor) { [weak self] in
            self?.roomSignal.clear()
            self?.onRoom?()
        }
    }

    isolated deinit { close() }

    func close() {
        for token in [token, signalToken].compactMap(\.self) { Reactor.shared.forget(token) }
        (token, signalToken) = (nil, nil)
        wantsRoom = false
        socket.stopMonitoring()
        connections?.close()
    }

    func isOpen(_ connection: Connection) -> Bool {
        accept_is_open(connection.descriptor, connection.number) != 0
    }

    /// Frames: the peer's routing id, an empty delimiter if the peer is a REQ socket, the body.
    func receive() throws(SocketError) -> RouterMessage? {
        var identity = Frame()
        var frame = Frame()
        while try socket.receive(&identity) {
            guard identity.hasMore, try socket.receive(&frame) else { continue }
            var hasDelimiter = false
            if frame.count == 0, frame.hasMore {
                hasDelimiter = true
                guard try socket.receive(&frame) else { continue }
            }
            let sender = sender(&identity, hasDelimiter, &frame)
            guard !frame.hasMore else {
                try socket.skipRest(after: &frame)
                return RouterMessage(route: sender.route, peer: sender.peer, body: nil)
            }
            return RouterMessage(route: sender.route, peer: sender.peer, body: frame.bytes)
        }
        return nil
    }

    /// Where a message came from. It is determined once for messages that follow each other over one
    /// connection.
    private func sender(_ identity: inout Frame, _ hasDelimiter: Bool, _ body: inout Frame) -> Sender {
        let connection = body.connection()
        if let last, connection != nil, last.route.connection == connection,
            last.route.hasDelimiter == hasDelimiter, identity.hasBytes(last.route.identity)
        {
            return last
        }
        let peer = body.peer()
        var route = Route(identity: identity.bytes, hasDelimiter: hasDelimiter)
        route.pid = peer?.pid ?? 0
        route.connection = connection
        let sender = Sender(route: route, peer: peer)
        last = sender
        return sender
    }

    func send(_ answer: [UInt8], to route: Route) throws(SocketError) -> Sent {
        let held = answer.count > BusOptions.smallBytes ? held(for: route.identity) : nil
        if let held, held.count > 0, held.count + answer.count > answerBytesMax, held.awaitRoom() {
            return .wouldBlock
        }
        let sent = try socket.send(route.identity, more: true)
        guard sent == .sent else { return sent }
        if route.hasDelimiter { _ = try socket.send([], more: true) }
        guard let held else { return try socket.send(answer) }
        return try socket.send(answer, heldIn: held)
    }

    /// Where the long answers to a peer are counted. Peers that have read theirs are forgotten.
    private func held(for peer: [UInt8]) -> QueuedBytes {
        if let held = held[peer] { return held }
        if held.count >= Limits.connectionsMax { held = held.filter { $0.value.count > 0 } }
        let new = QueuedBytes(in: heldByAll, signal: roomSignal)
        held[peer] = new
        return new
    }

    /// Bytes of long answers to one peer; none besides the first if all peers together leave too much unread.
    private var answerBytesMax: Int {
        heldByAll.count > Limits.unreadBytesMax ? 0 : BusOptions.answerBytesQueuedMax
    }

    private func watchForRoom() {
        if let roomToken { Reactor.shared.forget(roomToken) }
        roomToken = nil
        // Without the descriptor only the server's timer retries.
        guard wantsRoom, let descriptor = try? socket.readinessDescriptor() else { return }
        roomToken = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.onRoom?() }
    }
}

/// An XPUB socket, whose connections are counted in `accept4`.
@LoopActor final class ZeroMQPublisher: PublisherSocket {
    var onReady: (@LoopActor () -> Void)?
    var onRefusal: (@LoopActor (RefusalReason, String) -> Void)?
    private let socket: Socket
    private var connections: ConnectionWatch?
    private var token: Reactor.Token?
    private let held = QueuedBytes()
    private var ended: Milliseconds = 0

    init(_ endpoint: String, path: String, topics: [String], queuedMax: Int) throws(SocketError) {
        socket = try Socket(.publisher, queuedMax: queuedMax)
        connections = try ConnectionWatch(socket, at: path, topics: topics) { [weak self] reason, whose in
            self?.onRefusal?(reason, whose)
        }
        try socket.bind(endpoint)
        token = Reactor.shared.watch(socket: socket) { [weak self] in self?.onReady?() }
    }

    isolated deinit { close() }

    func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
        socket.stopMonitoring()
        connections?.close()
    }

    func receive() throws(SocketError) -> SubscriptionMessage? {
        var frame = Frame()
        guard try socket.receive(&frame) else { return nil }
        let message = SubscriptionMessage(bytes: frame.bytes, peer: frame.peer())
        try socket.skipRest(after: &frame)
        return message
    }

    func setSubscribed(_ topic: [UInt8], _ isSubscribed: Bool) throws(SocketError) {
        try socket.set(isSubscribed ? ZMQ_SUBSCRIBE : ZMQ_UNSUBSCRIBE, topic)
    }

    /// Small events are not counted; they are bounded by number.
    var unreadBytes: Int { held.count }

    func publish(_ topic: [UInt8], _ message: [UInt8]) throws(SocketError) {
        _ = try socket.send(topic, more: true)
        guard message.count > BusOptions.smallBytes else {
            _ = try socket.send(message)
            return
        }
        _ = try socket.send(message, heldIn: held)
        if held.count > Limits.unreadEventBytesMax { endSlowSubscribers() }
    }

    /// libzmq bounds a subscriber's queue in messages only and does not report queue sizes. The kernel
    /// reports who does not read: those peers are disconnected and their queues freed. A peer that reads
    /// again reconnects, receives the head and reads the log.
    private func endSlowSubscribers() {
        let now = EventLoop.main.now
        guard now - ended >= BusOptions.slowCheckPause else { return }
        ended = now
        var pid: Int32 = 0
        // At twice the limit disconnect the slowest peer, however little it left unread.
        let least = held.count > 2 * Limits.unreadEventBytesMax ? 0 : BusOptions.slowUnreadBytes
        let count = accept_end_unread(connections?.listener ?? 0, UInt32(least), &pid)
        if count > 0 { onRefusal?(.unreadEvents, "pid \(pid) left events unread") }
    }
}

/// A SUB socket.
@LoopActor final class ZeroMQSubscriber: SubscriberSocket {
    var onReady: (@LoopActor () -> Void)?
    var onConnection: (@LoopActor (_ isConnected: Bool) -> Void)?
    private let directory: RuntimeDirectory
    private let socket: Socket
    private let monitor: Socket
    private var tokens: [Reactor.Token] = []

    init(_ directory: RuntimeDirectory, queuedMax: Int) throws(SocketError) {
        self.directory = directory
        socket = try Socket(.subscriber, queuedMax: queuedMax)
        monitor = try Socket(.pair)
        let endpoint = "inproc://monitor.\(freshID())"
        try socket.monitor(endpoint, events: ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED)
        try monitor.connect(endpoint)
        tokens = [
            Reactor.shared.watch(socket: monitor) { [weak self] in
                self?.receiveConnectionChanges()
            },
            Reactor.shared.watch(socket: socket) { [weak self] in self?.onReady?() },
        ]
    }

    isolated deinit {
        socket.stopMonitoring()
        close()
    }

    func close() {
        tokens.forEach(Reactor.shared.forget)
        tokens = []
    }

    func setSubscribed(_ topic: String, _ isSubscribed: Bool) throws(SocketError) {
        try socket.set(isSubscribed ? ZMQ_SUBSCRIBE : ZMQ_UNSUBSCRIBE, Array(topic.utf8))
    }

    func connect(to name: String) throws(SocketError) {
        try socket.connect(directory.endpoint(named: name, .events))
    }

    func receive(
        _ body: (_ topic: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer?) -> Void
    ) throws(SocketError) -> Bool {
        var topic = Frame()
        guard try socket.receive(&topic) else { return false }
        var message = Frame()
        guard topic.hasMore, try socket.receive(&message), !message.hasMore else {
            try socket.skipRest(after: &message)
            topic.withBytes { body($0, nil) }
            return true
        }
        topic.withBytes { topic in message.withBytes { body(topic, $0) } }
        return true
    }

    private func receiveConnectionChanges() {
        var frame = Frame()
        do {
            while try monitor.receive(&frame) {
                let event = frame.withBytes { $0.loadUnaligned(as: UInt16.self) }
                try monitor.skipRest(after: &frame)
                onConnection?(Int32(event) == ZMQ_EVENT_HANDSHAKE_SUCCEEDED)
            }
        } catch { return }  // Interrupted by a signal; the next poll retries.
    }
}
