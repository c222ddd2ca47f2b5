import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit

/// Requests for more time go by the trusted time, whatever is done to the machine's clock.
@Suite(.serialized) @LoopActor struct RequestClockTests {
    /// auth-service in a boot, and activity-center, which has judged the clock.
    private static func with(
        _ body: @LoopActor (RequestRoom, ClockJudge) async throws -> Void
    ) async throws {
        let room = try await RequestRoom(boot: "a")
        let judge = try ClockJudge(room.configuration, room.clock)
        try await room.isJudged()
        try await body(room, judge)
        room.close()
        judge.close()
    }

    /// Neither before the step is judged nor after it.
    @Test func aClockSetForwardEndsNothingAndOpensNothing() async throws {
        try await Self.with { room, judge in
            let asked = try await room.ask(of: RequestRoom.own)
            judge.held = .hours(24)
            room.set(by: .hours(24))
            for isJudged in [false, true] {
                #expect(try room.now(asked)?.state == .pending, "\(isJudged)")
                #expect(await room.decideRefusal(asked, .approve)?.name == .notAuthorized, "\(isJudged)")
                #expect(try await room.ask("b\(isJudged)").asked == room.trusted)
                guard !isJudged else { continue }
                try judge.judge(room.steps)
                try await room.isJudged()
            }
            room.move(by: .minutes(5) - 1)
            #expect(await room.decideRefusal(asked, .approve)?.name == .notAuthorized)
            room.move(by: 1)
            let approved = try await room.decide(asked, .approve)
            #expect(approved.decided == RequestRoom.start + .minutes(5))
            #expect(approved.end == RequestRoom.midnight)
        }
    }

    @Test func nobodyGainsWithoutActivityCenter() async throws {
        try await Self.with { room, judge in
            let asked = try await room.ask(of: RequestRoom.own)
            judge.close()
            room.set(by: .hours(24))
            #expect(await room.decideRefusal(asked, .approve)?.name == .notAuthorized)
            room.set(by: -.hours(48))
            room.move(by: .minutes(5))
            #expect(try await room.decide(asked, .approve).end == RequestRoom.midnight)
            let other = try await room.ask()
            room.move(to: RequestRoom.midnight)
            #expect(try room.now(other)?.state == .expired)
        }
    }

    @Test func aClockSetBackProlongsNothing() async throws {
        try await Self.with { room, judge in
            let asked = try await room.ask()
            let own = try await room.ask(of: RequestRoom.own)
            room.set(by: -.hours(24))
            try judge.judge(room.steps)
            try await room.isJudged()
            room.move(by: .minutes(5))
            #expect(try room.auth.requestQuestions.open(own.id) != nil)
            room.move(to: RequestRoom.midnight - 1)
            #expect(try room.now(asked)?.state == .pending)
            room.move(to: RequestRoom.midnight)
            #expect(try room.now(asked)?.state == .expired)
            #expect(try room.now(asked)?.decided == RequestRoom.midnight)
        }
    }

    /// The guardian confirms it: the day is over.
    @Test func aStepThatIsConfirmedCounts() async throws {
        try await Self.with { room, judge in
            let asked = try await room.ask()
            room.set(by: .hours(24))
            try judge.judge(room.steps)
            try await room.isJudged()
            #expect(try room.now(asked)?.state == .pending)
            try judge.judge(0)
            try await untilTurn("it is expired") { try room.now(asked)?.state == .expired }
            #expect(try room.now(asked)?.decided == RequestRoom.midnight)
        }
    }

    /// No event is published about it.
    @Test func aStepOfTimeSynchronisationCounts() async throws {
        try await Self.with { room, _ in
            let asked = try await room.ask()
            room.set(by: .hours(24))
            #expect(try room.now(asked)?.state == .pending)
            try await untilTurn("it is expired") { try room.now(asked)?.state == .expired }
        }
    }

