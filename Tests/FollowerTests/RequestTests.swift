import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit

/// The states of a request for more time, and what makes one (docs/time.md, section 9).
@Suite @LoopActor struct RequestTests {
    @Test func aGuardianDecidesAtOnceAndTheFirstDecisionWins() async throws {
        let room = try await RequestRoom()
        let asked = try await room.ask(minutes: 30, reason: "homework")
        #expect(asked.state == .pending && asked.reason == "homework" && asked.minutes == 30)
        #expect(asked.selfApproval == nil && asked.dayEnd == RequestRoom.midnight)
        room.move(by: .minutes(2))
        let approved = try await room.decide(asked, .approve, minutes: 10, answer: "then dinner")
        #expect(approved.state == .approved && approved.decider == .guardian && approved.granted == 10)
        #expect(approved.decided == room.clock.now && approved.end == room.clock.now + .minutes(10))
        #expect(approved.answer == "then dinner")
        // The same again, also with other words; then others.
        room.move(by: .minutes(1))
        #expect(try await room.decide(asked, .approve, minutes: 10, answer: "no") == approved)
        let deny = await room.decideRefusal(asked, .deny)
        #expect(
            deny?.name == .conflict && deny?.message.contains("was approved at 2026-09-21T13:15:20") == true)
        #expect(deny?.message.contains("for 10 minutes, until 2026-09-21T13:25:20+00:00") == true)
        #expect(await room.decideRefusal(asked, .approve)?.name == .conflict)
        #expect(await room.decideRefusal(asked, .approve, minutes: 11)?.name == .conflict)
        let back = await room.refusal(RequestWithdraw.self, RequestWithdraw.Params(id: asked.id))
        #expect(back?.name == .conflict)
        #expect(try room.now(asked) == approved)
        let told = try room.told()
        #expect(told.map(\.event) == ["created", "decided"] && told.map(\.request) == [asked, approved])
        room.close()
    }

    @Test func aDenialIsFinal() async throws {
        let room = try await RequestRoom()
        let asked = try await room.ask(minutes: 30)
        let denied = try await room.decide(asked, .deny, answer: "no")
        #expect(denied.state == .denied && denied.decider == .guardian && denied.end == nil)
        #expect(denied.granted == nil && denied.answer == "no")
        #expect(try await room.decide(asked, .deny) == denied)
        let error = await room.decideRefusal(asked, .approve)
        #expect(error?.name == .conflict && error?.message.contains("was denied at") == true)
        #expect(
            await room.refusal(
                RequestDecide.self, RequestDecide.Params(id: asked.id, decision: .deny, minutes: 5))?.name
                == .invalidParams)
        #expect(
            await room.refusal(RequestDecide.self, RequestDecide.Params(id: "nobody", decision: .deny))?.name
                == .notFound)
        room.close()
    }

    @Test func theRestOfTheDayEndsWithIt() async throws {
        let room = try await RequestRoom()
        let rest = try await room.decide(try await room.ask("a"), .approve)
        #expect(rest.granted == nil && rest.end == RequestRoom.midnight)
        let some = try await room.decide(try await room.ask("b"), .approve, minutes: 20)
        #expect(some.granted == 20 && some.end == room.clock.now + .minutes(20))
        let asked = try await room.decide(try await room.ask("c", minutes: 45), .approve)
        #expect(asked.granted == 45 && asked.end == room.clock.now + .minutes(45))
        room.close()
    }

    @Test func whoAsksTakesItBack() async throws {
        let room = try await RequestRoom()
        let asked = try await room.ask()
        room.move(by: .minutes(1))
        let back = try await room.withdraw(asked)
        #expect(back.state == .withdrawn && back.decided == room.clock.now && back.decider == nil)
        room.move(by: .minutes(1))
        #expect(try await room.withdraw(asked) == back)
        let error = await room.decideRefusal(asked, .approve)
        #expect(error?.name == .conflict && error?.message.contains("was withdrawn at") == true)
        #expect(await room.decideRefusal(asked, .deny)?.name == .conflict)
        #expect(try room.told().map(\.event) == ["created", "decided"])
        room.close()
    }

    @Test(arguments: [false, true]) func itExpiresWithTheDay(withRestart: Bool) async throws {
        let room = try await RequestRoom()
        let asked = try await room.ask(minutes: 30)
        room.move(to: RequestRoom.midnight - 1)
        #expect(try room.now(asked) == asked)
        if withRestart {
            room.stop()
            room.clock.now = RequestRoom.midnight + .hours(3)
            try room.begin()
        } else {
            room.move(to: RequestRoom.midnight)
        }
        let expired = try #require(try room.now(asked))
        #expect(expired.state == .expired && expired.decided == RequestRoom.midnight)
        #expect(try room.told().last?.request == expired)
        let error = await room.decideRefusal(asked, .approve)
        #expect(error?.name == .conflict && error?.message.contains("expired at 2026-09-22T00:00:00") == true)
        #expect(
            await room.refusal(RequestWithdraw.self, RequestWithdraw.Params(id: asked.id))?.name == .conflict)
        room.close()
    }

    /// A statement or a commit fails at the end of the day.
    @Test func anExpiryThatFailsIsTriedAgain() async throws {
        let room = try await RequestRoom()
        let asked = try await room.ask()
        let database = room.auth.service.database
        try database.run(
            "CREATE TEMP TRIGGER refusal BEFORE UPDATE ON request BEGIN SELECT RAISE(ABORT, 'damaged'); END")
        room.auth.service.endTurn()
        room.move(to: RequestRoom.midnight)
        #expect(try room.now(asked)?.state == .pending)
        try database.run("DROP TRIGGER temp.refusal")
        room.auth.service.endTurn()
        // Not at once, again and again.
        room.move(by: Service.retryPause - 1)
        #expect(try room.now(asked)?.state == .pending)
        room.faults.failsCommit = { true }
        room.move(by: 1)
        #expect(room.faults.failures > 0)
        #expect(try room.now(asked)?.state == .pending)
        room.faults.failsCommit = { false }
        try await untilTurn("it expires") {
            room.clock.fire()
            return try room.now(asked)?.state == .expired
        }
        #expect(try room.now(asked)?.decided == RequestRoom.midnight)
        room.close()
    }

    /// The timer has not fired yet: a decision comes too late all the same, and the same may be asked again.
    @Test func nothingIsDecidedAfterTheDay() async throws {
        let room = try await RequestRoom()
        let asked = try await room.ask(minutes: 30)
        room.clock.now = RequestRoom.midnight
        #expect(await room.decideRefusal(asked, .approve)?.name == .conflict)
        #expect(
            await room.refusal(RequestWithdraw.self, RequestWithdraw.Params(id: asked.id))?.name == .conflict)
        let again = try await room.ask(minutes: 60)
        #expect(again.id != asked.id && again.dayEnd == RequestRoom.midnight + .day)
        #expect(try room.now(asked)?.state == .expired)
        room.close()
    }

    @Test func theSameRequestIsOne() async throws {
        let room = try await RequestRoom()
        let first = try await room.ask("games", minutes: 30, reason: "one")
        #expect(try await room.ask("games", minutes: 30, reason: "two") == first)
        let error = await room.refusal(
            RequestCreate.self,
            RequestCreate.Params(member: RequestRoom.anna, subject: first.subject, minutes: 31))
        #expect(error?.name == .conflict && error?.message.contains(first.id) == true)
        #expect(error?.remedy.contains("screentime requests withdraw \(first.id)") == true)
        #expect(
            await room.refusal(
                RequestCreate.self, RequestCreate.Params(member: RequestRoom.anna, subject: first.subject))?
                .name == .conflict)
        // Another kind or member is another request.
        #expect(try await room.ask("games", .category, minutes: 31).id != first.id)
        #expect(try await room.ask("games", minutes: 31, of: RequestRoom.own).id != first.id)
        #expect(try room.told().count == 3)
        _ = try await room.withdraw(first)
        #expect(try await room.ask("games", minutes: 31).id != first.id)
        room.close()
    }

    @Test func whatIsAskedForIsChecked() async throws {
        let room = try await RequestRoom()
        func error(_ params: RequestCreate.Params) async -> ErrorName? {
            await room.refusal(RequestCreate.self, params)?.name
        }
        #expect(await error(.init(member: "member-Bob", subject: "a")) == .notFound)
        for subject in ["", String(repeating: "a", count: 513), "a\nb", "\u{202E}a"] {
            #expect(await error(.init(subject: subject)) == .invalidParams, "'\(subject.prefix(9))'")
        }
        for minutes in [Int64.min, -1, 0, 1_441, .max] {
            #expect(await error(.init(subject: "a", minutes: minutes)) == .invalidParams, "\(minutes)")
        }
        let family = "👩‍👩‍👧‍👦"
        for reason in [
            String(repeating: "é", count: 501), String(repeating: family, count: 100), "two\nlines",
            "\u{202E}evil", "\u{7}",
        ] {
            #expect(
                await error(.init(subject: "a", reason: reason)) == .invalidParams, "'\(reason.prefix(9))'")
        }
        #expect(try room.told().isEmpty)
        let most = String(repeating: "é", count: 500)
        #expect(try await room.ask("a", minutes: 1_440, reason: most).reason == most)
        #expect(try await room.ask("b", minutes: 1, reason: "").reason == nil)
        #expect(try await room.ask("Bücher.DE.", .domain).subject == "xn--bcher-kva.de")
        // Approved under another name, a category would open nothing.
        for kind in [SubjectKind.category, .domainCategory] {
            #expect(try await room.ask("Social_Networking", kind).subject == "social")
            #expect(try await room.ask("ALL", kind).subject == "all")
            #expect(await error(.init(kind: kind, subject: "Game")) == .invalidParams)
        }
        #expect(try await room.ask("Games").subject == "Games")
        let answer = String(repeating: "é", count: 501)
        let last = try await room.ask("z")
        #expect(
            await room.refusal(
                RequestDecide.self, .init(id: last.id, decision: .deny, answer: answer))?.name
                == .invalidParams)
        #expect(try room.now(last)?.state == .pending)
        room.close()
    }

    @Test func listedAreTheNewestFirst() async throws {
        let room = try await RequestRoom()
        var made: [TimeRequest] = []
        for number in 0..<6 {
            made.append(try await room.ask("a\(number)", of: number < 4 ? RequestRoom.anna : RequestRoom.own))
        }
        made[1] = try await room.withdraw(made[1])
        func list(_ params: RequestList.Params) async throws -> RequestList.Result {
            try await room.call(RequestList.self, params)
        }
        let newest = Array(made.reversed())
        let all = try await list(.init())
        #expect(all.requests == newest && all.more == nil)
        #expect(try await list(.init(member: RequestRoom.own)).requests == Array(newest.prefix(2)))
        #expect(try await list(.init(state: .withdrawn)).requests == [made[1]])
        let page = try await list(.init(limit: 4))
        #expect(page.requests == Array(newest.prefix(4)) && page.more == true)
        let rest = try await list(.init(before: made[2].id, limit: 2))
        #expect(rest.requests == Array(newest.suffix(2)) && rest.more == nil)
        for wrong in [RequestList.Params(limit: 0), .init(limit: 501)] {
            #expect(await room.refusal(RequestList.self, wrong)?.name == .invalidParams)
        }
        #expect(await room.refusal(RequestList.self, .init(before: "nobody"))?.name == .notFound)
        #expect(await room.refusal(RequestList.self, .init(member: "nobody"))?.name == .notFound)
        room.close()
    }

    @Test func aRemovedMemberHasNoRequests() async throws {
        let room = try await RequestRoom()
        let open = try await room.ask("a")
        _ = try await room.decide(try await room.ask("b"), .approve)
        let own = try await room.ask("a", of: RequestRoom.own)
        _ = try await room.call(MemberRemove.self, MemberRemove.Params(name: "Anna"))
        let last = try #require(try room.told().last)
        #expect(last.event == "decided" && last.request.id == open.id && last.request.state == .withdrawn)
        #expect(try room.auth.requests.all() == [own])
        #expect(try room.snapshot() == [own])
        room.close()
    }

    @Test func aSnapshotHasWhatIsPendingOrInEffect() async throws {
        let room = try await RequestRoom()
        let open = try await room.ask("a")
        let short = try await room.decide(try await room.ask("b", minutes: 1), .approve)
        let long = try await room.decide(try await room.ask("c", minutes: 60), .approve)
        _ = try await room.decide(try await room.ask("d"), .deny)
        _ = try await room.withdraw(try await room.ask("e"))
        func sorted(_ requests: TimeRequest...) -> [TimeRequest] { requests.sorted { $0.id < $1.id } }
        #expect(try room.snapshot() == sorted(open, short, long))
        room.move(by: .minutes(1))
        #expect(try room.snapshot() == sorted(open, long))
        room.close()
    }
}
