import ProcessEvents
import Testing

@testable import DesktopCore

@Suite struct LineageTests {
    private func record(_ pid: Int32, parent: Int32, start: UInt64 = 100) throws -> ProcessRecord {
        let stat = "\(pid) (a) b) S \(parent) 1 \(pid) 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 \(start) 0 0"
        return try #require(ProcessRecord(pid: pid, stat: Array(stat.utf8)))
    }
    private func identity(_ pid: Int32, _ start: UInt64 = 100) -> ProcessIdentity {
        ProcessIdentity(pid: pid, startTime_ticks: start)
    }
    private func fork(_ parent: Int32, _ child: Int32, _ start: ClosedRange<UInt64>) -> ForkEvent {
        ForkEvent(parent: parent, child: child, start_ticks: start)
    }
    private func descendants(_ lineage: Lineage, _ root: ProcessIdentity) -> Set<Int32> {
        Set(lineage.descendants(of: [root]) { _ in true })
    }

    @Test func theStatFileIsReadFromItsLastParenthesis() throws {
        let parsed = try record(42, parent: 7, start: 12_345)
        #expect(parsed.identity == identity(42, 12_345))
        #expect(parsed.parentPid == 7)
        #expect(parsed.session == 42)
        #expect(parsed.threads == 1)
        #expect(ProcessRecord(pid: 1, stat: Array("1 (x) S 0".utf8)) == nil)
    }

    @Test func aZombieWithLivingThreadsIsAlive() throws {
        func zombie(threads: Int) -> ProcessRecord? {
            let stat = "5 (a) Z 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 \(threads) 0 9 0 0"
            return ProcessRecord(pid: 5, stat: Array(stat.utf8))
        }
        #expect(try #require(zombie(threads: 1)).isDead)
        #expect(try !#require(zombie(threads: 2)).isDead)
    }

    @Test func aDoubleForkStaysItsMakers() throws {
        var lineage = Lineage(ProcessTable(records: try [record(1, parent: 0), record(10, parent: 1)]))
        lineage.forked(fork(10, 11, 200...200))
        lineage.forked(fork(11, 12, 201...201))
        lineage.exited(11)
        #expect(descendants(lineage, identity(10)) == [10, 12])
        #expect(descendants(lineage, identity(10, 99)).isEmpty, "another start time is another process")
    }

    /// Its creator was found to have exited before the report of it was read.
    @Test func aChildThatIsReportedLateKeepsItsCreator() throws {
        let table = ProcessTable(records: try [record(1, parent: 0), record(10, parent: 1)])
        var lineage = Lineage(table)
        lineage.forked(fork(10, 11, 200...200))
        let ended = lineage.ended(in: table)
        #expect(ended == [lineage.remembered(11)])
        lineage.forked(fork(11, 12, 201...201))
        lineage.remove(ended)
        lineage.complete(with: table)
        #expect(descendants(lineage, identity(10)) == [10, 12])
        // The id of what ended is used again meanwhile.
        let endedAgain = lineage.ended(in: table)
        lineage.forked(fork(1, 12, 90_000...90_000))
        lineage.remove(endedAgain)
        #expect(descendants(lineage, identity(1)) == [1, 10, 12])
        #expect(descendants(lineage, identity(10)) == [10])
    }

    @Test func generationsThatComeAndGoLeaveNothing() throws {
        var lineage = Lineage(ProcessTable(records: try [record(1, parent: 0), record(10, parent: 1)]))
        var last: Int32 = 10
        for step in 0..<100_000 {
            let child = 1_000 + Int32(step % 30_000)
            lineage.forked(fork(last, child, 200...200))
            if last != 10 { lineage.exited(last) }
            last = child
        }
        #expect(lineage.count == 3)
        #expect(descendants(lineage, identity(10)) == [10, last])
    }

    @Test func aTrackedRootIsKnownUntilItsLastDescendantEnds() throws {
        var lineage = Lineage(ProcessTable(records: try [record(1, parent: 0), record(10, parent: 1)]))
        lineage.track(identity(10))
        lineage.forked(fork(10, 11, 200...200))
        lineage.exited(10)
        #expect(descendants(lineage, identity(10)) == [11])
        // The id comes round again, for another process.
        lineage.forked(fork(1, 10, 90_000...90_000))
        #expect(descendants(lineage, identity(10)) == [11])
        lineage.exited(11)
        #expect(descendants(lineage, identity(10)).isEmpty)
        #expect(lineage.count == 2)
    }

