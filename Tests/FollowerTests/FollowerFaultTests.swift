import Contract
import JSON
import Loop
import Store
import ScreenTimeTesting
import Testing

@testable import ServiceKit

/// Whatever fails between the arrival of an event and the commit of its effect: the event comes again, once,
/// in its place.
@Suite(.serialized) @LoopActor struct FollowerFaultTests {
    /// The hole: while the follower pauses after a failed commit, live events come, and one that is committed
    /// moves the cursor over those that failed.
    @Test(arguments: [1, 2, 7]) func whatAFailedCommitHeldComesAgainThoughLiveEventsCome(
        failures: Int
    ) async throws {
        let pair = try LogPair()
        try pair.emit()
        try await pair.takes(1)
        let failed = Expectation<Void>("no commit failed")
        var left = failures
        try pair.faults.failsCommit = {
            guard left > 0 else { return false }
            left -= 1
            if left == 0 { failed.fulfil(()) }
            return true
        }
        try pair.emit(3)
        try await failed.wait()
        // Committed well, and published while the follower pauses.
        for _ in 0..<20 {
            try pair.emit()
            await Task.yield()
        }
        try await pair.takes(24)
        #expect(try pair.taken() == Array(1...24))
        pair.close()
    }

    struct Surprise: Error {}

    nonisolated static let errors: [(String, @Sendable () -> any Error)] = [
        ("constraint", { StoreError(.constraint, message: "a rule of the schema") }),
        ("busy", { StoreError(.busy, message: "somebody reads") }),
        ("misuse", { StoreError(.misuse, message: "a mistake") }),
        ("damaged", { StoreError(.damaged, message: "a page is broken") }),
        ("io", { StoreError(.io, message: "the disk") }),
        ("full", { StoreError(.full, message: "the disk is full") }),
        ("storageDamaged", { ServiceError(.storageDamaged, "a page is broken", remedy: "") }),
        ("internalError", { ServiceError(.internalError, "a bug", remedy: "") }),
        ("notFound", { ServiceError(.notFound, "not there", remedy: "") }),
        ("an error of no kind of ours", { Surprise() }),
    ]

    /// Only what cannot be read is passed over. Everything else fails the turn, and the event comes again.
    @Test(arguments: errors.indices) func anErrorOfAHandlerLosesNothing(index: Int) async throws {
        let (name, error) = Self.errors[index]
        let pair = try LogPair()
        var isDue = true
        pair.meets = { sequence in
            guard sequence == 2, isDue else { return }
            isDue = false
            throw error()
        }
        try pair.emit(5)
        try await pair.takes(5)
        #expect(try pair.taken() == [1, 2, 3, 4, 5], "\(name)")
        pair.close()
    }

    @Test func anEventThatCannotBeReadIsNamedAndPassedOver() async throws {
        let pair = try LogPair()
        pair.meets = { if $0 == 2 { throw MalformedEvent("its store has no name") } }
        try pair.emit(3)
        try await pair.takes(3)
        #expect(try pair.taken() == [1, 3])
        let counters = try pair.follower.healthReport().counters
        #expect(counters.first { $0.name == RefusalReason.malformedEvent.rawValue }?.count == 1)
        pair.close()
    }

    /// An event that always fails stops its source, is reported, and following continues after the cause is
    /// removed.
    @Test func aSourceThatCannotBeTakenInIsNamed() async throws {
        let pair = try LogPair()
        var failures = 0
        let again = Expectation<Void>("it is tried again")
        pair.meets = { sequence in
            guard sequence == 2 else { return }
            failures += 1
            if failures == 2 { again.fulfil(()) }
            throw StoreError(.constraint, message: "a rule of the schema")
        }
        try pair.emit(3)
        try await again.wait()
        let report = try pair.follower.healthReport()
        #expect(report.state == .degraded)
        #expect(report.degradedBy.contains { $0.contains("shield-service") }, "\(report.degradedBy)")
        pair.meets = { _ in }
        try await pair.takes(3)
        #expect(try pair.taken() == [1, 2, 3])
        #expect(try pair.follower.healthReport().state == .ready)
        pair.close()
    }

