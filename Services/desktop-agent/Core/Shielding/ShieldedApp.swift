import Bus

/// One app that is, or was until now, behind a shield, and what stands still of it.
@BusActor final class ShieldedApp {
    let id: String
    var isWanted = true
    /// What led here last.
    var trace: TraceContext?
    /// Processes that own or owned its windows.
    var roots: Set<ProcessIdentity>
    /// What we stopped, parents first; goes on in reverse.
    var standstill = Standstill()
    private var membersOfGroups: [ProcessIdentity] = []
    /// What the guard knows of.
    var held: [ProcessIdentity] = []
    /// What the owner knows of.
    var recorded: [ProcessIdentity] = []
    var isWorking = false
    var needsWork = false
    /// Said already, so that it is not said again with each window.
    var told: Set<String> = []

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
    }

    func forgetFrozen() {
        standstill = Standstill()
        membersOfGroups = []
        held = []
    }

    /// Processes that ended are no way to others any more.
    func dropEndedRoots() {
        roots = roots.filter { ProcessIdentity(livingPid: $0.pid) == $0 }
    }
}
