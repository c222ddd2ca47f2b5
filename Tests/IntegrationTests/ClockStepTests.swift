import Contract
import ScreenTimeTesting
import Testing
import Units

/// What people do to the clock, to the built programs.
@Suite("clock steps") struct ClockStepTests {
    private static let day: Milliseconds = 86_400_000
    private static let start = "activity.intervalDidStart"
    private static let end = "activity.intervalDidEnd"
    private static let reached = "activity.eventDidReachThreshold"

    @Test func aReachedLimitStaysReachedWhateverIsDoneToTheClock() async throws {
        try await World.with([]) { world in
            let home = try await MovedHome(world)
            try await home.limit()
            try await home.play(11 * MovedHome.minute)
            #expect(try await home.told() == [Self.start, Self.reached])
            for step in [Self.day, -2 * Self.day, Self.day - 40 * MovedHome.minute] {
                try await home.set(by: step)
                try await home.play(12 * MovedHome.minute)
            }
            #expect(try await home.told() == [Self.start, Self.reached])
            #expect(isNear(try await home.total(), 47 * MovedHome.minute))
            // All of it lies in the one day that it took.
            let usage = try await world.call(
                UsageRead.self,
                UsageRead.Params(
                    subject: "game", from: MovedHome.noon, to: MovedHome.noon + MovedHome.hour))
            let inside = usage.usage.flatMap(\.intervals).reduce(0) { $0 + $1.end - $1.start }
            #expect(inside == (try await home.total()))
        }
    }

    @Test func aStepIsNamedWithItsRemedyAndConfirmed() async throws {
        try await World.with([]) { world in
            let home = try await MovedHome(world)
            try await home.limit()
            try await home.play(11 * MovedHome.minute)
            try await home.set(by: Self.day)
            #expect(isNear(try await world.call(TimeStatus.self, Nothing()).held, Self.day))
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
            try await home.play(11 * MovedHome.minute)
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
            home.clock.set(by: Self.day)
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
            try await home.play(11 * MovedHome.minute)
            try await world.process("activity-center").destroy()
            home.clock.set(by: Self.day)
            try await world.start("activity-center")
            try await home.play(11 * MovedHome.minute)
            #expect(isNear(try await home.held { $0 != 0 }, Self.day))
            // And again, now that it is known.
            try await world.process("activity-center").stop()
            try await world.start("activity-center")
            #expect(isNear(try await world.call(TimeStatus.self, Nothing()).held, Self.day))
            #expect(try await home.told() == [Self.start, Self.reached])
            #expect(isNear(try await home.total(), 22 * MovedHome.minute))
        }
    }

    @Test func aRebootOpensNothingAgain() async throws {
        try await World.with([]) { world in
            let home = try await MovedHome(world)
            try await home.limit()
            try await home.play(11 * MovedHome.minute)
            try await home.set(by: Self.day)
            try await home.tell(.idle)
            for (boot, step) in [("second", Milliseconds.zero), ("third", -3 * Self.day)] {
                try await world.process("activity-center").destroy()
                home.clock.set(by: step)
                home.clock.pass(MovedHome.minute)
                try home.clock.reboot(boot, in: world)
                try await world.start("activity-center")
                try await home.play(11 * MovedHome.minute)
                #expect(try await home.told() == [Self.start, Self.reached], "\(boot)")
            }
            #expect(isNear(try await home.total(), 33 * MovedHome.minute))
        }
    }

    /// After a boot with its clock put back the sensor is there first, and activity-center later.
    @Test func whatWasSeenBeforeTheFirstReadingOfABootIsKept() async throws {
        for step in [-3 * Self.day, -90_000] {
            try await World.with([]) { world in
                let home = try await MovedHome(world)
                try await home.play(11 * MovedHome.minute)
                try await world.process("activity-center").destroy()
                home.clock.set(by: step)
                try home.clock.reboot("second", in: world)
                let early = Observation(
                    at: home.clock.now, kind: .focus, app: "game", bootID: home.clock.bootID,
                    boottime: home.clock.elapsed)
                home.clock.pass(5 * MovedHome.minute)
                try await world.start("activity-center")
                try await world.observe([early], device: "here")
                home.clock.pass(6 * MovedHome.minute)
                try await home.tell(.focus)
                let total = try await home.total()
                #expect(isNear(total, 22 * MovedHome.minute), "\(step): \(total)")
            }
        }
    }

    @Test func reportsOfWhatIsInUseStaySane() async throws {
        try await World.with([]) { world in
            let home = try await MovedHome(world, ["activity-center", "report-service"])
            try await home.tell(.focus, "game")
            for step in [Self.day, -2 * Self.day] {
                home.clock.pass(10 * MovedHome.minute)
                try await home.tell(.alive)
                try await home.set(by: step)
                _ = try await home.held { $0.count.signum() == step.count.signum() }
                let head = try await world.health(.activity).head
                let report = try await world.call(
                    ReportQuery.self, ReportQuery.Params(from: "2026-06-14", to: "2026-06-17", zone: "UTC"),
                    notBefore: [Position(.activity, head)])
                let total = report.rows.reduce(0) { $0 + $1.value }
                #expect(total <= 21 * MovedHome.minute.count && total >= 9 * MovedHome.minute.count)
            }
        }
    }
}
