package import Contract
import Time

extension ClockDriver {
    /// Where the clock stands, and what each process waits for.
    package struct View: Sendable {
        package struct Process: Sendable {
            package var name: String
            package var pid: Int64?
            package var nextDueMs: Int64?
            /// What keeps it from being still, a sentence each.
            package var waitsFor: [String]
        }
        package var isVirtual: Bool
        package var nowMs: Int64
        package var processes: [Process]
        package var next: (dueMs: Int64, name: String)?

        package var isStill: Bool { processes.allSatisfy(\.waitsFor.isEmpty) }
    }

    /// Looks once, without waiting for stillness; a process that says nothing costs a second.
    package func view() async throws(ServiceError) -> View {
        let page = try findPage()
        let settling = Settling(processes, timeoutMs: timeoutMs)
        let found = try await settling.look()
        var view = View(isVirtual: page != nil, nowMs: page?.nowMs ?? WallTime.nowMs, processes: [])
        for name in ClockProcesses.names {
            guard let (state, waitsFor) = found[name] else { continue }
            view.processes.append(
                View.Process(name: name, pid: state?.pid, nextDueMs: state?.nextDueMs, waitsFor: waitsFor))
            guard let dueMs = state?.nextDueMs, dueMs < view.next?.dueMs ?? .max else { continue }
            view.next = (dueMs, name)
        }
        return view
    }
}
