import Contract
import Loop
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit

/// Who asked for and decided what, when and why, as `audit.read` tells it.
@Suite @LoopActor struct AuditTests {
    private static func read(
        _ room: RequestRoom, member: String? = nil, after: Int64 = 0
    ) async throws -> AuditRead.Result {
        try await room.call(AuditRead.self, AuditRead.Params(member: member, after: after))
    }

    /// A word for each entry.
    private static func words(_ entries: [AuditEntry]) -> [String] {
        entries.map { entry in
            if let request = entry.request {
                return "\(request.state) \(request.subject) \(request.decider?.rawValue ?? "-") "
                    + "\(request.reason ?? "-") \(request.answer ?? "-")"
            }
            if let authorization = entry.authorization {
                return "\(authorization.client) \(authorization.status)"
            }
            return entry.removed == true ? "removed" : "delay \(entry.changed?.selfApprovalMinutes ?? 5)"
        }
    }

    @Test func itTellsWhoDidWhatWhenAndWhy() async throws {
        let room = try await RequestRoom()
        let before = try await Self.read(room)
        #expect(before.through == before.head && before.first == 1)
        let asked = try await room.ask("chess", minutes: 15, reason: "homework")
        room.move(by: .minutes(1))
        let approved = try await room.decide(asked, .approve, minutes: 5, answer: "be quick")
        _ = try await room.decide(try await room.ask("go"), .deny)
        _ = try await room.withdraw(try await room.ask("mail", of: RequestRoom.own))
        _ = try await room.oneMore("chess")
        _ = try await room.call(
            MemberSet.self, MemberSet.Params(name: "Anna", selfApprovalMinutes: 30))
        let right = Authorization(
            id: "a", client: "org.example.app", member: RequestRoom.anna, status: .denied, requested: 1)
        try room.auth.service.transact(trace: nil) { transaction in
            try room.auth.publish(right, revoked: false, transaction)
        }
        room.auth.service.endTurn()
        _ = try await room.ask("late")
        room.move(to: RequestRoom.midnight)
        _ = try await room.call(MemberRemove.self, MemberRemove.Params(name: "Anna"))

        let all = try await Self.read(room, after: before.head)
        #expect(
            Self.words(all.entries) == [
                "pending chess - homework -", "approved chess guardian homework be quick",
                "pending go - - -", "denied go guardian - -", "pending mail - - -", "withdrawn mail - - -",
                "pending chess - - -", "approved chess rule - -", "delay 30", "org.example.app denied",
                "pending late - - -", "expired late - - -", "removed",
            ])
        #expect(all.entries[1].request == approved)
        #expect(all.entries.allSatisfy { $0.trace.count == 32 && $0.at > 0 })
        #expect(all.entries.map(\.sequence) == all.entries.map(\.sequence).sorted())
        let own = try await Self.read(room, member: RequestRoom.own, after: before.head)
        #expect(Self.words(own.entries) == ["pending mail - - -", "withdrawn mail - - -"])
        // Also of a member who is gone.
        let hers = try await Self.read(room, member: RequestRoom.anna, after: before.head)
        #expect(hers.entries.count == all.entries.count - 2)
        room.close()
    }

    @Test func itIsReadInPages() async throws {
        let room = try await RequestRoom()
        try room.auth.service.transact(trace: nil) { transaction in
            for minutes in 0..<Int64(Limits.eventsPerAnswerMax + 10) {
                let member = Member(id: "member-\(minutes % 2)", name: "m", dayStartMinutes: minutes % 1_440)
                _ = try transaction.emit(MemberChanged(member: member))
            }
        }
        room.auth.service.endTurn()
        var (page, found) = (try await Self.read(room, member: "member-1"), [AuditEntry]())
        #expect(page.through < page.head)
        found += page.entries
        page = try await Self.read(room, member: "member-1", after: page.through)
        found += page.entries
        #expect(page.through == page.head && found.count == Limits.eventsPerAnswerMax / 2 + 5)
        #expect(
            await room.refusal(AuditRead.self, AuditRead.Params(after: -1))?.name == .invalidParams)
        #expect(try await Self.read(room, after: page.head + 5).entries.isEmpty)
        room.close()
    }

    /// What is forgotten is not told, nor are the former rules of a member; the present ones are.
    @Test func whatIsForgottenIsNotTold() async throws {
        let room = try await RequestRoom()
        _ = try await room.decide(try await room.ask("secret", minutes: 5, reason: "why"), .deny)
        _ = try await room.decide(try await room.ask("other", minutes: 5), .deny)
        for minutes in [Int64(30), 60] {
            _ = try await room.call(
                MemberSet.self, MemberSet.Params(name: "Anna", selfApprovalMinutes: minutes))
        }
        _ = try await room.call(
            PrivacyForget.self, .init(member: RequestRoom.anna, kind: .app, subject: "secret"))
        let words = Self.words(try await Self.read(room, member: RequestRoom.anna).entries)
        #expect(
            words == [
                "delay 5", "delay 5", "pending other - - -", "denied other guardian - -", "delay 30",
                "delay 60",
            ])
        // Events have the machine's time.
        _ = try await room.call(
            PrivacyForget.self, .init(member: RequestRoom.anna, from: 0, to: 4_000_000_000_000))
        let rest = Self.words(try await Self.read(room, member: RequestRoom.anna).entries)
        #expect(rest == ["delay 60"])
        room.close()
    }
}
