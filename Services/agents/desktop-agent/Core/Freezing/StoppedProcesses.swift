import Glibc

/// The processes and groups that were stopped, and those of them that run again because somebody sent SIGCONT
/// or thawed the group.
///
/// The kernel reports a continued process only to its parent and tracer (wait(2), ptrace(2)). Its process
/// events (linux/cn_proc.h) omit it, and on Debian perf_event_open(2) is not available to ordinary users.
/// Stopped processes are therefore sampled. Frozen groups are not: SIGCONT does not thaw them, and a thaw by
/// somebody else is an event (``PathWatch``).
struct StoppedProcesses {
    private(set) var stopped: [ProcessIdentity] = []
    private(set) var groups: [String] = []
    /// Processes that received the signal and have not stopped yet, inside a system call.
    private var unsettled: Set<ProcessIdentity> = []
    /// Processes that somebody else had stopped before. They are not recorded, since a recovery would
    /// continue them.
    private(set) var stoppedBefore: Set<ProcessIdentity> = []

    /// Adds the result of a freeze.
    mutating func merge(_ outcome: FreezeOutcome) {
        for identity in outcome.stopped where !stopped.contains(identity) { stopped.append(identity) }
        for group in outcome.groups where !groups.contains(group.path) { groups.append(group.path) }
        unsettled.subtract(outcome.stopped)
        unsettled.formUnion(outcome.unsettled)
        stoppedBefore.formUnion(outcome.stoppedBefore)
        stoppedBefore.subtract(stopped)
    }

    /// Removes those that run now although somebody else had stopped them; they must be frozen like others.
    /// - Returns: their number.
    mutating func takeContinued() -> Int {
        let left = stoppedBefore.filter { ProcessIdentity(livingPid: $0.pid) == $0 }
        stoppedBefore = left.filter(Freezer.isStopped)
        return left.count - stoppedBefore.count
    }

    /// Stops running processes again.
    /// - Returns: those that ran.
    mutating func renewProcesses() -> [ProcessIdentity] {
        var continued: [ProcessIdentity] = []
        for identity in stopped {
            if Freezer.isStopped(identity) {
                unsettled.remove(identity)
                continue
            }
            // SIGCONT also cancels a pending stop; a second SIGSTOP changes nothing.
            _ = ProcessHandle.send(SIGSTOP, to: identity)
            if !unsettled.contains(identity) { continued.append(identity) }
        }
        return continued
    }

    /// Freezes thawed groups again.
    /// - Returns: those that were thawed.
    func renewGroups(_ cgroups: CgroupTree) -> [String] {
        groups.filter { group in
            guard cgroups.isAskedToFreeze(group) == false else { return false }
            _ = cgroups.setFrozen(true, group, within: Freezer.settle)
            return true
        }
    }
}