    @Test func aStoreThatTakesWritesAgainIsFoundOutByNobodysWrite() async throws {
        let pair = try LogPair()
        let owner = try pair.owner
        owner.storeTrialDelay = 1
        let faults = CommitFaults(owner.database)
        let failedAgain = Expectation<Void>("the trial failed three times")
        let tried = Expectation<Void>("nothing was tried after that")
        faults.failsCommit = {
            if faults.failures == 3 { failedAgain.fulfil(()) }
            return true
        }
        try pair.emit()
        try await failedAgain.wait()
        #expect(owner.healthReport().notActing?.contains { $0.contains("new data is not stored") } == true)
        faults.failsCommit = {
            tried.fulfil(())
            return false
        }
        try await tried.wait()
        try await eventually("the store is tried with success") { owner.healthReport().degradedBy.isEmpty }
        #expect(try owner.eventLog.head() == 0, "a trial is no event")
        pair.close()
    }

    /// A write that its handler refuses, or that fails in its statement, leaves an empty transaction, which
    /// the store commits however full it is.
    @Test func aCommitOfNothingSaysNothingOfTheStore() async throws {
        let pair = try LogPair()
        let owner = try pair.owner
        owner.storeTrialDelay = 1
        let faults = CommitFaults(owner.database)
        // Before any trial: one that waits for the end of this turn would be committed below.
        try faults.refuseSettings()
        faults.failsCommit = { true }
        let failed = Expectation<Void>("no turn failed")
        owner.onRollback.append { failed.fulfil(()) }
        try pair.emit()
        try await failed.wait()
        var commits = 0
        faults.failsCommit = {
            commits += 1
            return false
        }
        let refusal = ServiceError(.notFound, "refused", remedy: "")
        #expect(throws: refusal) { try owner.transact(trace: nil) { _ in throw refusal } }
        owner.endTurn()
        #expect(owner.healthReport().state == .degraded)
        // Each trial fails, and the turn in which it does commits nothing.
        commits = 0
        try await eventually("three trials") { commits >= 3 }
        #expect(owner.healthReport().state == .degraded && owner.storeTrialIsDue)
        pair.close()
    }

    @Test func aStoppedServiceTriesItsStoreNoMore() async throws {
        let pair = try LogPair()
        let owner = try pair.owner
        owner.storeTrialDelay = 1
        let faults = CommitFaults(owner.database)
        faults.failsCommit = { true }
        try pair.emit()
        owner.close()
        #expect(!owner.storeTrialIsDue)
        let reason = try #require(owner.degradedBy("store"))
        #expect(reason.contains("new data is not stored") && !reason.contains("closed"))
        try pair.follower.close()
    }

    @Test func aFullDiskLosesNothing() async throws {
        let pair = try LogPair()
        try pair.emit()
        try await pair.takes(1)
        let failed = Expectation<Void>("no turn failed")
        try pair.follower.onRollback.append { failed.fulfil(()) }
        try pair.faults.fillDisk()
        try pair.emit(300)
        try await failed.wait()
        try pair.faults.freeDisk()
        try pair.emit(10)
        try await pair.takes(311)
        #expect(try pair.taken() == Array(1...311))
        pair.close()
    }

    @Test(arguments: [UInt64.random(in: 0 ... .max), 1, 2, 3])
    func failuresAndRestartsAtRandomLoseNothing(seed: UInt64) async throws {
        print("seed \(seed)")
        var chance = Chance(seed: seed)
        let pair = try LogPair()
        for _ in 0..<60 {
            switch chance.next() % 8 {
            case 0, 1:
                var left = Int(chance.next() % 3) + 1
                try pair.faults.failsCommit = {
                    left -= 1
                    return left >= 0
                }
            case 2:
                let at = pair.emitted + Int64(chance.next() % 4)
                var isDue = true
                let error = Self.errors[Int(chance.next() % UInt64(Self.errors.count))].1
                pair.meets = { sequence in
                    guard sequence >= at, isDue else { return }
                    isDue = false
                    throw error()
                }
            case 3: try pair.faults.fillDisk()
            case 4, 5: try pair.faults.freeDisk()
            case 6: try pair.restartFollower()
            default: try pair.restartOwner()
            }
            try pair.emit(Int(chance.next() % 5))
            for _ in 0..<Int(chance.next() % 4) { await Task.yield() }
        }
        try pair.faults.freeDisk()
        try pair.faults.failsCommit = { false }
        try pair.emit()
        try await pair.takes(pair.emitted)
        #expect(try pair.taken() == Array(1...pair.emitted))
        pair.close()
    }
}

/// SplitMix64: the same seed is the same run.
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
