import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

/// Late observations, from an agent with a backlog or from another machine's export: they describe the past,
/// and say nothing about what is in use now.
@Suite struct ActivityLateTests {
    private static let services = ["activity-center"]

    /// An app in use from an instant on, with the agent's signs of life.
    private static func use(_ app: String, from: Instant, minutes: Int64) -> [Observation] {
        [Observation(at: from, kind: .focus, app: app)]
            + (1...2 * minutes).map { Observation(at: from + $0 * 30_000, kind: .alive) }
    }

    private static func limit(_ minutes: Int64) -> ActivityDefinition {
        let event = EventDefinition(
            name: "limit", applications: ["x.y"], threshold: DateComponents(minute: minutes),
            includesPastActivity: true)
        return .allDay("daily", [event])
    }

    @LoopActor private static func known(_ world: World, _ recorder: EventRecorder) async throws
        -> ReplayedUsage.Known?
    {
        let head = try await world.health(.activity).head
        let known = try await world.replayed(recorder, through: head)
        return known.subjects[.init(device: "laptop", kind: .app, subject: "x.y")]
    }

    @Test func whatComesDaysLateIsNotInUseUntilNow() async throws {
        try await World.with(Self.services, clock: "2026-03-06T20:00:00Z") { world in
            let recorder = try world.record(.activity)
            try await world.monitor([Self.limit(30)])
            let then = try VirtualClock.instant("2026-03-02T08:00:00Z")
            let told = Self.use("x.y", from: then, minutes: 10)
            try await world.observe(told, device: "laptop")
            let known = try await Self.known(world, recorder)
            #expect(known?.intervals == [then: then + 600_000])
            #expect(known?.openSince == nil)
            try await world.clock.advance(.minutes(2))
            _ = try await Self.known(world, recorder)
            #expect(try recorder.all(EventDidReachThreshold.self).isEmpty)
        }
    }

    /// Three hours without an answer, in two requests as the agent splits them.
    @Test func aBacklogCrossesNothingBetweenItsRequests() async throws {
        try await World.with(Self.services, clock: "2026-03-06T08:00:00Z") { world in
            let recorder = try world.record(.activity)
            try await world.monitor([Self.limit(30)])
            let start = try world.clock.now
            try await world.clock.advance(.hours(3))
            try await world.observe(
                [Observation(at: start, kind: .active)]
                    + Self.use("x.y", from: start, minutes: 5), device: "laptop")
            try await world.clock.settle()
            try await world.observe(
                Self.use("z.z", from: start + 360_000, minutes: 174), device: "laptop")
            try await world.clock.settle()
            let known = try await Self.known(world, recorder)
            #expect(known?.intervals == [start: start + 360_000])
            #expect(try recorder.all(EventDidReachThreshold.self).isEmpty)
        }
    }

    /// The service was stopped for three hours: nothing shows that the app was in use during that time.
    @Test func whatWasInUseWhenTheServiceStoppedIsNotInUseUntilItsNextStart() async throws {
        try await World.with(Self.services, clock: "2026-03-06T08:00:00Z") { world in
            try await world.monitor([Self.limit(30)])
            let start = try world.clock.now
            try await world.clock.advance(.minutes(5))
            try await world.observe(Self.use("x.y", from: start, minutes: 5), device: "laptop")
            try await world.process("activity-center").stop()
            try await world.clock.advance(.hours(3))
            try await world.start("activity-center")
            try await world.clock.settle()
            let recorder = try world.record(.activity)
            let known = try await Self.known(world, recorder)
            #expect(known?.intervals == [start: start + 300_000])
            #expect(known?.openSince == nil)
            #expect(try recorder.all(EventDidReachThreshold.self).isEmpty)
        }
    }

    /// Use in a backlog counts immediately, although the sensor is silent since.
    @Test func aBacklogCrossesWhatItSays() async throws {
        try await World.with(Self.services, clock: "2026-03-06T08:00:00Z") { world in
            let recorder = try world.record(.activity)
            try await world.monitor([Self.limit(4)])
            let start = try world.clock.now
            try await world.clock.advance(.hours(3))
            try await world.observe(Self.use("x.y", from: start, minutes: 5), device: "laptop")
            let reached = try await recorder.first(EventDidReachThreshold.self).about
            #expect(reached.at == start + 240_000 && reached.late)
        }
    }

    /// Its signs come every 30 s, and each half a minute late at most: nothing is taken for over.
    @Test(arguments: [0, 5, 29] as [Int64])
    func aLiveSensorMayBeALittleLate(seconds: Int64) async throws {
        try await World.with(Self.services, clock: "2026-03-06T08:00:00Z") { world in
            let recorder = try world.record(.activity)
            try await world.monitor([Self.limit(3)])
            let start = try world.clock.now
            try await world.clock.advance(.seconds(seconds))
            for one in Self.use("x.y", from: start, minutes: 5) {
                try await world.observe([one], device: "laptop")
                let known = try await Self.known(world, recorder)
                #expect(known?.openSince == start && known?.intervals == [:])
                try await world.clock.advance(.seconds(30))
            }
            let reached = try await recorder.first(EventDidReachThreshold.self).about
            #expect(reached.at == start + 180_000 && !reached.late)
            // The last sign was 30 s and the lateness ago; a minute after it, the sensor is silent.
            try await world.clock.advance(.seconds(30 - seconds))
            let known = try await Self.known(world, recorder)
            #expect(known?.openSince == nil && known?.intervals == [start: start + 300_000])
        }
    }

    /// An old import into the stream of a running agent says nothing about the agent.
    @Test func whatComesLateDoesNotHideASensorThatLives() async throws {
        try await World.with(Self.services, clock: "2026-03-06T08:00:00Z") { world in
            let recorder = try world.record(.activity)
            let now = try world.clock.now
            try await world.observe([Observation(at: now, kind: .focus, app: "x.y")], device: "laptop")
            try await world.clock.advance(.seconds(30))
            let before = Self.use("x.y", from: now - 86_400_000, minutes: 1)
                + [Observation(at: now - 86_340_000, kind: .focus)]
            try await world.observe(before, device: "laptop")
            var known = try await Self.known(world, recorder)
            #expect(known?.openSince == now)
            // It is not a sign of the agent's life either.
            try await world.clock.advance(.seconds(30))
            known = try await Self.known(world, recorder)
            #expect(known?.openSince == nil)
        }
    }
}
