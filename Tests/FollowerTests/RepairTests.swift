import Units
import Contract
import Loop
import Store
import ScreenTimeTesting
import Testing

@testable import Bus
@testable import ServiceKit
import Time

/// `screentime repair` and every other way to rebuild a copy: it ends with the owner's data, and until then
/// `status` reports that the service does not act.
@Suite(.serialized) @LoopActor struct RepairTests {
    private static func keeper(members: Int = 7) async throws -> CopyKeeper {
        let keeper = try CopyKeeper()
        for number in 0..<members { try keeper.auth.put("m\(number)", "name \(number)") }
        try await keeper.becomesInStep()
        try keeper.addStranger()
        try await keeper.service.committed()
        return keeper
    }

    private static func expectRepaired(_ keeper: CopyKeeper) async throws {
        try await keeper.becomesInStep()
        #expect(try keeper.members() == keeper.auth.rows())
        keeper.close()
    }

    @Test func aRepairRemovesWhatTheOwnerDoesNotHave() async throws {
        let keeper = try await Self.keeper()
        try keeper.repair(.auth)
        #expect(keeper.notActing.count == 1, "\(keeper.notActing)")
        try await Self.expectRepaired(keeper)
    }

    /// The commit of any of the pages fails.
    @Test(arguments: 0..<6) func aRepairSurvivesACommitThatFails(commit: Int) async throws {
        let keeper = try await Self.keeper()
        var left = commit
        keeper.faults.failsCommit = {
            left -= 1
            return left == -1
        }
        try keeper.repair(.auth)
        do { try await keeper.service.committed() } catch {
            // The caller gets an error and repeats the request.
            #expect(commit == 0)
            try keeper.repair(.auth)
        }
        try await keeper.comes("the failure") { left < 0 || keeper.notActing.isEmpty }
        try await Self.expectRepaired(keeper)
    }

    /// Whoever names what they have seen is not answered from a copy that is half built.
    @Test func aReadThatNamesWhatWasTakenInWaitsForTheWholeCopy() async throws {
        let keeper = try await Self.keeper()
        let seen = try keeper.auth.service.head
        let client = try RequestClient(
            to: .shield, in: try keeper.directory.configuration().runtime, tracer: Tracer(service: "test"))
        func read(deadline: Milliseconds) async -> ErrorName? {
            let options = CallOptions(deadline: deadline, notBefore: [Position(.auth, seen)])
            do throws(ServiceError) {
                _ = try await client.call(SettingsList.self, SettingsList.Params(), options: options)
                return nil
            } catch {
                return error.name
            }
        }
        #expect(await read(deadline: 20_000) == nil)
        keeper.auth.stop()
        try keeper.repair(.auth)
        try await keeper.service.committed()
        #expect(await read(deadline: 300) == .deadlineExceeded)
        let waiting = Task { @LoopActor in await read(deadline: 60_000) }
        try keeper.auth.start()
        #expect(await waiting.value == nil)
        client.close()
        try await Self.expectRepaired(keeper)
    }

    /// In the turn that keeps the last page, before its commit: how far the service is is the same afterwards
    /// as when it looked last, and still this request was not among those that waited then.
    @Test func whoBeginsToWaitAsTheCopyBecomesWholeIsWoken() async throws {
        let keeper = try await Self.keeper()
        let seen = try keeper.auth.service.head
        func wait(_ told: @escaping @LoopActor (ServiceError?) -> Void) {
            keeper.service.waiting.wait(
                RequestContext(
                    peer: Peer.own, notBefore: [Position(.auth, seen)],
                    deadline: MonotonicClock.now + 20_000, trace: .root(), params: []), told)
        }
        /// Begins to wait with the first page, or with the last.
        func begins(with isLast: Bool) -> ScreenTimeTesting.Expectation<ServiceError?> {
            let told = ScreenTimeTesting.Expectation<ServiceError?>("is told")
            var isDue = true
            keeper.service.beforeCommit.append { _ in
                guard isDue, keeper.service.followers[.auth]?.reached == -1 else { return }
                let kept = try keeper.service.cursors.get(ServiceName.auth.rawValue)
                guard kept?.isRebuilding == !isLast else { return }
                isDue = false
                wait { told.fulfil($0) }
            }
            return told
        }
        for isLast in [false, true] {
            let told = begins(with: isLast)
            try keeper.repair(.auth)
            #expect(try await told.wait() == nil)
            try await keeper.becomesInStep()
        }
        try keeper.addStranger("other")
        try keeper.repair(.auth)
        try await Self.expectRepaired(keeper)
    }

    @Test func aRepairSurvivesARestart() async throws {
        let keeper = try await Self.keeper()
        keeper.auth.stop()
        try keeper.repair(.auth)
        try await keeper.service.committed()
        try keeper.restart()
        #expect(keeper.notActing.contains { $0.contains("auth-service") }, "\(keeper.notActing)")
        try keeper.auth.start()
        try await Self.expectRepaired(keeper)
    }

    /// Events applied before the repair, in the same turn, do not end it.
    @Test func anEventOfTheSameTurnDoesNotEndARepair() async throws {
        let keeper = try await Self.keeper()
        var pages = 0
        keeper.auth.willMakePage = { _ in
            pages += 1
            #expect(keeper.notActing.contains { $0.contains("auth-service") }, "page \(pages)")
        }
        var isDue = true
        // Between an event and the commit of its effect.
        keeper.service.beforeCommit.append { _ in
            guard isDue else { return }
            isDue = false
            try keeper.repair(.auth)
        }
        try keeper.auth.put("m9", "late")
        try await keeper.comes("the repair") { pages > 0 }
        try await Self.expectRepaired(keeper)
        #expect(pages > 1)
    }

