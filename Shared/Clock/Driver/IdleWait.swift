import Contract
import Loop
import ServiceKit
import Time
import Units

/// Waits until the whole system is idle: two equal rounds of queries in which no process has unfinished work,
/// and all have applied the logs they follow up to the owners' heads. If there is no progress for too long,
/// the processes that are not idle are reported.
@LoopActor final class IdleWait {
    /// Real time that one answer may wait for idleness: bounds the cost of a missed wake-up.
    private static let wait: Milliseconds = 200
    /// Real time after which a process that does not answer is asked again.
    private static let answer: Milliseconds = 1_000
    /// Real time within which a process that was killed may be restarted.
    private static let returnPause: Milliseconds = 3_000

    private let processes: ClockProcesses
    private let timeout: Milliseconds
    private var moved = MonotonicClock.now
    /// Extensions that are not waited for.
    private let skipping: [String]
    /// Callbacks of those extensions that were given up.
    private(set) var skipped: [Delivery] = []

    init(_ processes: ClockProcesses, timeout: Milliseconds, skipping: [String] = []) {
        self.processes = processes
        self.timeout = timeout
        self.skipping = skipping
    }

    /// - Parameter known: states that are known already, whose heads the followers must reach.
    /// - Returns: the state of every process, when all are idle.
    func settle(after known: [String: ClockState] = [:]) async throws(ServiceError) -> [String: ClockState] {
        moved = MonotonicClock.now
        var previous = known
        var names = known.isEmpty ? processes.belonging() : Array(known.keys)
        while true {
            let wait = ClockWait(heads: Self.heads(of: previous), wait: Self.wait)
            let states = try await processes.ask(names, wait, deadline: Self.answer)
            if states.count == names.count, states == previous, Self.areStill(states) { return states }
            if states != previous { moved = MonotonicClock.now } else { try await skip(states) }
            try giveUpIfOverdue(names, states)
            previous = states
            // A process that does not answer may have exited, and another may have started.
            if states.count < names.count { names = processes.belonging() }
        }
    }

    /// After a time without progress: gives up callbacks of extensions that are not waited for.
    private func skip(_ states: [String: ClockState]) async throws(ServiceError) {
        guard !skipping.isEmpty, states[ServiceName.monitor.rawValue]?.isStill == false else { return }
        skipped += try await processes.skip(skipping)
    }

    /// Lets one process do what is due, and returns its state.
    func tick(_ name: String, _ known: [String: ClockState]) async throws(ServiceError) -> ClockState {
        moved = MonotonicClock.now
        let wait = ClockWait(heads: Self.heads(of: known), wait: Self.wait)
        while true {
            do throws(ServiceError) {
                return try await processes.tick(name, wait, deadline: Self.answer)
            } catch {
                guard error.name == .deadlineExceeded || error.name == .unavailable else { throw error }
                try giveUpIfOverdue([name], [:])
            }
        }
    }

    /// One round without waiting: the state of each process, and what it has not finished.
    func look() async throws(ServiceError) -> [String: (state: ClockState?, waitsFor: [String])] {
        let names = processes.belonging()
        let states = try await processes.ask(names, ClockWait(), deadline: Self.answer)
        return Dictionary(
            uniqueKeysWithValues: names.map { name in (name, (states[name], reasons(name, states))) })
    }

    private static func heads(of states: [String: ClockState]) -> [Position] {
        states.compactMap { name, state in ServiceName(rawValue: name).map { Position($0, state.head) } }
    }

    private static func areStill(_ states: [String: ClockState]) -> Bool {
        states.values.allSatisfy { $0.isStill && behind($0, states) == nil }
    }

    /// Describes how far a process is behind in a log that it follows; nil if it is not.
    private static func behind(_ state: ClockState, _ states: [String: ClockState]) -> String? {
        for followed in state.follows {
            guard let owner = states[followed.service.rawValue] else { continue }
            if followed.sequence != owner.head || !followed.connected {
                return "it has applied \(followed.sequence) of \(owner.head) events of \(owner.service)"
            }
        }
        return nil
    }

    // MARK: naming

    private func giveUpIfOverdue(_ names: [String], _ states: [String: ClockState]) throws(ServiceError) {
        let since = MonotonicClock.now - moved
        for name in names where states[name] == nil {
            let isLost = since >= min(Self.returnPause, timeout)
            if isLost, case .killed(let pid) = processes.presence(of: name) {
                throw overdue(
                    ["\(name) ran here as process \(pid) and is gone"],
                    remedy: "Start it again, then repeat the command: the clock continues where it is.")
            }
        }
        guard since >= timeout else { return }
        throw overdue(
            names.compactMap { name in
                let reasons = reasons(name, states)
                guard let state = states[name], !reasons.isEmpty else { return reasons.first }
                return "\(name) (pid \(state.pid)) is not idle: \(reasons.joined(separator: ", "))"
            },
            remedy: "See its log; when it is idle, repeat the command. An extension "
                + "that does not return is not waited for with `--skip EXTENSION`.")
    }

    private func overdue(_ reasons: [String], remedy: String) -> ServiceError {
        ServiceError(.deadlineExceeded, reasons.joined(separator: "; "), remedy: remedy)
    }

    /// Describes why a process is not idle; empty if it is.
    private func reasons(_ name: String, _ states: [String: ClockState]) -> [String] {
        if let state = states[name] {
            return state.open + [Self.behind(state, states)].compactMap(\.self)
        }
        switch processes.presence(of: name) {
        case .absent: return []
        case .running(let pid): return ["\(name) (pid \(pid)) does not answer"]
        case .stopped(let pid): return ["\(name) (pid \(pid)) is stopped; SIGCONT wakes it"]
        case .killed(let pid): return ["\(name) ran here as process \(pid) and is gone"]
        }
    }
}
