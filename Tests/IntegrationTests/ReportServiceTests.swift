import Contract
import Foundation
import JSON
import Loop
import Rules
import ScreenTimeTesting
import Testing
import Units

/// report-service as a real process behind activity-center.
@Suite struct ReportServiceTests {
    static let services = ["activity-center", "report-service"]

    /// Two apps on two devices, and marks, on 2023-11-14.
    @LoopActor static func fill(_ world: World) async throws -> Int64 {
        try await world.observe(ActivityData.phone(300, seed: 1), device: "phone", model: "android")
        return try await world.observe(ActivityData.phone(300, seed: 2), device: "tablet", model: "android")
            .sequence
    }

    /// The encoded answers to every way to ask.
    @LoopActor static func everything(_ world: World, after sequence: Int64) async throws -> [[UInt8]] {
        var answers: [[UInt8]] = []
        for segment in ReportSegment.allCases {
            for grouping in ReportGrouping.allCases {
                for metric in ReportMetric.allCases {
                    let params = ReportQuery.Params(
                        from: "2023-11-13", to: "2023-11-20", zone: "Asia/Kathmandu", segment: segment,
                        by: grouping,
                        metric: metric)
                    let result = try await world.call(
                        ReportQuery.self, params, notBefore: [Position(.activity, sequence)])
                    answers.append(result.encoded())
                }
            }
        }
        return answers
    }

    @Test func anAnswerWaitsForWhatTheCallerHasSeen() async throws {
        try await World.with(Self.services) { world in
            let at: Instant = 1_700_000_000_000
            for number in 0..<20 {
                let start = at + .seconds(Int64(number))
                let changes = [
                    UsageChange(at: start, ordinal: 0, .opened(.app("a"), instance: 1)),
                    UsageChange(at: start + 10, ordinal: 0, .closed(.app("a"), instance: 1)),
                ]
                let sequence = try await world.observe(changes, device: "phone").sequence
                let result = try await world.call(
                    ReportQuery.self, ReportQuery.Params(from: "2023-11-14", zone: "UTC", by: .total),
                    notBefore: [Position(.activity, sequence)])
                #expect(result.rows.map(\.value) == [Int64(number + 1) * 10])
            }
        }
    }

    @Test func reportsAreWhatTheRulesSayAndSurviveTheLossOfTheCopy() async throws {
        try await World.with(Self.services) { world in
            let sequence = try await Self.fill(world)
            let before = try await Self.everything(world, after: sequence)
            let rows = try before.map { try ReportQuery.Result.decode($0).rows }
            #expect(rows.allSatisfy { $0.allSatisfy { $0.value > 0 } })
            // Everything but domains, of which there are none.
            #expect(rows.count { $0.isEmpty } == 9)
            var machines = [UsageMachine(), UsageMachine()]
            let uses =
                machines[0].apply(ActivityData.phone(300, seed: 1)).uses
                + machines[1].apply(ActivityData.phone(300, seed: 2)).uses
            let total = IntervalSet(uses.map(\.interval)).total
            let all = try await world.call(
                ReportQuery.self,
                ReportQuery.Params(from: "2023-11-13", to: "2023-11-20", zone: "UTC", by: .total))
            #expect(all.rows.reduce(0) { $0 + $1.value } == total.count)

            try await world.process("report-service").destroy()
            try FileManager.default.removeItem(atPath: world.directory + "/state/report-service")
            try await world.start("report-service")
            #expect(try await Self.everything(world, after: sequence) == before)

            // A restart keeps the copy, and an empty activity-center clears it.
            try await world.process("report-service").destroy()
            try await world.start("report-service")
            #expect(try await Self.everything(world, after: sequence) == before)
            let recorder = try world.record(.report)
            try await world.process("activity-center").destroy()
            try FileManager.default.removeItem(atPath: world.directory + "/state/activity-center")
            try await world.start("activity-center")
            _ = try await recorder.first(ReportChanged.self) { $0.from == 0 }
            let empty = try await world.call(
                ReportQuery.self, ReportQuery.Params(from: "2023-11-14", zone: "UTC", by: .total))
            #expect(empty.rows.isEmpty)
        }
    }

    @Test func oneChangeIsToldPerMemberAndTurn() async throws {
        try await World.with(Self.services) { world in
            let recorder = try world.record(.report)
            recorder.afterFork = nil
            let changes = ActivityData.phone(200, seed: 3)
            let sequence = try await world.observe(changes, device: "phone").sequence
            let usage = try world.record(.activity)
            let recorded = try await usage.wait(for: "all of it") {
                $0.events.last?.sequence == sequence ? try $0.all(UsageRecorded.self) : nil
            }
            #expect(recorded.count > 3)
            // The log that ends must be known, otherwise the new one is not recognised as another.
            _ = try await recorder.first(ReportChanged.self)
            // The service that begins after it reads all of it in one turn.
            try await world.process("report-service").destroy()
            try FileManager.default.removeItem(atPath: world.directory + "/state/report-service")
            try await world.start("report-service")
            let change = try await recorder.wait(for: "a new log") { recorder -> ReportChanged? in
                recorder.forks.isEmpty ? nil : try recorder.all(ReportChanged.self).first
            }
            #expect(change.member == "uid-\(getuid())")
            #expect(change.from == recorded.map(\.from).min())
            _ = try await world.call(
                ReportQuery.self, ReportQuery.Params(), notBefore: [Position(.activity, sequence)])
            let health = try await world.health(.report)
            #expect(health.head == 1)
            let snapshot = try await world.client(.report).call(EventsSnapshot.self, EventsSnapshot.Params())
            #expect(snapshot.events.isEmpty && snapshot.through == 1 && snapshot.nextPage == nil)
        }
    }

    @Test func onlyTheAuthorizedAskAndOnlyAboutMembers() async throws {
        try await World.with(["auth-service"] + Self.services) { world in
            let stranger = await #expect(throws: ServiceError.self) {
                try await world.call(ReportQuery.self, ReportQuery.Params(), client: "org.example.unknown")
            }
            #expect(stranger?.name == .notAuthorized)
            let nobody = await #expect(throws: ServiceError.self) {
                try await world.call(ReportQuery.self, ReportQuery.Params(member: "member-nobody"))
            }
            #expect(nobody?.name == .notFound)
            let wrong = await #expect(throws: ServiceError.self) {
                try await world.call(ReportQuery.self, ReportQuery.Params(zone: "Mars/Olympus"))
            }
            #expect(wrong?.name == .invalidArgument)
        }
    }

    /// Killed between its commit and what follows: the events come once, the state is the same.
    @Test(arguments: ["before-commit", "after-commit", "after-publish"])
    func aKillAtAnyPointDoublesAndLosesNothing(point: String) async throws {
        try await World.with(Self.services) { world in
            let sequence = try await Self.fill(world)
            let before = try await Self.everything(world, after: sequence)
            try await world.process("report-service").destroy()
            try FileManager.default.removeItem(atPath: world.directory + "/state/report-service")
            try world.arm(point, of: .report)
            let doomed = try world.launch("report-service", [World.products + "/report-service"])
            #expect(try await doomed.exit() == 128 + SIGKILL)
            try await world.start("report-service")
            #expect(try await Self.everything(world, after: sequence) == before)
        }
    }
}
