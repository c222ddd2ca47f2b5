import Glibc
import Time
import Units

/// Stops all processes of an app so that they can continue later.
///
/// A control group (cgroup v2) is used if it belongs to the app alone and is writable: one write, and no fork
/// escapes. All other processes get SIGSTOP through their pidfd, parents first, so that a shell never notices
/// that its child stopped. This repeats until a scan finds nothing new. For one thread.
package struct Freezer {
    /// How long stopped processes may take to stand still.
    static let settle: Milliseconds = 500
    /// How long to search for new processes.
    static let hunt: Milliseconds = 2_000
    /// Nanoseconds between two samples of the process states.
    static let step_ns = 200_000

    private let tree: ProcessTree
    let cgroups: CgroupTree
    /// Processes that must not be frozen.
    package var protection: Protection

    /// Freezes what `tree` finds, except `protection`.
    package init(tree: ProcessTree, protection: Protection, cgroups: CgroupTree = CgroupTree()) {
        self.tree = tree
        self.protection = protection
        self.cgroups = cgroups
    }

    /// The processes that `freeze` would stop now, parents first; record them with the owner first. Processes
    /// stopped by somebody else are not included, because a recovery after a crash would continue them.
    /// - Parameter apart: processes of other apps; they and their descendants do not count.
    package func plan(
        _ roots: Set<ProcessIdentity>, apart: Set<ProcessIdentity> = []
    ) -> [ProcessIdentity] {
        let table = ProcessTable.scan()
        let judge = judge(roots, apart, table)
        return tree.members(of: roots.subtracting(apart), in: table, passes: judge.passes)
            .filter { judge.mayFreeze($0.pid) && $0.state != UInt8(ascii: "T") }.map(\.identity)
    }

    private func judge(
        _ roots: Set<ProcessIdentity>, _ apart: Set<ProcessIdentity>, _ table: ProcessTable
    ) -> ProtectionJudge {
        // Another app may have started this one in turn.
        let genuine = roots.subtracting(apart)
        let others = tree.descendants(of: apart, in: table) { !genuine.contains($0.identity) }
        return ProtectionJudge(
            protection, table, recognised: roots, apart: others.subtracting(genuine.map(\.pid)))
    }

    /// Stops the app of `roots`. Takes a few ms, at most `hunt` + `settle`.
    /// - Parameters:
    ///   - apart: processes of other apps; they and their descendants do not count.
    ///   - recorded: processes that an earlier agent stopped; they count as stopped by this one.
    ///   - willStop: called with each batch before it is stopped.
    package func freeze(
        _ roots: Set<ProcessIdentity>, apart: Set<ProcessIdentity> = [],
        recorded: Set<ProcessIdentity> = [],
        willStop: @escaping ([ProcessIdentity]) -> Void = { _ in }
    ) -> FreezeOutcome {
        var hunt = Hunt(recorded: recorded, willStop: willStop)
        let deadline = MonotonicClock.now + Self.hunt
        let genuine = roots.subtracting(apart)
        while true {
            let table = ProcessTable.scan()
            let judge = judge(roots, apart, table)
            let members = tree.members(of: genuine.union(hunt.seen), in: table, passes: judge.passes)
            if hunt.seen.isEmpty { freezeGroups(members, judge, &hunt) }
            let isFresh = hunt.stop(members, judge)
            // Done when a scan that began after all processes stood still finds nothing new.
            guard chase(genuine, judge, &hunt, until: deadline) || isFresh else { break }
            hunt.outcome.unsettled = settle(hunt.outcome.stopped)
            if MonotonicClock.now >= deadline {
                hunt.outcome.foundAll = false
                break
            }
        }
        return hunt.outcome
    }

    /// Continues an app in reverse order, the last stopped process first. Can be repeated. A new agent passes
    /// what the owner has recorded.
    package func thaw(stopped: [ProcessIdentity], groups: [String] = []) -> ThawOutcome {
        var outcome = ThawOutcome()
        for identity in stopped.reversed() {
            switch ProcessHandle.send(SIGCONT, to: identity) {
            case .delivered: outcome.thawed.append(identity)
            case .gone: outcome.gone.append(identity)
            case .refused(let code): outcome.refused[identity] = code
            }
        }
        for group in groups.reversed() where !cgroups.setFrozen(false, group, within: Self.settle) {
            outcome.groupsRefused.append(group)
        }
        return outcome
    }

    /// Continues everything that one freeze stopped.
    package func thaw(_ frozen: FreezeOutcome) -> ThawOutcome {
        thaw(stopped: frozen.stopped, groups: frozen.groups.map(\.path))
    }
}

