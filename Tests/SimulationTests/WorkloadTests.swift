import Glibc
import SimulatedDisk
import Store
import Testing

/// A store on a disk whose power fails, whose processes are killed, and whose operations fail: every start
/// has all that was acknowledged, and is an ordinary one.
@Suite struct WorkloadTests {
    private static let seedsCount: UInt64 = 12

    /// SCREENTIME_TEST_SEED sets the first seed.
    private static func seeds() -> Range<UInt64> {
        let given = getenv("SCREENTIME_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
        let first = given ?? UInt64.random(in: 0..<1_000_000)
        return first..<first + seedsCount
    }

    @Test(arguments: [
        [Workload.Fault.nothing], [.nothing, .powerCut], [.kill, .killAfter],
        [.powerCut, .kill, .killAfter], [.nothing, .full, .shortWrite], [.nothing, .io],
        [.failedSync, .powerCut], Workload.Fault.allCases,
    ]) func everyStartHasWhatWasAcknowledged(faults: [Workload.Fault]) {
        var opened = 0
        for seed in Self.seeds() {
            let workload = Workload(seed: seed, faults: faults)
            workload.run(lives: 12)
            opened += workload.opened
            for finding in workload.findings { Issue.record("\(faults), \(finding)") }
        }
        #expect(opened > 12, "too many lives ended before their store was open")
    }

    /// In a process of its own, because SQLite has one sequence of random numbers for all its users.
    @Test func oneSeedMakesOneDisk() async {
        await #expect(processExitsWith: .success) {
            func digest(_ seed: UInt64) -> UInt64 {
                SimulatedDisk.seedSQLite(UInt32(seed) + 1)
                let workload = Workload(seed: seed)
                workload.run(lives: 8)
                return workload.disk.digest
            }
            for seed in UInt64(0)..<4 {
                let first = digest(seed)
                #expect(digest(seed) == first, "seed \(seed)")
                #expect(digest(seed + 100) != first, "seed \(seed)")
            }
        }
    }
}
