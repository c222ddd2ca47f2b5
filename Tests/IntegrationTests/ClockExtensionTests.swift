import Contract
import Glibc
import ScreenTimeTesting
import Testing
import Units

/// Extension programs live by the virtual clock, too; one that does not return is named.
@Suite struct ClockExtensionTests {
    @Test func anExtensionsOwnClockShowsTheCallbacksInstant() async throws {
        try await World.with(clock: "2026-03-02T00:00:00Z") { world in
            let bundle = try await world.approvedFixture()
            let activity = ActivityDefinition.daily(
                "school", from: (8, 0), to: (13, 0), warning: DateComponents(minute: 5))
            try await world.monitor([activity], client: bundle.client)
            try await world.clock.advance(.days(2))
            let lines = bundle.lines("instants").map { $0.split(separator: " ").map(String.init) }
            #expect(lines.count == 8)
            for line in lines { #expect(line[2] == line[3], "\(line)") }
            let starts = lines.filter { $0[0] == "intervalDidStart" }.map { $0[3] }
            let expected = try ["2026-03-02T08:00:00Z", "2026-03-03T08:00:00Z"].map {
                "\(try VirtualClock.instant($0))"
            }
            #expect(starts == expected)
        }
    }

    @Test func anExtensionThatHangsIsNamedAndARepeatGoesOn() async throws {
        try await World.with(clock: "2026-03-02T00:00:00Z") { world in
            let bundle = try await world.approvedFixture()
            try await world.monitor([.daily("school", from: (8, 0), to: (13, 0))], client: bundle.client)
            bundle.closeGate()
            let hung = try await world.command("clock", "advance", "1d", "--timeout", "1")
            #expect(hung.status == 75)
            let stands = "the clock stands at 2026-03-02T08:00:00.000Z: monitor-runner (pid "
            #expect(hung.errors.contains(stands))
            #expect(hung.errors.contains("org.example.app.monitor (pid "))
            #expect(hung.errors.contains("has not returned from intervalDidStart of activity school"))
            let status = try await world.command("clock", "status", "--json").json()
            #expect(status["still"] == false && status["now"] == "2026-03-02T08:00:00.000Z")
            await bundle.openGate(bundle.files)
            let drive = try await world.clock.advance(to: "2026-03-03T00:00:00Z")
            #expect(drive.now == (try VirtualClock.instant("2026-03-03T00:00:00Z")))
            #expect(
                bundle.callbacks == ["intervalDidStart school - 1", "intervalDidEnd school - 1"])
        }
    }

    /// Delivery back-off is virtual: the second attempt comes a virtual second later, at once for us.
    @Test func aFailedCallbackIsTriedAgainAVirtualSecondLater() async throws {
        try await World.with(clock: "2026-03-02T00:00:00Z") { world in
            let bundle = try await world.approvedFixture()
            try await world.monitor([.daily("school", from: (8, 0), to: (13, 0))], client: bundle.client)
            try bundle.write("", "throw-once")
            try await world.clock.advance(.hours(9))
            let start = try VirtualClock.instant("2026-03-02T08:00:00Z")
            #expect(
                bundle.lines("instants") == [
                    "intervalDidStart school \(start) \(start)",
                    "intervalDidStart school \(start) \(start + 1_000)",
                ])
        }
    }
}
