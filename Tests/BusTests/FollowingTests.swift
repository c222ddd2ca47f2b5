import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
@testable import Bus

/// The three holes of PUB/SUB, each with the loss it makes and the cure that closes it.
@Suite(.timeLimit(.minutes(2))) @LoopActor struct FollowingTests {
    @Test func joiningLosesEventsWithoutTheCureAndNoneWithIt() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(300)
        var lost = 0
        // If libzmq's thread was fast, the bare one has joined before the first event: repeat.
        repeat {
            let bare = try BareSubscriber(owner)
            let recorder = EventRecorder(owner.service)
            let follower = try owner.follow(recorder)
            // The handshake runs while these are published.
            let published = owner.head + 1...owner.head + 200
            for _ in published {
                try owner.commit(1)
                await Task.yield()
            }
            let all = try await recorder.sequences(through: published.upperBound)
            #expect(all == Array(1...published.upperBound))
            try await owner.publish(untilHeardBy: bare)
            lost = published.count - bare.sequences.count(where: published.contains)
            follower.close()
            bare.close()
        } while lost == 0
        owner.stop()
    }

    @Test func theTailLostAtOverflowIsReadFromTheLog() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start(queuedMax: 50)
        let bare = try BareSubscriber(owner, queuedMax: 50)
        let recorder = EventRecorder(owner.service)
        let follower = try owner.follow(recorder, queuedMax: 50)
        try owner.commit(1)
        _ = try await recorder.sequences(through: 1)
        var tail: Int64
        // If libzmq's thread was delayed, a gap was lost and the tail had room: repeat.
        repeat {
            // One synchronous burst: nothing is read during it, the queues overflow, and no later event
            // follows.
            try owner.commit(3_000)
            tail = owner.head
            #expect(try await recorder.sequences(through: tail) == Array(1...tail))
            try await owner.publish(untilHeardBy: bare)
        } while bare.sequences.contains(tail)
        #expect(owner.reads > 1)
        follower.close()
        bare.close()
        owner.stop()
    }

    @Test func whatWasCommittedAndNeverPublishedComesAfterARestart() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        let bare = try BareSubscriber(owner)
        let recorder = EventRecorder(owner.service)
        let follower = try owner.follow(recorder)
        try owner.commit(2)
        _ = try await recorder.sequences(through: 2)
        try owner.commit(3, publish: false)
        owner.stop()
        try owner.commit(4, publish: false)
        try owner.start()
        #expect(try await recorder.sequences(through: 9) == Array(1...9))
        try await owner.publish(untilHeardBy: bare)
        #expect(!bare.sequences.contains(5))
        follower.close()
        bare.close()
        owner.stop()
    }

    @Test func aFollowerThatIsFirstWaitsForItsSource() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        let recorder = EventRecorder(owner.service)
        let follower = try owner.follow(recorder)
        try owner.commit(5)
        try owner.start()
        #expect(try await recorder.sequences(through: 5) == [1, 2, 3, 4, 5])
        follower.close()
        owner.stop()
    }

    @Test func aCursorIsContinuedWithoutRepeat() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(10)
        let recorder = EventRecorder(owner.service)
        let follower = try owner.follow(recorder, from: Cursor(epoch: "aaaa", sequence: 7))
        #expect(try await recorder.sequences(through: 10) == [8, 9, 10])
        #expect(recorder.resets == 0)
        follower.close()
        owner.stop()
    }

    @Test func aNewEpochIsReadFromItsPresentStateOrFromItsBeginning() async throws {
        for way in [AfterFork.rebuild, .resume(Cursor(epoch: "bbbb", sequence: 0))] {
            let place = try Place()
            let owner = Owner(place.directory)
            owner.epoch = "bbbb"
            try owner.start()
            try owner.commit(3)
            let recorder = EventRecorder(owner.service)
            recorder.afterFork = way
            let follower = try owner.follow(recorder, from: Cursor(epoch: "aaaa", sequence: 2))
            let stores: [String] = try await recorder.wait(for: "three events") { recorder in
                recorder.events.count == 3 ? try recorder.all(SettingsRejected.self).map(\.store) : nil
            }
            let snapshot = (0..<3).map { "snapshot-\($0)" }
            #expect(stores == (way == .rebuild ? snapshot : ["s1", "s2", "s3"]))
            #expect(recorder.resets == (way == .rebuild ? 1 : 0))
            #expect(follower.cursor == Cursor(epoch: "bbbb", sequence: 3, run: "r1"))
            #expect(recorder.forks.map(\.epoch) == ["bbbb"])
            follower.close()
            owner.stop()
        }
    }

    /// The owner's database was restored from an older copy: its head lies before the cursor, or, when the
    /// owner was faster, behind it. Both are known by the run.
    @Test(arguments: [0, 3, 5, 40]) func aRestoredOwnerIsKnownByItsRun(madeSince: Int) async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(8)
        let recorder = EventRecorder(owner.service)
        recorder.afterFork = .resume(Cursor(epoch: "aaaa", sequence: 3, run: "r1"))
        let follower = try owner.follow(recorder)
        _ = try await recorder.sequences(through: 8)
        owner.stop()
        owner.restore(to: 3, run: "r2")
        try owner.commit(madeSince)
        try owner.start()
        let fork = try await recorder.wait(for: "the fork") { $0.forks.first }
        #expect(fork.cursor == Cursor(epoch: "aaaa", sequence: 8, run: "r1"))
        #expect(fork.head == Int64(3 + madeSince))
        #expect(fork.runs.map(\.id) == (madeSince > 0 ? ["r1", "r2"] : ["r1"]))
        try owner.commit(2)
        let last = Int64(5 + madeSince)
        let after: [Int64] = try await recorder.wait(for: "\(last) in the new run") { recorder in
            let events = recorder.events.dropFirst(8)
            return events.last?.sequence == last ? events.map(\.sequence) : nil
        }
        #expect(after == Array(4...last))
        #expect(recorder.forks.count == 1)
        #expect(follower.cursor == Cursor(epoch: "aaaa", sequence: last, run: "r2"))
        follower.close()
        owner.stop()
    }

    /// An ordinary start is another run too, and no fork.
    @Test func aRestartOfTheOwnerIsNoFork() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        let recorder = EventRecorder(owner.service)
        let follower = try owner.follow(recorder)
        for round in 1...20 {
            try owner.commit(round % 3)
            owner.stop()
            owner.restore(to: owner.head, run: "r\(round + 1)")
            try owner.start()
            // Live events may come before the head that names their run.
            try owner.commit(1)
            _ = try await recorder.sequences(through: owner.head)
        }
        #expect(recorder.forks.isEmpty && recorder.resets == 0)
        #expect(recorder.events.map(\.sequence) == Array(1...owner.head))
        follower.close()
        owner.stop()
    }

    /// A cursor without a recorded run is compared by its sequence only.
    @Test func aHeadBehindACursorOfNoRunIsAFork() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(3)
        let recorder = EventRecorder(owner.service)
        let follower = try owner.follow(recorder, from: Cursor(epoch: "aaaa", sequence: 8))
        let fork = try await recorder.wait(for: "the fork") { $0.forks.first }
        #expect(fork.head == 3 && fork.cursor.sequence == 8)
        #expect(follower.phase == .stopped)
        #expect(recorder.events.isEmpty)
        owner.stop()
    }

    @Test func aTrimmedLogIsReplacedByASnapshotOfSeveralPages() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(100)
        owner.trim(keeping: 10)
        let recorder = EventRecorder(owner.service)
        let follower = try owner.follow(recorder, from: Cursor(epoch: "aaaa", sequence: 5))
        let stores: [String] = try await recorder.wait(for: "three pages") { recorder in
            recorder.events.count == 3 ? try recorder.all(SettingsRejected.self).map(\.store) : nil
        }
        #expect(stores == ["snapshot-0", "snapshot-1", "snapshot-2"])
        #expect(recorder.resets == 1)
        try owner.commit(2)
        #expect(try await recorder.sequences(through: 102).suffix(2) == [101, 102])
        follower.close()
        owner.stop()
    }

    @Test func rewindingDeliversAgainFromTheCommittedCursor() async throws {
        let place = try Place()
        let owner = Owner(place.directory)
        try owner.start()
        try owner.commit(6)
        let recorder = EventRecorder(owner.service)
        let follower = try owner.follow(recorder)
        _ = try await recorder.sequences(through: 6)
        follower.pause(at: Cursor(epoch: "aaaa", sequence: 4))
        follower.resume()
        let all: [Int64] = try await recorder.wait(for: "a repeat") { recorder in
            recorder.events.count == 8 ? recorder.events.map(\.sequence) : nil
        }
        #expect(all == [1, 2, 3, 4, 5, 6, 5, 6])
        follower.close()
        owner.stop()
    }

    @Test(arguments: [UInt64.random(in: 0 ... .max), 1, 2])
    func restartsAtRandomMomentsLoseNothing(seed: UInt64) async throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed)
        let place = try Place()
        let owner = Owner(place.directory)
        let recorder = EventRecorder(owner.service)
        let follower = try owner.follow(recorder, queuedMax: 64)
        var running = false
        for _ in 0..<60 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where running:
                owner.stop()
                running = false
            case 0 where !running, 1 where !running:
                try owner.start(queuedMax: 32)
                running = true
            case 1: await Task.yield()
            case 2: try owner.commit(Int.random(in: 1...40, using: &random), publish: false)
            default: try owner.commit(Int.random(in: 1...40, using: &random))
            }
        }
        if !running { try owner.start() }
        try owner.commit(1)
        #expect(try await recorder.sequences(through: owner.head) == Array(1...owner.head))
        follower.close()
        owner.stop()
    }
}

/// SplitMix64: the same seed, the same run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
