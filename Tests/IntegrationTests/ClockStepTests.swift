import Contract
import ScreenTimeTesting
import Testing

/// What people do to the clock, to the built programs.
@Suite("clock steps") struct ClockStepTests {
    private static let day_ms: Int64 = 86_400_000
    private static let start = "activity.intervalDidStart"
    private static let end = "activity.intervalDidEnd"
    private static let reached = "activity.eventDidReachThreshold"

    @Test func aReachedLimitStaysReachedWhateverIsDoneToTheClock() async throws {
        try await World.with([]) { world in
            let home = try await MovedHome(world)
            try await home.limit()
            try await home.play(11 * MovedHome.minute_ms)
            #expect(try await home.told() == [Self.start, Self.reached])
            for step_ms in [Self.day_ms, -2 * Self.day_ms, Self.day_ms - 40 * MovedHome.minute_ms] {
                try await home.set(by: step_ms)
                try await home.play(12 * MovedHome.minute_ms)
            }
            #expect(try await home.told() == [Self.start, Self.reached])
            #expect(isNear(try await home.total(), 47 * MovedHome.minute_ms))
            // All of it lies in the one day that it took.
            let usage = try await world.call(
                UsageRead.self,
                UsageRead.Params(
                    subject: "game", fromMs: MovedHome.noon_ms, toMs: MovedHome.noon_ms + MovedHome.hour_ms))
            let inside = usage.usage.flatMap(\.intervals).reduce(0) { $0 + $1.endMs - $1.startMs }
            #expect(inside == (try await home.total()))
        }
    }

    @Test func aStepIsNamedWithItsRemedyAndConfirmed() async throws {
        try await World.with([]) { world in
            let home = try await MovedHome(world)
            try await home.limit()
            try await home.play(11 * MovedHome.minute_ms)
            try await home.set(by: Self.day_ms)
            #expect(isNear(try await world.call(TimeStatus.self, Nothing()).heldMs, Self.day_ms))
            let found = try await world.screentime("doctor")
            #expect(found.lines.contains { $0.contains("time: the clock was set forward by 24 h 00 min") })
            #expect(found.lines.contains { $0.contains("`screentime clock confirm`") })
            let problems = try await world.health(.activity).degradedBy
            #expect(problems.contains { $0.contains("set forward by 24 h 0 min 0 s") })
            #expect(try await home.told() == [Self.start, Self.reached])

            let confirmed = try await world.screentime("clock", "confirm")
            #expect(confirmed.status == 0)
            #expect(confirmed.lines.first?.contains("time went forward by") == true)
            _ = try await home.events.wait(for: "the next day") {
                $0.types.filter { $0 == Self.start }.count == 2 ? 0 : nil
            }
            #expect(try await home.told() == [Self.start, Self.reached, Self.end, Self.start])
            try await home.play(11 * MovedHome.minute_ms)
            #expect(try await home.told().filter { $0 == Self.reached }.count == 2)
            #expect(try await world.health(.activity).degradedBy.isEmpty)
            let again = try await world.screentime("clock", "confirm")
            #expect(again.lines.first?.hasPrefix("The clock was believed already") == true)
        }
    }

    @Test func timeSynchronisationNeedsNobody() async throws {
        try await World.with([]) { world in
            let home = try await MovedHome(world)
            try await home.limit()
            home.clock.setSynchronised(true)
            home.clock.set(by: Self.day_ms)
            _ = try await home.events.wait(for: "the next day") {
                $0.types.filter { $0 == Self.start }.count == 2 ? 0 : nil
            }
            #expect(try home.events.all(TimeHeld.self).isEmpty)
            #expect(try await world.call(TimeStatus.self, Nothing()).isSynchronised)
        }
    }

    @Test func aStepWhileNobodyWatchedIsFoundAtTheStart() async throws {
        try await World.with([]) { world in
            let home = try await MovedHome(world)
            try await home.limit()
            try await home.play(11 * MovedHome.minute_ms)
            try await world.process("activity-center").destroy()
            home.clock.set(by: Self.day_ms)
            try await world.start("activity-center")
            try await home.play(11 * MovedHome.minute_ms)
            #expect(isNear(try await home.held { $0 != 0 }, Self.day_ms))
            // And again, now that it is known.
            try await world.process("activity-center").stop()
            try await world.start("activity-center")
            #expect(isNear(try await world.call(TimeStatus.self, Nothing()).heldMs, Self.day_ms))
            #expect(try await home.told() == [Self.start, Self.reached])
            #expect(isNear(try await home.total(), 22 * MovedHome.minute_ms))
        }
    }

    @Test func aRebootOpensNothingAgain() async throws {
        try await World.with([]) { world in
            let home = try await MovedHome(world)
            try await home.limit()
            try await home.play(11 * MovedHome.minute_ms)
            try await home.set(by: Self.day_ms)
            try await home.tell(.idle)
            for (boot, step_ms) in [("second", Int64(0)), ("third", -3 * Self.day_ms)] {
                try await world.process("activity-center").destroy()
                home.clock.set(by: step_ms)
                home.clock.pass(MovedHome.minute_ms)
                try home.clock.reboot(boot, in: world)
                try await world.start("activity-center")
                try await home.play(11 * MovedHome.minute_ms)
                #expect(try await home.told() == [Self.start, Self.reached], "\(boot)")
            }
            #expect(isNear(try await home.total(), 33 * MovedHome.minute_ms))
        }
    }

    /// After a boot with its clock put back the sensor is there first, and activity-center later.
    @Test func whatWasSeenBeforeTheFirstReadingOfABootIsKept() async throws {
        for step_ms in [-3 * Self.day_ms, -90_000] {
            try await World.with([]) { world in
                let home = try await MovedHome(world)
                try await home.play(11 * MovedHome.minute_ms)
                try await world.process("activity-center").destroy()
                home.clock.set(by: step_ms)
                try home.clock.reboot("second", in: world)
                let early = Observation(
                    atMs: home.clock.now_ms, kind: .focus, app: "game", bootID: home.clock.bootID,
                    boottimeMs: home.clock.elapsed_ms)
                home.clock.pass(5 * MovedHome.minute_ms)
                try await world.start("activity-center")
                try await world.observe([early], device: "here")
                home.clock.pass(6 * MovedHome.minute_ms)
                try await home.tell(.focus)
                let total_ms = try await home.total()
                #expect(isNear(total_ms, 22 * MovedHome.minute_ms), "\(step_ms): \(total_ms)")
            }
        }
    }

    @Test func reportsOfWhatIsInUseStaySane() async throws {
        try await World.with([]) { world in
            let home = try await MovedHome(world, ["activity-center", "report-service"])
            try await home.tell(.focus, "game")
            for step_ms in [Self.day_ms, -2 * Self.day_ms] {
                home.clock.pass(10 * MovedHome.minute_ms)
                try await home.tell(.alive)
                try await home.set(by: step_ms)
                _ = try await home.held { $0.signum() == step_ms.signum() }
                let head = try await world.health(.activity).head
                let report = try await world.call(
                    ReportQuery.self, ReportQuery.Params(from: "2026-06-14", to: "2026-06-17", zone: "UTC"),
                    notBefore: [Position(.activity, head)])
                let total_ms = report.rows.reduce(0) { $0 + $1.value }
                #expect(total_ms <= 21 * MovedHome.minute_ms && total_ms >= 9 * MovedHome.minute_ms)
            }
        }
    }
}