extension Freezer {
    /// Follows processes that fork faster than a scan by their lineage: a child may run while its parent was
    /// never seen. Returns whether it found anything new.
    private func chase(
        _ roots: Set<ProcessIdentity>, _ judge: ProtectionJudge, _ hunt: inout Hunt,
        until deadline: Milliseconds
    ) -> Bool {
        var metAny = false
        while MonotonicClock.now < deadline {
            let born = tree.forkedSince(roots.union(hunt.seen), passes: judge.passes)
            let isFresh = hunt.stop(born.records, judge)
            metAny = metAny || isFresh
            if born.isQuiet, !isFresh { break }
        }
        return metAny
    }

    /// Freezes the scopes whose members all belong to the app and may be frozen.
    private func freezeGroups(_ members: [ProcessRecord], _ judge: ProtectionJudge, _ hunt: inout Hunt) {
        let free = members.filter { judge.mayFreeze($0.pid) }
        let freePids = Set(free.map(\.pid))
        var byGroup: [String: [ProcessIdentity]] = [:]
        for record in free {
            guard let group = cgroups.group(of: record.pid), CgroupTree.isAppScope(group) else { continue }
            byGroup[group, default: []].append(record.identity)
        }
        for (group, inside) in byGroup where cgroups.mayFreeze(group) {
            guard cgroups.members(of: group).isSubset(of: freePids) else { continue }
            hunt.willStop(inside)
            let done = cgroups.setFrozen(true, group, within: Self.settle)
            // Processes that joined meanwhile are checked, too. If one is protected, the group is not used.
            if done, cgroups.members(of: group).allSatisfy(judge.mayFreeze) {
                hunt.outcome.groups.append(FrozenGroup(path: group, members: inside))
                hunt.seen.formUnion(inside)
            } else {
                _ = cgroups.setFrozen(false, group, within: Self.settle)
            }
        }
    }

    /// Waits until all processes stand still. Returns those that do not at the time limit.
    private func settle(_ stopped: [ProcessIdentity]) -> [ProcessIdentity] {
        let deadline = MonotonicClock.now + Self.settle
        var moving = stopped
        while true {
            moving = moving.filter { !Self.isStopped($0) }
            if moving.isEmpty || MonotonicClock.now >= deadline { return moving }
            var step = timespec(tv_sec: 0, tv_nsec: Self.step_ns)
            nanosleep(&step, nil)
        }
    }

    /// Whether every thread is stopped or exited, or waits for a stopped child to start its program (vfork:
    /// such a parent cannot stop earlier, and runs nothing meanwhile).
    static func isStopped(_ identity: ProcessIdentity) -> Bool {
        guard let record = ProcessRecord(pid: identity.pid), record.identity == identity else { return true }
        if record.isDead { return true }
        for thread in ProcFile.numbers(in: "/proc/\(identity.pid)/task") {
            guard let state = ProcessRecord(pid: identity.pid, thread: thread) else { continue }
            let ended = state.state == UInt8(ascii: "Z") || state.state == UInt8(ascii: "X")
            let stands = state.isStopped || ended || waitsForVfork(state, thread, in: identity.pid)
            guard stands else { return false }
        }
        return true
    }

    private static func waitsForVfork(_ state: ProcessRecord, _ thread: Int32, in pid: Int32) -> Bool {
        guard state.state == UInt8(ascii: "D") else { return false }
        let children = ProcFile.text("/proc/\(pid)/task/\(thread)/children") ?? ""
        let program = ProcessFacts.executablePath(pid)
        return children.split(separator: " ").compactMap { Int32($0) }.contains { child in
            ProcessRecord(pid: child)?.isStopped == true && ProcessFacts.executablePath(child) == program
        }
    }
}

/// The state of a freeze in progress.
private struct Hunt {
    let recorded: Set<ProcessIdentity>
    let willStop: ([ProcessIdentity]) -> Void
    var outcome = FreezeOutcome()
    /// Every process that was found: stopped, refused, or stopped before.
    var seen: Set<ProcessIdentity> = []

    init(recorded: Set<ProcessIdentity>, willStop: @escaping ([ProcessIdentity]) -> Void) {
        self.recorded = recorded
        self.willStop = willStop
    }

    /// Stops the new ones among `members`. Returns whether there were any.
    mutating func stop(_ members: [ProcessRecord], _ judge: ProtectionJudge) -> Bool {
        let fresh = members.filter { !seen.contains($0.identity) && !judge.isApart($0.pid) }
        seen.formUnion(fresh.map(\.identity))
        var batch: [ProcessIdentity] = []
        for record in fresh {
            let identity = record.identity
            if let reason = judge.reason(record.pid) {
                outcome.refused[identity] = .protected(reason)
            } else if record.state == UInt8(ascii: "T"), !recorded.contains(identity) {
                outcome.stoppedBefore.append(identity)
            } else {
                batch.append(identity)
            }
        }
        if !batch.isEmpty { willStop(batch) }
        for identity in batch {
            switch ProcessHandle.send(SIGSTOP, to: identity) {
            case .delivered: outcome.stopped.append(identity)
            case .gone: break
            case .refused(let code): outcome.refused[identity] = .notPermitted(errno: code)
            }
        }
        return !fresh.isEmpty
    }
}
