internal import Contract
public import Foundation
internal import Schedules
import Units

/// When an activity is monitored: from each instant that matches `intervalStart` to the next that matches
/// `intervalEnd`.
///
/// A missing component matches anything if it is larger than the smallest component given, and is zero if it
/// is smaller. If the end is not later than the start on the clock, it is on the next day; `hour` 24 is the
/// end of the day. docs/time.md section 5 has the rules, also for days with a clock change. Schedules follow
/// the member's time zone.
public struct DeviceActivitySchedule: Equatable, Sendable {
    /// Matches the start of each interval.
    public let intervalStart: Foundation.DateComponents
    /// Matches the end of each interval.
    public let intervalEnd: Foundation.DateComponents
    /// If false, only the first interval that ends after the registration is monitored.
    public let repeats: Bool
    /// How long before start, end and each threshold (measured in usage) a warning is delivered. If nil,
    /// none.
    public let warningTime: Foundation.DateComponents?

    /// Nothing is checked here; ``DeviceActivityCenter/startMonitoring(_:during:events:)`` checks the
    /// schedule.
    public init(
        intervalStart: Foundation.DateComponents, intervalEnd: Foundation.DateComponents, repeats: Bool,
        warningTime: Foundation.DateComponents? = nil
    ) {
        self.intervalStart = intervalStart
        self.intervalEnd = intervalEnd
        self.repeats = repeats
        self.warningTime = warningTime
    }

    /// The current interval, otherwise the next, or nil if none follows. Inside a callback it is the interval
    /// of that callback, if the schedule contains it; in `intervalDidEnd` too, after it has ended. (Apple's
    /// is the next interval then, so a program cannot tell which day has ended.)
    ///
    /// Computed in the time zone of the components if they have one, otherwise in that of the process. Needs
    /// neither a registration nor an authorization.
    public var nextInterval: DateInterval? {
        // A schedule that matches no instant has no next interval. Registering it reports the reason.
        guard let civil = try? CivilSchedule(Contract.Schedule(self), zone: zone) else { return nil }
        if let own = RunningCallback.current?.occurrence, civil.occurrences(in: own) == [own] {
            return DateInterval(own)
        }
        let now = Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
        return civil.current(orNextAfter: now).map { DateInterval($0) }
    }

    private var zone: Zone {
        let named = intervalStart.timeZone ?? intervalStart.calendar?.timeZone
        // An identifier that only Foundation knows falls back to the zone of the process.
        return named.flatMap { try? Zone($0.identifier) } ?? .current
    }
}

extension Contract.Schedule {
    init(_ schedule: DeviceActivitySchedule) {
        self.init(
            intervalStart: Contract.DateComponents(schedule.intervalStart),
            intervalEnd: Contract.DateComponents(schedule.intervalEnd), repeats: schedule.repeats,
            warningTime: schedule.warningTime.map { Contract.DateComponents($0) })
    }
}

extension DeviceActivitySchedule {
    init(_ schedule: Contract.Schedule) {
        self.init(
            intervalStart: Foundation.DateComponents(schedule.intervalStart),
            intervalEnd: Foundation.DateComponents(schedule.intervalEnd), repeats: schedule.repeats,
            warningTime: schedule.warningTime.map { Foundation.DateComponents($0) })
    }
}

extension Contract.DateComponents {
    /// Without calendar and time zone: the member's apply.
    init(_ components: Foundation.DateComponents) {
        self.init(
            era: components.era.map(Int64.init), year: components.year.map(Int64.init),
            month: components.month.map(Int64.init), day: components.day.map(Int64.init),
            hour: components.hour.map(Int64.init), minute: components.minute.map(Int64.init),
            second: components.second.map(Int64.init), nanosecond: components.nanosecond.map(Int64.init),
            weekday: components.weekday.map(Int64.init),
            weekdayOrdinal: components.weekdayOrdinal.map(Int64.init))
    }
}

extension Foundation.DateComponents {
    init(_ components: Contract.DateComponents) {
        self.init()
        era = components.era.map { Int($0) }
        year = components.year.map { Int($0) }
        month = components.month.map { Int($0) }
        day = components.day.map { Int($0) }
        hour = components.hour.map { Int($0) }
        minute = components.minute.map { Int($0) }
        second = components.second.map { Int($0) }
        nanosecond = components.nanosecond.map { Int($0) }
        weekday = components.weekday.map { Int($0) }
        weekdayOrdinal = components.weekdayOrdinal.map { Int($0) }
    }
}
