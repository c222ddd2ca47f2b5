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
    struct Told {
        var about: ActivityCallback
        var callback: CallbackName
        /// When it was told.
        var time: Instant

        fileprivate var key: CallbackIdentity {
            CallbackIdentity(
                activity: about.activity, callback: callback, event: about.event ?? "", at: about.at)
        }
    }

    fileprivate struct CallbackIdentity: Hashable, Comparable, CustomStringConvertible {
        var activity: String
        var callback: CallbackName
        var event: String
        var at: Instant

        var description: String { "\(activity) \(callback.rawValue) \(event) \(at)" }
        static func < (one: Self, other: Self) -> Bool { one.description < other.description }
    }

    func checkCallbacks() {
        for (_, activity) in week.registered.sorted(by: { $0.key < $1.key }) {
            compare(told.filter { $0.about.activity == activity.activity.name }, of: activity)
        }
        let keys = told.map { Self.key(of: $0.about, $0.callback) }
        let returned = week.system.programs.returned
        for key in Set(keys).union(returned.keys).sorted() where returned[key] != 1 {
            violate("the callback \(key) returned \(returned[key] ?? 0) times")
        }
    }

    private static func key(
        of about: ActivityCallback, _ callback: CallbackName
    ) -> SimulatedPrograms.CallbackKey {
        SimulatedPrograms.CallbackKey(
            program: SimulatedPrograms.limits.id, activity: about.activity,
            registered: about.registered ?? 0, occurrence: about.occurrenceStart,
            callback: callback.rawValue, event: about.event ?? "")
    }

    func toldCallbacks() -> [Told] {
        week.witness.events(of: .activity).compactMap { one in
            let event = one.event
            let callback = CallbackName.allCases.first { $0.eventType == event.head.type }
            // All six have these fields only; an event that has not is missed by the comparison.
            guard let callback, let data = event.data,
                let about = try? IntervalDidStart.decode(data.bytes).about
            else { return nil }
            return Told(about: about, callback: callback, time: one.time)
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
            if expected[one.key] == nil, wasDue(one, activity) {
                week.system.count("crossings told before their observations")
                // Or it is never reached.
                if let later = later(than: one, expected.keys) { counts[later, default: 0] += 1 }
            } else {
                counts[one.key, default: 0] += 1
            }
        }
        for key in Set(counts.keys).union(expected.keys).sorted() where counts[key] != expected[key] {
            violate("the event \(key) was told \(counts[key] ?? 0) times, not \(expected[key] ?? 0)")
        }
    }

    /// A crossing is told when it is due by what activity-center knows. An observation that was delayed by
    /// the bus or by a restart, or a silence, can show afterwards that the app was not used then; the
    /// callback stays.
    private func wasDue(_ one: Told, _ activity: MonitoredActivity) -> Bool {
        let sensor = week.sensor
        let known = sensor.acknowledgedAt.prefix { $0 < one.time }.count
        let unknown = sensor.acknowledged[known...].prefix { $0.at <= one.about.at }
        // With all of them, the sensor fell silent after the last heartbeat.
        return (known...known + unknown.count).contains { end in
            let alive = Observation(at: one.about.at, kind: .alive)
            return replayed(activity, sensor.acknowledged[..<end] + [alive]).contains(one.key)
        }
    }

    /// The same crossing, as everything that is known now has it.
    private func later(
        than one: Told, _ expected: some Sequence<CallbackIdentity>
    ) -> CallbackIdentity? {
        expected.filter {
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

    // MARK: the activity that comes and goes

    /// Each of its registrations was told as the replay tells it, until it was replaced or stopped.
    func checkComesAndGoes() {
        let told = told.filter { $0.about.activity == PersonsDay.activity }
        for one in week.day.extra {
            let number = one.monitored.registration
            check(told.filter { $0.about.registration == number }, of: one)
        }
        let numbers = Set(week.day.extra.map(\.monitored.registration))
        for one in told where !numbers.contains(one.about.registration) {
            violate("\(one.key) was told of an unknown registration")
        }
    }

    private func check(_ told: [Told], of one: ExtraRegistration) {
        let number = one.monitored.registration
        let ended = one.ended ?? week.person.now...week.person.now
        // Its schedule alone decides; the replay needs one observation to reach that far.
        let known = Set(replayed(one.monitored, [Observation(at: ended.upperBound, kind: .alive)]))
        for key in known.subtracting(told.map(\.key)).sorted() where key.at < ended.lowerBound {
            violate("\(key) of the registration \(number) was not told")
        }
        for other in told where !known.contains(other.key) {
            let isStop = other.callback == .intervalDidEnd && ended.contains(other.about.at)
            if one.isReplaced || !isStop {
                violate("\(other.key) of the registration \(number) was told")
            }
        }
        let isStopped = one.ended != nil && !one.isReplaced
        if isStopped, let last = told.last, last.callback == .intervalDidStart {
            violate("\(last.key) of the registration \(number) was told, and no end when it was stopped")
        }
    }

    // MARK: lateness

    /// Crossings and intervals are told soon after they happened, callbacks return soon after that, and
    /// notifications are shown soon after they were posted, whatever failed in between: nothing waits for an
    /// event that comes by chance.
    func checkLateness() {
        var toldAt: [SimulatedPrograms.CallbackKey: Instant] = [:]
        for one in told {
            toldAt[Self.key(of: one.about, one.callback)] = one.time
            // One that was due before its registration is told with it.
            guard one.about.at >= one.about.registered ?? 0 else { continue }
            check("the event \(one.key)", one.time - one.about.at)
        }
        for (data, time) in week.witness.all(CallbackDelivered.self) {
            guard let callback = CallbackName(rawValue: data.delivery.callback) else { continue }
            let key = Self.key(of: data.delivery.about, callback)
            check("the callback \(key)", toldAt[key].map { time - $0 })
        }
        for (data, time) in week.witness.all(NotificationDelivered.self) {
            let notification = data.notification
            check("the notification '\(notification.identifier)'", time - notification.posted)
        }
    }

    private static let latenessMax: Milliseconds = .minutes(2)

    private func check(_ what: String, _ late: Milliseconds?) {
        guard let late else { return violate("\(what) was delivered and never told") }
        week.latest = max(week.latest, late)
        if late > Self.latenessMax { violate("\(what) came \(late) ms late") }
    }
}
