import Contract
import Loop
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit

/// A person without a guardian decides their own requests, after the delay that they chose beforehand.
@Suite @LoopActor struct SelfApprovalTests {
    private func choose(_ room: RequestRoom, _ minutes: Int64) async throws -> Member {
        try await room.call(
            MemberSet.self, MemberSet.Params(name: RequestRoom.own, selfApprovalMinutes: minutes)
        ).member
    }

    @Test func anApprovalWaitsForTheDelay() async throws {
        let room = try await RequestRoom()
        let asked = try await room.ask(minutes: 15, of: RequestRoom.own)
        let opens = room.clock.now + .minutes(5)
        #expect(asked.selfApproval == opens)
        room.move(to: opens - 1)
        let error = await room.decideRefusal(asked, .approve)
        #expect(error?.name == .notAuthorized && error?.message.contains("2026-09-21T13:18:20+00:00") == true)
        #expect(error?.remedy.contains("Wait until then") == true)
        #expect(try room.now(asked)?.state == .pending)
        room.move(to: opens)
        let approved = try await room.decide(asked, .approve)
        #expect(approved.state == .approved && approved.decider == .member)
        #expect(approved.end == opens + .minutes(15))
        room.close()
    }

    @Test func aDenialDoesNot() async throws {
        let room = try await RequestRoom()
        let denied = try await room.decide(try await room.ask(of: RequestRoom.own), .deny)
        #expect(denied.state == .denied && denied.decider == .member)
        room.close()
    }

    @Test func withoutADelayItIsAtOnce() async throws {
        let room = try await RequestRoom()
        _ = try await choose(room, 0)
        room.move(by: .minutes(5))
        let asked = try await room.ask(of: RequestRoom.own)
        #expect(asked.selfApproval == asked.asked)
        #expect(try await room.decide(asked, .approve).state == .approved)
        room.close()
    }

    /// The delay is that of when it was asked.
    @Test func aLongerDelayIsForLaterRequests() async throws {
        let room = try await RequestRoom()
        let before = try await room.ask("a", of: RequestRoom.own)
        let member = try await choose(room, 60)
        #expect(member.selfApprovalMinutes == 60 && member.nextSelfApprovalMinutes == nil)
        let after = try await room.ask("b", of: RequestRoom.own)
        #expect(before.selfApproval == before.asked + .minutes(5))
        #expect(after.selfApproval == after.asked + .minutes(60))
        // Anna has a guardian, who does not wait.
        #expect(try await room.ask("a").selfApproval == nil)
        room.close()
    }

    @Test(arguments: [false, true]) func aShorterDelayWaitsForTheOldOne(withRestart: Bool) async throws {
        let room = try await RequestRoom()
        _ = try await choose(room, 60)
        let due = room.clock.now + .minutes(60)
        let chosen = try await choose(room, 10)
        #expect(chosen.selfApprovalMinutes == 60 && chosen.nextSelfApprovalMinutes == 10)
        #expect(chosen.nextSelfApprovalAt == due)
        room.move(by: .minutes(20))
        // The same again does not wait again; another one does.
        #expect(try await choose(room, 10).nextSelfApprovalAt == due)
        #expect(try await room.member() == chosen)
        room.move(to: due - 1)
        let early = try await room.ask("early", of: RequestRoom.own)
        #expect(early.selfApproval == early.asked + .minutes(60))
        if withRestart { room.stop() }
        room.clock.now = due
        if withRestart { try room.begin() }
        // By the clock, also before the timer has fired.
        let late = try await room.ask("late", of: RequestRoom.own)
        #expect(late.selfApproval == due + .minutes(10))
        room.move(to: due)
        let settled = try await room.member()
        #expect(settled.selfApprovalMinutes == 10)
        #expect(settled.nextSelfApprovalMinutes == nil && settled.nextSelfApprovalAt == nil)
        #expect(room.auth.service.household.member(RequestRoom.own) == settled)
        room.close()
    }

    @Test(arguments: [60, 61] as [Int64]) func aLongerOneCancelsTheShorterOne(minutes: Int64) async throws {
        let room = try await RequestRoom()
        _ = try await choose(room, 60)
        _ = try await choose(room, 10)
        let member = try await choose(room, minutes)
        #expect(member.selfApprovalMinutes == minutes && member.nextSelfApprovalMinutes == nil)
        #expect(member.nextSelfApprovalAt == nil)
        room.move(by: .minutes(60))
        #expect(try await room.member().selfApprovalMinutes == minutes)
        room.close()
    }

    /// One between the two waits again, from now on.
    @Test func anotherShorterOneWaitsAgain() async throws {
        let room = try await RequestRoom()
        _ = try await choose(room, 60)
        _ = try await choose(room, 10)
        room.move(by: .minutes(59))
        let member = try await choose(room, 30)
        #expect(member.nextSelfApprovalMinutes == 30)
        #expect(member.nextSelfApprovalAt == room.clock.now + .minutes(60))
        room.close()
    }

    /// At the next change of something else, too.
    @Test func aDueOneIsSettledByAnyChange() async throws {
        let room = try await RequestRoom()
        _ = try await choose(room, 0)
        room.clock.now += .minutes(5)
        let member = try await room.call(
            MemberSet.self, MemberSet.Params(name: RequestRoom.own, dayStartMinutes: 240)
        ).member
        #expect(member.selfApprovalMinutes == 0 && member.nextSelfApprovalMinutes == nil)
        room.close()
    }

    @Test func aRequestThatExpiresBeforeSaysSo() async throws {
        let room = try await RequestRoom()
        room.move(to: RequestRoom.midnight - .minutes(4))
        let asked = try await room.ask(of: RequestRoom.own)
        let error = await room.decideRefusal(asked, .approve)
        #expect(error?.name == .notAuthorized)
        #expect(error?.message.contains("expires at 2026-09-22T00:00:00+00:00") == true)
        room.move(to: RequestRoom.midnight)
        #expect(try room.now(asked)?.state == .expired)
        room.close()
    }

    @Test func delaysHaveLimits() async throws {
        let room = try await RequestRoom()
        for minutes in [-1, 1_441] as [Int64] {
            let params = MemberSet.Params(name: RequestRoom.own, selfApprovalMinutes: minutes)
            #expect(await room.refusal(MemberSet.self, params)?.name == .invalidParams)
        }
        #expect(try await choose(room, 1_440).selfApprovalMinutes == 1_440)
        room.close()
    }
}
