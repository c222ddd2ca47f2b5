import Glibc

/// What was stopped and is to stay so, and what of it runs again because somebody sent SIGCONT or thawed the
/// group.
///
/// The kernel reports a continued process to its parent and its tracer only (wait(2), ptrace(2)); its process
/// events (linux/cn_proc.h) leave it out, and perf_event_open(2) is closed to ordinary users on Debian. So
/// stopped processes are sampled. A frozen group needs that not: SIGCONT does not thaw it, and that somebody
/// else did is an event (``GroupWatch``).
struct Standstill {
    private(set) var stopped: [ProcessIdentity] = []
    private(set) var groups: [String] = []
    /// Those that have the signal and did not stand still yet: inside a system call.
    private var unsettled: Set<ProcessIdentity> = []

    /// Adds what a freeze did.
    mutating func merge(_ outcome: FreezeOutcome) {
        for identity in outcome.stopped where !stopped.contains(identity) { stopped.append(identity) }
        for group in outcome.groups where !groups.contains(group.path) { groups.append(group.path) }
        unsettled.subtract(outcome.stopped)
        unsettled.formUnion(outcome.unsettled)
    }

    /// Stops again what runs.
    /// - Returns: who ran.
    mutating func renewProcesses() -> [ProcessIdentity] {
        var continued: [ProcessIdentity] = []
        for identity in stopped {
            if Freezer.standsStill(identity) {
                unsettled.remove(identity)
                continue
            }
            // SIGCONT also removes a stop that waits for its process; a second one changes nothing.
            _ = ProcessHandle.send(SIGSTOP, to: identity)
            if !unsettled.contains(identity) { continued.append(identity) }
        }
        return continued
    }

    /// Freezes again the groups that somebody thawed.
    /// - Returns: which they are.
    func renewGroups(_ cgroups: CgroupTree) -> [String] {
        groups.filter { group in
            guard cgroups.isAskedToFreeze(group) == false else { return false }
            _ = cgroups.setFrozen(true, group, within: Freezer.settle)
            return true
        }
    }
}
