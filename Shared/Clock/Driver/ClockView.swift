package import Contract
import Time
package import Units

extension ClockDriver {
    /// The virtual time, and what each process waits for.
    package struct View: Sendable {
        /// State of one process.
        package struct Process: Sendable {
            /// Name of the process.
            package var name: String
            /// Process id; nil if it did not answer.
            package var pid: Int64?
            /// When it acts next; nil if nothing is due.
            package var nextDue: Instant?
            /// What it has not finished, a sentence each; empty if it is idle.
            package var waitsFor: [String]
        }
        /// Whether there is a virtual clock.
        package var isVirtual: Bool
        /// The virtual time, or else the machine's.
        package var now: Instant
        /// All processes that belong to the system.
        package var processes: [Process]
        /// The process that acts next.
        package var next: (due: Instant, name: String)?

        /// Whether all processes are idle.
        package var isStill: Bool { processes.allSatisfy(\.waitsFor.isEmpty) }
    }

    /// Queries all processes once, without waiting until they are idle. A process that does not answer costs
    /// a second.
    package func view() async throws(ServiceError) -> View {
        let page = try findPage()
        let settling = IdleWait(processes, timeout: timeout)
        let found = try await settling.look()
        var view = View(isVirtual: page != nil, now: page?.now ?? WallTime.now, processes: [])
        for name in ClockProcesses.names {
            guard let (state, waitsFor) = found[name] else { continue }
            view.processes.append(
                View.Process(name: name, pid: state?.pid, nextDue: state?.nextDue, waitsFor: waitsFor))
            guard let due = state?.nextDue, due < view.next?.due ?? .max else { continue }
            view.next = (due, name)
        }
        return view
    }
}
