import Contract
import Loop
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit

/// Random requests, decisions, clock steps, restarts and failing commits: after each the service holds what a
/// slow model holds, and its events tell the same.
@Suite(.serialized) @LoopActor struct RequestModelTests {
    @Test(arguments: 0..<6) func theServiceDoesWhatTheModelDoes(_ number: Int) async throws {
        var random = SystemRandomNumberGenerator()
        let seed = number == 0 ? 1 : random.next()
        print("seed \(seed)")
        let walk = RequestWalk(try await RequestRoom(), seed: seed)
        for _ in 0..<250 { try await walk.step() }
        walk.room.close()
    }

    /// The same while somebody sets the clock: only what passes counts.
    @Test(arguments: 0..<4) func settingTheClockChangesNothing(_ number: Int) async throws {
        var random = SystemRandomNumberGenerator()
        let seed = number == 0 ? 1 : random.next()
        print("seed \(seed)")
        let room = try await RequestRoom(boot: "a")
        let judge = try ClockJudge(room.configuration, room.clock)
        try await room.isJudged()
        let walk = RequestWalk(room, seed: seed, judge)
        for _ in 0..<150 { try await walk.step() }
        room.close()
        judge.close()
    }
}

/// The service and the model, side by side.
@LoopActor final class RequestWalk {
    let room: RequestRoom
    private var model = RequestModel(own: RequestRoom.own)
    private var chance: Chance
    private var hasAnna = true
    private let seed: UInt64
    /// Nil: nobody sets the clock by hand, and nobody judges it.
    private let judge: ClockJudge?
    private var number = 0
    /// Whether the commit of this step fails.
    private var fails = false

    private static let subjects: [(SubjectKind, String)] = [
        (.app, "a"), (.app, "b"), (.domain, "a.example"), (.category, "games"), (.domainCategory, "games"),
    ]

    init(_ room: RequestRoom, seed: UInt64, _ judge: ClockJudge? = nil) {
        self.room = room
        self.judge = judge
        self.seed = seed
        chance = Chance(seed: seed)
    }

    private var label: Comment { "seed \(seed), step \(number)\(fails ? ", whose commit fails" : "")" }
    private var now: Instant { room.trusted }