    /// While it pauses after a failed commit, the service is asked to repair.
    @Test func aRepairSurvivesThePauseOfItsFollower() async throws {
        let keeper = try await Self.keeper()
        var left = 1
        let failed = Expectation<Void>("no commit failed")
        keeper.faults.failsCommit = {
            guard left > 0 else { return false }
            left -= 1
            failed.fulfil(())
            return true
        }
        try keeper.auth.put("m9", "late")
        try await failed.wait()
        try keeper.repair(.auth)
        try await Self.expectRepaired(keeper)
    }

    /// The service ended in the middle of the pages: after its start it does not act until the copy is
    /// complete.
    @Test func aCopyThatIsHalfBuiltIsSaidAfterAStart() async throws {
        let keeper = try await Self.keeper()
        keeper.auth.stop()
        try keeper.restart { database in
            try database.write { database in
                try Cursors(database).set(
                    ServiceName.auth.rawValue,
                    Cursors.Cursor(
                        epoch: Cursors(database).get(ServiceName.auth.rawValue)?.epoch ?? "", sequence: 0,
                        isRebuilding: true))
            }
            try database.commit()
        }
        #expect(keeper.service.healthReport().state == .degraded)
        #expect(keeper.notActing.contains { $0.contains("auth-service") }, "\(keeper.notActing)")
        try keeper.auth.start()
        try await Self.expectRepaired(keeper)
    }

    /// The pages are delivered again after a failed commit, and the copy counts as complete only after the
    /// last one.
    @Test(arguments: 1..<4) func aFailureInTheMiddleOfTheStateBeginsItAgain(page: Int) async throws {
        let keeper = try await Self.keeper()
        var seen = 0
        var resets = 0
        var said: [String] = []
        keeper.auth.willMakePage = { asked in
            if asked == nil { (resets, said) = (resets + 1, keeper.notActing) }
            seen += 1
            // Also events published by others meanwhile, since the order of commits is not fixed.
            if seen == page + 1 { keeper.faults.failsCommit = { resets < 2 } }
        }
        try keeper.repair(.auth)
        try await keeper.comes("the second beginning") { resets == 2 }
        // As at the start: by now the copy may be complete.
        #expect(said.contains { $0.contains("auth-service") }, "\(said)")
        try await Self.expectRepaired(keeper)
    }

    /// Why the copy was rebuilt each time it became whole; each is added in the transaction of the last page.
    @LoopActor private final class Causes {
        private(set) var areMissedEvents: [Bool] = []

        func watch(_ keeper: CopyKeeper) throws {
            let following = try #require(keeper.service.followers[.auth]?.following)
            let rebuilt = following.rebuilt
            following.rebuilt = { [self] rebuild, transaction in
                areMissedEvents.append(rebuild.isOfMissedEvents)
                try rebuilt?(rebuild, transaction)
            }
        }
    }

    /// A member is added and the commit of that fails, so that the follower pauses behind the owner.
    private static func falls(behind keeper: CopyKeeper) async throws {
        let failed = Expectation<Void>("no commit failed")
        let follower = try #require(keeper.service.followers[.auth])
        keeper.faults.failsCommit = {
            guard follower.applied != follower.committed, keeper.faults.failures == 0 else { return false }
            failed.fulfil(())
            return true
        }
        try keeper.auth.put("m9", "late")
        try await failed.wait()
        #expect(keeper.service.followers[.auth]?.reached != (try keeper.auth.service.head))
    }

    /// Of what a complete copy has and the snapshot has not, no event was missed. Of a copy that was behind,
    /// the snapshot replaces the events that would have said it.
    @Test(arguments: [false, true]) func aRepairKnowsWhetherEventsWereMissed(isBehind: Bool) async throws {
        let keeper = try await Self.keeper()
        let causes = Causes()
        try causes.watch(keeper)
        if isBehind { try await Self.falls(behind: keeper) }
        try keeper.repair(.auth)
        try await Self.expectRepaired(keeper)
        #expect(causes.areMissedEvents == [isBehind])
    }

    @Test(arguments: [false, true]) func aRestartForgetsNoCauseOfARepair(isBehind: Bool) async throws {
        let keeper = try await Self.keeper()
        if isBehind { try await Self.falls(behind: keeper) }
        keeper.auth.stop()
        try keeper.repair(.auth)
        try await keeper.service.committed()
        try keeper.restart()
        let causes = Causes()
        try causes.watch(keeper)
        try keeper.auth.start()
        try await keeper.becomesInStep()
        #expect(causes.areMissedEvents == [isBehind])
        // The next rebuild has a cause of its own.
        #expect(try Settings(keeper.service.database).get("missed.auth-service") == nil)
        keeper.close()
    }

    /// A copy that was behind is rebuilt, and before the last page somebody asks for a repair again.
    @Test func aRepairDuringARebuildKeepsItsCause() async throws {
        let keeper = try await Self.keeper()
        let causes = Causes()
        try causes.watch(keeper)
        try await Self.falls(behind: keeper)
        try keeper.repair(.auth)
        var pages = 0
        keeper.auth.willMakePage = { page in
            pages += 1
            if pages == 2 { try keeper.repair(.auth) }
        }
        try await Self.expectRepaired(keeper)
        #expect(causes.areMissedEvents == [true] && pages > 2)
    }
}
