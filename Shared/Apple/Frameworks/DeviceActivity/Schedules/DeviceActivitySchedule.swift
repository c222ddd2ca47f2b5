internal import Contract
public import Foundation
internal import Schedules
import Units

/// When an activity is monitored: from each time that fits `intervalStart` to the next that fits
/// `intervalEnd`.
///
/// A component left out fits everything when it is larger than the smallest one given, and is zero when it is
/// smaller. An end not later on the clock than the start lies on the next day; `hour` 24 ends its day.
/// docs/time.md section 5 has the rules, also for days with a clock change. Schedules go by the member's
/// time zone.
public struct DeviceActivitySchedule: Equatable, Sendable {
    public let intervalStart: Foundation.DateComponents
    public let intervalEnd: Foundation.DateComponents
    /// False: the first interval that ends after the registration is the only one.
    public let repeats: Bool
    /// How long before start and end, and before each threshold (of use), a warning comes; nil: none.
    public let warningTime: Foundation.DateComponents?

    public init(
        intervalStart: Foundation.DateComponents, intervalEnd: Foundation.DateComponents, repeats: Bool,
        warningTime: Foundation.DateComponents? = nil
    ) {
        self.intervalStart = intervalStart
        self.intervalEnd = intervalEnd
        self.repeats = repeats
        self.warningTime = warningTime
    }

    /// The interval that runs now, else the next; nil when none is to come. Inside of a callback it is that
    /// callback's interval, where the schedule has it: also in `intervalDidEnd`, when it is over. (Apple's is
    /// the next one then, so that a program cannot tell which day has ended.)
    ///
    /// In the time zone of the components, where they name one, else of the process. Needs neither a
    /// registration nor an authorization.
    public var nextInterval: DateInterval? {
        // A schedule that fits no instant has no next interval; registering it says what is wrong.
        guard let civil = try? CivilSchedule(Contract.Schedule(self), zone: zone) else { return nil }
        if let own = RunningCallback.current?.occurrence, civil.occurrences(in: own) == [own] {
            return DateInterval(own)
        }
        let now = Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
        return civil.current(orNextAfter: now).map { DateInterval($0) }
    }

    private var zone: Zone {
        let named = intervalStart.timeZone ?? intervalStart.calendar?.timeZone
        // Foundation's zones are known to Foundation.
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
    /// Without calendar and zone: those are the member's.
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
