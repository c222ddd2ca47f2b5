import Bus
import Contract
import Glibc
package import Loop

/// The bus of a simulation, as libzmq does it on ipc: connections are made when both ends are there, keep
/// their order, and lose what was under way when they break. Published messages can be lost, as PUB/SUB may.
@LoopActor package final class SimulatedNetwork {
    /// What the network does to messages and connections, decided by the seed.
    package struct Faults: Sendable {
        /// One in so many messages takes up to a second instead of some milliseconds; 0 for none.
        package var slowOneIn: UInt64 = 200
        /// One in so many published messages begins a stretch of losses to one subscriber; 0 for none.
        package var lossOneIn: UInt64 = 300
        package init() {}
    }

    let simulator: Simulator
    package var faults = Faults()
    /// Numbers by kind of what happened.
    package private(set) var counts: [String: Int] = [:]
    private var routers: [String: SimulatedRouter] = [:]
    private var publishers: [String: SimulatedPublisher] = [:]
    private var dealers: [SimulatedDealer] = []
    private var subscribers: [SimulatedSubscriber] = []
    private var lastNumber: UInt64 = 0

    package init(_ simulator: Simulator) { self.simulator = simulator }

    func count(_ what: String) { counts[what, default: 0] += 1 }

    func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: ends

    func bind(_ router: SimulatedRouter) throws(SocketError) {
        guard routers[router.name] == nil else { throw SocketError("bind \(router.name)", errno: EADDRINUSE) }
        routers[router.name] = router
        for dealer in dealers where dealer.name == router.name { connectLater(dealer) }
    }

    func bind(_ publisher: SimulatedPublisher) throws(SocketError) {
        guard publishers[publisher.name] == nil else {
            throw SocketError("bind \(publisher.name)", errno: EADDRINUSE)
        }
        publishers[publisher.name] = publisher
        for one in subscribers where one.name == publisher.name { connectLater(one) }
    }

    func add(_ dealer: SimulatedDealer) {
        dealers.append(dealer)
        connectLater(dealer)
    }

    func add(_ subscriber: SimulatedSubscriber) {
        subscribers.append(subscriber)
        connectLater(subscriber)
    }

    func remove(_ router: SimulatedRouter) {
        guard routers[router.name] === router else { return }
        routers[router.name] = nil
        for link in router.links.values { link.break() }
    }

    func remove(_ publisher: SimulatedPublisher) {
        guard publishers[publisher.name] === publisher else { return }
        publishers[publisher.name] = nil
        for link in publisher.links { link.break() }
    }

    func remove(_ dealer: SimulatedDealer) {
        dealers.removeAll { $0 === dealer }
        dealer.link?.break()
    }

    func remove(_ subscriber: SimulatedSubscriber) {
        subscribers.removeAll { $0 === subscriber }
        subscriber.link?.break()
    }

    /// Cuts one connection; both ends find out, and connect again.
    package func cutOne() {
        let links = dealers.compactMap(\.link) + subscribers.compactMap(\.link)
        guard !links.isEmpty else { return }
        count("connections cut")
        links[simulator.random.below(links.count)].break()
    }

    // MARK: connections

    /// libzmq tries again after a while; here 0.1 to 20 ms.
    private func connectLater(_ dealer: SimulatedDealer) {
        simulator.after(delay(100_000...20_000_000)) { [weak self, weak dealer] in
            guard let self, let dealer, dealer.link == nil, !dealer.isClosed,
                let router = routers[dealer.name]
            else { return }
            let link = SimulatedLink(self)
            link.onServerEnd = { [weak router] in router?.ended($0) }
            link.onClientEnd = { [weak self, weak dealer] _ in
                dealer?.link = nil
                if let self, let dealer, !dealer.isClosed { connectLater(dealer) }
            }
            dealer.link = link
            router.links[link.number] = link
            link.client = dealer
            link.server = router
            dealer.connected()
        }
    }

    private func connectLater(_ subscriber: SimulatedSubscriber) {
        simulator.after(delay(100_000...20_000_000)) { [weak self, weak subscriber] in
            guard let self, let subscriber, subscriber.link == nil, !subscriber.isClosed,
                let publisher = publishers[subscriber.name]
            else { return }
            let link = SimulatedLink(self)
            link.onServerEnd = { [weak publisher] in publisher?.ended($0) }
            link.onClientEnd = { [weak self, weak subscriber] _ in
                subscriber?.disconnected()
                if let self, let subscriber, !subscriber.isClosed { connectLater(subscriber) }
            }
            subscriber.link = link
            publisher.links.append(link)
            subscriber.connected(link, to: publisher)
        }
    }

    /// How long a message takes, in nanoseconds.
    func latency() -> Int64 {
        guard faults.slowOneIn > 0, simulator.random.oneIn(faults.slowOneIn) else {
            return delay(20_000...2_000_000)
        }
        count("messages delayed")
        return delay(2_000_000...1_000_000_000)
    }

    func delay(_ range: ClosedRange<Int64>) -> Int64 { simulator.random.time(range) }
}

