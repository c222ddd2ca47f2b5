import Contract
import Loop
import ServiceKit
import Time
import Units

/// Waits until the whole system is still: two equal rounds of questions in which nobody has anything open,
/// and everybody has taken in the logs it follows up to their owners' heads. Whoever keeps it from being
/// still is named when nothing moves for too long.
@LoopActor final class Settling {
    /// Real milliseconds that one answer may wait for stillness: bounds what a missed wake-up could cost.
    private static let wait: Milliseconds = 200
    /// Real milliseconds after which a process that says nothing is asked anew.
    private static let answer: Milliseconds = 1_000
    /// Real milliseconds within which a process that was killed may come back.
    private static let returnPause: Milliseconds = 3_000

    private let processes: ClockProcesses
    private let timeout: Milliseconds
    private var moved = MonotonicClock.now
    /// Extensions that are not waited for.
    private let skipping: [String]
    /// What they had not returned from.
    private(set) var skipped: [Delivery] = []

    init(_ processes: ClockProcesses, timeout: Milliseconds, skipping: [String] = []) {
        self.processes = processes
        self.timeout = timeout
        self.skipping = skipping
    }

    /// - Parameter known: what is known already: heads that the followers are to reach.
    /// - Returns: every process's word, when all are still.
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
            // Who says nothing may be gone by now, and another may have come.
            if states.count < names.count { names = processes.belonging() }
        }
    }

    /// Nothing has moved for a while: an extension that is not waited for does not return any more.
    private func skip(_ states: [String: ClockState]) async throws(ServiceError) {
        guard !skipping.isEmpty, states[ServiceName.monitor.rawValue]?.isStill == false else { return }
        skipped += try await processes.skip(skipping)
    }

    /// Lets one process do what is due.
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

    /// One round without waiting: each process's word, and what keeps it from being still.
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

    /// What of a log that it follows a process has not taken in, in words; nil: nothing.
    private static func behind(_ state: ClockState, _ states: [String: ClockState]) -> String? {
        for followed in state.follows {
            guard let owner = states[followed.service.rawValue] else { continue }
            if followed.sequence != owner.head || !followed.connected {
                return "it has taken in \(followed.sequence) of \(owner.head) events of \(owner.service)"
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
                    remedy: "Start it again, then repeat: the clock goes on where it stands.")
            }
        }
        guard since >= timeout else { return }
        throw overdue(
            names.compactMap { name in
                let reasons = reasons(name, states)
                guard let state = states[name], !reasons.isEmpty else { return reasons.first }
                return "\(name) (pid \(state.pid)) is not still: \(reasons.joined(separator: ", "))"
            },
            remedy: "See its log; when it is still, repeat: the clock goes on where it stands. An extension "
                + "that does not return is not waited for with `--skip EXTENSION`.")
    }

    private func overdue(_ reasons: [String], remedy: String) -> ServiceError {
        ServiceError(.deadlineExceeded, reasons.joined(separator: "; "), remedy: remedy)
    }

    /// Why a process is not still, in words; none: it is.
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
