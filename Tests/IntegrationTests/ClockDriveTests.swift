import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

/// The virtual clock moves the built processes: everything in order, at its own instant.
@Suite struct ClockDriveTests {
    @Test func everyCallbackComesAtItsOwnInstantAndInOrder() async throws {
        try await World.with(clock: "2026-03-02T00:00:00Z") { world in
            let recorder = try world.record(.activity)
            let runner = try world.record(.monitor)
            try await world.monitor([
                .daily("school", from: (8, 0), to: (13, 0), warning: DateComponents(minute: 5)),
                .daily("lessons", from: (8, 0), to: (13, 0)),
            ])
            let drive = try await world.clock.advance(.days(1))
            #expect(drive.instants == 4)
            #expect(
                try await world.callbacks(recorder) == [
                    "2026-03-02T07:55:00.000Z intervalWillStartWarning school",
                    "2026-03-02T08:00:00.000Z intervalDidStart lessons",
                    "2026-03-02T08:00:00.000Z intervalDidStart school",
                    "2026-03-02T12:55:00.000Z intervalWillEndWarning school",
                    "2026-03-02T13:00:00.000Z intervalDidEnd lessons",
                    "2026-03-02T13:00:00.000Z intervalDidEnd school",
                ])
            let deliveries = try await runner.wait(for: "six deliveries") {
                let all = try $0.all(CallbackDelivered.self).map(\.delivery)
                return all.count == 6 ? all : nil
            }
            #expect(deliveries.map(\.finished) == deliveries.map(\.about.at))
            #expect(try world.clock.now == VirtualClock.instant("2026-03-03T00:00:00Z"))
        }
    }

    /// A month with a schedule, warnings and a threshold that is reached each day.
    @LoopActor private static func month() async throws -> [String] {
        var callbacks: [String] = []
        try await World.with(clock: "2026-03-01T00:00:00Z") { world in
            let recorder = try world.record(.activity)
            let game = EventDefinition(
                name: "game", applications: ["game"], threshold: DateComponents(minute: 2))
            try await world.monitor([
                .daily("school", from: (8, 0), to: (13, 0), warning: DateComponents(minute: 5)),
                .daily(
                    "evening", from: (16, 0), to: (20, 0), warning: DateComponents(minute: 1),
                    events: [game]),
            ])
            for day in 1...30 {
                try await world.clock.advance(to: "2026-03-\(day < 10 ? "0" : "")\(day)T17:00:00Z")
                try await world.use("game", for: .seconds(150))
            }
            try await world.clock.advance(to: "2026-03-31T00:00:00Z")
            callbacks = try await world.callbacks(recorder)
        }
        return callbacks
    }

    @Test func aMonthIsTheSameTwice() async throws {
        let first = try await Self.month()
        #expect(first.count == 30 * 10)
        #expect(first.contains("2026-03-30T17:01:00.000Z eventWillReachThresholdWarning evening/game"))
        #expect(first.contains("2026-03-30T17:02:00.000Z eventDidReachThreshold evening/game"))
        #expect(try await Self.month() == first)
    }

    /// The first process writes events, which the other follows; a due timer there is no reason to wait.
    @Test func twoProcessesHaveSomethingDueAtOneInstant() async throws {
        let kept = ["SCREENTIME_DAYS_KEPT": "30"]
        let services = ["auth-service", "activity-center", "report-service"]
        try await World.with(services, environment: kept, clock: "2026-03-02T12:00:00Z") { world in
            let recorder = try world.record(.activity)
            try await world.clock.settle()
            // Each service checks once a day, soon after midnight, for expired data.
            let due = try #require(try await world.clock.nextDue(of: "report-service"))
            let second = due.sinceEpoch.flooredRemainder(.minute) / .second
            try await world.monitor([
                ActivityDefinition(
                    name: "night",
                    schedule: Schedule(
                        intervalStart: DateComponents(hour: 0, minute: 0, second: second),
                        intervalEnd: DateComponents(hour: 6), repeats: true))
            ])
            try await world.clock.advance(.days(1))
            #expect(
                try await world.callbacks(recorder) == [
                    "2026-03-03T00:00:0\(second).000Z intervalDidStart night",
                    "2026-03-03T06:00:00.000Z intervalDidEnd night",
                ])
        }
    }

    /// A question to the person does not keep the clock waiting: its deadline is one of the due instants.
    @Test func aQuestionToThePersonRunsOutInVirtualTime() async throws {
        try await World.with(clock: "2026-03-02T00:00:00Z") { world in
            let events = try world.record(.auth)
            let asking = world.ask("org.example.app", deadline: 600_000)
            _ = try await events.pending("org.example.app")
            try await world.clock.advance(.minutes(5))
            #expect(try await world.authorizations().first?.pending == true)
            try await world.clock.advance(.minutes(5))
            let ended = await refusal { try await asking.value }
            #expect(ended == .authorizationCanceled)
        }
    }

    /// In Berlin clocks go from 02:00 to 03:00 on 2026-03-29, and from 03:00 back to 02:00 on 2026-10-25.
    @Test func theDaysOfTheClockChangeHave23And25Hours() async throws {
        try await World.with(
            ["activity-center"], environment: ["TZ": "Europe/Berlin"], clock: "2026-03-28T22:00:00Z"
        ) { world in
            let recorder = try world.record(.activity)
            try await world.monitor([
                .daily("day", from: (0, 0), to: (0, 0)), .daily("night", from: (2, 30), to: (4, 0)),
            ])
            try await world.clock.advance(.days(2))
            let spring = try await world.callbacks(recorder)
            #expect(spring.contains("2026-03-28T23:00:00.000Z intervalDidStart day"))
            #expect(spring.contains("2026-03-29T01:30:00.000Z intervalDidStart night"))
            #expect(spring.contains("2026-03-29T02:00:00.000Z intervalDidEnd night"))
            #expect(spring.contains("2026-03-29T22:00:00.000Z intervalDidEnd day"))
            try await world.clock.advance(to: "2026-10-26T00:00:00Z")
            let autumn = try await world.callbacks(recorder)
            #expect(autumn.contains("2026-10-24T22:00:00.000Z intervalDidStart day"))
            #expect(autumn.contains("2026-10-25T00:30:00.000Z intervalDidStart night"))
            #expect(autumn.contains("2026-10-25T03:00:00.000Z intervalDidEnd night"))
            #expect(autumn.contains("2026-10-25T23:00:00.000Z intervalDidEnd day"))
        }
    }
}
