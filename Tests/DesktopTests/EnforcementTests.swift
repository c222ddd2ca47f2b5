import Contract
import Loop
import ScreenTimeTesting
import ServiceKit
import Testing
import Time
import Units

@testable import DesktopCore

/// When checks happen, and who hears of their results.
@Suite @LoopActor struct EnforcementTests {
    @Test func aResultIsRecordedAndOnlyAChangeForTheWorseIsNotified() async throws {
        let room = try Room()
        #expect(await room.enforcement.check(trace: nil).recorded)
        #expect(room.owner.recorded.map(\.state) == [.enforcing] && room.owner.notices.isEmpty)
        #expect(room.enforcement.problem == nil)
        room.stage.fault = .freeze
        let result = await room.enforcement.check(trace: nil)
        #expect(result.state == .notEnforcing && result.reason?.contains("still ran") == true)
        #expect(room.owner.recorded.last?.reason == result.reason)
        #expect(room.owner.notices == [result.reason])
        #expect(room.enforcement.problem?.hasPrefix("limits do not act on this desktop, because") == true)
        room.stage.fault = .cover
        _ = await room.enforcement.check(trace: nil)
        #expect(room.owner.notices.count == 1, "another reason is no change")
        room.stage.fault = nil
        _ = await room.enforcement.check(trace: nil)
        #expect(room.owner.notices == [result.reason, nil], "withdrawn")
        #expect(room.enforcement.problem == nil && room.owner.recorded.count == 4)
    }

    /// The person never knew that limits act here.
    @Test func aFirstFailureIsNotifiedToo() async throws {
        let room = try Room()
        room.stage.fault = .hindrance
        _ = await room.enforcement.check(trace: nil)
        #expect(room.owner.notices.count == 1)
    }

    /// A window manager that was missing at the last check runs now, or does not run now.
    @Test func whatHindersLimitsNowCountsMoreThanTheLastCheck() async throws {
        let room = try Room()
        room.stage.fault = .hindrance
        #expect(room.enforcement.problem?.contains("no window manager") == true, "before any check")
        _ = await room.enforcement.check(trace: nil)
        room.stage.fault = nil
        #expect(room.enforcement.problem == nil)
        _ = await room.enforcement.check(trace: nil)
        room.stage.fault = .hindrance
        #expect(room.enforcement.problem?.contains("no window manager") == true)
    }

    @Test func anAgentThatStartsKnowsTheLastResultAndRemovesALimit() async throws {
        let room = try Room()
        room.owner.isLimitLeft = true
        room.owner.known = EnforcementResult(agent: "a", state: .notEnforcing, reason: "of rain", checked: 5)
        room.owner.isAway = true
        room.enforcement.start { 6 }
        try await room.comes("asked") { room.owner.refusals > 2 }
        #expect(room.enforcement.problem == nil)
        room.owner.isAway = false
        try await room.comes("known") { room.enforcement.problem != nil }
        #expect(room.enforcement.problem == "limits do not act on this desktop, because of rain")
        #expect(!room.owner.isLimitLeft)
        room.stage.fault = .freeze
        _ = await room.enforcement.check(trace: nil)
        #expect(room.owner.notices.isEmpty, "no change")
    }

    @Test func whatTheServicesDoNotAcceptIsSentLater() async throws {
        let room = try Room()
        room.stage.fault = .removal
        room.owner.isAway = true
        room.owner.isLimitLeft = true
        #expect(await room.enforcement.check(trace: nil).recorded == false)
        #expect(room.enforcement.problem != nil)
        try await room.comes("tried again") { room.owner.refusals > 6 }
        room.owner.isAway = false
        try await room.comes("recorded") { room.owner.recorded.count == 1 && room.owner.notices.count == 1 }
        #expect(!room.owner.isLimitLeft)
    }

    /// Each question would take until its deadline, and whoever asked for the check waits for it.
    @Test(arguments: [FakeStage.Fault.limit, .removal])
    func aServiceThatDidNotAnswerIsNotAskedAgainBeforeTheAnswer(fault: FakeStage.Fault) async throws {
        let room = try Room()
        room.stage.fault = fault
        room.owner.isAway = true
        #expect(await room.enforcement.check(trace: nil).recorded == false)
        #expect(room.owner.refusals == 0)
        room.owner.isAway = false
        try await room.comes("recorded") { room.owner.recorded.count == 1 && room.owner.notices.count == 1 }
    }

