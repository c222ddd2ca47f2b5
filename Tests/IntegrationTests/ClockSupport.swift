import Contract
import ScreenTimeTesting

/// What the tests of the virtual clock do again and again.
extension World {
    /// The callbacks that a service has published: the instant in the event's head, and the activity.
    func callbacks(_ recorder: EventRecorder) async throws -> [String] {
        let head = try await health(.activity).head
        _ = try await recorder.wait(for: "sequence \(head)") { recorder in
            recorder.events.last?.sequence ?? 0 >= head ? true : nil
        }
        return try recorder.events.filter { $0.type.hasPrefix("activity.") }.map { event in
            let about = try event.event.data.map { try ActivityCallback.decode($0.bytes) }
            let name = [about?.activity, about?.event].compactMap(\.self).joined(separator: "/")
            return "\(event.event.head.time) \(event.type.dropFirst(9)) \(name)"
        }
    }

    /// The person uses an app from now on for so long; the sensor gives its signs of life.
    func use(_ app: String, for duration: Duration, device: String = "laptop") async throws {
        func tell(_ kind: ObservationKind) async throws {
            var observation = Observation(at: try clock.now, kind: kind)
            if kind == .focus { (observation.app, observation.ordinal) = (app, 1) }
            try await observe([observation], device: device)
        }
        try await tell(.active)
        try await tell(.focus)
        let sign = Duration.seconds(30)
        var left = duration
        while left > sign {
            try await clock.advance(sign)
            try await tell(.alive)
            left -= sign
        }
        try await clock.advance(left)
        try await tell(.idle)
        try await clock.settle()
    }

    /// An app with a monitor extension, approved, and its program installed.
    func approvedFixture(_ client: String = "org.example.app") async throws -> FixtureBundle {
        try await approve(client, try record(.auth))
        return try await FixtureBundle(self, client: client)
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
