import Bus
import Contract
import Loop

/// A socket that its process polls, level-triggered like poll(2).
@LoopActor protocol PolledSocket: AnyObject {
    /// Whether its handler is to be called.
    var isReady: Bool { get }
    var onReady: (@LoopActor () -> Void)? { get }
    func close()
}

/// A DEALER socket of a simulated process.
@LoopActor final class SimulatedDealer: DealerSocket, PolledSocket {
    let name: String
    var onReady: (@LoopActor () -> Void)?
    var onConnections: (@LoopActor (Int) -> Void)?
    var wantsToSend = false {
        didSet { if wantsToSend, link != nil { process?.wake() } }
    }
    private(set) var isClosed = false
    var link: SimulatedLink?
    private let network: SimulatedNetwork
    private weak var process: SimulatedProcess?
    private var inbox: [[UInt8]] = []
    var isReady: Bool { !isClosed && (!inbox.isEmpty || wantsToSend && link?.isOpen == true) }

    init(_ name: String, _ network: SimulatedNetwork, _ process: SimulatedProcess) {
        self.name = name
        self.network = network
        self.process = process
    }

    /// The event of the connection, and room to send, are found out separately, in any order.
    func connected() {
        process?.after(network.latency()) { [weak self] in self?.onConnections?(1) }
        if wantsToSend { process?.wake() }
    }

    func send(_ message: [UInt8]) -> Sent {
        guard let link, !isClosed else { return .wouldBlock }
        link.sendUp(message) { [weak link] in
            if let link { link.server?.arrived($0, over: link) }
        }
        return .sent
    }

    func arrived(_ bytes: [UInt8]) {
        inbox.append(bytes)
        process?.wake()
    }

    func receive(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard !isClosed, !inbox.isEmpty else { return false }
        inbox.removeFirst().withUnsafeBytes(body)
        return true
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        (onReady, onConnections) = (nil, nil)
        network.remove(self)
    }
}

/// A ROUTER socket of a simulated process. Its queues to peers have no bound, so it never waits for room.
@LoopActor final class SimulatedRouter: RouterSocket, PolledSocket {
    let name: String
    var onReady: (@LoopActor () -> Void)?
    var onRoom: (@LoopActor () -> Void)?
    var wantsRoom = false
    var onEnd: (@LoopActor (_ descriptor: Int32) -> Void)?
    var onRefusal: (@LoopActor (RefusalReason, String) -> Void)?
    var links: [UInt64: SimulatedLink] = [:]
    private var isClosed = false
    private let network: SimulatedNetwork
    private weak var process: SimulatedProcess?
    private var inbox: [RouterMessage] = []
    var isReady: Bool { !isClosed && !inbox.isEmpty }

    init(_ name: String, _ network: SimulatedNetwork, _ process: SimulatedProcess) {
        self.name = name
        self.network = network
        self.process = process
    }

    func arrived(_ bytes: [UInt8], over link: SimulatedLink) {
        let pid = Int32(truncatingIfNeeded: link.number)
        let identity = withUnsafeBytes(of: link.number) { Array($0) }
        let route = Route(
            identity: identity, pid: pid, connection: Connection(descriptor: pid, number: link.number))
        inbox.append(
            RouterMessage(
                route: route, peer: Peer(uid: Peer.own.uid, gid: Peer.own.gid, pid: pid), body: bytes))
        process?.wake()
    }

    func ended(_ link: SimulatedLink) {
        links[link.number] = nil
        guard !isClosed else { return }
        let descriptor = Int32(truncatingIfNeeded: link.number)
        process?.after(network.latency()) { [weak self] in self?.onEnd?(descriptor) }
    }

    func receive() -> RouterMessage? { isClosed || inbox.isEmpty ? nil : inbox.removeFirst() }

    func send(_ answer: [UInt8], to route: Route) -> Sent {
        let number = route.identity.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        guard !isClosed, let link = links[number] else { return .noSuchPeer }
        link.sendDown(answer) { [weak link] in link?.client?.arrived($0) }
        return .sent
    }

    func isOpen(_ connection: Connection) -> Bool { links[connection.number] != nil }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        (onReady, onRoom, onEnd, onRefusal) = (nil, nil, nil, nil)
        network.remove(self)
    }
}

