import Contract
import Loop
import ScreenTimeTesting
import Testing
import TestSupport
import Time

/// The preloaded clock library, in a program that asks for the time in each way and sleeps on timers.
@Suite("clock library") struct ClockLibraryTests {
    @LoopActor private static let fixture = World.products + "/clock-fixture"
    private static let hour_ms: Int64 = 3_600_000

    @LoopActor private static func clocks(_ world: World) async throws -> [String: Int64] {
        let (status, lines) = try await world.run("clock-fixture", [fixture, "now"])
        #expect(status == 0)
        let pairs = try #require(lines.first).split(separator: " ").map { $0.split(separator: "=") }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), Int64($0[1]) ?? 0) })
    }

    @Test func withoutAPageItChangesNothing() async throws {
        try await World.with([]) { world in
            world.environment["LD_PRELOAD"] = World.products + "/libscreentime-clock.so"
            let before_ms = WallTime.nowMs
            let shown = try await Self.clocks(world)
            for name in ["realtime", "coarse", "gettimeofday", "date"] {
                let value_ms = try #require(shown[name])
                #expect((before_ms - 10...WallTime.nowMs).contains(value_ms), "\(name)")
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

    /// Not by SIGBUS, which says nothing, nor by a time of zeros.
    @Test(arguments: [0, 8, 31, 47])
    func aPageThatIsCutEndsTheProgramWithASentence(bytes: Int) async throws {
        try await World.with([]) { world in
            let clock = try MovedClock(world)
            clock.set(by: Self.hour_ms)
            let found = try await world.run("clock-fixture", [Self.fixture, "cut", String(bytes)])
            #expect(found.status == 73 && found.lines.count == 1)
            #expect(world.errors(of: "clock-fixture").contains("the clock page was cut off"))
        }
    }

    @Test func aStandingClockIsReadInEveryWay() async throws {
        try await World.with([]) { world in
            let instant_ms: Int64 = 1_325_239_199_123  // 2011-12-30T09:59:59.123Z
            let clock = try MovedClock(world, standsAt: instant_ms)
            for expected_ms in [instant_ms, instant_ms + Self.hour_ms] {
                let shown = try await Self.clocks(world)
                for name in ["realtime", "coarse", "gettimeofday", "date"] {
                    #expect(shown[name] == expected_ms, "\(name)")
                }
                #expect(shown["time"] == expected_ms / 1_000 * 1_000)
                clock.set(by: Self.hour_ms)
            }
        }
    }

    @Test func clocksMoveApart() async throws {
        try await World.with([]) { world in
            let clock = try MovedClock(world)
            let first = try await Self.clocks(world)
            clock.suspend(8 * Self.hour_ms)
            clock.set(by: -24 * Self.hour_ms)
            let second = try await Self.clocks(world)
            func moved(_ name: String) -> Int64 { (second[name] ?? 0) - (first[name] ?? 0) }
            #expect((0..<60_000).contains(moved("monotonic")))
            #expect((0..<60_000).contains(moved("boottime") - 8 * Self.hour_ms))
            #expect((0..<60_000).contains(moved("realtime") + 16 * Self.hour_ms))
            #expect((0..<60_000).contains(moved("date") + 16 * Self.hour_ms))
            try clock.reboot("another", in: world)
            #expect((0..<60_000).contains(try await Self.clocks(world)["boottime"] ?? -1))
        }
    }

    @Test func timersFollowTheirClockAndTellWhenItIsSet() async throws {
        try await World.with([]) { world in
            let clock = try MovedClock(world)
            let due_ms = clock.now_ms + 10 * Self.hour_ms
            let program = try world.launch(
                "clock-fixture", [Self.fixture, "timers", String(due_ms), String(9 * Self.hour_ms)])
            _ = try await program.line("armed")
            clock.set(by: -Self.hour_ms)
            _ = try await program.line("cancelled")
            clock.suspend(8 * Self.hour_ms)
            clock.set(by: 2 * Self.hour_ms)
            _ = try await program.wait(for: "two cancellations") { $0.lines.count == 3 ? 0 : nil }
            // 9 h are gone by the wall clock, 8 h by the boot's.
            clock.suspend(Self.hour_ms)
            #expect(try await program.exit() == 0)
            #expect(program.lines.count == 5)
            let wall = try #require(program.lines.first { $0.hasPrefix("realtime") })
            #expect(try #require(Int64(wall.split(separator: " ")[1])) >= due_ms)
            #expect(program.lines.contains { $0.hasPrefix("boottime") })
        }
    }

    @Test func aTimerOnAStandingClockIsDueWhenTheClockIsThere() async throws {
        try await World.with([]) { world in
            let clock = try MovedClock(world, standsAt: 1_000_000_000_000)
            let due_ms: Int64 = 1_000_000_000_000 + Self.hour_ms
            let program = try world.launch(
                "clock-fixture", [Self.fixture, "timers", String(due_ms), "1"])
            _ = try await program.line("boottime")
            clock.set(by: Self.hour_ms)
            #expect(try await program.exit() == 0)
            #expect(program.lines.contains("realtime \(due_ms)"))
        }
    }
}
