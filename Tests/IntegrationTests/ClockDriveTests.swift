import Bus
import Contract
import TestSupport
import Testing

/// The virtual clock moves the built processes: everything in order, at its own instant.
@Suite struct ClockDriveTests {
    private static let services = ["auth-service", "activity-center", "shield-service", "notifier"]

    /// A day of monitoring as activity-center tells it: type, instant in the event's head, and what it is
    /// about.
    @BusActor private static func told(_ recorder: EventRecorder) throws -> [String] {
        try recorder.events.filter { $0.type.hasPrefix("activity.") }.map { event in
            let about = try event.event.data.map { try ActivityCallback.decode($0.bytes) }
            let name = [about?.activity, about?.event].compactMap(\.self).joined(separator: "/")
            return "\(event.event.head.time) \(event.type.dropFirst(9)) \(name)"
        }
    }

    @Test func everyCallbackComesAtItsOwnInstantAndInOrder() async throws {
        try await World.with(clock: "2026-03-02T00:00:00Z") { world in
            let recorder = try world.record(.activity)
            let runner = try world.record(.monitor)
            try await world.monitor([
                .daily("school", from: (8, 0), to: (13, 0), warning: DateComponents(minute: 5)),
                .daily("lessons", from: (8, 0), to: (13, 0)),
            ])
            try await world.clock.advance(.days(1))
            #expect(
                try Self.told(recorder) == [
                    "2026-03-02T07:55:00.000Z intervalWillStartWarning school",
                    "2026-03-02T08:00:00.000Z intervalDidStart lessons",
                    "2026-03-02T08:00:00.000Z intervalDidStart school",
                    "2026-03-02T12:55:00.000Z intervalWillEndWarning school",
                    "2026-03-02T13:00:00.000Z intervalDidEnd lessons",
                    "2026-03-02T13:00:00.000Z intervalDidEnd school",
                ])
            let deliveries = try runner.all(CallbackDelivered.self).map(\.delivery)
            #expect(deliveries.map(\.finishedMs) == deliveries.map(\.about.atMs))
            #expect(deliveries.count == 6)
            #expect(try world.clock.nowMs == VirtualClock.milliseconds("2026-03-03T00:00:00Z"))
        }
    }
}

extension ActivityDefinition {
    /// Each day between two times of day, hour and minute.
    static func daily(
        _ name: String, from start: (Int64, Int64), to end: (Int64, Int64), warning: DateComponents? = nil,
        events: [EventDefinition] = []
    ) -> ActivityDefinition {
        ActivityDefinition(
            name: name,
            schedule: Schedule(
                intervalStart: DateComponents(hour: start.0, minute: start.1),
                intervalEnd: DateComponents(hour: end.0, minute: end.1), repeats: true,
                warningTime: warning),
            events: events)
    }
}
