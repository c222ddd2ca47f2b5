import Contract
import Loop
import Rules
import ScreenTimeTesting
import Testing
import Units

/// What is older than it may be goes by itself, by the service's clock; and today goes up to now.
@Suite struct ForgetRetentionTests {
    private static let hour: Milliseconds = 3_600_000
    /// 2026-03-10T12:00Z
    private static let noon: Instant = 1_773_144_000_000

    private static func focus(_ hours: Int64, _ app: String?) -> Observation {
        Observation(at: noon + hours * hour, kind: .focus, app: app)
    }

    @LoopActor private static func totals(_ world: World) async throws -> [String: Int64] {
        let head = try await world.health(.activity).head
        let params = ReportQuery.Params(from: "2026-03-01", to: "2026-03-31", zone: "UTC")
        let answer = try await world.call(ReportQuery.self, params, notBefore: [Position(.activity, head)])
        return answer.rows.reduce(into: [:]) { $0[$1.key, default: 0] += $1.value }
    }

    @Test func olderDaysGoWithTheClock() async throws {
        let environment = ["SCREENTIME_DAYS_KEPT": "2"]
        try await World.with(environment: environment, clock: "2026-03-10T12:00:00Z") { world in
            try await world.observe(
                [
                    Self.focus(-30, "org.test.Oldest"), Self.focus(-29, nil), Self.focus(-20, "org.test.Old"),
                    Self.focus(-10, nil), Self.focus(-1, "org.test.Young"), Self.focus(0, nil),
                ], device: "laptop", model: "import")
            let all = try await Self.totals(world)
            #expect(all.count == 3)
            // Two complete days and the rest of one more are kept: data before the 10th is deleted on the
            // 13th.
            try await world.clock.advance(.days(2))
            #expect(try await Self.totals(world) == all)
            try await world.clock.advance(.days(1))
            #expect(
                try await Self.totals(world) == [
                    "org.test.Old": 2 * Self.hour.count, "org.test.Young": Self.hour.count,
                ])
            #expect(try world.files(with: ["org.test.Oldest"]) == [])
            try await world.clock.advance(.days(30))
            #expect(try world.files(with: ["org.test.Old", "org.test.Young", "laptop"]) == [])
        }
    }

    @Test func ofTodayGoesWhatWasUntilNowAndTheAppInFrontGoesOn() async throws {
        try await World.with(clock: "2026-03-10T12:00:00Z") { world in
            try await world.observe(
                [
                    Self.focus(-20, "org.test.Night"), Self.focus(-3, "org.test.Morning"),
                    Self.focus(-2, "org.test.Open"),
                ], device: "laptop")
            let outcome = try await world.command("forget", "--day", "2026-03-10", "--yes")
            #expect(outcome.status == 0, "\(outcome)")
            try await world.observe([Self.focus(1, nil)], device: "laptop")
            #expect(
                try await Self.totals(world) == [
                    "org.test.Night": 8 * Self.hour.count, "org.test.Open": Self.hour.count,
                ])
            #expect(try world.files(with: ["org.test.Morning"]) == [])
        }
    }

    @Test func theDayIsTheMembersOwn() async throws {
        try await World.with { world in
            let member = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Ida")).member
            let set = try await world.command(
                "member", "set", "Ida", "--zone", "Asia/Kathmandu", "--day-start", "04:00")
            #expect(set.status == 0, "\(set)")
            // 04:00 in Kathmandu is 22:15 in UTC.
            func focus(_ minutes: Int64, _ app: String?) -> Observation {
                Observation(at: Self.noon + minutes * 60_000, kind: .focus, app: app)
            }
            let observe = UsageObserve.Params(
                member: member.id, device: "tablet", deviceModel: "import",
                observations: [
                    focus(600, "org.test.Over"), focus(630, "org.test.Inside"), focus(2_040, "org.test.End"),
                    focus(2_100, nil),
                ])
            _ = try await world.call(UsageObserve.self, observe)
            let outcome = try await world.command("forget", "--day", "2026-03-11", "--member", "Ida", "--yes")
            #expect(outcome.status == 0, "\(outcome)")
            let usage = try await world.call(
                UsageRead.self, UsageRead.Params(member: member.id, from: 0, to: .max)
            ).usage
            let minutes = usage.reduce(into: [String: [Int64]]()) { sums, own in
                sums[own.subject] = own.intervals.flatMap {
                    [($0.start - Self.noon) / 60_000, ($0.end - Self.noon) / 60_000]
                }
            }
            #expect(minutes == ["org.test.Over": [600, 615], "org.test.End": [2_055, 2_100]])
        }
    }
}
