package import Contract
package import Loop

/// Makes the four kinds of sockets of the bus, named as libzmq's. ``RuntimeDirectory`` makes libzmq's own; a
/// simulation makes others. ``RequestClient``, ``RequestServer``, ``EventFollower`` and ``EventPublisher``
/// work with any of them.
@LoopActor package protocol Transport: Sendable {
    /// The loop that calls the sockets' handlers; timers of transport belong to it, too.
    var loop: EventLoop { get }
    /// Connects to the request socket of a service or agent, which may start later.
    func dealer(to name: String) throws(SocketError) -> any DealerSocket
    /// Binds the request socket of a service or agent.
    func router(of name: String) throws(SocketError) -> any RouterSocket
    /// Binds the event socket of a service or agent.
    /// - Parameters:
    ///   - topics: the topics, and prefixes of topics, that peers may subscribe to.
    ///   - queuedMax: high-water mark per subscriber, in messages; beyond it they are dropped.
    func publisher(of name: String, topics: [String], queuedMax: Int) throws(SocketError)
        -> any PublisherSocket
    /// Makes a subscriber without topics or connection.
    /// - Parameter queuedMax: high-water mark on this side, in messages.
    func subscriber(queuedMax: Int) throws(SocketError) -> any SubscriberSocket
}

/// Result of sending without waiting.
package enum Sent: Sendable {
    case sent
    /// The queue is full.
    case wouldBlock
    /// Nobody is connected with this identity.
    case noSuchPeer
}

/// The client's side of requests.
@LoopActor package protocol DealerSocket: AnyObject {
    /// Called while there are messages to receive and, if `wantsToSend`, while there is room to send.
    var onReady: (@LoopActor () -> Void)? { get set }
    /// Whether a message waits for room.
    var wantsToSend: Bool { get set }
    /// Called after connections were made, with their number since the last call. Each may lead to another
    /// process.
    var onConnections: (@LoopActor (Int) -> Void)? { get set }
    /// Sends one message without waiting. Without a connection it would block.
    func send(_ message: [UInt8]) throws(SocketError) -> Sent
    /// Calls `body` with the next message, valid only meanwhile.
    /// - Returns: false if there is none.
    func receive(_ body: (UnsafeRawBufferPointer) -> Void) throws(SocketError) -> Bool
    /// Calls no handler any more; the connection ends with the last reference.
    func close()
}

/// The server's side of requests.
@LoopActor package protocol RouterSocket: AnyObject {
    /// Called while there are messages to receive.
    var onReady: (@LoopActor () -> Void)? { get set }
    /// Called while `wantsRoom` and there may be room for an answer.
    var onRoom: (@LoopActor () -> Void)? { get set }
    /// Whether an answer waits for room.
    var wantsRoom: Bool { get set }
    /// Called with the descriptor of each connection that has ended.
    var onEnd: (@LoopActor (_ descriptor: Int32) -> Void)? { get set }
    /// Called for each connection or message that was refused, with text that is safe to log.
    var onRefusal: (@LoopActor (RefusalReason, String) -> Void)? { get set }
    /// The next message; nil if there is none.
    func receive() throws(SocketError) -> RouterMessage?
    /// Sends one answer without waiting.
    func send(_ answer: [UInt8], to route: Route) throws(SocketError) -> Sent
    /// Whether the peer of a connection is still connected.
    func isOpen(_ connection: Connection) -> Bool
    /// Calls no handler any more; the socket closes with the last reference.
    func close()
}

/// One received message of a ``RouterSocket``.
package struct RouterMessage: Sendable {
    /// Where an answer goes.
    var route: Route
    /// The sender; nil if it is unknown.
    var peer: Peer?
    /// The body; nil if the message has another number of frames than one.
    var body: [UInt8]?

    /// A message that has arrived.
    package init(route: Route, peer: Peer?, body: [UInt8]?) {
        self.route = route
        self.peer = peer
        self.body = body
    }
}

/// The owner's side of events.
@LoopActor package protocol PublisherSocket: AnyObject {
    /// Called while there are subscriptions to receive.
    var onReady: (@LoopActor () -> Void)? { get set }
    /// Called for each connection or subscription that was refused, with text that is safe to log.
    var onRefusal: (@LoopActor (RefusalReason, String) -> Void)? { get set }
    /// The next message of a subscriber; nil if there is none.
    func receive() throws(SocketError) -> SubscriptionMessage?
    /// Lets the sender of the last received message have a topic, or takes it away.
    func setSubscribed(_ topic: [UInt8], _ isSubscribed: Bool) throws(SocketError)
    /// Sends a message to the subscribers of its topic without waiting; whoever is too slow loses it.
    func publish(_ topic: [UInt8], _ message: [UInt8]) throws(SocketError)
    /// Bytes of messages that subscribers have not read, as far as they are counted.
    var unreadBytes: Int { get }
    /// Calls no handler any more; the socket closes with the last reference.
    func close()
}

/// One message of a subscriber: 1 and a topic to subscribe, 0 and a topic to end it (zmq_socket(3), XPUB).
package struct SubscriptionMessage: Sendable {
    var bytes: [UInt8]
    /// The sender; nil if it is unknown.
    var peer: Peer?

    /// A message that has arrived.
    package init(bytes: [UInt8], peer: Peer?) {
        self.bytes = bytes
        self.peer = peer
    }
}

/// The follower's side of events.
@LoopActor package protocol SubscriberSocket: AnyObject {
    /// Called while there are messages to receive.
    var onReady: (@LoopActor () -> Void)? { get set }
    /// Called when the connection was made or has ended.
    var onConnection: (@LoopActor (_ isConnected: Bool) -> Void)? { get set }
    /// Subscribes to topics with this prefix, or no longer.
    func setSubscribed(_ topic: String, _ isSubscribed: Bool) throws(SocketError)
    /// Connects to the event socket of a service or agent, which may start later.
    func connect(to name: String) throws(SocketError)
    /// Calls `body` with the next message, valid only meanwhile: its topic, and its body, which is nil if the
    /// message has another number of frames than two.
    /// - Returns: false if there is none.
    func receive(
        _ body: (_ topic: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer?) -> Void
    ) throws(SocketError) -> Bool
    /// Calls no handler any more; the connection ends with the last reference.
    func close()
}
