package import Contract
internal import ExtensionLink

/// Starts and stops the monitoring of activities. A value without state: all are equal, and everything is
/// with the system, also after the program has ended.
///
/// The calls are synchronous, from any thread, also inside of callbacks and under the program's own locks:
/// each returns when it is committed, refused, or at the deadline (5 s; `SCREENTIME_DEADLINE_MS` in the
/// environment, milliseconds). None waits for a callback.
public struct DeviceActivityCenter: Sendable {
    public init() {}

    /// The activities of this client, sorted by name; none when they cannot be read now (the log says why).
    public var activities: [DeviceActivityName] {
        registered().map { DeviceActivityName($0.activity.name) }
    }

    /// Nil when the activity is not monitored.
    public func schedule(for activity: DeviceActivityName) -> DeviceActivitySchedule? {
        definition(of: activity).map { DeviceActivitySchedule($0.schedule) }
    }

    /// None when the activity is not monitored.
    public func events(for activity: DeviceActivityName) -> [DeviceActivityEvent.Name: DeviceActivityEvent] {
        var events: [DeviceActivityEvent.Name: DeviceActivityEvent] = [:]
        for event in definition(of: activity)?.events ?? [] {
            events[DeviceActivityEvent.Name(event.name)] = DeviceActivityEvent(event)
        }
        return events
    }

    /// Monitors an activity, in the place of the one of its name.
    ///
    /// Inside of the interval `intervalDidStart` comes at once; not to the extension that was told this start
    /// already and registers anew, so that one that does so in the callback comes to rest. Events that did
    /// not change go on counting.
    /// - Throws: ``MonitoringError``; ``ScreenTimeError`` for what Apple has no case for: `unavailable`,
    ///   `deadlineExceeded`, `limitExceeded`, `tokenRevoked` and the like.
    public func startMonitoring(
        _ activity: DeviceActivityName, during schedule: DeviceActivitySchedule,
        events: [DeviceActivityEvent.Name: DeviceActivityEvent] = [:]
    ) throws {
        let definitions = events.map { EventDefinition($0.value, name: $0.key) }
        let definition = ActivityDefinition(
            name: activity.rawValue, schedule: Schedule(schedule),
            events: definitions.sorted { $0.name < $1.name })
        do throws(ServiceError) {
            _ = try Link.shared.call(
                MonitoringStart.self,
                MonitoringStart.Params(
                    member: ProgramMember.current, activities: [definition],
                    startTold: RunningCallback.startTold(of: activity.rawValue)))
        } catch {
            FrameworkLog.error("monitoring '\(activity.rawValue)' was refused: \(error.sentence)")
            throw MonitoringError(error) ?? ScreenTimeError(error)
        }
    }

    /// Stops activities; names that are not monitored are ignored. Returns after it is committed, and never
    /// waits for a callback: where an interval was running, its `intervalDidEnd` comes afterwards, when the
    /// running callback has returned. A refusal is a line in the log.
    /// - Parameter activities: none: all of this client, as on Apple's systems.
    public func stopMonitoring(_ activities: [DeviceActivityName] = []) {
        do throws(ServiceError) {
            try stop(activities)
        } catch {
            FrameworkLog.error("stopping was refused: \(error.sentence)")
        }
    }

    /// The same for those who go on only when it is done: without the person's permission nothing is
    /// monitored, and so nothing is left to stop.
    /// - Throws: why it is not known to be stopped.
    package func end(_ activities: [DeviceActivityName]) throws(ServiceError) {
        do throws(ServiceError) { try stop(activities) } catch {
            guard error.name == MonitoringStop.refusal else { throw error }
        }
    }

    private func stop(_ activities: [DeviceActivityName]) throws(ServiceError) {
        _ = try Link.shared.call(
            MonitoringStop.self,
            MonitoringStop.Params(member: ProgramMember.current, names: activities.map(\.rawValue)))
    }

    private func definition(of activity: DeviceActivityName) -> ActivityDefinition? {
        registered().first { $0.activity.name == activity.rawValue }?.activity
    }

    /// The events of each activity of this client, for those who say to the person that nobody knows them;
    /// without the person's permission there are none.
    /// - Throws: why they cannot be read.
    package func monitored() throws(ServiceError) -> [DeviceActivityName: [DeviceActivityEvent.Name]] {
        let all: [MonitoredActivity]
        do throws(ServiceError) { all = try list() } catch {
            guard error.name == MonitoringList.refusal else { throw error }
            return [:]
        }
        let events = all.map { one in
            let names = (one.activity.events ?? []).map { DeviceActivityEvent.Name($0.name) }
            return (DeviceActivityName(one.activity.name), names)
        }
        return Dictionary(events) { first, _ in first }
    }

    private func list() throws(ServiceError) -> [MonitoredActivity] {
        try Link.shared.call(
            MonitoringList.self, MonitoringList.Params(member: ProgramMember.current)
        ).activities
    }

    private func registered() -> [MonitoredActivity] {
        do throws(ServiceError) {
            return try list()
        } catch {
            FrameworkLog.error("listing the activities failed: \(error.sentence)")
            return []
        }
    }
}
