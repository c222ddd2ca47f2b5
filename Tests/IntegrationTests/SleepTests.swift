import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing
import TestSupport
import Time
import Units

private let isDesktopHere = isX11Here && World.areInstalled("dbus-daemon")

/// The built agent between a double of logind, players and a real display: whether the person is present.
@Suite("sleep and lock", .enabled(if: isDesktopHere, "needs xvfb, openbox, xterm, xdotool and dbus"))
struct SleepTests {
    private static let minute: Milliseconds = 60_000
    private static let hour = 60 * minute

    /// A desktop with Alpha in the foreground, on clocks that the test moves.
    @LoopActor private final class Desk {
        let world: World
        let logind: LogindDouble
        let clock: MovedClock
        let events: EventRecorder

        static func with(
            idleSeconds: Int = 600, playing: [String] = [], _ body: @LoopActor (Desk) async throws -> Void
        ) async throws {
            try await World.withDesktop([], agent: false) { world in
                try await world.startSessionBus()
                try await LogindDouble.startBus(world)
                let logind = try LogindDouble(world)
                world.environment["SCREENTIME_IDLE_SECONDS"] = String(idleSeconds)
                for app in ["Beta", "Alpha"] {
                    let command = [
                        World.products + "/player-double", app, world.directory + "/" + app + ".pid",
                    ]
                    try await world.openTerminal(
                        app, playing.contains(app) ? command : ["sh", "-c", "read line"])
                }
                let desk = try await Desk(world, logind)
                try await desk.begin()
                try await body(desk)
            }
        }

        private init(_ world: World, _ logind: LogindDouble) async throws {
            self.world = world
            self.logind = logind
            clock = try MovedClock(world, startsAt: MovedHome.noon)
            try await world.start("activity-center")
            events = try world.record(.activity)
        }

        private func begin() async throws {
            try await world.start("desktop-agent")
            try await world.eventually("logind's session is known") { logind.delaysHeld == 1 }
            try await move()
            // It may be idle again when this is looked at.
            _ = try await events.first(UsageRecorded.self) { $0.subject == "alpha" && $0.openSince != nil }
        }

        /// Somebody moves the mouse.
        func move() async throws {
            try await world.xdotool("mousemove", "10", "10", "mousemove", "20", "20")
        }

        /// Waits until an app is in use.
        func open(_ app: String) async throws {
            _ = try await events.wait(for: "\(app) in use") {
                RecordedUsage(try $0.all(UsageRecorded.self)).open[app]
            }
        }

        /// Waits until nothing is in use.
        func closed() async throws {
            _ = try await events.wait(for: "nothing in use") {
                let usage = RecordedUsage(try $0.all(UsageRecorded.self))
                return usage.open.isEmpty ? 0 : nil
            }
        }

        /// Waits until the agent's last observation is idleness, at or after an instant: an earlier one,
        /// before the person became active, closed the use as well.
        func idle(after at: Instant) async throws {
            try await world.eventually("idle after \(at)") {
                guard let last = try await told().last else { return false }
                return last.kind == .idle && last.at >= at
            }
        }

        /// Time passes in which the agent sends each heartbeat.
        func live(_ milliseconds: Milliseconds) async throws {
            let end = clock.now + milliseconds
            while clock.now < end {
                clock.pass(min(30_500, end - clock.now + 1))
                let now = clock.now
                guard now < end else { return }
                try await seen(after: now - 5_000)
            }
        }

        /// Moves the clock until the agent's next heartbeat is due, and waits until it is recorded.
        func heartbeat() async throws {
            clock.pass(30_500)
            try await seen(after: clock.now - 5_000)
        }

        /// Waits for an observation of the agent at or after an instant.
        func seen(after at: Instant) async throws {
            let deadline = MonotonicClock.now + 180_000
            var looks = Looks()
            while MonotonicClock.now < deadline {
                if let last = try await told().last, last.at >= at { return }
                await looks.pause()
            }
            throw Overdue("an observation of the agent; seen: \(try await told().suffix(3))")
        }

        /// The agent's observations, in order.
        func told() async throws -> [Observation] {
            var all: [Observation] = []
            var page: String?
            repeat {
                let answer = try await world.call(UsageExport.self, UsageExport.Params(page: page))
                all += answer.observations
                page = answer.nextPage
            } while page != nil
            return all
        }

        /// Closed use of an app, milliseconds.
        func total(_ app: String) async throws -> Milliseconds {
            let answer = try await world.call(
                UsageRead.self, UsageRead.Params(subject: app, from: 0, to: 4_000_000_000_000))
            return answer.usage.flatMap(\.intervals).map { $0.end - $0.start }.reduce(.zero, +)
        }

        /// Tells a player to play or to pause.
        func player(_ app: String, plays: Bool) async throws {
            let file = world.directory + "/" + app + ".pid"
            try await world.eventually("\(app)'s player") { world.readText(file).hasSuffix("\n") }
            let pid = try #require(Int32(world.readText(file).dropLast()))
            kill(pid, plays ? SIGUSR1 : SIGUSR2)
            let client = try world.agentClient()
            defer { client.close() }
            let wanted: Int64 = plays ? 1 : 0
            let deadline = MonotonicClock.now + 180_000
            var looks = Looks()
            while MonotonicClock.now < deadline {
                let health = try await client.call(HealthCheck.self, Nothing())
                if health.counters.first(where: { $0.name == "players" })?.count == wanted { return }
                await looks.pause()
            }
            throw Overdue("\(app)'s player: \(plays)")
        }
    }

