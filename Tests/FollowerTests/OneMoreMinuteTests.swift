import Contract
import Loop
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit

/// One more minute needs no decision, once a day.
@Suite @LoopActor struct OneMoreMinuteTests {
    @Test func itIsApprovedInTheSameWrite() async throws {
        let room = try await RequestRoom()
        let minute = try await room.oneMore()
        #expect(minute.state == .approved && minute.decider == .rule && minute.granted == 1)
        #expect(minute.minutes == 1 && minute.oneMoreMinute == true && minute.selfApproval == nil)
        #expect(minute.decided == room.clock.now && minute.end == room.clock.now + 60_000)
        #expect(try room.now(minute) == minute)
        let told = try room.told()
        #expect(told.map(\.event) == ["created", "decided"] && told.last?.request == minute)
        #expect(told.first?.request.state == .pending && told.first?.request.id == minute.id)
        room.close()
    }

    @Test func itIsOnceForEachSubjectAndDay() async throws {
        let room = try await RequestRoom()
        _ = try await room.oneMore()
        let params = RequestCreate.Params(
            member: RequestRoom.anna, subject: "org.example.game", oneMoreMinute: true)
        let error = await room.refusal(RequestCreate.self, params)
        #expect(error?.name == .conflict && error?.message.contains("one more minute was used today") == true)
        // Another subject, kind or member has its own.
        _ = try await room.oneMore("b")
        _ = try await room.oneMore(of: RequestRoom.own)
        var category = params
        (category.kind, category.subject) = (.category, "games")
        _ = try await room.call(RequestCreate.self, category)
        // A restart changes nothing, nor does another start of the day.
        try room.restart()
        #expect(await room.refusal(RequestCreate.self, params)?.name == .conflict)
        let start = MemberSet.Params(name: "Anna", dayStartMinutes: 13 * 60 + 14)
        _ = try await room.call(MemberSet.self, start)
        room.move(by: .minutes(2))
        #expect(await room.refusal(RequestCreate.self, params)?.name == .conflict)
        room.move(to: RequestRoom.midnight - 1)
        #expect(await room.refusal(RequestCreate.self, params)?.name == .conflict)
        room.move(to: RequestRoom.midnight)
        _ = try await room.oneMore()
        room.close()
    }

    /// Unicode writes a syllable or an accented letter in several ways; all are the same subject.
    @Test func anotherFormOfANameIsTheSameSubject() async throws {
        let room = try await RequestRoom()
        let composed = "org.\u{D55C}\u{E9}", decomposed = "org.\u{1112}\u{1161}\u{11AB}e\u{301}"
        #expect(Array(composed.utf8) != Array(decomposed.utf8))
        _ = try await room.oneMore(composed)
        for name in [decomposed, "org.\u{D55C}e\u{301}"] {
            let minute = RequestCreate.Params(
                member: RequestRoom.anna, subject: name, oneMoreMinute: true)
            #expect(await room.refusal(RequestCreate.self, minute)?.name == .conflict)
        }
        let pending = try await room.ask(composed)
        #expect(try await room.ask(decomposed).id == pending.id)
        room.close()
    }

    /// Whatever the member does to their days, n minutes take at least n - 2 of the shortest days, as the
    /// last of one day, the first of another and all between; and each day brings one again.
    @Test(arguments: 0..<4) func otherDaysBringNoMoreMinutes(_ number: Int) async throws {
        var random = SystemRandomNumberGenerator()
        let seed = number == 0 ? 1 : random.next()
        print("seed \(seed)")
        var chance = Chance(seed: seed)
        let zones = ["UTC", "Asia/Seoul", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin"]
        let room = try await RequestRoom()
        let params = RequestCreate.Params(
            member: RequestRoom.anna, subject: "org.example.game", oneMoreMinute: true)
        var taken: [Instant] = []
        for _ in 0..<400 {
            // The next day begins soon.
            let soon = room.clock.now.milliseconds / 60_000 + Int64.random(in: 1...60, using: &chance)
            var set = MemberSet.Params(name: "Anna", dayStartMinutes: soon % 1_440)
            if Bool.random(using: &chance) { set.zone = zones.randomElement(using: &chance) }
            if Int.random(in: 0..<3, using: &chance) > 0 { _ = try await room.call(MemberSet.self, set) }
            room.move(by: .minutes(Int64.random(in: 1...90, using: &chance)))
            if await room.refusal(RequestCreate.self, params) == nil { taken.append(room.clock.now) }
        }
        for (first, at) in taken.enumerated() {
            for last in taken.indices where last > first {
                let least = Milliseconds.hours(22) * Int64(last - first - 1)
                #expect(taken[last] - at >= least, "\(first) to \(last) of seed \(seed)")
            }
        }
        // 400 steps of up to 90 minutes; a day of minutes is shorter than two days, and is tried so often.
        #expect(Int64(taken.count) >= (room.clock.now - RequestRoom.start) / .hours(52), "seed \(seed)")
        room.close()
    }

    /// It is a whole minute, also over the end of the day.
    @Test func itMayCrossTheEndOfTheDay() async throws {
        let room = try await RequestRoom()
        room.move(to: RequestRoom.midnight - 1)
        let minute = try await room.oneMore()
        #expect(minute.dayEnd == RequestRoom.midnight && minute.end == RequestRoom.midnight + 59_999)
        // That of the next day is another.
        room.move(to: RequestRoom.midnight)
        #expect(try await room.oneMore().id != minute.id)
        room.close()
    }

    @Test func aMemberMayHaveNone() async throws {
        let room = try await RequestRoom()
        let off = try await room.call(MemberSet.self, MemberSet.Params(name: "Anna", oneMoreMinute: false))
        #expect(off.member.oneMoreMinute == false)
        #expect(try await room.member(RequestRoom.anna) == off.member)
        let params = RequestCreate.Params(member: RequestRoom.anna, subject: "a", oneMoreMinute: true)
        #expect(await room.refusal(RequestCreate.self, params)?.name == .notAuthorized)
        _ = try await room.oneMore("a", of: RequestRoom.own)
        let on = try await room.call(MemberSet.self, MemberSet.Params(name: "Anna", oneMoreMinute: true))
        #expect(on.member.oneMoreMinute == nil)
        _ = try await room.oneMore("a")
        room.close()
    }

    @Test func itHasNoLengthAndNoReason() async throws {
        let room = try await RequestRoom()
        for params in [
            RequestCreate.Params(subject: "a", minutes: 1, oneMoreMinute: true),
            RequestCreate.Params(subject: "a", oneMoreMinute: true, reason: "please"),
        ] {
            #expect(await room.refusal(RequestCreate.self, params)?.name == .invalidParams)
        }
        #expect(try room.told().isEmpty)
        // False is as absent.
        let plain = RequestCreate.Params(subject: "a", minutes: 1, oneMoreMinute: false, reason: "please")
        #expect(try await room.call(RequestCreate.self, plain).request.state == .pending)
        room.close()
    }

    @Test func itStandsBesideAPendingRequest() async throws {
        let room = try await RequestRoom()
        let asked = try await room.ask(minutes: 30)
        let minute = try await room.oneMore()
        #expect(minute.id != asked.id)
        #expect(try room.now(asked) == asked)
        room.close()
    }
}
