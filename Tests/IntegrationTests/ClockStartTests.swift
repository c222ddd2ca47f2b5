import Contract
import Foundation
import ScreenTimeTesting
import Testing
import Units

/// Where virtual time may start, and what the command line reports about it.
@Suite struct ClockStartTests {
    @Test func itBeginsUnderRunningServicesThatHoldNothing() async throws {
        try await World.with { world in
            let before = try await world.command("clock", "status", "--json").json()
            #expect(before["virtual"] == false)
            let start = try await world.command(
                "clock", "start-virtual", "2030-01-01T12:00:00+05:45", "--json")
            #expect(start.status == 0, "\(start.errors)")
            #expect(try start.json()["now"] == "2030-01-01T06:15:00.000Z")
            try await world.monitor([.daily("late", from: (20, 0), to: (21, 0))])
            // Others may still be applying events of activity-center.
            try await world.clock.settle()
            let status = try await world.command("clock", "status", "--json").json()
            #expect(status["virtual"] == true && status["still"] == true)
            #expect(status["next_due_of"] == "activity-center")
            let evening = try VirtualClock.instant("2030-01-01T20:00:00Z")
            #expect(status["next_due_ms"] == .integer(evening.milliseconds))
            let recorder = try world.record(.activity)
            #expect(try await world.command("clock", "advance", "13h50m").status == 0)
            #expect(
                try await world.callbacks(recorder) == [
                    "2030-01-01T20:00:00.000Z intervalDidStart late"
                ])
        }
    }

    @Test func whoHoldsSomethingKeepsItFromBeginning() async throws {
        try await World.with { world in
            _ = try await world.call(
                MemberAdd.self, MemberAdd.Params(name: "Ada"))
            let refused = try await world.command("clock", "start-virtual", "2030-01-01T00:00:00Z")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("auth-service already holds data: "))
            #expect(refused.errors.contains("'member'"))
            #expect(try await world.command("clock", "status", "--json").json()["virtual"] == false)
            #expect(try await world.command("clock", "advance", "1h").errors.contains("the machine's clock"))
        }
    }

    @Test func aStoppedServicesStateKeepsItFromBeginning() async throws {
        try await World.with(["auth-service"]) { world in
            #expect(try await world.process("auth-service").stop() == 0)
            let refused = try await world.command("clock", "start-virtual", "2030-01-01T00:00:00Z")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("it has 'auth-service', of a service that does not run"))
        }
    }

    @Test func whoWasKilledInAnEarlierLifeIsNotMissed() async throws {
        try await World.with(["auth-service"]) { world in
            try await world.process("auth-service").destroy()
            try FileManager.default.removeItem(atPath: world.directory + "/state")
            let start = try await world.command("clock", "start-virtual", "2030-01-01T00:00:00Z")
            #expect(start.status == 0, "\(start.errors)")
            #expect(try await world.command("clock", "advance", "1h").status == 0)
        }
    }

    @Test func aServiceFindsVirtualTimeAtItsStartAndAfterAKill() async throws {
        try await World.with(["activity-center"], clock: "2026-03-02T00:00:00Z") { world in
            try await world.monitor([.daily("school", from: (8, 0), to: (13, 0))])
            try await world.clock.advance(.hours(1))
            try await world.process("activity-center").destroy()
            try await world.start("activity-center")
            try await world.start("report-service")
            let recorder = try world.record(.activity)
            try await world.clock.advance(.hours(8))
            #expect(
                try await world.callbacks(recorder) == [
                    "2026-03-02T08:00:00.000Z intervalDidStart school"
                ])
        }
    }

    @Test func timeDoesNotGoBackAndWordsAreChecked() async throws {
        try await World.with([], clock: "2026-03-29T00:00:00Z") { world in
            for (instant, now) in [
                ("2026-03-29T01:30:00+01:00", "2026-03-29T00:30:00.000Z"),
                ("2026-03-28t20:30:00.5-05:00", "2026-03-29T01:30:00.500Z"),
                ("2028-02-29T23:59:59.9999z", "2028-02-29T23:59:59.999Z"),
            ] {
                let moved = try await world.command("clock", "advance-to", instant, "--json")
                #expect(moved.status == 0, "\(moved.errors)")
                #expect(try moved.json()["now"] == .string(now))
            }
            for (duration, now) in [
                ("1ms", "2028-03-01T00:00:00.000Z"), ("90s", "2028-03-01T00:01:30.000Z"),
                ("30d", "2028-03-31T00:01:30.000Z"), ("1h30m", "2028-03-31T01:31:30.000Z"),
            ] {
                let moved = try await world.command("clock", "advance", duration, "--json")
                #expect(try moved.json()["now"] == .string(now))
            }
            let back = try await world.command("clock", "start-virtual", "2028-03-30T00:00:00Z")
            #expect(back.status == 1 && back.errors.contains("time does not go back"))
            let noInstants = [
                "2026-02-29T00:00:00Z", "2028-04-01 00:00:00Z", "2028-04-01T00:00:00", "24:00", "",
            ]
            for wrong in noInstants {
                #expect(try await world.command("clock", "advance-to", wrong).status == 64, "\(wrong)")
            }
            for wrong in ["", "5", "h", "1h1h", "1x", "-5m", "1.5h", "999999999999999999d"] {
                #expect(try await world.command("clock", "advance", "--", wrong).status == 64, "\(wrong)")
            }
            #expect(try await world.command("clock", "advance-to", "2300-01-01T00:00:00Z").status == 1)
        }
    }
}