    private func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &chance) }

    func step() async throws {
        number += 1
        fails = below(8) == 0
        let before = model
        room.faults.failsCommit = { [fails] in fails }
        switch below(12) {
        case 0...3: await create()
        case 4...6: await decide()
        case 7: await withdraw()
        case 8: await change()
        case 9 where below(4) == 0: try await addOrRemove()
        case 9: try await moveClock(.minutes(Int64(below(90))))
        case 10: try await moveClock(.hours(Int64(below(15))) + Milliseconds(Int64(below(999))))
        default: try await restart(after: below(3) == 0 ? .minutes(Int64(below(2_000))) : 0)
        }
        if fails {
            model = before
            room.faults.failsCommit = { false }
            // For what was due at a step of the clock.
            try room.restart()
            try await room.isJudged()
        }
        model.pass(to: now)
        try await look()
    }

    // MARK: operations

    private func create() async {
        let (kind, subject) = Self.subjects[below(Self.subjects.count)]
        var params = RequestCreate.Params(member: someMember(), kind: kind, subject: subject)
        if below(4) == 0 {
            params.oneMoreMinute = true
        } else if below(3) > 0 {
            params.minutes = [1, 15, 60, 1_440][below(4)]
            params.reason = below(2) == 0 ? "reason \(number)" : nil
        }
        await compare {
            try await room.call(RequestCreate.self, params).request
        } with: { id throws(ErrorName) in
            try model.create(params, id, now: now)
        }
    }

    private func decide() async {
        guard let id = model.requests.randomElement(using: &chance)?.id else { return }
        var params = RequestDecide.Params(id: id, decision: below(3) == 0 ? .deny : .approve)
        if params.decision == .approve, below(2) == 0 { params.minutes = [1, 15, 60][below(3)] }
        if below(3) == 0 { params.answer = "answer \(number)" }
        await compare {
            try await room.call(RequestDecide.self, params).request
        } with: { _ throws(ErrorName) in
            try model.decide(params, now: now)
        }
    }

    private func withdraw() async {
        guard let id = model.requests.randomElement(using: &chance)?.id else { return }
        let params = RequestWithdraw.Params(id: id)
        await compare {
            try await room.call(RequestWithdraw.self, params).request
        } with: {
            _ throws(ErrorName) in
            try model.withdraw(id, now: now)
        }
    }

    private func change() async {
        let member = someMember()
        var params = MemberSet.Params(name: member)
        switch below(4) {
        case 0...1:
            params.name = RequestRoom.own
            let minutes: Int64 = [0, 1, 5, 30, 120][below(5)]
            params.selfApprovalMinutes = minutes
            model.setDelay(minutes, now: now)
        case 2:
            let isOn = below(2) == 0
            params.oneMoreMinute = isOn
            if isOn { model.without.remove(member) } else { model.without.insert(member) }
        default:
            params.dayStartMinutes = Int64(below(1_440))
            model.dayStart[member] = params.dayStartMinutes
        }
        #expect((await room.refusal(MemberSet.self, params) != nil) == fails, label)
    }

    private func addOrRemove() async throws {
        guard !hasAnna else {
            model.remove(RequestRoom.anna)
            let error = await room.refusal(MemberRemove.self, MemberRemove.Params(name: "Anna"))
            #expect((error != nil) == fails, label)
            hasAnna = fails
            return
        }
        let error = await room.refusal(MemberAdd.self, MemberAdd.Params(name: "Anna"))
        #expect((error != nil) == fails, label)
        guard !fails else { return }
        hasAnna = true
        _ = try await room.call(MemberSet.self, MemberSet.Params(name: "Anna", zone: "UTC"))
    }

    /// Forward, or sometimes a little back; if it is judged, it is also set.
    private func moveClock(_ time: Milliseconds) async throws {
        guard below(3) == 0 else { return room.move(by: time) }
        guard let judge else { return room.clock.now -= time / 10 }
        room.set(by: below(2) == 0 ? time * 3 : -time * 3)
        try judge.judge(room.steps)
        // The judgement arrives during what is done next, or before it.
        if below(2) == 0 { try await room.isJudged() }
    }

    private func restart(after pause: Milliseconds) async throws {
        fails = false
        room.faults.failsCommit = { false }
        room.stop()
        room.pass(pause)
        try room.begin()
        try await room.isJudged()
    }

    private func someMember() -> String { hasAnna && below(2) == 0 ? RequestRoom.anna : RequestRoom.own }

    // MARK: comparing

    /// - Parameter expect: what the model does, with the id of a request that was made.
    private func compare(
        _ ask: () async throws -> TimeRequest, with expect: (String) throws(ErrorName) -> TimeRequest
    ) async {
        var (found, refusal): (TimeRequest?, ServiceError?) = (nil, nil)
        do { found = try await ask() } catch { refusal = ServiceError(anything: error) }
        do throws(ErrorName) {
            let expected = try expect(found?.id ?? "new")
            if fails {
                #expect(refusal?.name.rawValue.hasPrefix("storage") == true, label)
            } else {
                #expect(found == expected && refusal == nil, label)
            }
        } catch {
            #expect(found == nil && (fails || refusal?.name == error), label)
        }
    }

    private func look() async throws {
        let listed = try await room.call(RequestList.self, RequestList.Params(limit: 500)).requests
        // The rest of the walk would differ, too.
        try #require(listed == model.requests.reversed(), label)
        let member = try await room.member()
        let delay = RequestModel.Delay(
            minutes: member.selfApprovalMinutes ?? 5, next: member.nextSelfApprovalMinutes,
            nextAt: member.nextSelfApprovalAt)
        try #require(delay == model.delay, label)
        let present = model.requests.filter {
            $0.state == .pending || $0.state == .approved && $0.end.map { $0 > now } ?? false
        }
        #expect(try room.snapshot() == present.sorted { $0.id < $1.id }, label)
        // The events alone tell the same, each request once when it was made and once when it ended.
        let told = Dictionary(grouping: try room.told().map(\.request), by: \.id)
        for request in model.requests {
            #expect(told[request.id]?.last == request, label)
            #expect(told[request.id]?.count == (request.state == .pending ? 1 : 2), label)
            let isAsked = try room.auth.requestQuestions.open(request.id) != nil
            // Who waits for the delay is asked when it has passed, also if the clock was set back since.
            guard request.state != .pending || request.selfApproval.map({ $0 <= now }) ?? true else {
                continue
            }
            #expect(isAsked == (request.state == .pending), label)
        }
    }
}
