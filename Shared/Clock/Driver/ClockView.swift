package import Contract
import Time
package import Units

extension ClockDriver {
    /// Where the clock stands, and what each process waits for.
    package struct View: Sendable {
        package struct Process: Sendable {
            package var name: String
            package var pid: Int64?
            package var nextDue: Instant?
            /// What keeps it from being still, a sentence each.
            package var waitsFor: [String]
        }
        package var isVirtual: Bool
        package var now: Instant
        package var processes: [Process]
        package var next: (due: Instant, name: String)?

        package var isStill: Bool { processes.allSatisfy(\.waitsFor.isEmpty) }
    }

    /// Looks once, without waiting for stillness; a process that says nothing costs a second.
    package func view() async throws(ServiceError) -> View {
        let page = try findPage()
        let settling = Settling(processes, timeout: timeout)
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