    /// The kernel reports no exits to the agent. A scan shows them, or the next fork with the same id.
    @Test func whoExitedIsForgottenByAScanAndLeavesItsChildrenToItsMaker() throws {
        var lineage = Lineage(ProcessTable(records: try [record(1, parent: 0), record(10, parent: 1)]))
        lineage.forked(fork(10, 11, 200...200))
        lineage.forked(fork(11, 12, 200...200))
        lineage.forked(fork(1, 13, 200...200))
        #expect(descendants(lineage, identity(10)) == [10, 11, 12])
        lineage.reconcile(with: ProcessTable(records: try [
            record(1, parent: 0), record(10, parent: 1), record(12, parent: 1, start: 200),
        ]))
        #expect(descendants(lineage, identity(10)) == [10, 12])
        #expect(lineage.count == 3)
        lineage.forked(fork(1, 12, 900...900))
        #expect(descendants(lineage, identity(10)) == [10])
    }

    /// The machine slept between a fork and the reading of its report: the process began before or after.
    @Test func aStartIsBelievedAnywhereInItsRange() throws {
        for start: UInt64 in [150, 200, 9_000, 9_100] {
            var lineage = Lineage(ProcessTable(records: try [record(1, parent: 0)]))
            lineage.forked(fork(1, 11, 200...9_000))
            lineage.track(identity(11, start))
            lineage.forked(fork(11, 12, 9_000...9_000))
            #expect(descendants(lineage, identity(11, start)) == [11, 12])
        }
        var lineage = Lineage(ProcessTable(records: try [record(1, parent: 0)]))
        lineage.forked(fork(1, 11, 200...9_000))
        for start: UInt64 in [99, 9_101] { #expect(descendants(lineage, identity(11, start)).isEmpty) }
    }

    /// Its maker had exited when it was scanned, and the report of the fork came afterwards.
    @Test func aReportThatFollowsItsScanNamesTheMaker() throws {
        var lineage = Lineage(ProcessTable(records: try [record(1, parent: 0), record(10, parent: 1)]))
        lineage.forked(fork(10, 11, 200...200))
        lineage.reconcile(with: ProcessTable(records: try [
            record(1, parent: 0), record(10, parent: 1), record(11, parent: 10, start: 200),
            record(12, parent: 1, start: 201), record(13, parent: 12, start: 202),
        ]))
        #expect(descendants(lineage, identity(10)) == [10, 11])
        lineage.forked(fork(11, 12, 201...201))
        #expect(descendants(lineage, identity(10)) == [10, 11, 12, 13])
        #expect(descendants(lineage, identity(1)) == [1, 10, 11, 12, 13])
    }

    @Test func lostEventsAreMadeUpForByAScan() throws {
        var lineage = Lineage(ProcessTable(records: try [record(1, parent: 0), record(10, parent: 1)]))
        lineage.forked(fork(10, 11, 200...200))
        lineage.forked(fork(11, 12, 200...200))
        // Lost: the end of 11, the fork of 13, and 12's id going to a process born much later.
        lineage.reconcile(with: ProcessTable(records: try [
            record(1, parent: 0), record(10, parent: 1), record(12, parent: 1, start: 5_000),
            record(13, parent: 10, start: 300),
        ]))
        #expect(descendants(lineage, identity(10)) == [10, 13])
        #expect(lineage.count == 4)
    }

    /// The app's process 10 exited and a stranger got its id, while reports were lost; the stranger's forks
    /// were reported as if the app had made them.
    @Test func theChildrenOfAStrangerWithAReusedIdAreNotTheApps() throws {
        var lineage = Lineage(ProcessTable(records: try [record(1, parent: 0), record(10, parent: 1)]))
        lineage.track(identity(10))
        lineage.forked(fork(10, 11, 200...200))
        lineage.forked(fork(10, 12, 5_010...5_010))
        lineage.forked(fork(10, 13, 9_000...9_000))
        lineage.forked(fork(13, 14, 9_001...9_001))
        // 11 has its parent no more, and 13 has left 14 to init.
        lineage.reconcile(
            with: ProcessTable(
                records: try [
                    record(1, parent: 0), record(10, parent: 1, start: 5_000),
                    record(11, parent: 1, start: 200), record(12, parent: 10, start: 5_010),
                    record(14, parent: 1, start: 9_001),
                ]))
        #expect(descendants(lineage, identity(10)) == [11])
        #expect(descendants(lineage, identity(10, 5_000)) == [10, 12, 14])
    }

    @Test func aProcessThatIsNoWayStopsTheSearch() throws {
        var lineage = Lineage(ProcessTable(records: try [record(1, parent: 0), record(10, parent: 1)]))
        lineage.forked(fork(10, 11, 200...200))
        lineage.forked(fork(11, 12, 200...200))
        #expect(lineage.descendants(of: [identity(10)]) { $0 != 11 } == [10, 11])
    }
}
