import Bus
import Contract
package import Loop
import ServiceKit
import Store
package import Units

/// One process of a simulation: its loop, its clock and its sockets. It can die between any two steps, and at
/// a fault point; then its disk handles and sockets are cut off, and what its objects still do has no effect.
@LoopActor package final class SimulatedProcess {
    /// Name of the service or agent.
    package let name: String
    package let simulator: Simulator
    package let loop: EventLoop
    package private(set) lazy var clock = SimulatedClock(self)
    /// Whether it runs.
    package private(set) var isAlive = true
    /// Called once when it dies or exits.
    package var onEnd: (@LoopActor () -> Void)?
    private var sockets: [any PolledSocket] = []
    private var willTurn = false
    private var isInTurn = false
    /// When its next timer was scheduled for, in nanoseconds.
    private var wakeUp: Int64 = .max

    package init(_ name: String, _ simulator: Simulator) {
        self.name = name
        self.simulator = simulator
        loop = EventLoop(clock: { [simulator] in simulator.nowNs }, runsAside: false)
    }

    // MARK: turns

    /// Calls `body` later, unless it is dead by then; a turn follows.
    func after(_ delay: Int64, _ body: @escaping @LoopActor () -> Void) {
        simulator.after(delay) { [weak self] in
            guard let self, isAlive else { return }
            body()
            wake()
        }
    }

    /// Makes it run a turn.
    func wake() {
        guard isAlive, !willTurn else { return }
        willTurn = true
        simulator.after(0) { [weak self] in self?.turn() }
    }

    /// Runs `body` as a part of a turn: a start, for example.
    package func run(_ body: @LoopActor () throws -> Void) rethrows {
        guard isAlive else { return }
        try body()
        finishTurn()
    }

    /// As the Reactor: what has arrived, what is due, jobs, the end of the turn.
    private func turn() {
        willTurn = false
        guard isAlive else { return }
        simulator.note("turn", name.utf8.count)
        let bodies = loop.takeNextTurn()
        for socket in sockets where socket.isReady { socket.onReady?() }
        for body in bodies { body() }
        loop.fireTimers()
        clock.fire()
        finishTurn()
    }

    private func finishTurn() {
        for _ in 0..<16 where !Reactor.runJobs() { break }
        loop.endTurn()
        // Jobs that this resumed belong to the next turn.
        while Reactor.runJobs() { loop.endTurn() }
        guard isAlive else { return }
        if loop.isStopped { return end() }
        if loop.hasNextTurn || sockets.contains(where: \.isReady) { wake() }
        scheduleTimers()
    }

    func scheduleTimers() {
        guard isAlive else { return }
        let monotonic = loop.nextDue.map { $0.count * 1_000_000 } ?? .max
        let wall = clock.nextDue.map { ($0 - simulator.start).count * 1_000_000 } ?? .max
        let next = max(min(monotonic, wall), simulator.nowNs)
        guard min(monotonic, wall) != .max, next < wakeUp else { return }
        wakeUp = next
        simulator.at(next) { [weak self] in
            guard let self, wakeUp == next else { return }
            wakeUp = .max
            wake()
        }
    }

    // MARK: life

    func own(_ socket: any PolledSocket) { sockets.append(socket) }

    /// Ends it at this very point, as SIGKILL would.
    package func die() {
        guard isAlive else { return }
        end()
    }

    private func end() {
        isAlive = false
        for socket in sockets { socket.close() }
        sockets = []
        onEnd?()
        onEnd = nil
    }
}

/// The wall clock of a simulated process. It is the machine's: the same for all.
@LoopActor package final class SimulatedClock: WallClock {
    private let simulator: Simulator
    private weak var process: SimulatedProcess?
    private var timers = TimerHeap<Instant>()

    init(_ process: SimulatedProcess) {
        simulator = process.simulator
        self.process = process
    }

    package var now: Instant { simulator.now }

    package func at(_ due: Instant, _ body: @escaping @LoopActor () -> Void) -> TimerToken {
        let token = timers.insert(due: due, body)
        process?.scheduleTimers()
        return token
    }

    package func cancel(_ timer: TimerToken) { timers.cancel(timer) }

    var nextDue: Instant? { timers.nextDue }

    func fire() {
        let round = timers.round
        while let body = timers.popDue(now, in: round) { body() }
    }
}
