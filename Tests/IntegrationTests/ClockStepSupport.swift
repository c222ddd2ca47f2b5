import Contract
import Loop
import ScreenTimeTesting
import Testing
import TestSupport
import Units

/// The built programs on clocks that a test moves, with one app, `game`, seen by a sensor of the same
/// machine.
@LoopActor struct MovedHome {
    static let hour: Milliseconds = 3_600_000
    static let minute: Milliseconds = 60_000
    /// 2026-06-15T12:00:00Z, a Monday.
    static let noon: Instant = 1_781_524_800_000

    let world: World
    let clock: MovedClock
    let events: EventRecorder

    init(_ world: World, startsAt: Instant = noon, _ services: [String] = ["activity-center"]) async throws {
        self.world = world
        clock = try MovedClock(world, startsAt: startsAt)
        for service in services { try await world.start(service) }
        events = try world.record(.activity)
    }

    func tell(_ kind: ObservationKind, _ app: String? = nil) async throws {
        let told = Observation(
            at: clock.now, kind: kind, app: app, bootID: clock.bootID, boottime: clock.elapsed)
        try await world.observe([told], device: "here")
    }

    /// Uses `game` for this long, and reports it as a sensor would, without heartbeats in between.
    func play(_ milliseconds: Milliseconds) async throws {
        try await tell(.focus, "game")
        clock.pass(milliseconds)
        try await tell(.focus)
    }

    /// A day's limit of ten minutes for `game`.
    func limit() async throws {
        let event = EventDefinition(
            name: "enough", applications: ["game"], threshold: DateComponents(minute: 10))
        try await world.monitor([.allDay("daily", [event])])
    }

    /// Sets the clock, and waits until it is known.
    func set(by milliseconds: Milliseconds) async throws {
        clock.set(by: milliseconds)
        _ = try await held { milliseconds == 0 || $0 != 0 }
    }

    /// Waits for the last published step.
    @discardableResult
    func held(_ condition: @escaping @LoopActor (Milliseconds) -> Bool) async throws -> Milliseconds {
        try await events.wait(for: "what is held") { recorder in
            (try recorder.all(TimeHeld.self).last?.held).flatMap { condition($0) ? $0 : nil }
        }
    }

    /// All events up to now.
    func told() async throws -> [String] {
        let head = try await world.health(.activity).head
        return try await events.wait(for: "events up to \(head)") { recorder in
            guard recorder.events.last?.sequence ?? 0 >= head else { return nil }
            return recorder.types.filter { $0.hasPrefix("activity.") }
        }
    }

    /// Closed use of `game`, milliseconds, wherever it lies.
    func total() async throws -> Milliseconds {
        let answer = try await world.call(
            UsageRead.self, UsageRead.Params(subject: "game", from: 0, to: 4_000_000_000_000))
        return answer.usage.flatMap(\.intervals).reduce(0) { $0 + $1.end - $1.start }
    }
}

/// Equal but for the moments that a test itself takes.
func isNear(_ left: Milliseconds, _ right: Milliseconds) -> Bool { abs(left - right) < 30_000 }
