import Glibc
import Testing

@testable import DesktopCore
@testable import ProcessEvents

@Suite struct ProcessTreeTests {
    /// Made-up processes, beyond any id that a kernel gives.
    @Test func aSessionIsFollowedFromItsLeaderOnly() throws {
        let base: Int32 = 1 << 30
        func record(_ pid: Int32, parent: Int32, session: Int32) throws -> ProcessRecord {
            let stat = "0 (x) S \(parent) 1 \(session) 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0"
            return try #require(ProcessRecord(pid: pid, stat: Array(stat.utf8)))
        }
        let table = try ProcessTable(records: [
            record(base, parent: 1, session: base), record(base + 1, parent: 1, session: base),
            record(base + 2, parent: base, session: base + 3), record(base + 4, parent: 1, session: base + 3),
        ])
        func found(from pid: Int32) -> Set<Int32> {
            var search = MemberSearch(table: table, cgroups: CgroupTree(mountPoint: nil))
            search.add(pid)
            search.spread { _ in true }
            return Set(search.found.map { $0.pid - base })
        }
        #expect(found(from: base) == [0, 1, 2], "its session, and a child whose session another one leads")
        #expect(found(from: base + 1) == [1], "a member that does not lead brings nobody")
    }

    @Test func aSessionBelongsToItsLeadersApp() throws {
        let scratch = try ScratchDirectory()
        let tree = ProcessTree()
        // The leader's grandchild loses its parent and stays in the session.
        let line = "setsid sh -c '(sleep 1004 & echo $! >\(scratch.path)/pid); sleep 1005'; exit"
        let child = try Child(["sh", "-c", line])
        let root = try identity(of: child)
        let cleanup = Cleanup(tree, [root])
        let pid = try eventually("orphan") { Int32(fileText(scratch.path + "/pid").dropLast()) }
        let orphan = try #require(ProcessRecord(pid: pid))
        let table = ProcessTable.scan()
        let found = tree.members(of: [root], in: table)
        #expect(found.map(\.pid).contains(orphan.pid))
        #expect(found.first?.identity == root)
        // A session whose leader is outside is not followed: the runner's own is not the child's.
        #expect(!found.map(\.pid).contains(getpid()))
        withExtendedLifetime(cleanup) {}
    }

    @Test(.enabled(if: ProcessTree().lineageProblem == nil, "the kernel does not report forks to us"))
    func lostReportsAreToldAndTheTreeGoesOn() throws {
        let tree = ProcessTree(receiveBytes: 1)
        _ = tree.drain()
        let children = try (0..<60).map { _ in try Child(["sleep", "1006"]) }
        #expect(tree.drain(), "a receive buffer of the smallest size holds no sixty forks")
        for child in children {
            let root = try identity(of: child)
            #expect(tree.members(of: [root]).map(\.identity) == [root])
        }
    }

    @Test(.enabled(if: ProcessTree().lineageProblem == nil, "the kernel does not report forks to us"))
    func aTrackedAppIsFoundAfterItsFirstProcessEnded() throws {
        let scratch = try ScratchDirectory()
        let tree = ProcessTree()
        let daemon = "setsid -f sh -c 'echo $$ >\(scratch.path)/pid; exec sleep 1012'"
        let child = try Child(["sh", "-c", daemon + "; sleep 1013"])
        let root = try identity(of: child)
        let cleanup = Cleanup(tree, [root])
        let pid = try eventually("daemon") { Int32(fileText(scratch.path + "/pid").dropLast()) }
        child.end()
        #expect(tree.members(of: [root]).map(\.pid).contains(pid))
        withExtendedLifetime(cleanup) {}
    }

    @Test(.enabled(if: ProcessTree().lineageProblem == nil, "the kernel does not report forks to us"))
    func aForkIsReportedAndWakesNobody() throws {
        let listener = try ForkListener()
        let child = try Child(["true"])
        child.wait()
        #expect(!isSignalled(listener.overflowDescriptor))
        var events: [ForkEvent] = []
        #expect(!listener.drain { events.append($0) })
        let fork = try #require(events.first { $0.child == child.pid })
        #expect(fork.parent == getpid())
        let own = try #require(ProcessRecord(pid: getpid()))
        #expect(fork.start_ticks.lowerBound >= own.identity.startTime_ticks)
    }

