internal import Contract
public import Foundation
internal import Schedules
import Units

/// When a notification is due.
open class UNNotificationTrigger: NSObject, NSCopying {
    /// Whether it is due repeatedly.
    public let repeats: Bool
    /// The next due time that notifier reported.
    var due: Instant?

    init(repeats: Bool, due: Instant?) {
        self.repeats = repeats
        self.due = due
    }

    /// The trigger as messages carry it.
    /// - Throws: `UNError.notificationInvalidNoDate`.
    func record() throws -> NotificationTrigger { NotificationTrigger(repeats: repeats) }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    var dueDate: Date? { due.map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1_000) } }

    static func make(_ record: NotificationTrigger, due: Instant?) -> UNNotificationTrigger {
        let repeats = record.repeats ?? false
        if let after = record.after {
            let trigger = UNTimeIntervalNotificationTrigger(
                timeInterval: Double(after.count) / 1_000, repeats: repeats)
            trigger.due = due
            return trigger
        }
        let components = Foundation.DateComponents(
            record.components ?? Contract.DateComponents(), zone: record.zone)
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: repeats)
        trigger.due = due
        return trigger
    }
}

/// Due after a time interval.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
    /// In seconds.
    public let timeInterval: TimeInterval

    /// - Parameter timeInterval: seconds, above 0, and at least 60 if it repeats. Other values are refused
    /// when the request is added (Apple terminates the app here).
    public init(timeInterval: TimeInterval, repeats: Bool) {
        self.timeInterval = timeInterval
        super.init(repeats: repeats, due: nil)
    }

    /// For a pending request, when it is due; otherwise as if it were added now.
    open func nextTriggerDate() -> Date? { dueDate ?? Date(timeIntervalSinceNow: timeInterval) }

    override func record() throws -> NotificationTrigger {
        guard timeInterval > 0, timeInterval.isFinite else {
            throw UNError(
                .notificationInvalidNoDate, "the time interval is \(timeInterval): use one above 0 seconds.")
        }
        guard !repeats || timeInterval >= 60 else {
            throw UNError(
                .notificationInvalidNoDate,
                "the time interval is \(timeInterval) seconds and repeats: use at least 60.")
        }
        return NotificationTrigger(
            after: Milliseconds(Int64(max(1, (min(timeInterval, 1e10) * 1_000).rounded()))), repeats: repeats)
    }
}

/// Due when the calendar matches. Components larger than the largest one given match anything. A time that a
/// clock change skips is due later by the same amount; a time that occurs twice is due once.
open class UNCalendarNotificationTrigger: UNNotificationTrigger {
    /// As passed; only the components that ``init(dateMatching:repeats:)`` lists are allowed.
    public let dateComponents: Foundation.DateComponents

    /// - Parameter dateComponents: era, year, month, day, weekday, weekdayOrdinal, hour, minute and second,
    /// in their own time zone or else in that of the member.
    public init(dateMatching dateComponents: Foundation.DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats, due: nil)
    }

    /// For a pending request, when it is due; otherwise the next match from now on, in the components' time
    /// zone or that of this process. Nil if there is none.
    open func nextTriggerDate() -> Date? {
        if let dueDate { return dueDate }
        guard let record = try? record(), let components = record.components else {
            // Errors in the components are reported when the request is added.
            return nil
        }
        let now = Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
        // As above.
        guard let zone = try? record.zone.map({ try Zone($0) }) ?? .current,
            let moments = try? CivilMoments(components, "dateComponents", zone: zone),
            let next = moments.next(after: now)
        else { return nil }
        return Date(timeIntervalSince1970: Double(next.milliseconds) / 1_000)
    }

    override func record() throws -> NotificationTrigger {
        let zone = dateComponents.timeZone ?? dateComponents.calendar.flatMap(Self.ownZone)
        return NotificationTrigger(
            components: try Contract.DateComponents(matching: dateComponents), zone: zone?.identifier,
            repeats: repeats)
    }

    /// The time zone of a calendar counts only if it differs from that of this process.
    private static func ownZone(_ calendar: Calendar) -> TimeZone? {
        calendar.timeZone == TimeZone.current || calendar.timeZone == TimeZone.autoupdatingCurrent
            ? nil : calendar.timeZone
    }
}

extension Contract.DateComponents {
    /// - Throws: `UNError.notificationInvalidNoDate` for unsupported components.
    fileprivate init(matching components: Foundation.DateComponents) throws {
        let strange = [
            ("weekOfYear", components.weekOfYear), ("weekOfMonth", components.weekOfMonth),
            ("yearForWeekOfYear", components.yearForWeekOfYear), ("quarter", components.quarter),
        ].filter { $0.1 != nil }.map(\.0)
        guard strange.isEmpty else {
            throw UNError(
                .notificationInvalidNoDate,
                "triggers do not support \(strange.joined(separator: ", ")): "
                    + "use year, month, day, weekday and times.")
        }
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
    fileprivate init(_ components: Contract.DateComponents, zone: String?) {
        self.init(
            timeZone: zone.flatMap { TimeZone(identifier: $0) }, era: components.era.map(Int.init),
            year: components.year.map(Int.init), month: components.month.map(Int.init),
            day: components.day.map(Int.init), hour: components.hour.map(Int.init),
            minute: components.minute.map(Int.init), second: components.second.map(Int.init),
            nanosecond: components.nanosecond.map(Int.init), weekday: components.weekday.map(Int.init),
            weekdayOrdinal: components.weekdayOrdinal.map(Int.init))
    }
}
