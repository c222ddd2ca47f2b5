import Contract
import Loop
import ScreenTimeTesting
import Testing
@testable import Bus

/// Owners that do not give what their followers need: errors, deleted events, states of two copies.
@Suite @LoopActor struct FollowingFaultTests {
    private let damage = ServiceError(.storageDamaged, "a page is broken", remedy: "Restore a backup.")

    /// Pages of an owner that was restored between them are of two states.
    @Test(arguments: [1, 2]) func theStateOfAnOwnerThatIsRestoredMeanwhileIsReadAgain(
        page: Int
    ) async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(100)
        owner.trim(keeping: 10)
        let recorder = EventRecorder(owner.service)
        var isDue = true
        owner.willAnswerPage = { asked in
            guard asked == page, isDue else { return }
            isDue = false
            owner.restore(to: 95, run: "r2")
            do { try owner.commit(7) } catch { Issue.record(error) }
        }
        let follower = try owner.follow(recorder, from: Cursor(epoch: "aaaa", sequence: 5, run: "r1"))
        let stores: [String] = try await recorder.wait(for: "the last page of one state") { recorder in
            follower.cursor.sequence >= 100 && !follower.cursor.isRebuilding
                ? try recorder.all(SettingsRejected.self).map(\.store) : nil
        }
        #expect(stores == ["snapshot-0", "snapshot-1", "snapshot-2"])
        #expect(recorder.resets == 2)
        #expect(follower.cursor == Cursor(epoch: "aaaa", sequence: 102, run: "r2"))
        follower.close()
        owner.stop()
    }

    /// After a restart of the owner between pages, the follower completes the snapshot that it started.
    @Test func theStateOfAnOwnerThatIsStartedMeanwhileIsReadOnce() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(100)
        owner.trim(keeping: 10)
        let recorder = EventRecorder(owner.service)
        owner.willAnswerPage = { page in
            if page == 1 { owner.restore(to: 100, run: "r2") }
        }
        let follower = try owner.follow(recorder, from: Cursor(epoch: "aaaa", sequence: 5, run: "r1"))
        _ = try await recorder.wait(for: "three pages") { $0.events.count == 3 ? 0 : nil }
        #expect(recorder.resets == 1)
        follower.close()
        owner.stop()
    }

    /// Nothing tells of the events that were trimmed since the last head.
    @Test func aLogThatIsTrimmedBeyondTheKnownHeadIsGoneOnWith() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(100)
        owner.trim(keeping: 10)
        owner.willRead = { number in
            guard number == 1 else { return }
            do { try owner.commit(50, publish: false) } catch { Issue.record(error) }
            owner.trim(keeping: 10)
        }
        let recorder = EventRecorder(owner.service)
        recorder.acts = true
        let follower = try owner.follow(recorder, from: Cursor(epoch: "aaaa", sequence: 5, run: "r1"))
        #expect(try await recorder.sequences(through: 150) == Array(141...150))
        #expect(recorder.lost == [6...140])
        follower.close()
        owner.stop()
    }

    /// Who waits for the connection is told of each, though it brought no event.
    @Test func aConnectionWithoutNewsIsToldToo() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(3)
        let recorder = EventRecorder(owner.service)
        let follower = try owner.follow(recorder)
        _ = try await recorder.sequences(through: 3)
        for times in 1...3 {
            _ = try await recorder.wait(for: "live \(times) times") { $0.timesLive == times ? 0 : nil }
            owner.stop()
            try owner.start()
        }
        follower.close()
        owner.stop()
    }

    struct Start {
        let name: String
        let cursor: Cursor
        let trims: Bool
    }

    nonisolated static let starts = [
        Start(name: "the log", cursor: Cursor(epoch: "aaaa", sequence: 95), trims: false),
        Start(name: "the present state", cursor: Cursor(epoch: "aaaa", sequence: 5), trims: true),
        Start(name: "the runs", cursor: Cursor(epoch: "bbbb", sequence: 5), trims: false),
    ]

    /// For any error of the owner: it is reported as long as it lasts, and no longer.
    @Test(arguments: starts.indices) func anOwnerThatAnswersWithErrorsIsNamedUntilItGoesOn(
        index: Int
    ) async throws {
        let start = Self.starts[index]
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(100)
        if start.trims { owner.trim(keeping: 10) }
        owner.refusal = damage
        let recorder = EventRecorder(owner.service)
        recorder.afterFork = .resume(Cursor(epoch: "aaaa", sequence: 98, run: "r1"))
        let follower = try owner.follow(recorder, from: start.cursor)
        #expect(try await recorder.wait(for: "a stall") { $0.stall } == damage, "\(start.name)")
        owner.refusal = nil
        _ = try await recorder.wait(for: "what comes after it") { recorder in
            follower.cursor.sequence == 100 ? 0 : nil
        }
        _ = try await recorder.wait(for: "the end of the stall") { $0.stall == nil ? 0 : nil }
        follower.close()
        owner.stop()
    }

    /// What is acted upon is never handed a present state as if it happened now.
    @Test func whatActsGoesOnWhereATrimmedLogBegins() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(100)
        owner.trim(keeping: 10)
        let recorder = EventRecorder(owner.service)
        recorder.acts = true
        let follower = try owner.follow(recorder, from: Cursor(epoch: "aaaa", sequence: 5, run: "r1"))
        #expect(try await recorder.sequences(through: 100) == Array(91...100))
        #expect(recorder.lost == [6...90])
        try owner.commit(2)
        #expect(try await recorder.sequences(through: 102) == Array(91...102))
        #expect(follower.cursor == Cursor(epoch: "aaaa", sequence: 102, run: "r1"))
        follower.close()
        owner.stop()
    }

    /// A cursor that came without its run learns it, and from then on a restored owner is noticed.
    @Test func aCursorOfNoRunLearnsItBeforeTheOwnerOvertakesIt() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(8)
        let recorder = EventRecorder(owner.service)
        let follower = try owner.follow(recorder, from: Cursor(epoch: "aaaa", sequence: 8))
        _ = try await recorder.wait(for: "the run") { _ in follower.cursor.run == "r1" ? 0 : nil }
        owner.stop()
        owner.restore(to: 3, run: "r2")
        try owner.commit(9)
        try owner.start()
        let fork = try await recorder.wait(for: "the fork") { $0.forks.first }
        #expect(fork.cursor == Cursor(epoch: "aaaa", sequence: 8, run: "r1") && fork.head == 12)
        follower.close()
        owner.stop()
    }
}
