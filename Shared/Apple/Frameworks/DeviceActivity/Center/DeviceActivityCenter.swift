package import Contract
internal import ExtensionLink

/// Starts and stops the monitoring of activities. A value without state: all instances are equivalent.
/// Registrations are stored by activity-center and outlive the program.
///
/// The calls are synchronous and may be made from any thread, inside callbacks and while holding locks: each
/// returns when the change is committed or refused, or at the deadline (5 s; `SCREENTIME_DEADLINE_MS` in the
/// environment, in milliseconds). None waits for a callback.
public struct DeviceActivityCenter: Sendable {
    /// Costs nothing; no connection is made before the first call.
    public init() {}

    /// The activities of this client, sorted by name. Empty if they cannot be read now; the log has the
    /// reason.
    public var activities: [DeviceActivityName] {
        registered().map { DeviceActivityName($0.activity.name) }
    }

    /// The schedule as registered, or nil if the activity is not monitored.
    public func schedule(for activity: DeviceActivityName) -> DeviceActivitySchedule? {
        definition(of: activity).map { DeviceActivitySchedule($0.schedule) }
    }

    /// The events as registered. Empty if the activity is not monitored.
    public func events(for activity: DeviceActivityName) -> [DeviceActivityEvent.Name: DeviceActivityEvent] {
        var events: [DeviceActivityEvent.Name: DeviceActivityEvent] = [:]
        for event in definition(of: activity)?.events ?? [] {
            events[DeviceActivityEvent.Name(event.name)] = DeviceActivityEvent(event)
        }
        return events
    }

    /// Monitors an activity. Replaces the activity of the same name.
    ///
    /// If the interval is already running, `intervalDidStart` is delivered immediately. An extension that has
    /// received this start and registers the activity again does not receive it twice, so registering in the
    /// callback does not loop. Events that did not change keep their accumulated usage.
    /// - Throws: ``MonitoringError``; ``ScreenTimeError`` for errors that Apple has no case for:
    /// `unavailable`, `deadlineExceeded`, `limitExceeded`, `tokenRevoked` and the like.
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

    /// Stops activities. Names that are not monitored are ignored. Returns when the change is committed and
    /// does not wait for callbacks: if an interval was running, `intervalDidEnd` is delivered after the
    /// current callback has returned. A refusal is logged.
    /// - Parameter activities: if empty, all activities of this client, as on Apple's systems.
    public func stopMonitoring(_ activities: [DeviceActivityName] = []) {
        do throws(ServiceError) {
            try stop(activities)
        } catch {
            FrameworkLog.error("stopping was refused: \(error.sentence)")
        }
    }

    /// As ``stopMonitoring(_:)``, for callers that must know the outcome. A client without authorization
    /// monitors nothing, so that refusal counts as success.
    /// - Throws: the error because of which monitoring may still be active.
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

    /// The event names of each activity of this client. Empty if the client is not authorized.
    /// - Throws: the error because of which they cannot be read.
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