    @Test func aCheckThatRunsIsJoined() async throws {
        let room = try Room()
        var second: EnforcementCheck.Result?
        var hasBegun = false
        room.stage.onPause = {
            guard !hasBegun else { return }
            hasBegun = true
            Task { @LoopActor in second = await room.enforcement.check(trace: nil) }
        }
        let first = await room.enforcement.check(trace: nil)
        try await room.comes("both") { second != nil }
        #expect(second == first && room.owner.recorded.count == 1)
    }

    // MARK: by itself

    @Test func aDueCheckWaitsForAMomentThatDisturbsNobody() async throws {
        let room = try Room(Enforcement.Pace(interval: 60_000, first: 1, again: 1))
        room.isUndisturbed = false
        room.enforcement.start { 0 }
        try await room.comes("due again and again") { room.asked > 20 }
        #expect(room.owner.recorded.isEmpty)
        room.enforcement.checkIfDue()
        #expect(room.owner.recorded.isEmpty)
        room.isUndisturbed = true
        room.enforcement.checkIfDue()
        try await room.comes("recorded") { room.owner.recorded.count == 1 }
        let asked = room.asked
        room.enforcement.checkIfDue()
        #expect(room.asked == asked, "it is not due any more")
        room.enforcement.close()
    }

    /// Also if a service takes longer than the next one waits.
    @Test(arguments: [0, 20] as [Milliseconds])
    func checksFollowEachOther(_ answer: Milliseconds) async throws {
        let room = try Room(Enforcement.Pace(interval: 1, first: 1))
        room.owner.answer = answer
        room.enforcement.start { 0 }
        try await room.comes("three") { room.owner.recorded.count >= 3 }
        room.enforcement.close()
    }

    @Test func theNextCheckIsADayAfterTheLast() {
        let pace = Enforcement.Pace(interval: .day)
        #expect(pace.delay(age: nil) == AgentLimits.firstCheck)
        #expect(pace.delay(age: .hour) == .hours(23))
        #expect(pace.delay(age: .days(3)) == AgentLimits.firstCheck, "long ago; the session just began")
        #expect(pace.delay(age: -.hour) == AgentLimits.firstCheck, "the clock was set back")
        #expect(Enforcement.Pace(interval: .second).delay(age: nil) == .second)
        // Under the virtual clock, and if the person does not want it.
        #expect(Enforcement.Pace(interval: nil).delay(age: nil) == nil)
    }
}

/// A check's surroundings.
@LoopActor private final class Room {
    let stage = FakeStage(nil)
    let owner = FakeOwner()
    let enforcement: Enforcement
    var isUndisturbed: Bool {
        get { calm.isCalm }
        set { calm.isCalm = newValue }
    }
    var asked: Int { calm.asked }
    private let calm = Calm()
    private let scratch: ScratchDirectory

    @LoopActor private final class Calm {
        var isCalm = true
        var asked = 0
    }

    init(_ pace: Enforcement.Pace = Enforcement.Pace(interval: nil)) throws {
        scratch = try ScratchDirectory()
        let log = try Log(name: "agent", directory: scratch.path, level: .error)
        var pace = pace
        pace.pause = 1
        enforcement = Enforcement(stage, owner, log: log, pace: pace) { [calm] in
            calm.asked += 1
            return calm.isCalm
        }
    }

    /// Gives way until a condition holds.
    func comes(_ what: String, _ isTrue: @LoopActor () -> Bool) async throws {
        let deadline = MonotonicClock.now + 180_000
        while !isTrue() {
            guard MonotonicClock.now < deadline else { throw Overdue(what) }
            await withCheckedContinuation { done in _ = EventLoop.main.after(1) { done.resume() } }
        }
    }
}

/// shield-service and the notifier.
@LoopActor private final class FakeOwner: EnforcementOwner {
    var known: EnforcementResult?
    var isLimitLeft = false
    var isAway = false
    /// How long it takes to record a result.
    var answer: Milliseconds = 0
    private(set) var recorded: [(state: EnforcementState, reason: String?)] = []
    private(set) var notices: [String?] = []
    private(set) var refusals = 0

    private func answered() throws(ServiceError) {
        guard isAway else { return }
        refusals += 1
        throw ServiceError(.unavailable, "shield-service is not there", remedy: "")
    }

    func last() async throws(ServiceError) -> EnforcementResult? {
        try answered()
        return known
    }
    func record(_ state: EnforcementState, _ reason: String?) async throws(ServiceError) {
        try answered()
        if answer > 0 {
            await withCheckedContinuation { done in _ = EventLoop.main.after(answer) { done.resume() } }
        }
        recorded.append((state, reason))
    }
    func removeLimit() async throws(ServiceError) {
        try answered()
        isLimitLeft = false
    }
    func notify(_ reason: String?) async throws(ServiceError) {
        try answered()
        notices.append(reason)
    }
}