    @Test func lockedForTenMinutesIsNoUseAndThenAPickup() async throws {
        try await Desk.with { desk in
            try await desk.live(5 * Self.minute)
            desk.logind.signal("Lock")
            try await desk.closed()
            desk.logind.setLockedHint(true)
            desk.clock.pass(10 * Self.minute)
            desk.logind.setLockedHint(false)
            try await desk.open("alpha")
            try await desk.live(Self.minute)
            desk.logind.setActive(false)
            try await desk.closed()
            #expect(isNear(try await desk.total("alpha"), 6 * Self.minute))
            let kinds = try await desk.told().map(\.kind).filter { [.locked, .unlocked].contains($0) }
            #expect(kinds == [.locked, .unlocked, .locked])
            let pickups = try desk.events.all(UsageRecorded.self).flatMap(\.pickups)
            #expect(Set(pickups).count == 1)
        }
    }

    @Test func eightHoursOfAnnouncedSleepAreNoUse() async throws {
        try await Desk.with { desk in
            try await desk.live(5 * Self.minute)
            desk.logind.prepareForSleep(true)
            // The agent lets the machine sleep when the end of the use is safe.
            try await desk.world.eventually("the agent lets it sleep") { desk.logind.delaysHeld == 0 }
            #expect(try await desk.told().last?.kind == .suspend)
            desk.clock.suspend(8 * Self.hour)
            desk.logind.prepareForSleep(false)
            try await desk.open("alpha")
            try await desk.world.eventually("the next sleep is held back") { desk.logind.delaysHeld == 1 }
            try await desk.live(3 * Self.minute)
            desk.logind.setLockedHint(true)
            try await desk.closed()
            #expect(isNear(try await desk.total("alpha"), 8 * Self.minute))
            #expect(try await desk.world.call(TimeStatus.self, Nothing()).held == 0)
        }
    }

    @Test func aSleepThatNobodyAnnouncedEndsAtTheLastSignOfLife() async throws {
        try await Desk.with { desk in
            try await desk.live(5 * Self.minute)
            // `live` does not wait for the agent at its end; after a heartbeat none is due for 30 s.
            try await desk.heartbeat()
            desk.clock.suspend(8 * Self.hour)
            try await desk.seen(after: desk.clock.now - 10_000)
            // The agent sends them one after the other.
            try await desk.world.eventually("it is awake") {
                try await desk.told().suffix(2).map(\.kind) == [.resume, .alive]
            }
            try await desk.live(3 * Self.minute)
            desk.logind.setLockedHint(true)
            try await desk.closed()
            let total = try await desk.total("alpha")
            #expect((7 * Self.minute...9 * Self.minute).contains(total), "\(total)")
        }
    }

    @Test func logindMayComeLater() async throws {
        try await World.withDesktop([], agent: false) { world in
            try await LogindDouble.startBus(world)
            try await world.openTerminal("Alpha")
            try await world.start("activity-center")
            try await world.start("desktop-agent")
            let without = try await world.screentime("doctor")
            #expect(without.lines.contains { $0.contains("logind: has no session of the desktop agent") })
            let logind = try LogindDouble(world)
            try await world.eventually("its session is found") { logind.delaysHeld == 1 }
            let events = try world.record(.activity)
            _ = try await events.first(UsageRecorded.self) { $0.openSince != nil }
            logind.setLockedHint(true)
            _ = try await events.first(UsageRecorded.self) { !$0.intervals.isEmpty }
            let with = try await world.screentime("doctor")
            #expect(with.lines.contains { $0.contains("logind: tells of lock and sleep") })
        }
    }

    @Test func whatPlaysInFrontHoldsIdlenessBack() async throws {
        try await Desk.with(idleSeconds: 1, playing: ["Alpha", "Beta"]) { desk in
            try await desk.player("Alpha", plays: true)
            try await desk.move()
            _ = try await desk.world.agentSpan("the alarm is held back") { $0.name == "idle held back" }
            let before = desk.clock.now
            try await desk.live(20 * Self.minute)
            #expect(try await desk.told().last?.kind == .alive)
            try await desk.player("Alpha", plays: false)
            try await desk.closed()
            #expect(try await desk.told().last?.kind == .idle)
            #expect(try await desk.total("alpha") >= 20 * Self.minute)
            #expect(desk.clock.now - before < 22 * Self.minute)
        }
    }

    @Test func whatPlaysInTheBackgroundDoesNot() async throws {
        try await Desk.with(idleSeconds: 1, playing: ["Alpha", "Beta"]) { desk in
            try await desk.player("Beta", plays: true)
            let moved = desk.clock.now
            try await desk.move()
            try await desk.idle(after: moved)
            // Brought to front it counts.
            let found = try await desk.world.run(
                "xdotool", ["xdotool", "search", "--onlyvisible", "--class", "^BetaApp$"])
            try await desk.world.xdotool("windowactivate", "--sync", try #require(found.lines.first))
            try await desk.open("beta")
        }
    }

    @Test func aProgramThatInhibitsIdlenessCountsOnlyInFront() async throws {
        try await Desk.with(idleSeconds: 1) { desk in
            desk.logind.setInhibitors([("Beta", 1)])
            try await desk.move()
            try await desk.closed()
            desk.logind.setInhibitors([("Beta", 1), ("alpha", 1)])
            try await desk.open("alpha")
            try await desk.live(2 * Self.minute)
            desk.logind.setInhibitors([])
            try await desk.closed()
            #expect(try await desk.total("alpha") >= 2 * Self.minute)
        }
    }
}
