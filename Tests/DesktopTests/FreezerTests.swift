import Glibc
import Testing

@testable import DesktopCore

@Suite struct FreezerTests {
    /// Spares the test runner and what it was started from.
    private let protection = Protection(ownPids: [getpid()], ownDirectory: nil)

    @Test(.enabled(if: ProcessTree().lineageProblem == nil, "the kernel does not report forks to us"))
    func aFrozenTerminalStandsStillWithItsDaemonAndGoesOnWhereItWas() throws {
        let desktop = try TestDesktop()
        let watch = try Watch(desktop)
        let tree = ProcessTree()
        let directory = desktop.scratch.path
        _ = try desktop.scratch.write("counter.sh", Programs.counter)
        let script = try desktop.scratch.write("main.sh", Programs.counterWithDaemon)
        let terminal = try desktop.openTerminal(
            "CountTerm", command: ["sh", script, directory], watchedBy: watch)
        let root = try identity(of: terminal.child)
        let cleanup = Cleanup(tree, [root])
        let files = [directory + "/front.txt", directory + "/daemon.txt"]
        _ = try eventually("counting") { files.allSatisfy { fileSize($0) > 1_000 } ? true : nil }
        let freezer = Freezer(tree: tree, protection: protection)
        let start = now_ms()
        let outcome = freezer.freeze([root])
        print("freeze took \(now_ms() - start) ms for \(outcome.frozen.count) processes")
        #expect(outcome.frozen.count == 3, "the terminal, its counter, and the daemon")
        #expect(outcome.refused.isEmpty && outcome.unsettled.isEmpty && outcome.foundAll)
        let sizes = files.map(fileSize)
        for _ in 0..<2 {
            #expect(watch.session.roundTrip(timeout: 5_000))
            for _ in 0..<500 { #expect(outcome.frozen.allSatisfy { state($0) == "T" }) }
            #expect(files.map(fileSize) == sizes)
        }
        let thawed = freezer.thaw(outcome)
        #expect(thawed.thawed == outcome.stopped.reversed())
        _ = try eventually("counting on") {
            zip(files, sizes).allSatisfy { fileSize($0) > $1 + 1_000 } ? true : nil
        }
        #expect(files.allSatisfy { Programs.isGapless(fileText($0)) })
        withExtendedLifetime(cleanup) {}
    }

    /// What a reader sees of a file that is being written: the last line may lack its end.
    @Test func halfALineIsNoGap() {
        #expect(Programs.isGapless("1\n2\n3\n") && Programs.isGapless("1\n2\n3\n4"))
        for text in ["", "9\n10\n", "1", "1\n3\n", "1\n2\n2\n", "1\n\n2\n"] {
            #expect(!Programs.isGapless(text), "\(text)")
        }
    }

    /// Each way: another app that this one started, and one that started it.
    @Test func anotherAppThatIsARelativeIsLeftAlone() throws {
        let scratch = try ScratchDirectory()
        let other = "sleep 1031 & echo $! >part; echo $$ >other; : >ready; wait"
        let lines = "sleep 1032 & echo $! >own; sh -c '\(other)' & wait"
        let child = try Child(["sh", "-c", "cd \(scratch.path); \(lines)"])
        let root = try identity(of: child)
        let tree = ProcessTree()
        let cleanup = Cleanup(tree, [root])
        try awaitFile(scratch.path + "/ready")
        func process(_ name: String) throws -> ProcessIdentity {
            let pid = try #require(Int32(fileText(scratch.path + "/" + name).dropLast()))
            return try #require(ProcessIdentity(livingPid: pid))
        }
        let (own, started, part) = try (process("own"), process("other"), process("part"))
        let freezer = Freezer(tree: tree, protection: protection)
        #expect(Set(freezer.plan([root], apart: [started])) == [root, own])
        let first = freezer.freeze([root], apart: [started])
        #expect(Set(first.frozen) == [root, own] && first.refused.isEmpty)
        #expect(state(started) != "T" && state(part) != "T")
        _ = freezer.thaw(first)
        let second = freezer.freeze([started], apart: [root])
        #expect(Set(second.frozen) == [started, part] && state(root) != "T" && state(own) != "T")
        _ = freezer.thaw(second)
        withExtendedLifetime(cleanup) {}
    }

    @Test func anotherStartTimeIsNeverSignalled() throws {
        let child = try Child(["sleep", "1000"])
        let process = try identity(of: child)
        let stale = ProcessIdentity(pid: child.pid, startTime_ticks: process.startTime_ticks - 1)
        #expect(ProcessHandle.send(SIGSTOP, to: stale) == .gone)
        let freezer = Freezer(tree: ProcessTree(), protection: protection)
        #expect(freezer.freeze([stale]).frozen.isEmpty)
        #expect(state(process) != "T")
        #expect(freezer.freeze([process]).frozen == [process])
        #expect(state(process) == "T")
        #expect(freezer.thaw(stopped: [stale]).gone == [stale])
        #expect(state(process) == "T")
        #expect(freezer.thaw(stopped: [process]).thawed == [process])
        #expect(state(process) != "T")
    }

    @Test func whatAnotherHandStoppedStaysStopped() throws {
        let child = try Child(["sleep", "1000"])
        let process = try identity(of: child)
        let freezer = Freezer(tree: ProcessTree(), protection: protection)
        #expect(ProcessHandle.send(SIGSTOP, to: process) == .delivered)
        _ = try eventually("stop") { state(process) == "T" ? true : nil }
        #expect(freezer.plan([process]).isEmpty, "a record of it would let it go on")
        let outcome = freezer.freeze([process])
        #expect(outcome.stoppedBefore == [process] && outcome.frozen.isEmpty)
        _ = freezer.thaw(outcome)
        #expect(state(process) == "T")
        // An agent that follows one that died knows better.
        let again = freezer.freeze([process], recorded: [process])
        #expect(again.frozen == [process])
        _ = freezer.thaw(again)
        #expect(state(process) != "T")
    }

    @Test func nothingEscapesWhileItForks() throws {
        let scratch = try ScratchDirectory()
        let tree = ProcessTree()
        let child = try Child(["perl", "-e", Programs.breeder, scratch.path + "/all"])
        let root = try identity(of: child)
        let cleanup = Cleanup(tree, [root])
        _ = try eventually("children") { tree.members(of: [root]).count > 5 ? true : nil }
        let freezer = Freezer(tree: tree, protection: protection)
        let outcome = freezer.freeze([root])
        #expect(outcome.foundAll && outcome.unsettled.isEmpty)
        let members = tree.members(of: [root])
        #expect(Set(members.map(\.identity)) == Set(outcome.frozen))
        #expect(members.allSatisfy { $0.isStopped })
        print("a breeder was caught at \(outcome.frozen.count) processes")
        _ = freezer.thaw(outcome)
        try awaitFile(scratch.path + "/all")
        withExtendedLifetime(cleanup) {}
    }

    @Test(.enabled(if: ProcessTree().lineageProblem == nil, "the kernel does not report forks to us"))
    func aProcessThatIsAlwaysAnotherOneIsCaught() throws {
        let scratch = try ScratchDirectory()
        let file = scratch.path + "/steps"
        let tree = ProcessTree()
        let shell = try Child(["sh", "-c", "perl -e '\(Programs.comet)' \(file); sleep 1000"])
        let root = try identity(of: shell)
        let cleanup = Cleanup(tree, [root])
        _ = try eventually("steps") { fileSize(file) > 20 ? true : nil }
        let freezer = Freezer(tree: tree, protection: protection)
        let outcome = freezer.freeze([root])
        let steps = fileSize(file)
        #expect(steps < 20_000, "the comet burnt out before it was caught")
        #expect(outcome.foundAll && outcome.unsettled.isEmpty)
        for _ in 0..<20 {
            #expect(Set(tree.members(of: [root]).map(\.identity)).isSubset(of: outcome.frozen))
        }
        #expect(fileSize(file) == steps)
        print("a comet was caught after \(steps) steps")
        withExtendedLifetime(cleanup) {}
    }
}
