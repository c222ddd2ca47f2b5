import Contract
import JSON
import Loop
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit

/// What `privacy.forget` deletes of requests: history, and what names the subject.
@Suite @LoopActor struct RequestForgetTests {
    private static let secret = "org.example.secret"

    private func forget(_ room: RequestRoom, _ params: PrivacyForget.Params) async throws -> [String: Int64] {
        let result = try await room.call(PrivacyForget.self, params)
        return Dictionary(result.removed.map { ($0.name, $0.count) }) { first, _ in first }
    }

    /// Everything that the store says, as text.
    private func bytes(_ room: RequestRoom) throws -> String {
        let events = try room.auth.service.eventLog.page(after: 0, types: [], limit: 10_000).events
        let texts = try events.map { String(decoding: try AnyEvent.decode($0.body).encoded(), as: UTF8.self) }
        let rows = try room.auth.requests.all().map { String(decoding: $0.encoded(), as: UTF8.self) }
        return (texts + rows).joined(separator: "\n")
    }

    @Test func aSubjectIsForgotten() async throws {
        let room = try await RequestRoom()
        let open = try await room.ask(Self.secret)
        _ = try await room.decide(try await room.ask(Self.secret, minutes: 5, of: RequestRoom.own), .deny)
        _ = try await room.oneMore(Self.secret, of: RequestRoom.own)
        let reason = try await room.ask("other", minutes: 5, reason: "not \(Self.secret)")
        _ = try await room.decide(
            try await room.ask("third", minutes: 5), .approve, answer: "for \(Self.secret)")
        let kept = try await room.ask("kept", minutes: 5)
        let removed = try await forget(
            room, .init(member: RequestRoom.anna, kind: .app, subject: Self.secret))
        #expect(removed["requests for more time"] == 3)
        // Of this member only.
        #expect(try bytes(room).contains(Self.secret))
        #expect(try room.now(open) == nil && room.now(reason) == nil)
        #expect(try room.auth.requestQuestions.open(open.id) == nil)
        #expect(
            try await forget(room, .init(kind: .app, subject: Self.secret))["requests for more time"] == 2)
        #expect(try !bytes(room).contains(Self.secret))
        #expect(try room.auth.requests.all() == [kept] && room.told().map(\.request) == [kept])
        room.close()
    }

    /// Nothing tells which subject it was, so the member has none for any until the day has passed.
    @Test(arguments: [false, true]) func forgettingBringsNoMinuteBack(isEverything: Bool) async throws {
        let room = try await RequestRoom()
        _ = try await room.oneMore(Self.secret)
        let params =
            isEverything
            ? PrivacyForget.Params(member: RequestRoom.anna, everything: true)
            : PrivacyForget.Params(member: RequestRoom.anna, kind: .app, subject: Self.secret)
        #expect(try await forget(room, params)["requests for more time"] == 1)
        let minute = RequestCreate.Params(
            member: RequestRoom.anna, subject: Self.secret, oneMoreMinute: true)
        let error = await room.refusal(RequestCreate.self, minute)
        #expect(error?.name == .conflict && error?.message.contains("forgotten since") == true)
        _ = try await room.oneMore(Self.secret, of: RequestRoom.own)
        room.move(to: RequestRoom.midnight - 1)
        #expect(await room.refusal(RequestCreate.self, minute)?.name == .conflict)
        room.move(to: RequestRoom.midnight)
        _ = try await room.oneMore(Self.secret)
        room.close()
    }

    @Test func aDomainIsForgottenWithWhatIsBelowIt() async throws {
        let room = try await RequestRoom()
        _ = try await room.ask("www.example.org", .domain)
        let other = try await room.ask("example.com", .domain)
        let params = PrivacyForget.Params(
            member: RequestRoom.anna, kind: .domain, subject: "Example.ORG")
        #expect(try await forget(room, params)["requests for more time"] == 1)
        #expect(try room.auth.requests.all() == [other] && !bytes(room).contains("example.org"))
        room.close()
    }

    /// Of a range what is over; what is pending or in effect, and the minute of a day ago, stay.
    @Test func aRangeOfTimeLosesWhatIsOver() async throws {
        let room = try await RequestRoom()
        _ = try await room.decide(try await room.ask("denied", reason: "old"), .deny)
        _ = try await room.decide(try await room.ask("short", minutes: 1), .approve)
        let minute = try await room.oneMore()
        let long = try await room.decide(try await room.ask("long"), .approve)
        let open = try await room.ask("open")
        room.move(by: .minutes(10))
        let later = try await room.decide(try await room.ask("later"), .deny)
        let params = PrivacyForget.Params(
            member: RequestRoom.anna, from: RequestRoom.start - 1, to: RequestRoom.start + .minute)
        #expect(try await forget(room, params)["requests for more time"] == 2)
        #expect(try room.auth.requests.all() == [minute, long, open, later])
        let text = try bytes(room)
        #expect(!text.contains("denied\"") || !text.contains("\"old\""))
        #expect(!text.contains("\"short\""))
        // Still once a day.
        #expect(
            await room.refusal(
                RequestCreate.self,
                .init(member: RequestRoom.anna, subject: minute.subject, oneMoreMinute: true))?.name
                == .conflict)
        // What tells the present state is still told.
        #expect(
            Set(try room.told().map(\.request.id)).isSuperset(of: [minute.id, long.id, open.id, later.id]))
        // When the day is over, they are history; the minute by which the next day ends is not yet.
        room.move(to: RequestRoom.midnight)
        #expect(try await forget(room, params)["requests for more time"] == 2)
        #expect(try room.auth.requests.all() == [minute, later])
        room.move(by: .hours(22))
        #expect(try await forget(room, params)["requests for more time"] == 1)
        #expect(try room.auth.requests.all() == [later])
        room.close()
    }

    @Test func ofEverythingNothingIsLeft() async throws {
        let room = try await RequestRoom()
        let open = try await room.ask("a", reason: "secret words")
        _ = try await room.decide(try await room.ask("b"), .approve, answer: "secret words")
        _ = try await room.oneMore("c")
        let own = try await room.ask("a", of: RequestRoom.own)
        #expect(
            try await forget(room, .init(member: RequestRoom.anna, everything: true))[
                "requests for more time"] == 3)
        #expect(try room.auth.requests.all() == [own] && !bytes(room).contains("secret words"))
        #expect(try room.told().map(\.request) == [own])
        #expect(try room.auth.requestQuestions.open(open.id) == nil)
        room.close()
    }

    /// What would be forgotten changes nothing.
    @Test func aRehearsalChangesNothing() async throws {
        let room = try await RequestRoom()
        let open = try await room.ask(Self.secret)
        let params = PrivacyForget.Params(
            member: RequestRoom.anna, kind: .app, subject: Self.secret, rehearse: true)
        #expect(try await forget(room, params)["requests for more time"] == 1)
        #expect(try room.now(open) == open && room.told().count == 1)
        #expect(try room.auth.requestQuestions.open(open.id) != nil)
        room.close()
    }
}
