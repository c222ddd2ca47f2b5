import Contract
import Loop
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit

/// Nobody fills the store by asking.
@Suite @LoopActor struct RequestLimitTests {
    /// As if made at the clock's time.
    private func insert(
        _ room: RequestRoom, _ count: Int, _ change: (Int, inout TimeRequest) -> Void
    ) throws {
        try room.auth.service.transact(trace: nil) { transaction in
            for number in 0..<count {
                var request = TimeRequest(
                    id: "r\(number)", member: RequestRoom.anna, subject: "s\(number)", asked: room.clock.now,
                    dayEnd: RequestRoom.midnight)
                change(number, &request)
                try room.auth.requests.insert(request, trace: "")
                try room.auth.requests.end(request)
            }
        }
        room.auth.service.endTurn()
    }

    @Test func oneMemberAsksForSomeAtOnce() async throws {
        let room = try await RequestRoom()
        try insert(room, AuthLimits.requestsPerMemberMax - 1) { _, _ in }
        let last = try await room.ask("last")
        let error = await room.refusal(
            RequestCreate.self, RequestCreate.Params(member: RequestRoom.anna, subject: "more"))
        #expect(
            error?.name == .limitExceeded && error?.message.contains("20 requests of this member") == true)
        // Another member may; and one more when one is over.
        _ = try await room.ask("more", of: RequestRoom.own)
        _ = try await room.decide(last, .deny)
        _ = try await room.ask("more")
        room.close()
    }

    @Test func allTogetherAskForSomeAtOnce() async throws {
        let room = try await RequestRoom()
        for number in 0..<10 {
            _ = try await room.call(MemberAdd.self, MemberAdd.Params(name: "Kid \(number)"))
        }
        try insert(room, AuthLimits.requestsMax - 1) { number, request in
            request.member = "member-Kid \(number % 10)"
        }
        let last = try await room.ask("last")
        let error = await room.refusal(
            RequestCreate.self, RequestCreate.Params(member: RequestRoom.anna, subject: "more"))
        #expect(error?.name == .limitExceeded && error?.message.contains("200 requests are pending") == true)
        _ = try await room.withdraw(last)
        _ = try await room.ask("more")
        room.close()
    }

    /// The oldest go; what is in effect, and today's minutes, do not.
    @Test func soManyAreKeptThatAreOver() async throws {
        let room = try await RequestRoom()
        let kept = Int(AuthLimits.requestsKept)
        try insert(room, kept) { number, request in
            switch number {
            case 0:
                (request.state, request.decided) = (.approved, room.clock.now)
                request.end = room.clock.now + .minute
            case 1:
                (request.state, request.decided) = (.approved, room.clock.now)
                (request.oneMoreMinute, request.end) = (true, room.clock.now)
            default: (request.state, request.decided) = (.denied, room.clock.now)
            }
        }
        _ = try await room.decide(try await room.ask("last"), .deny)
        func left() throws -> [String] { try room.auth.requests.all().map(\.id) }
        #expect(try left().count == kept && left().starts(with: ["r0", "r1", "r3"]))
        // A minute later the first is not in effect any more.
        room.move(by: .minute)
        _ = try await room.decide(try await room.ask("last"), .deny)
        #expect(try left().count == kept && left().starts(with: ["r1", "r3"]))
        room.move(to: RequestRoom.midnight + .hours(22) - 1)
        _ = try await room.decide(try await room.ask("last"), .deny)
        #expect(try left().count == kept && left().first == "r1")
        room.move(by: 1)
        _ = try await room.decide(try await room.ask("last"), .deny)
        #expect(try left().count == kept && left().first?.hasPrefix("r1") == false)
        room.close()
    }

    @Test func thoseThatAreStillNeededAreLimited() async throws {
        let room = try await RequestRoom()
        try insert(room, Int(AuthLimits.neededPerMemberMax)) { number, request in
            (request.state, request.decided) = (.approved, room.clock.now)
            request.end = room.clock.now + .minute
            request.oneMoreMinute = number % 2 == 0 ? true : nil
        }
        let params = RequestCreate.Params(member: RequestRoom.anna, subject: "more")
        #expect(await room.refusal(RequestCreate.self, params)?.name == .limitExceeded)
        var minute = params
        minute.oneMoreMinute = true
        #expect(await room.refusal(RequestCreate.self, minute)?.name == .limitExceeded)
        // Nobody uses up what others may ask for.
        _ = try await room.ask("more", of: RequestRoom.own)
        _ = try await room.oneMore("more", of: RequestRoom.own)
        room.move(by: .minute)
        _ = try await room.ask("more")
        room.close()
    }
}
