internal import AppSupport
package import DeviceActivity
package import FamilyControls
internal import Foundation

/// One habit: less or more use of something each day.
package struct ScreenTimeTask: Codable, Equatable {
    package enum Aim: String, Codable, Sendable {
        /// Complete if the amount is not reached.
        case decrease
        /// Complete once the amount is reached.
        case increase
    }

    /// Name of the task, its event and its warning.
    package var name: String
    package var aim: Aim
    package var selectionName: String
    package var selection: FamilyActivitySelection
    /// Minutes of use a day, 1 to 1440.
    package var minutes: Int
    /// The first day that counts, `YYYY-MM-DD` in the person's calendar.
    package var since: String

    package init(
        name: String, aim: Aim, selectionName: String, selection: FamilyActivitySelection, minutes: Int,
        since: String
    ) {
        self.name = name
        self.aim = aim
        self.selectionName = selectionName
        self.selection = selection
        self.minutes = minutes
        self.since = since
    }

    /// Identifier of the notification that warns of a task.
    package static func warning(_ task: String) -> String { "warning.\(task)" }
    /// Maximum bytes of a name, so that the warning's identifier is not too long.
    static let nameBytesMax = AppWords.nameBytesMax - warning("").utf8.count

    /// The task's event; it has the task's name.
    package var event: DeviceActivityEvent {
        DeviceActivityEvent(
            applications: selection.applicationTokens, categories: selection.categoryTokens,
            webDomains: selection.webDomainTokens,
            threshold: DateComponents(hour: minutes / 60, minute: minutes % 60),
            includesPastActivity: true)
    }
}

/// All tasks are events of this activity, which lasts from midnight to midnight, with a warning of one
/// minute.
package enum Day {
    package static let activity = DeviceActivityName("org.screentime.streaks")
    package static let schedule = DeviceActivitySchedule(
        intervalStart: DateComponents(hour: 0, minute: 0, second: 0),
        intervalEnd: DateComponents(hour: 24), repeats: true,
        warningTime: DateComponents(minute: 1))

    /// The calendar day of `instant`, `YYYY-MM-DD`.
    package static func name(of instant: Date, in calendar: Calendar = .current) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: instant)
        return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }

    /// The day `count` days after `day`; nil if `day` is not a date.
    package static func name(_ day: String, plus count: Int) -> String? {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        // Computed in UTC, where all days have 24 hours.
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = DateComponents(year: parts[0], month: parts[1], day: parts[2])
        return calendar.date(from: date).flatMap { calendar.date(byAdding: .day, value: count, to: $0) }
            .map { name(of: $0, in: calendar) }
    }
}
