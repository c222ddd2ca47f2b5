import Bus
import Loop

/// One app that is, or was until now, behind a shield, and what stands still of it.
@LoopActor final class ShieldedApp {
    let id: String
    var isWanted = true
    /// What led here last.
    var trace: TraceContext?
    /// Processes that own or owned its windows.
    var roots: Set<ProcessIdentity>
    /// What we stopped, parents first; goes on in reverse.
    var standstill = StoppedProcesses()
    private var membersOfGroups: [ProcessIdentity] = []
    /// What the guard knows of.
    var held: [ProcessIdentity] = []
    /// What the owner knows of.
    var recorded: [ProcessIdentity] = []
    var isWorking = false
    var needsWork = false
    /// Why it is not frozen at all; nil when it is, or is about to be.
    var obstacle: String?
    private var spared: [ProcessIdentity: RefusalReason] = [:]
    private var isFoundWhole = true
    /// Said already, so that it is not said again with each window.
    var logged: Set<String> = []

    init(_ id: String, roots: Set<ProcessIdentity>) {
        self.id = id
        self.roots = roots
    }

    var frozen: [ProcessIdentity] {
        membersOfGroups + standstill.stopped.filter { !membersOfGroups.contains($0) }
    }

    /// Adds what another freeze did.
    func merge(_ outcome: FreezeOutcome) {
        let fresh = outcome.groups.filter { !standstill.groups.contains($0.path) }
        membersOfGroups += fresh.flatMap(\.members)
        standstill.merge(outcome)
        spared.merge(outcome.refused) { $1 }
        for process in frozen { spared[process] = nil }
        isFoundWhole = outcome.foundAll
    }

    /// What is behind a shield and goes on all the same, as of now.
    enum Gap: Equatable {
        /// The shield does nothing: the app, or who has its windows, runs.
        case runsOn(String)
        case part(String)
    }

    var gap: Gap? {
        guard isWanted else { return nil }
        if let obstacle { return .runsOn(obstacle) }
        spared = spared.filter { ProcessIdentity(livingPid: $0.key.pid) == $0.key }
        let windows = spared.filter { roots.contains($0.key) }
        var reasons = Set((windows.isEmpty ? spared : windows).values.map(\.description))
        if !isFoundWhole { reasons.insert(Self.tooFast) }
        guard !reasons.isEmpty else { return nil }
        let text = reasons.sorted().joined(separator: "; ")
        return frozen.isEmpty || !windows.isEmpty
            ? .runsOn("\(id) is shielded and runs on: \(text)")
            : .part("a part of \(id), which is shielded, goes on: \(text)")
    }

    static let tooFast = "it made new processes faster than they could be stopped"

    func forgetFrozen() {
        standstill = StoppedProcesses()
        membersOfGroups = []
        spared = [:]
        isFoundWhole = true
        held = []
    }

    /// Processes that ended are no way to others any more.
    func dropEndedRoots() {
        roots = roots.filter { ProcessIdentity(livingPid: $0.pid) == $0 }
    }
}