    @Test func aSleepBeforeTheReadingMakesTheStartARange() {
        var message = [UInt8](repeating: 0, count: 76)
        func put(_ value: some FixedWidthInteger, at offset: Int) {
            withUnsafeBytes(of: value) { message.replaceSubrange(offset..<(offset + $0.count), with: $0) }
        }
        put(UInt32(1), at: 36)
        put(UInt64(5_000_000_000), at: 44)
        for (id, offset) in [(7, 56), (9, 60), (9, 64)] as [(Int32, Int)] { put(id, at: offset) }
        let event = ForkListener.event(message[...], slept_ns: 1_000_000_000...3_600_000_000_000)
        #expect(event == ForkEvent(parent: 7, child: 9, start_ticks: 600...360_500))
    }

    @Test(.enabled(if: ProcessTree().lineageProblem == nil, "the kernel does not report forks to us"))
    func aThreadIsNotReported() throws {
        let listener = try ForkListener()
        var thread = pthread_t()
        try #require(pthread_create(&thread, nil, { _ in nil }, nil) == 0)
        pthread_join(thread, nil)
        let child = try Child(["true"])
        var children: [Int32] = []
        _ = listener.drain { children.append($0.child) }
        // A thread would be named by its process.
        #expect(children.contains(child.pid) && !children.contains(getpid()))
    }

    @Test(.enabled(if: ProcessTree().lineageProblem == nil, "the kernel does not report forks to us"))
    func theSignalComesWithManyReportsAndEndsWithTheirReading() throws {
        let listener = try ForkListener(receiveBytes: 512 << 10)
        let child = try Child(["sh", "-c", "for i in $(seq 2000); do (:); done; exec sleep 1024"])
        _ = try eventually("signal") { isSignalled(listener.overflowDescriptor) ? true : nil }
        var count = 0
        #expect(!listener.drain { _ in count += 1 }, "a report was lost")
        #expect(count > 400)
        child.end()
        _ = listener.drain { _ in }
        #expect(!isSignalled(listener.overflowDescriptor))
    }

    /// Twenty daemons, each forked twice among a hundred other processes, and more forks than fit into the
    /// kernel's buffer at once: whoever waits for the signal reads in time.
    @Test(.enabled(if: ProcessTree().lineageProblem == nil, "the kernel does not report forks to us"))
    func aStormThatIsReadAtItsSignalsLosesNothing() throws {
        let scratch = try ScratchDirectory()
        // Some 1,300 forks, and 650 until the signal.
        let tree = ProcessTree(receiveBytes: 512 << 10)
        let descriptor = try #require(tree.overflowDescriptor)
        let script = """
            for i in $(seq 20); do
                for j in $(seq 100); do (:); done
                (sh -c 'echo $$ >>\(scratch.path)/pids; exec sleep 1022' &)
            done
            echo >\(scratch.path)/done
            exec sleep 1023
            """
        let child = try Child(["sh", "-c", script])
        let root = try identity(of: child)
        tree.track([root])
        let cleanup = Cleanup(tree, [root])
        var wakeUps = 0
        _ = try eventually("end of the storm") { () -> Bool? in
            if isSignalled(descriptor) {
                wakeUps += 1
                #expect(!tree.drain(), "a report was lost")
            }
            return access(scratch.path + "/done", F_OK) == 0 ? true : nil
        }
        #expect(wakeUps > 0, "the storm was too small")
        let pids = try eventually("twenty daemons") { () -> Set<Int32>? in
            let pids = Set(fileText(scratch.path + "/pids").split(separator: "\n").compactMap { Int32($0) })
            return pids.count == 20 ? pids : nil
        }
        #expect(pids.isSubset(of: tree.members(of: [root]).map(\.pid)))
        #expect(!tree.drain(), "a report was lost")
        withExtendedLifetime(cleanup) {}
    }

    /// No report tells that they exited.
    @Test(.enabled(if: ProcessTree().lineageProblem == nil, "the kernel does not report forks to us"))
    func processesThatCameAndWentAreForgotten() throws {
        let tree = ProcessTree()
        let before = tree.rememberedProcesses
        let forks = 3 * before + 1_000
        let child = try Child(["sh", "-c", "for i in $(seq \(forks)); do (:); done"])
        child.wait()
        #expect(!tree.drain(), "a report was lost")
        #expect(tree.rememberedProcesses < before + forks / 2)
    }

