import Contract
import Loop
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit
@testable import ShieldCore

/// Minutes run on CLOCK_BOOTTIME, also where a step of the machine's clock is believed.
@Suite(.serialized) @LoopActor struct ExceptionMinutesTests {
    /// Time synchronisation set the clock, so that activity-center believes it.
    @Test(arguments: [-60, 60]) func aStepThatIsBelievedDoesNotChangeThem(minutes: Int64) async throws {
        let home = try ExceptionTests.Home()
        defer { home.close() }
        try await home.startJudging()
        try await home.shieldApps(["chess"])
        try await home.approve(minutes: 15)
        let judge = try #require(home.judge)
        let before = judge.asked
        home.clock.now = home.clock.now + .minutes(minutes)
        home.core.exceptions.clock.clockWasSet()
        let clock = home.core.exceptions.clock
        try await untilTurn("the step is believed") { judge.asked > before && clock.ahead == 0 }
        #expect(clock.now == home.clock.now)
        #expect(try await home.judge(["chess"]) == ["-"])
        home.pass(.minutes(15) - 1)
        #expect(try await home.judge(["chess"]) == ["-"])
        home.pass(1)
        #expect(try await home.judge(["chess"]) == ["chess"])
    }

    /// What shield-service dates them by: the boot of the decision, and its instant in that boot.
    @Test func approvalsAndOneMoreMinuteNameTheBoot() async throws {
        let room = try await RequestRoom()
        room.auth.isTimeVirtual = { false }
        let asked = try await room.ask(minutes: 5)
        let before = MachineClock.elapsed
        let approved = try await room.decide(asked, .approve)
        let minute = try await room.oneMore()
        let after = MachineClock.elapsed
        for request in [approved, minute] {
            #expect(request.bootID == MachineClock.readBootID())
            #expect((before...after).contains(try #require(request.boottime)), "\(request)")
            #expect(try room.now(request) == request)
            #expect(try room.told().last { $0.request.id == request.id }?.request == request)
        }
        let denied = try await room.decide(try await room.ask("a"), .deny)
        #expect(denied.bootID == nil && denied.boottime == nil)
        room.auth.isTimeVirtual = { true }
        #expect(try await room.oneMore("b").bootID == nil)
        room.close()
    }
}
