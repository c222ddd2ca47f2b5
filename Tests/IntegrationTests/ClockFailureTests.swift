import Contract
import Glibc
import Loop
import ScreenTimeTesting
import Testing

/// Whatever blocks the clock is named; processes that die meanwhile cost nothing.
@Suite struct ClockFailureTests {
    @Test func aStoppedServiceIsNamed() async throws {
        try await World.with(clock: "2026-03-02T00:00:00Z") { world in
            let shield = try world.process("shield-service")
            shield.signal(SIGSTOP)
            let refused = try await world.command("clock", "advance", "1d", "--timeout", "2")
            #expect(refused.status == 75)
            let named = "shield-service (pid \(shield.pid)) is stopped; SIGCONT wakes it"
            #expect(refused.errors.contains(named))
            #expect(!refused.errors.contains("auth-service"))
            shield.signal(SIGCONT)
            #expect(try await world.command("clock", "advance", "1d").status == 0)
        }
    }

    @Test func aKilledServiceIsNamedAndOneThatEndedInOrderIsNotMissed() async throws {
        try await World.with(clock: "2026-03-02T00:00:00Z") { world in
            let report = try world.process("report-service")
            try await report.destroy()
            let refused = try await world.command("clock", "advance", "1d", "--timeout", "2")
            #expect(refused.status == 75)
            #expect(refused.errors.contains("report-service ran here as process \(report.pid) and is gone"))
            try await world.start("report-service")
            #expect(try await world.process("report-service").stop() == 0)
            #expect(try await world.command("clock", "advance", "1d").status == 0)
        }
    }

    @Test func oneDriverAtATime() async throws {
        try await World.with(clock: "2026-03-02T00:00:00Z") { world in
            let bundle = try await world.approvedFixture()
            try await world.monitor([.daily("school", from: (8, 0), to: (13, 0))], client: bundle.client)
            bundle.closeGate()
            async let first = world.command("clock", "advance", "1d")
            let runner = try world.record(.activity)
            _ = try await runner.first(IntervalDidStart.self)
            let second = try await world.command("clock", "advance", "1d")
            #expect(second.status == 1)
            #expect(second.errors.contains("another driver moves this clock now (pid "))
            await bundle.openGate(bundle.files)
            #expect(try await first.status == 0)
        }
    }

    /// An extension that hangs holds the clock until its budget is used up, five times per callback; the
    /// driver may continue without it, and gets a list of what was skipped.
    @Test func anExtensionThatHangsIsNamedAndSkipped() async throws {
        try await World.with(clock: "2026-03-02T00:00:00Z") { world in
            let bundle = try await world.approvedFixture()
            try await world.monitor([.daily("school", from: (8, 0), to: (13, 0))], client: bundle.client)
            bundle.closeGate()
            let held = try await world.command("clock", "advance", "1d", "--timeout", "1")
            #expect(held.status == 75)
            #expect(held.errors.contains("\(bundle.id) (pid "))
            #expect(held.errors.contains("has not returned from intervalDidStart of activity school"))
            #expect(held.errors.contains("--skip EXTENSION"))
            let unknown = try await world.command("clock", "advance", "1d", "--skip", "org.example.nobody")
            #expect(unknown.status != 0 && unknown.errors.contains("org.example.nobody"))
            let skipping = try await world.command(
                "clock", "advance-to", "2026-03-05T00:00:00Z", "--skip", bundle.id)
            #expect(skipping.status == 0, "\(skipping.errors)")
            let skipped = skipping.lines.filter { $0.hasPrefix("Skipped \(bundle.id): ") }
            #expect(skipped.count == 6, "\(skipping.lines)")
            let deliveries = try await world.deliveries()
            #expect(deliveries.count == 6)
            #expect(deliveries.allSatisfy { $0.state == .failed && $0.error?.contains("skipped") == true })
            // Nothing of it is left: what comes next is delivered.
            unlink(bundle.files + "/gate")
            #expect(try await world.command("clock", "advance", "1d").status == 0)
            #expect(try await world.deliveries().suffix(2).allSatisfy { $0.state == .delivered })
        }
    }

    /// The callbacks of four days in an undisturbed run.
    @LoopActor private static func run(
        _ disturb: @escaping @LoopActor (World) async throws -> Void
    ) async throws -> (told: [String], seen: [String]) {
        var result: (told: [String], seen: [String]) = ([], [])
        try await World.with(clock: "2026-03-02T00:00:00Z") { world in
            let recorder = try world.record(.activity)
            let bundle = try await world.approvedFixture()
            try await world.monitor(
                [
                    .daily("a", from: (8, 0), to: (13, 0), warning: DateComponents(minute: 5)),
                    .daily("b", from: (8, 0), to: (9, 0)), .daily("c", from: (12, 30), to: (13, 0)),
                ], client: bundle.client)
            try await disturb(world)
            try await world.clock.advance(to: "2026-03-06T00:00:00Z")
            result = (try await world.callbacks(recorder), bundle.lines("instants"))
        }
        return result
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func servicesKilledOnTheWayChangeNothing(seed: UInt64) async throws {
        print("seed \(seed)")
        let expected = try await Self.run { _ in }
        #expect(expected.told.count == 4 * 8)
        let found = try await Self.run { world in
            var chance = ActivityChance(seed: seed)
            let driving = Task { @LoopActor in
                try await world.clock.advance(to: "2026-03-06T00:00:00Z")
            }
            let recorder = try world.record(.activity)
            let places = (0..<5).map { _ in Int64.random(in: 1..<Int64(expected.told.count), using: &chance) }
            for place in places.sorted() {
                let victims = ["activity-center", "monitor-runner", "report-service", "auth-service"]
                let name = try #require(victims.randomElement(using: &chance))
                _ = try await recorder.wait(for: "sequence \(place)") { recorder in
                    recorder.events.last?.sequence ?? 0 >= place ? true : nil
                }
                try await world.process(name).destroy()
                try await world.start(name)
            }
            _ = try await driving.value
        }
        #expect(found.told == expected.told)
        // A callback that was cut off in the middle comes again, marked by its attempt; none is missing.
        #expect(Set(found.seen) == Set(expected.seen))
    }

    @Test func aDriverKilledOnTheWayIsFollowedByAnother() async throws {
        let expected = try await Self.run { _ in }
        let found = try await Self.run { world in
            let recorder = try world.record(.activity)
            let path = World.products + "/screentime"
            let driver = try world.launch("driver", [path, "clock", "advance-to", "2026-03-06T00:00:00Z"])
            _ = try await recorder.wait(for: "some callbacks") { $0.events.count > 9 ? true : nil }
            try await driver.destroy()
        }
        #expect(found.told == expected.told && found.seen == expected.seen)
    }
}