    /// Whether a descriptor has an error condition; reports alone are none.
    private func isSignalled(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    @Test(.enabled(if: TestScope.isPossible, "no writable cgroup v2 hierarchy"))
    func aScopeIsFollowedFromItsFirstProcessOnly() throws {
        let scope = try TestScope()
        let tree = ProcessTree()
        let first = try Child(["sleep", "1007"])
        let firstIdentity = try identity(of: first)
        let second = try later(than: firstIdentity)
        try scope.add(first.pid)
        try scope.add(second.pid)
        let secondIdentity = try identity(of: second)
        #expect(tree.members(of: [firstIdentity]).map(\.identity) == [firstIdentity, secondIdentity])
        #expect(tree.members(of: [secondIdentity]).map(\.identity) == [secondIdentity])
    }

    @Test(.enabled(if: TestScope.isPossible, "no writable cgroup v2 hierarchy"))
    func aScopeOfItsOwnIsFrozenAsAWhole() throws {
        let scope = try TestScope()
        let child = try Child(["sh", "-c", "sleep 1009; exit"])
        let root = try identity(of: child)
        let tree = ProcessTree()
        let cleanup = Cleanup(tree, [root])
        let both = try eventually("child") { () -> [ProcessRecord]? in
            let found = tree.members(of: [root])
            return found.count == 2 ? found : nil
        }
        for record in both { try scope.add(record.pid) }
        let freezer = Freezer(tree: tree, protection: Protection(ownPids: [getpid()], ownDirectory: nil))
        let outcome = freezer.freeze([root])
        #expect(outcome.groups.map(\.path) == [scope.group])
        #expect(outcome.stopped.isEmpty && Set(outcome.frozen) == Set(both.map(\.identity)))
        #expect(scope.isFrozen)
        #expect(freezer.thaw(outcome).groupsRefused.isEmpty)
        #expect(!scope.isFrozen)
        withExtendedLifetime(cleanup) {}
    }

    /// A process that began in a later hundredth of a second, which is as exact as start times are.
    private func later(than first: ProcessIdentity) throws -> Child {
        try eventually("a later process") {
            let child = try Child(["sleep", "1008"])
            return try identity(of: child).startTime_ticks > first.startTime_ticks ? child : nil
        }
    }

    @Test(.enabled(if: TestScope.isPossible, "no writable cgroup v2 hierarchy"))
    func aScopeThatAnotherAppBeganIsNotFrozenAsAWhole() throws {
        let scope = try TestScope()
        let terminal = try Child(["sleep", "1014"])
        let app = try later(than: identity(of: terminal))
        try scope.add(terminal.pid)
        try scope.add(app.pid)
        let root = try identity(of: app)
        let protection = Protection(ownPids: [getpid()], ownDirectory: nil)
        let freezer = Freezer(tree: ProcessTree(), protection: protection)
        let outcome = freezer.freeze([root])
        #expect(outcome.groups.isEmpty && outcome.frozen == [root])
        #expect(!scope.isFrozen)
        #expect(try state(identity(of: terminal)) != "T")
        _ = freezer.thaw(outcome)
    }

    @Test(.enabled(if: TestScope.isPossible, "no writable cgroup v2 hierarchy"))
    func aScopeWithAProtectedProcessIsNotFrozenAsAWhole() throws {
        let scope = try TestScope()
        let app = try Child(["sleep", "1010"]), ours = try Child(["sleep", "1011"])
        try scope.add(app.pid)
        try scope.add(ours.pid)
        let root = try identity(of: app)
        let protection = Protection(ownPids: [getpid(), ours.pid], ownDirectory: nil)
        let freezer = Freezer(tree: ProcessTree(), protection: protection)
        let outcome = freezer.freeze([root])
        #expect(outcome.groups.isEmpty && outcome.stopped == [root])
        #expect(!scope.isFrozen)
        #expect(try state(identity(of: ours)) != "T")
        _ = freezer.thaw(outcome)
    }
}

/// A control group of its own for one test, named as systemd names an app's.
final class TestScope {
    static let isPossible = CgroupTree().mountPoint.map { access($0, W_OK) == 0 && getuid() == 0 } ?? false

    let group: String
    private let path: String

    init() throws {
        let mount = CgroupTree().mountPoint ?? ""
        group = "/app-test-\(getpid())\(UInt32.random(in: 0 ... .max)).scope"
        path = mount + group
        guard mkdir(path, 0o755) == 0 else { throw Child.CannotStart(program: path, code: errno) }
    }

    func add(_ pid: Int32) throws {
        let code = ProcFile.write("\(pid)", to: path + "/cgroup.procs")
        guard code == 0 else { throw Child.CannotStart(program: path, code: code) }
    }

    var isFrozen: Bool { fileText(path + "/cgroup.events").contains("frozen 1") }

    deinit {
        // Whatever the test left is thawed and moved out, so that the group can go.
        _ = ProcFile.write("0", to: path + "/cgroup.freeze")
        let parent = CgroupTree().mountPoint ?? ""
        for line in fileText(path + "/cgroup.procs").split(separator: "\n") {
            _ = ProcFile.write(String(line), to: parent + "/cgroup.procs")
        }
        rmdir(path)
    }
}
