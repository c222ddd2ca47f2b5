import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ServiceKit
@testable import ShieldCore
@testable import Store

/// What others learn of exceptions: by events, by the snapshot, and by the two lists.
@Suite(.serialized) @LoopActor struct ExceptionNewsTests {
    typealias Home = ExceptionTests.Home

    private static func with(_ body: @LoopActor (Home) async throws -> Void) async throws {
        let home = try Home()
        defer { home.close() }
        try await body(home)
    }

    /// `MEMBER KIND` of each change of coverage since the last call.
    @LoopActor private final class Coverage {
        private let home: Home
        private var read: Int64 = 0

        init(_ home: Home) { self.home = home }

        func news() async throws -> [String] {
            let params = EventsRead.Params(after: read, types: [ShieldCoverageChanged.type])
            let answer = try await home.client.call(EventsRead.self, params)
            read = answer.head
            return try answer.events.compactMap { raw in
                guard let data = try AnyEvent.decode(raw.bytes).data else { return nil }
                let changed = try ShieldCoverageChanged.decode(data.bytes)
                return "\(changed.member) \(changed.kind.rawValue)"
            }
        }
    }

    /// Agents ask again by it, for apps and for hosts, also where the list of shields stays as it is.
    @Test func eachBeginningAndEachEndTellsThatCoverageChanged() async throws {
        try await Self.with { home in
            let coverage = Coverage(home)
            let own = ["\(Household.defaultMember) app", "\(Household.defaultMember) domain"]
            #expect(try await coverage.news() == [])
            try await home.approve("r1", minutes: 15)
            #expect(try await coverage.news() == own)
            try await home.approve("r2", .domain, "example.org", minutes: 30)
            #expect(try await coverage.news() == own)
            home.pass(.minutes(15))
            home.core.service.endTurn()
            #expect(try await coverage.news() == own)
            _ = try await home.client.call(ExceptionEnd.self, ExceptionEnd.Params(id: "r2"))
            #expect(try await coverage.news() == own)
            try await home.approve("r3", .category, "games", member: "member-kim")
            #expect(try await coverage.news() == ["member-kim app", "member-kim domain"])
            // The row of the one that a person ended goes, which changes nothing.
            home.pass(.minutes(15))
            home.core.service.endTurn()
            #expect(try await coverage.news() == ["member-kim app", "member-kim domain"])
        }
    }

    @Test func theSnapshotHasThoseInEffect() async throws {
        try await Self.with { home in
            @LoopActor func present() throws -> [ShieldException] {
                try home.core.snapshot(nil).events.compactMap { body in
                    let event = try AnyEvent.decode(body)
                    guard event.head.type == ExceptionBegan.type, let data = event.data else { return nil }
                    return try ExceptionBegan.decode(data.bytes).exception
                }
            }
            try await home.approve("r1", minutes: 15, reason: "homework")
            try await home.approve("r2", .domain, "example.org", minutes: 30)
            try await home.approve("r3", .category, "games", minutes: 30)
            let listed = try await home.client.call(ExceptionList.self, ExceptionList.Params()).exceptions
            #expect(try present().map(\.id) == ["r1", "r2", "r3"])
            #expect(try present().map { $0.encoded() } == listed.map { $0.encoded() })
            _ = try await home.client.call(ExceptionEnd.self, ExceptionEnd.Params(id: "r3"))
            home.pass(.minutes(15))
            #expect(try present().map(\.id) == ["r2"])
        }
    }

    @Test func theListsAreOfOneMemberIfAskedSo() async throws {
        try await Self.with { home in
            func listed(_ member: String?) async throws -> [String] {
                try await home.client.call(ExceptionList.self, ExceptionList.Params(member: member))
                    .exceptions.map(\.id)
            }
            func history(_ member: String?) async throws -> [String] {
                try await home.client.call(ExceptionHistory.self, ExceptionHistory.Params(member: member))
                    .entries.map { "\($0.exception.id) \($0.ending?.rawValue ?? "began")" }
            }
            try await home.approve("r1", minutes: 15)
            try await home.approve("r2", minutes: 20, member: "member-kim")
            try await home.approve("r3", minutes: 30)
            #expect(try await listed(nil) == ["r1", "r2", "r3"])
            #expect(try await listed(Household.defaultMember) == ["r1", "r3"])
            #expect(try await listed("member-kim") == ["r2"])
            #expect(try await listed("member-none") == [])
            _ = try await home.client.call(ExceptionEnd.self, ExceptionEnd.Params(id: "r1"))
            _ = try await home.client.call(ExceptionEnd.self, ExceptionEnd.Params(id: "r2"))
            #expect(
                try await history(nil) == ["r1 began", "r2 began", "r3 began", "r1 person", "r2 person"])
            #expect(try await history(Household.defaultMember) == ["r1 began", "r3 began", "r1 person"])
            #expect(try await history("member-kim") == ["r2 began", "r2 person"])
            #expect(try await history("member-none") == [])
        }
    }

    /// auth-service's log no longer had the removal when shield-service came back.
    @Test func aMemberWhoWasRemovedUnreadHasNoneAfterTheRebuild() async throws {
        try await Self.with { home in
            try await home.publish(MemberChanged(member: Member(id: "member-kim", name: "kim")))
            try await home.approve("r1", member: "member-kim")
            try await home.approve("r2")
            home.core.service.close()
            let kim = MemberChanged(member: Member(id: "member-kim", name: "kim"), removed: true)
            let own = MemberChanged(member: Member(id: Household.defaultMember, name: "me"))
            for event in [kim, own, own] {
                try home.auth.transact(trace: nil) { _ = try $0.emit(event) }
            }
            home.auth.endTurn()
            try home.auth.database.write { _ in _ = try home.auth.eventLog.trim(keepingLast: 1) }
            home.auth.endTurn()
            home.auth.snapshot = { [unowned auth = home.auth] _ in
                SnapshotPage(events: [auth.snapshotEvent(own)], nextPage: nil)
            }
            try home.restart()
            try await untilTurn("shield-service has the household again") {
                home.core.service.followers[.auth]?.reached == home.auth.head
                    && !home.core.service.hasUncommitted
            }
            let told = try await home.told()
            #expect(told == ["began r1", "began r2", "ended r1 memberRemoved"])
            #expect(home.core.exceptions.inEffect.map(\.id) == ["r2"])
            #expect(try home.core.service.database.integer("SELECT count(*) FROM exception") == 1)
        }
    }
}