/// An XPUB socket of a simulated process.
@LoopActor final class SimulatedPublisher: PublisherSocket, PolledSocket {
    let name: String
    var onReady: (@LoopActor () -> Void)?
    var onRefusal: (@LoopActor (RefusalReason, String) -> Void)?
    var links: [SimulatedLink] = []
    private var isClosed = false
    private let network: SimulatedNetwork
    private weak var process: SimulatedProcess?
    private var inbox: [(bytes: [UInt8], link: SimulatedLink, subscriber: SimulatedSubscriber)] = []
    var isReady: Bool { !isClosed && !inbox.isEmpty }
    /// The link of the last received message.
    private var last: SimulatedLink?
    private var topics: [UInt64: Set<[UInt8]>] = [:]
    private var ends: [UInt64: SimulatedSubscriber] = [:]

    init(_ name: String, _ network: SimulatedNetwork, _ process: SimulatedProcess) {
        self.name = name
        self.network = network
        self.process = process
    }

    func arrived(_ bytes: [UInt8], over link: SimulatedLink, from subscriber: SimulatedSubscriber) {
        inbox.append((bytes, link, subscriber))
        process?.wake()
    }

    func ended(_ link: SimulatedLink) {
        links.removeAll { $0 === link }
        topics[link.number] = nil
        ends[link.number] = nil
    }

    func receive() -> SubscriptionMessage? {
        guard !isClosed, !inbox.isEmpty else { return nil }
        let next = inbox.removeFirst()
        last = next.link
        ends[next.link.number] = next.subscriber
        return SubscriptionMessage(bytes: next.bytes, peer: Peer.own)
    }

    func setSubscribed(_ topic: [UInt8], _ isSubscribed: Bool) {
        guard let last, last.isOpen else { return }
        if isSubscribed {
            topics[last.number, default: []].insert(topic)
        } else {
            topics[last.number]?.remove(topic)
        }
    }

    func publish(_ topic: [UInt8], _ message: [UInt8]) {
        guard !isClosed else { return }
        for link in links where topics[link.number]?.contains(where: { topic.starts(with: $0) }) == true {
            guard let end = ends[link.number] else { continue }
            link.publishDown(message) { [weak end] in end?.arrived(topic, $0) }
        }
    }

    var unreadBytes: Int { 0 }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        (onReady, onRefusal) = (nil, nil)
        network.remove(self)
    }
}

/// A SUB socket of a simulated process.
@LoopActor final class SimulatedSubscriber: SubscriberSocket, PolledSocket {
    private(set) var name = ""
    var onReady: (@LoopActor () -> Void)?
    var onConnection: (@LoopActor (_ isConnected: Bool) -> Void)?
    private(set) var isClosed = false
    var link: SimulatedLink?
    private weak var publisher: SimulatedPublisher?
    private let network: SimulatedNetwork
    private weak var process: SimulatedProcess?
    private var topics: [String] = []
    private var inbox: [(topic: [UInt8], message: [UInt8])] = []
    var isReady: Bool { !isClosed && !inbox.isEmpty }

    init(_ network: SimulatedNetwork, _ process: SimulatedProcess) {
        self.network = network
        self.process = process
    }

    func setSubscribed(_ topic: String, _ isSubscribed: Bool) {
        if isSubscribed { topics.append(topic) } else { topics.removeAll { $0 == topic } }
        send(topic, isSubscribed)
    }

    func connect(to name: String) {
        self.name = name
        network.add(self)
    }

    /// Repeats the subscriptions in order, as libzmq does for each connection.
    func connected(_ link: SimulatedLink, to publisher: SimulatedPublisher) {
        self.publisher = publisher
        process?.after(network.latency()) { [weak self, weak link] in
            if link?.isOpen == true { self?.onConnection?(true) }
        }
        for topic in topics { send(topic, true) }
    }

    private func send(_ topic: String, _ isSubscribed: Bool) {
        guard let link, let publisher, !isClosed else { return }
        link.sendUp([isSubscribed ? 1 : 0] + Array(topic.utf8)) { [weak self, weak link, weak publisher] in
            if let self, let link { publisher?.arrived($0, over: link, from: self) }
        }
    }

    func disconnected() {
        link = nil
        publisher = nil
        process?.after(network.latency()) { [weak self] in
            if self?.link == nil { self?.onConnection?(false) }
        }
    }

    func arrived(_ topic: [UInt8], _ message: [UInt8]) {
        inbox.append((topic, message))
        process?.wake()
    }

    func receive(
        _ body: (_ topic: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer?) -> Void
    ) -> Bool {
        guard !isClosed, !inbox.isEmpty else { return false }
        let next = inbox.removeFirst()
        next.topic.withUnsafeBytes { topic in next.message.withUnsafeBytes { body(topic, $0) } }
        return true
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        (onReady, onConnection) = (nil, nil)
        if !name.isEmpty { network.remove(self) }
    }
}