/// One connection: two directions, each in order. When it breaks, what is under way arrives up to some point;
/// the rest is lost, and so is what is sent before an end has noticed.
@LoopActor final class SimulatedLink {
    let number: UInt64
    private let network: SimulatedNetwork
    private(set) var isOpen = true
    var onServerEnd: (@LoopActor (SimulatedLink) -> Void)?
    var onClientEnd: (@LoopActor (SimulatedLink) -> Void)?
    weak var client: SimulatedDealer?
    weak var server: SimulatedRouter?
    /// When the last message of a direction arrives.
    private var lastArrival: (up: Int64, down: Int64) = (0, 0)
    /// After a break: the last instant at which something of a direction arrives.
    private var cut: (up: Int64, down: Int64) = (.max, .max)
    /// The publisher loses what it sends here until then, in nanoseconds.
    private var lossyUntil: Int64 = 0
    /// Whether nothing arrived since the last loss.
    private var hasLostTail = false

    init(_ network: SimulatedNetwork) {
        self.network = network
        number = network.takeNumber()
    }

    /// Sends to the server's end.
    func sendUp(_ bytes: [UInt8], _ arrive: @escaping @LoopActor ([UInt8]) -> Void) {
        guard isOpen else { return }
        lastArrival.up = max(lastArrival.up, network.simulator.nowNs + network.latency())
        deliver(bytes, at: lastArrival.up) { [weak self] due, bytes in
            if let self, due <= cut.up { arrive(bytes) }
        }
    }

    /// Sends to the client's end.
    func sendDown(_ bytes: [UInt8], _ arrive: @escaping @LoopActor ([UInt8]) -> Void) {
        guard isOpen else { return }
        lastArrival.down = max(lastArrival.down, network.simulator.nowNs + network.latency())
        deliver(bytes, at: lastArrival.down) { [weak self] due, bytes in
            if let self, due <= cut.down { arrive(bytes) }
        }
    }

    /// Sends to the client's end what may be lost: to a subscriber that is too slow, which gets a later
    /// message, or is disconnected.
    func publishDown(_ bytes: [UInt8], _ arrive: @escaping @LoopActor ([UInt8]) -> Void) {
        let simulator = network.simulator
        if network.faults.lossOneIn > 0, simulator.random.oneIn(network.faults.lossOneIn) {
            lossyUntil = simulator.nowNs + network.delay(0...50_000_000)
            network.count("stretches of lost events")
            // Long enough for a later event to show the gap, often.
            simulator.at(lossyUntil + network.delay(1_000_000_000...30_000_000_000)) { [weak self] in
                if self?.hasLostTail == true { self?.break() }
            }
        }
        guard simulator.nowNs > lossyUntil else {
            hasLostTail = true
            return network.count("events lost")
        }
        hasLostTail = false
        sendDown(bytes, arrive)
    }

    private func deliver(
        _ bytes: [UInt8], at due: Int64, _ arrive: @escaping @LoopActor (Int64, [UInt8]) -> Void
    ) {
        let (simulator, number) = (network.simulator, Int(number))
        simulator.at(due) {
            simulator.note("message", number, bytes)
            arrive(due, bytes)
        }
    }

    func `break`() {
        guard isOpen else { return }
        isOpen = false
        let simulator = network.simulator
        let now = simulator.nowNs
        cut = (
            network.delay(now...max(now, lastArrival.up)), network.delay(now...max(now, lastArrival.down))
        )
        simulator.at(cut.up) { self.onServerEnd?(self) }
        simulator.at(cut.down) { self.onClientEnd?(self) }
    }
}

extension SimulatedNetwork {
    /// The transport of one process.
    func transport(of process: SimulatedProcess) -> any Transport {
        SimulatedTransport(network: self, process: process)
    }
}

/// The network as one process sees it.
@LoopActor final class SimulatedTransport: Transport {
    private let network: SimulatedNetwork
    private weak var process: SimulatedProcess?
    let loop: EventLoop

    init(network: SimulatedNetwork, process: SimulatedProcess) {
        self.network = network
        self.process = process
        loop = process.loop
    }

    func dealer(to name: String) throws(SocketError) -> any DealerSocket {
        let process = try living()
        let socket = SimulatedDealer(name, network, process)
        network.add(socket)
        process.own(socket)
        return socket
    }

    func router(of name: String) throws(SocketError) -> any RouterSocket {
        let process = try living()
        let socket = SimulatedRouter(name, network, process)
        try network.bind(socket)
        process.own(socket)
        return socket
    }

    func publisher(
        of name: String, topics: [String], queuedMax: Int
    ) throws(SocketError) -> any PublisherSocket {
        let process = try living()
        let socket = SimulatedPublisher(name, network, process)
        try network.bind(socket)
        process.own(socket)
        return socket
    }

    func subscriber(queuedMax: Int) throws(SocketError) -> any SubscriberSocket {
        let process = try living()
        let socket = SimulatedSubscriber(network, process)
        process.own(socket)
        return socket
    }

    /// What a dead process still tries has no effect.
    private func living() throws(SocketError) -> SimulatedProcess {
        guard let process, process.isAlive else {
            throw SocketError("open a socket of a dead process", errno: EBADF)
        }
        return process
    }
}
