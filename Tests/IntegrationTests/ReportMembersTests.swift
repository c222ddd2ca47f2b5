import Contract
import Foundation
import JSON
import Loop
import Rules
import ScreenTimeTesting
import Testing
import Units

/// Reports about several members, over the bus and on the command line.
@Suite struct ReportMembersTests {
    static let services = ["auth-service", "activity-center", "report-service"]
    /// 2023-06-01T00:00:00Z
    static let t: Instant = 1_685_577_600_000
    static let hour: Milliseconds = 3_600_000
    static let me = "uid-\(getuid())"

    /// An hour of a game by the person, from 01:00 to 02:00; two hours by Eve, a child, from 00:00 to 02:00.
    @LoopActor static func fill(_ world: World) async throws -> Int64 {
        let eve = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Eve", role: .child)).member
        var sequence: Int64 = 0
        for (member, device, start) in [(me, "laptop", t + hour), (eve.id, "tablet", t)] {
            let observations = [
                Observation(at: start, kind: .opened, app: "game", instance: 1),
                Observation(at: t + 2 * hour, kind: .closed, app: "game", instance: 1),
            ]
            sequence = try await world.call(
                UsageObserve.self,
                UsageObserve.Params(
                    member: member, device: device, deviceModel: "android", observations: observations)
            ).sequence
        }
        return sequence
    }

    static func byMember(_ change: (inout ReportQuery.Params) -> Void) -> ReportQuery.Params {
        var params = ReportQuery.Params(from: "2023-06-01", to: "2023-06-01", zone: "UTC", by: .member)
        change(&params)
        return params
    }

    @Test func aClientGetsOnlyMembersItIsAuthorizedFor() async throws {
        try await World.with(Self.services) { world in
            let decisions = try world.record(.auth)
            let sequence = try await Self.fill(world)
            let app = "org.example.app"
            try await world.approve(app, decisions)
            // report-service knows members and authorizations only from auth-service.
            let heads = [Position(.activity, sequence), Position(.auth, try await world.health(.auth).head)]
            func keys(_ params: ReportQuery.Params, _ client: String?) async throws -> [String] {
                try await world.call(ReportQuery.self, params, client: client, notBefore: heads)
                    .rows.map(\.key)
            }
            let all = Self.byMember { $0.users = .all }
            let eve = "member-Eve"
            #expect(try await keys(all, nil) == [eve, Self.me])
            #expect(try await keys(Self.byMember { $0.users = .children }, nil) == [eve])
            #expect(try await keys(all, app) == [Self.me])
            #expect(try await keys(Self.byMember { $0.users = .children }, app) == [])
            let both = Self.byMember { $0.members = [eve, Self.me] }
            #expect(try await keys(both, nil) == [eve, Self.me])
            #expect(await refusal { try await keys(both, app) } == .notAuthorized)
            let nobody = Self.byMember { $0.members = [Self.me, "member-nobody"] }
            #expect(await refusal { try await keys(nobody, nil) } == .notFound)
            let twice = Self.byMember {
                $0.users = .all
                $0.member = eve
            }
            #expect(await refusal { try await keys(twice, nil) } == .invalidArgument)
        }
    }

    @Test func theCommandLineNamesMembersDaysAndFilters() async throws {
        try await World.with(Self.services) { world in
            let sequence = try await Self.fill(world)
            let heads = [Position(.activity, sequence), Position(.auth, try await world.health(.auth).head)]
            _ = try await world.call(ReportQuery.self, Self.byMember { _ in }, notBefore: heads)
            func report(_ options: String...) async throws -> [String] {
                let outcome = try await world.command(
                    ["report", "--from", "2023-06-01", "--to", "2023-06-01", "--format", "csv"] + options)
                #expect(outcome.status == 0)
                return Array(outcome.lines.dropFirst())
            }
            let person = try await world.call(MemberList.self, Nothing()).members.first { $0.id == Self.me }
            let me = try #require(person?.name)
            #expect(
                try await report("--zone", "UTC", "--by", "member", "--member", "Eve", "--member", me)
                    == ["2023-06-01,member-Eve,7200000", "2023-06-01,\(Self.me),3600000"])
            #expect(
                try await report("--zone", "UTC", "--by", "member", "--users", "children")
                    == ["2023-06-01,member-Eve,7200000"])
            #expect(
                try await report("--zone", "UTC", "--app", "game", "--app", "x") == [
                    "2023-06-01,game,3600000"
                ])
            #expect(try await report("--zone", "UTC", "--model", "mac") == [])
            #expect(
                try await report("--zone", "UTC", "--device", "laptop", "--by", "total")
                    == ["2023-06-01,all,3600000"])
            // Lagos is an hour ahead: Eve's day begins at 00:30 UTC.
            _ = try await world.command(
                "member", "set", "Eve", "--zone", "Africa/Lagos", "--day-start", "01:30")
            #expect(try await report("--member", "Eve") == ["2023-06-01,game,5400000"])
            #expect(
                try await report("--member", "Eve", "--day-start", "00:00") == ["2023-06-01,game,7200000"])
            #expect(try await report("--member", "Eve", "--zone", "UTC") == ["2023-06-01,game,1800000"])
            let nested = try await world.command(
                "report", "--from", "2023-06-01", "--to", "2023-06-01", "--users", "all", "--zone", "UTC",
                "--day-start", "00:00", "--format", "activity")
            let activity = try [ReportActivity].decode(Array(nested.output.utf8))
            #expect(activity.map(\.user.name) == ["Eve", me])
            #expect(activity.map { $0.activitySegments.first?.totalActivity } == [7_200_000, 3_600_000])
            #expect(activity.map(\.device.model) == ["android", "android"])
        }
    }
}
