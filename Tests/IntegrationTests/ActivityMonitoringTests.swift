import Bus
import Contract
import ScreenTimeTesting
import Testing
import TestSupport
import Time
import Units

extension ActivityDefinition {
    /// From midnight to midnight, so that it runs whenever a test does.
    static func allDay(
        _ name: String, _ events: [EventDefinition] = [], warning: DateComponents? = nil
    ) -> ActivityDefinition {
        ActivityDefinition(
            name: name,
            schedule: Schedule(
                intervalStart: DateComponents(hour: 0, minute: 0),
                intervalEnd: DateComponents(hour: 0, minute: 0),
                repeats: true, warningTime: warning),
            events: events)
    }

    /// Once a day between two instants given to the second, in UTC.
    static func between(
        _ name: String, _ start: Instant, _ end: Instant, warning: DateComponents? = nil
    ) -> ActivityDefinition {
        func wall(_ at: Instant) -> DateComponents {
            let second = at.sinceEpoch.flooredRemainder(.day) / .second
            return DateComponents(hour: second / 3_600, minute: second / 60 % 60, second: second % 60)
        }
        return ActivityDefinition(
            name: name,
            schedule: Schedule(
                intervalStart: wall(start), intervalEnd: wall(end), repeats: true, warningTime: warning)
        )
    }
}

extension World {
    @discardableResult
    func monitor(_ activities: [ActivityDefinition], client: String? = nil) async throws
        -> MonitoringStart.Result
    {
        try await call(MonitoringStart.self, MonitoringStart.Params(activities: activities), client: client)
    }
}

/// Schedules and thresholds with the real process and the real clock.
@Suite struct ActivityMonitoringTests {
    private static let services = ["activity-center"]

    private static func focus(_ app: String, _ at: Instant) -> Observation {
        Observation(at: at, kind: .focus, app: app)
    }

    // MARK: thresholds

    @Test func aCrossingIsToldAtItsMillisecondWithTheTraceThatMadeIt() async throws {
        try await World.with(Self.services, environment: NoonZone.environment) { world in
            let recorder = try world.record(.activity)
            let event = EventDefinition(
                name: "social", applications: ["game"], threshold: DateComponents(second: 3),
                message: "Enough?")
            try await world.monitor([.allDay("daily", [event], warning: DateComponents(second: 1))])
            let now = WallTime.now
            let trace = TraceContext.root()
            try await world.observe([Self.focus("game", now)], device: "laptop", trace: trace)
            let warning = try await recorder.first(EventWillReachThresholdWarning.self).about
            let reached = try await recorder.first(EventDidReachThreshold.self).about
            #expect(warning.at == now + 2_000)
            #expect(reached.at == now + 3_000)
            #expect(reached.total == 3_000)
            #expect(reached.threshold == 3_000)
            #expect(reached.client == "org.screentime.limits")
            #expect(reached.definition == event)
            #expect(!reached.late)
            for one in recorder.events where one.type.hasPrefix("activity.event") {
                #expect(TraceContext(one.event.head.traceparent)?.traceID == trace.traceID, "\(one.type)")
            }
            #expect(WallTime.now >= now + 3_000, "told before it happened")
        }
    }

    @Test func aCrossingThatLiesInThePastIsToldAtOnceAndOnce() async throws {
        try await World.with(Self.services, environment: NoonZone.environment) { world in
            let recorder = try world.record(.activity)
            let now = WallTime.now
            let events = [
                EventDefinition(
                    name: "past", threshold: DateComponents(second: 10), includesPastActivity: true),
                EventDefinition(name: "fresh", threshold: DateComponents(second: 10)),
            ]
            // In two pieces, one of which comes late.
            let told = [
                Self.focus("a", now - 60_000), Self.focus("b", now - 54_000),
                Self.focus("a", now - 50_000),
                Observation(at: now - 40_000, kind: .idle),
            ]
            try await world.observe([told[0], told[2], told[3]], device: "laptop")
            try await world.monitor([.allDay("daily", events)])
            let reached = try await recorder.first(EventDidReachThreshold.self).about
            #expect(reached.event == "past")
            #expect(reached.late)
            #expect(reached.at == now - 50_000)
            let head = try await world.observe(told, device: "laptop").sequence
            _ = try await world.replayed(recorder, through: head)
            #expect(try recorder.all(EventDidReachThreshold.self).count == 1)
        }
    }

    @Test func anUnchangedEventGoesOnCountingAndIsNotToldAgain() async throws {
        try await World.with(Self.services, environment: NoonZone.environment) { world in
            let recorder = try world.record(.activity)
            let one = EventDefinition(name: "one", applications: ["a"], threshold: DateComponents(second: 1))
            let long = EventDefinition(
                name: "long", applications: ["a"], threshold: DateComponents(minute: 9))
            let first = try await world.monitor([.allDay("daily", [one, long])])
            try await world.observe([Self.focus("a", WallTime.now)], device: "laptop")
            _ = try await recorder.first(EventDidReachThreshold.self)
            let second = try await world.monitor([.allDay("daily", [one, long])])
            #expect(second.activities[0].registration > first.activities[0].registration)
            let starts = try await recorder.wait(for: "a second start") { recorder in
                let starts = try recorder.all(IntervalDidStart.self)
                return starts.count == 2 ? starts : nil
            }
            #expect(starts[1].about.registration == second.activities[0].registration)
            #expect(try recorder.all(EventDidReachThreshold.self).count == 1)
            #expect(try recorder.all(IntervalDidEnd.self).isEmpty)
        }
    }

    // MARK: schedules

