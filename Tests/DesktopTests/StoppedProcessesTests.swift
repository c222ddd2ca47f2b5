import CPosix
import Glibc
import Testing

@testable import DesktopCore

/// Stopped processes stay stopped, whoever continues them.
@Suite struct StoppedProcessesTests {
    private func outcome(stopped: [ProcessIdentity], unsettled: [ProcessIdentity] = []) -> FreezeOutcome {
        var outcome = FreezeOutcome()
        outcome.stopped = stopped
        outcome.unsettled = unsettled
        return outcome
    }

    private func awaitState(_ letter: Character, of process: ProcessIdentity) throws {
        _ = try eventually("state \(letter)") { state(process) == letter ? true : nil }
    }

    @Test func whatSomebodyLetGoOnIsStoppedAgain() throws {
        let children = try (0..<3).map { _ in try Child(["sleep", "1017"]) }
        let processes = try children.map { try identity(of: $0) }
        for process in processes { #expect(ProcessHandle.send(SIGSTOP, to: process) == .delivered) }
        for process in processes { try awaitState("T", of: process) }
        var standstill = StoppedProcesses()
        standstill.merge(outcome(stopped: processes))
        #expect(standstill.renewProcesses().isEmpty, "all stand still")
        #expect(ProcessHandle.send(SIGCONT, to: processes[1]) == .delivered)
        try awaitState("S", of: processes[1])
        #expect(standstill.renewProcesses() == [processes[1]])
        try awaitState("T", of: processes[1])
        #expect(standstill.renewProcesses().isEmpty)
        // One that ended is no news, and its id is never signalled.
        children[2].end()
        #expect(standstill.renewProcesses().isEmpty)
    }

    /// It is not stopped here: it must be recorded first.
    @Test func whatSomebodyElseStoppedAndLetGoOnIsNoticedOnce() throws {
        let child = try Child(["sleep", "1020"])
        let process = try identity(of: child)
        #expect(ProcessHandle.send(SIGSTOP, to: process) == .delivered)
        try awaitState("T", of: process)
        var before = FreezeOutcome()
        before.stoppedBefore = [process]
        var standstill = StoppedProcesses()
        standstill.merge(before)
        #expect(standstill.takeContinued() == 0 && standstill.renewProcesses().isEmpty)
        #expect(ProcessHandle.send(SIGCONT, to: process) == .delivered)
        try awaitState("S", of: process)
        #expect(standstill.takeContinued() == 1 && state(process) == "S")
        #expect(standstill.takeContinued() == 0 && standstill.stoppedBefore.isEmpty)
        // Stopped by the next freeze, it is one of ours.
        standstill.merge(before)
        standstill.merge(outcome(stopped: [process]))
        #expect(standstill.stoppedBefore.isEmpty && standstill.stopped == [process])
        child.end()
        standstill.merge(before)
        #expect(standstill.takeContinued() == 0)
    }

    /// SIGCONT takes back a stop that its process has not met yet.
    @Test func whatHadNotStoppedYetIsToldAgainWithoutAWord() throws {
        let child = try Child(["sleep", "1018"])
        let process = try identity(of: child)
        var standstill = StoppedProcesses()
        standstill.merge(outcome(stopped: [process], unsettled: [process]))
        #expect(standstill.renewProcesses().isEmpty, "nobody let it go on: it did not stand yet")
        try awaitState("T", of: process)
        #expect(standstill.renewProcesses().isEmpty)
        #expect(ProcessHandle.send(SIGCONT, to: process) == .delivered)
        try awaitState("S", of: process)
        #expect(standstill.renewProcesses() == [process])
    }

    @Test(.enabled(if: TestScope.isPossible, "no writable cgroup v2 hierarchy"))
    func aGroupThatSomebodyThawedIsAnEventAndIsFrozenAgain() throws {
        let scope = try TestScope()
        let child = try Child(["sleep", "1019"])
        let root = try identity(of: child)
        try scope.add(child.pid)
        let protection = Protection(ownPids: [getpid()], ownDirectory: nil)
        let freezer = Freezer(tree: ProcessTree(), protection: protection)
        let outcome = freezer.freeze([root])
        #expect(outcome.groups.map(\.path) == [scope.group])
        var standstill = StoppedProcesses()
        standstill.merge(outcome)
        let watch = try #require(PathWatch(IN_MODIFY))
        watch.set(Set([freezer.cgroups.path(of: scope.group, "cgroup.events")].compactMap(\.self)))
        #expect(ProcessHandle.send(SIGCONT, to: root) == .delivered)
        #expect(scope.isFrozen && standstill.renewGroups(freezer.cgroups).isEmpty, "a signal thaws no group")
        #expect(freezer.cgroups.setFrozen(false, scope.group, within: 5_000))
        var entry = pollfd(fd: watch.fileDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 120_000) == 1)
        watch.drain()
        #expect(standstill.renewGroups(freezer.cgroups) == [scope.group])
        #expect(scope.isFrozen)
        // A group that is gone is no news.
        watch.set([])
        _ = freezer.thaw(outcome)
        child.end()
        #expect(standstill.renewGroups(CgroupTree(mountPoint: "/nowhere")).isEmpty)
    }
}
