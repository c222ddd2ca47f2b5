import ActivityCore
import Contract
import Loop
import Replay
import Rules
import Schedules
import Units

/// The callbacks of a week: told as the replay of the acknowledged observations tells them, and each of them
/// returned once.
extension Oracle {
    /// A callback as activity-center told it.
    private struct Told {
        var about: ActivityCallback
        var callback: CallbackName
        /// When it was told, as ``UTCTime`` writes it.
        var time: String

        var key: CallbackIdentity {
            CallbackIdentity(
                activity: about.activity, callback: callback, event: about.event ?? "", at: about.at)
        }
    }

    private struct CallbackIdentity: Hashable, Comparable, CustomStringConvertible {
        var activity: String
        var callback: CallbackName
        var event: String
        var at: Instant

        var description: String { "\(activity) \(callback.rawValue) \(event) \(at)" }
        static func < (one: Self, other: Self) -> Bool { one.description < other.description }
    }

    func checkCallbacks() {
        let told = toldCallbacks()
        for (_, activity) in week.registered.sorted(by: { $0.key < $1.key }) {
            compare(told.filter { $0.about.activity == activity.activity.name }, of: activity)
        }
        let keys = told.map { one in
            SimulatedPrograms.CallbackKey(
                program: SimulatedPrograms.limits.id, activity: one.about.activity,
                registered: one.about.registered ?? 0, occurrence: one.about.occurrenceStart,
                callback: one.callback.rawValue, event: one.about.event ?? "")
        }
        let returned = week.system.programs.returned
        for key in Set(keys).union(returned.keys).sorted() where returned[key] != 1 {
            violate("the callback \(key) returned \(returned[key] ?? 0) times")
        }
    }

    private func toldCallbacks() -> [Told] {
        guard let center = week.system.program(ActivityCenter.self) else { return [] }
        return events(of: center.service).compactMap { event in
            let callback = CallbackName.allCases.first { $0.eventType == event.head.type }
            // All six have these fields only; an event that has not is missed by the comparison.
            guard let callback, let data = event.data,
                let about = try? IntervalDidStart.decode(data.bytes).about
            else { return nil }
            return Told(about: about, callback: callback, time: event.head.time)
        }
    }

    private func compare(_ all: [Told], of activity: MonitoredActivity) {
        guard let last = week.sensor.acknowledged.map(\.at).max() else { return }
        // The replay ends with the last observation.
        let told = all.filter { $0.about.at <= last }
        var expected: [CallbackIdentity: Int] = [:]
        for one in replayed(activity, week.sensor.acknowledged) { expected[one, default: 0] += 1 }
        var counts: [CallbackIdentity: Int] = [:]
        for one in told {
            let key = expected[one.key] == nil ? knownLater(one, activity, expected) ?? one.key : one.key
            counts[key, default: 0] += 1
        }
        for key in Set(counts.keys).union(expected.keys).sorted() where counts[key] != expected[key] {
            violate("the event \(key) was told \(counts[key] ?? 0) times, not \(expected[key] ?? 0)")
        }
    }

    /// A crossing is told when it is due by what activity-center knows. An observation that was delayed by
    /// the bus, or by a restart, can show afterwards that the app was not used then; the callback stays.
    /// - Returns: the crossing that would have been told instead, if so.
    private func knownLater(
        _ one: Told, _ activity: MonitoredActivity, _ expected: [CallbackIdentity: Int]
    ) -> CallbackIdentity? {
        let sensor = week.sensor
        let known = sensor.acknowledgedAt.prefix { UTCTime.text($0) < one.time }.count
        let unknown = sensor.acknowledged[known...].prefix { $0.at <= one.about.at }
        let wasDue = unknown.indices.contains { end in
            let alive = Observation(at: one.about.at, kind: .alive)
            return replayed(activity, sensor.acknowledged[..<end] + [alive]).contains(one.key)
        }
        guard wasDue else { return nil }
        week.system.count("crossings told before their observations")
        return expected.keys.filter {
            ($0.activity, $0.callback, $0.event) == (one.key.activity, one.key.callback, one.key.event)
                && $0.at > one.key.at && $0.at < one.about.occurrenceEnd
        }.min()
    }

    private func replayed(
        _ activity: MonitoredActivity, _ observations: some Sequence<Observation>
    ) -> [CallbackIdentity] {
        let changes = Self.changes(Array(observations))
        let device = ImportedDevice(name: week.sensor.device, model: "linux", changes: changes)
        guard let replay = Replay([device]) else { return [] }
        do {
            return try replay.callbacks(
                of: [activity.activity], zone: Zone("UTC"), registered: activity.registered
            ).map {
                CallbackIdentity(
                    activity: $0.activity, callback: $0.callback, event: $0.event ?? "", at: $0.at)
            }
        } catch {
            violate("the replay failed: \(error)")
            return []
        }
    }
}
