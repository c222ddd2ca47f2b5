import Contract
import Loop
import ScreenTimeTesting
import Testing
import TestSupport
import Time
import Units

/// The preloaded clock library, in a program that asks for the time in each way and sleeps on timers.
@Suite("clock library") struct ClockLibraryTests {
    @LoopActor private static let fixture = World.products + "/clock-fixture"
    private static let hour: Milliseconds = 3_600_000

    @LoopActor private static func clocks(_ world: World) async throws -> [String: Int64] {
        let (status, lines) = try await world.run("clock-fixture", [fixture, "now"])
        #expect(status == 0)
        let pairs = try #require(lines.first).split(separator: " ").map { $0.split(separator: "=") }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), Int64($0[1]) ?? 0) })
    }

    @Test func withoutAPageItChangesNothing() async throws {
        try await World.with([]) { world in
            world.environment["LD_PRELOAD"] = World.products + "/libscreentime-clock.so"
            let before = WallTime.now
            let shown = try await Self.clocks(world)
            for name in ["realtime", "coarse", "gettimeofday", "date"] {
                let value = try #require(shown[name])
                #expect((before - 10...WallTime.now).contains(Instant(milliseconds: value)), "\(name)")
            }
        }
    }

    @Test func aPageThatIsNoneIsRefused() async throws {
        try await World.with([]) { world in
            let preload = World.products + "/libscreentime-clock.so"
            let found = try await world.run(
                "clock-fixture", [Self.fixture, "now"],
                environment: ["LD_PRELOAD": preload, "SCREENTIME_CLOCK_PAGE": "/dev/null"])
            #expect(found.status == 78)
            #expect(world.errors(of: "clock-fixture").contains("/dev/null: it is no clock page"))
        }
    }

    /// Not by SIGBUS, which has no message, nor by a time of zeros.
    @Test(arguments: [0, 8, 31, 47])
    func aPageThatIsCutEndsTheProgramWithASentence(bytes: Int) async throws {
        try await World.with([]) { world in
            let clock = try MovedClock(world)
            clock.set(by: Self.hour)
            let found = try await world.run("clock-fixture", [Self.fixture, "cut", String(bytes)])
            #expect(found.status == 73 && found.lines.count == 1)
            #expect(world.errors(of: "clock-fixture").contains("the clock page was truncated"))
        }
    }

    @Test func aStandingClockIsReadInEveryWay() async throws {
        try await World.with([]) { world in
            let instant: Instant = 1_325_239_199_123  // 2011-12-30T09:59:59.123Z
            let clock = try MovedClock(world, standsAt: instant)
            for expected in [instant, instant + Self.hour] {
                let shown = try await Self.clocks(world)
                for name in ["realtime", "coarse", "gettimeofday", "date"] {
                    #expect(shown[name] == expected.milliseconds, "\(name)")
                }
                #expect(shown["time"] == expected.milliseconds / 1_000 * 1_000)
                clock.set(by: Self.hour)
            }
        }
    }

    @Test func clocksMoveApart() async throws {
        try await World.with([]) { world in
            let clock = try MovedClock(world)
            let first = try await Self.clocks(world)
            clock.suspend(8 * Self.hour)
            clock.set(by: -24 * Self.hour)
            let second = try await Self.clocks(world)
            func moved(_ name: String) -> Milliseconds {
                Milliseconds((second[name] ?? 0) - (first[name] ?? 0))
            }
            #expect((0..<60_000).contains(moved("monotonic")))
            #expect((0..<60_000).contains(moved("boottime") - 8 * Self.hour))
            #expect((0..<60_000).contains(moved("realtime") + 16 * Self.hour))
            #expect((0..<60_000).contains(moved("date") + 16 * Self.hour))
            try clock.reboot("another", in: world)
            #expect((0..<60_000).contains(try await Self.clocks(world)["boottime"] ?? -1))
        }
    }

    @Test func timersFollowTheirClockAndTellWhenItIsSet() async throws {
        try await World.with([]) { world in
            let clock = try MovedClock(world)
            let due = clock.now + 10 * Self.hour
            let program = try world.launch(
                "clock-fixture", [Self.fixture, "timers", "\(due)", "\(9 * Self.hour)"])
            _ = try await program.line("armed")
            clock.set(by: -Self.hour)
            _ = try await program.line("cancelled")
            clock.suspend(8 * Self.hour)
            clock.set(by: 2 * Self.hour)
            _ = try await program.wait(for: "two cancellations") { $0.lines.count == 3 ? 0 : nil }
            // 9 h are gone by the wall clock, 8 h by the boot's.
            clock.suspend(Self.hour)
            #expect(try await program.exit() == 0)
            #expect(program.lines.count == 5)
            let wall = try #require(program.lines.first { $0.hasPrefix("realtime") })
            #expect(try #require(Int64(wall.split(separator: " ")[1])) >= due.milliseconds)
            #expect(program.lines.contains { $0.hasPrefix("boottime") })
        }
    }

    @Test func aTimerOnAStandingClockIsDueWhenTheClockIsThere() async throws {
        try await World.with([]) { world in
            let clock = try MovedClock(world, standsAt: 1_000_000_000_000)
            let due: Instant = 1_000_000_000_000 + Self.hour
            let program = try world.launch(
                "clock-fixture", [Self.fixture, "timers", "\(due)", "1"])
            _ = try await program.line("boottime")
            clock.set(by: Self.hour)
            #expect(try await program.exit() == 0)
            #expect(program.lines.contains("realtime \(due)"))
        }
    }
}
