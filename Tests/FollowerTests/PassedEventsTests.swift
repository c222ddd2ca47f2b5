import Contract
import Loop
import ScreenTimeTesting
import Store
import Testing

@testable import ServiceKit

/// Events that a service has no handler for, as the focus changes in activity-center's log are for most: they
/// cost no commit, and lose nothing of those around them.
@Suite(.serialized) @LoopActor struct PassedEventsTests {
    @Test func anEventWithoutAHandlerCostsNoCommit() async throws {
        let pair = try LogPair()
        try pair.emit()
        try await pair.takes(1)
        var commits = 0
        try pair.faults.failsCommit = {
            commits += 1
            return false
        }
        for _ in 0..<5 {
            try pair.emitWithoutHandler()
            try await pair.reachesHead()
        }
        #expect(commits == 0)
        #expect(try pair.stored == 1)
        try pair.emit()
        try await pair.takes(2)
        #expect(commits > 0)
        #expect(try pair.stored == pair.owner.head)
        pair.close()
    }

    /// An orderly stop stores the cursor; after a kill they are passed again.
    @Test(arguments: [false, true]) func aRestartLosesNothing(isKilled: Bool) async throws {
        let pair = try LogPair()
        try pair.emit()
        try await pair.takes(1)
        try pair.emitWithoutHandler(3)
        try await pair.reachesHead()
        #expect(try pair.stored == 1)
        try pair.restartFollower(isKilled: isKilled)
        #expect(try pair.stored == (isKilled ? 1 : 4))
        try pair.emit()
        try await pair.takes(2)
        #expect(try pair.taken() == [1, 2])
        pair.close()
    }

    @Test func theStoredCursorIsNeverFarBehind() async throws {
        let pair = try LogPair()
        try pair.emit()
        try await pair.takes(1)
        for _ in 0..<30 {
            try pair.emitWithoutHandler(100)
            try await pair.reachesHead()
            #expect(try pair.owner.head - pair.stored <= 1000)
        }
        #expect(try pair.stored > 2000)
        pair.close()
    }

    /// Else a restart would find that a short log has lost them.
    @Test func theStoredCursorOfAShortLogIsATenthOfItBehind() async throws {
        let pair = try LogPair(eventsKept: 30)
        try pair.emit()
        try await pair.takes(1)
        for _ in 0..<40 {
            try pair.emitWithoutHandler()
            try await pair.reachesHead()
            #expect(try pair.owner.head - pair.stored <= 3)
        }
        pair.close()
    }

    /// Nothing but the kind of the event decides whether it is committed; with failing commits, restarts of
    /// both and events of both kinds, each with a handler is applied once, in its place.
    @Test func whateverComesBetweenEachEffectHappensOnce() async throws {
        let seed = UInt64.random(in: 1...1_000_000)
        var chance = Chance(seed: seed)
        let pair = try LogPair()
        for step in 0..<60 {
            switch chance.next() % 8 {
            case 0, 1, 2: try pair.emitWithoutHandler(Int(1 + chance.next() % 3))
            case 3, 4: try pair.emit(Int(1 + chance.next() % 3))
            case 5:
                var isDue = true
                try pair.faults.failsCommit = {
                    defer { isDue = false }
                    return isDue
                }
            case 6 where step % 3 == 0: try pair.restartFollower(isKilled: chance.next() % 2 == 0)
            case 7 where step % 5 == 0: try pair.restartOwner()
            default: try await pair.reachesHead()
            }
            await Task.yield()
        }
        try pair.faults.failsCommit = { false }
        try pair.emit()
        try await pair.takes(pair.emitted)
        #expect(try pair.taken() == Array(1...pair.emitted), "seed \(seed)")
        pair.close()
    }
}

extension LogPair {
    /// Events for which the follower has no handler; committed and published at the end of this turn.
    fileprivate func emitWithoutHandler(_ count: Int = 1) throws {
        for _ in 0..<count {
            try owner.transact(trace: nil) { _ = try $0.emit(ShieldCoverageChanged(member: "m", kind: .app)) }
        }
    }

    /// Sequence of the cursor in the follower's store.
    fileprivate var stored: Int64 {
        get throws { try follower.cursors.get(ServiceName.shield.rawValue)?.sequence ?? 0 }
    }

    /// Suspends until the follower has passed all that is in the owner's log.
    fileprivate func reachesHead() async throws {
        try await untilTurn("the head is reached") { [self] in
            try !owner.hasUncommitted && follower.followers[.shield]?.reached == owner.head
        }
    }
}