    /// An answer is of the clock that activity-center read; if it was set since then, it is asked again.
    @Test func aJudgementOfAnEarlierClockIsNotApplied() async throws {
        try await Self.with { room, judge in
            let asked = try await room.ask()
            judge.late = .hours(1)
            let before = judge.asked
            try judge.judge(-.hours(24))
            try await untilTurn("it was asked twice, or believed once") {
                try judge.asked > before + 1 || room.now(asked)?.state != .pending
            }
            #expect(room.auth.time.ahead == 0)
            #expect(try room.now(asked)?.state == .pending)
        }
    }

    @Test func aShorterDelayWaitsForTheTrustedTime() async throws {
        try await Self.with { room, judge in
            let set = MemberSet.Params(name: RequestRoom.own, selfApprovalMinutes: 0)
            _ = try await room.call(MemberSet.self, set)
            judge.held = .hours(1)
            room.set(by: .hours(1))
            #expect(try await room.member().nextSelfApprovalAt == RequestRoom.start + .minutes(5))
            try judge.judge(room.steps)
            try await room.isJudged()
            #expect(try await room.member().nextSelfApprovalMinutes == 0)
            room.move(by: .minutes(5))
            #expect(try await room.member().selfApprovalMinutes == 0)
        }
    }

    /// The clock was set while no service ran. activity-center finds that out; before it has, nobody acts.
    @Test func aStepWhileTheServicesWereStoppedIsNotBelieved() async throws {
        let room = try await RequestRoom(boot: "a")
        var judge = try ClockJudge(room.configuration, room.clock)
        try await room.isJudged()
        let asked = try await room.ask()
        let own = try await room.ask(of: RequestRoom.own)
        room.stop()
        judge.close()
        room.set(by: .hours(24))
        try room.begin()
        #expect(!room.auth.time.isJudged)
        #expect(try room.now(asked)?.state == .pending)
        #expect(await room.decideRefusal(own, .approve)?.name == .unavailable)
        #expect(await room.decideRefusal(own, .deny) == nil)
        let minute = RequestCreate.Params(member: RequestRoom.anna, subject: "a", oneMoreMinute: true)
        #expect(await room.refusal(RequestCreate.self, minute)?.name == .unavailable)
        // What a guardian decides waits for nobody.
        let other = try await room.ask("b")
        #expect(try await room.decide(other, .approve, minutes: 5).state == .approved)
        judge = try ClockJudge(room.configuration, room.clock, held: room.steps)
        try await room.isJudged()
        #expect(try room.now(asked)?.state == .pending)
        _ = try await room.oneMore("a")
        room.move(to: RequestRoom.midnight)
        #expect(try room.now(asked)?.state == .expired)
        room.close()
        judge.close()
    }

    /// The last judgement is kept for a start without activity-center.
    @Test func aKnownStepIsRememberedOverARestart() async throws {
        try await Self.with { room, judge in
            room.set(by: .hours(24))
            try judge.judge(room.steps)
            try await untilTurn("it is stored") {
                room.auth.service.followers[.activity]?.reached == judge.service.head
                    && !room.auth.service.hasUncommitted
            }
            room.stop()
            judge.close()
            try room.begin()
            #expect(try await room.ask().asked == room.trusted)
        }
    }

    @Test func statusReportsThatNobodyJudgesTheClock() async throws {
        let configuration = try TestDirectory().configuration()
        let clock = HandClock()
        let service = try Service(.auth, configuration: configuration, migrations: [], clock: clock)
        let time = try TrustedClock(service)
        time.boot = { ("a", 1_000) }
        try service.start(answering: { _ in }) { service in
            try service.follow(.activity) { time.follow($0) }
        }
        time.reportSilence("nothing happens", after: 0)
        try await untilTurn("it is reported") {
            service.degradedBy("clock")?.hasPrefix("nothing happens, because activity-center") == true
        }
        let judge = try ClockJudge(configuration, clock)
        try await untilTurn("it is judged") { time.isJudged }
        #expect(service.degradedBy("clock") == nil)
        service.close()
        judge.close()
    }
}