    @Test func aShortIntervalComesWithItsWarningsInOrder() async throws {
        try await World.with(Self.services) { world in
            let recorder = try world.record(.activity)
            let start = Instant(.seconds(WallTime.now.milliseconds / 1_000 + 8))
            let answer = try await world.monitor([
                .between("soon", start, start + 2_000, warning: DateComponents(second: 1)),
                .between("next", start + 2_000, start + 3_000),
            ])
            #expect(answer.activities.map(\.inInterval) == [false, false])
            #expect(answer.activities.map(\.intervalStart) == [start, start + 2_000])
            let end = try await recorder.first(IntervalDidEnd.self) { $0.about.activity == "next" }
            #expect(end.about.at == start + 3_000)
            #expect(
                recorder.types.map { $0.dropFirst("activity.".count) } == [
                    "intervalWillStartWarning", "intervalDidStart", "intervalWillEndWarning",
                    "intervalDidEnd",
                    "intervalDidStart", "intervalDidEnd",
                ])
            let first = try await recorder.first(IntervalDidStart.self)
            #expect(first.about.at == start)
            #expect(first.about.occurrenceEnd == start + 2_000)
        }
    }

    @Test func whatWasMissedWhileOffIsRecordedOrEndsLate() async throws {
        try await World.with(Self.services, environment: NoonZone.environment) { world in
            let recorder = try world.record(.activity)
            let answer = try await world.monitor([.allDay("daily")])
            let today = try #require(answer.activities[0].intervalStart)
            // Three days pass while the service is off.
            try await world.process("activity-center").destroy()
            try world.editActivityStore(
                """
                UPDATE activity SET registered_ms = registered_ms - 259200000,
                open_start_ms = open_start_ms - 259200000, open_end_ms = open_end_ms - 259200000,
                open_end_wall_ms = open_end_wall_ms - 259200000;
                UPDATE fired SET occurrence_start_ms = occurrence_start_ms - 259200000
                """)
            try await world.start("activity-center")
            let start = try await recorder.first(IntervalDidStart.self) { $0.about.late }
            #expect(start.about.occurrenceStart == today)
            #expect(try recorder.all(IntervalDidStart.self).count == 2, "two days were missed as a whole")
            let ends = try recorder.all(IntervalDidEnd.self).map(\.about)
            #expect(ends.map(\.at) == [today - 172_800_000])
            #expect(ends.map(\.late) == [true])
        }
    }

    @Test func stoppingEndsARunningInterval() async throws {
        try await World.with(Self.services, environment: NoonZone.environment) { world in
            let recorder = try world.record(.activity)
            try await world.monitor([.allDay("a"), .allDay("b")])
            let stopped = try await world.call(
                MonitoringStop.self, MonitoringStop.Params(names: ["a", "nothing"]))
            #expect(stopped.stopped == ["a"])
            let end = try await recorder.first(IntervalDidEnd.self)
            #expect(end.about.activity == "a")
            let rest = try await world.call(MonitoringList.self, MonitoringList.Params()).activities
            #expect(rest.map(\.activity.name) == ["b"])
            #expect(rest.map(\.inInterval) == [true])
        }
    }

    @Test(arguments: [
        (ActivityDefinition.allDay(""), ErrorName.invalidParams),
        (
            .allDay("x", [EventDefinition(name: "e", threshold: DateComponents(minute: 0))]),
            .invalidDateComponents
        ),
        (
            .allDay("x", [EventDefinition(name: "e", threshold: DateComponents(month: 1))]),
            .invalidDateComponents
        ),
        (
            ActivityDefinition(name: "x", schedule: Schedule(intervalStart: DateComponents(hour: 25))),
            .invalidDateComponents
        ),
        (
            ActivityDefinition(
                name: "x",
                schedule: Schedule(
                    intervalStart: DateComponents(hour: 8), intervalEnd: DateComponents(hour: 9),
                    warningTime: DateComponents(hour: 9_999_999))),
            .invalidDateComponents
        ),
    ])
    func aWrongActivityIsRefusedByName(activity: ActivityDefinition, name: ErrorName) async throws {
        try await World.with(Self.services) { world in
            let error = await #expect(throws: ServiceError.self) {
                try await world.monitor([.allDay("right"), activity])
            }
            #expect(error?.name == name)
            let list = try await world.call(MonitoringList.self, MonitoringList.Params()).activities
            #expect(list.isEmpty)
        }
    }

    @Test func revokingAClientStopsItsActivitiesSilently() async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            let auth = try world.record(.auth)
            let recorder = try world.record(.activity)
            let refused = await #expect(throws: ServiceError.self) {
                try await world.monitor([.allDay("theirs")], client: "org.example.a")
            }
            #expect(refused?.name == .unauthorized)
            // Invalid activities are reported before missing permission, as by Apple.
            let wrong = await #expect(throws: ServiceError.self) {
                let nonsense = Schedule(intervalStart: DateComponents(hour: 25))
                try await world.monitor(
                    [ActivityDefinition(name: "x", schedule: nonsense)], client: "org.example.a")
            }
            #expect(wrong?.name == .invalidDateComponents)
            try await world.approve("org.example.a", auth)
            try await world.monitor([.allDay("theirs")], client: "org.example.a")
            try await world.monitor([.allDay("mine")])
            let revoked = try await world.call(
                AuthorizationSwitch.self, AuthorizationSwitch.Params(client: "org.example.a", access: false))
            let left = try await world.call(
                MonitoringList.self, MonitoringList.Params(), notBefore: [Position(.auth, revoked.sequence)])
            #expect(left.activities.map(\.activity.name) == ["mine"])
            #expect(try recorder.all(IntervalDidEnd.self).isEmpty)
        }
    }
}
