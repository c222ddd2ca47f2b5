package import Contract
package import Schedules
import Units

/// The member of a report, and the boundaries of their days.
package struct ReportMember: Sendable {
    /// The member's id.
    package var id: String
    /// The household's name for them; nil if unknown.
    package var name: String?
    /// Nil if unknown.
    package var role: MemberRole?
    /// Nil for the system's zone.
    package var zone: Zone?
    /// Start of their day, minutes after midnight.
    package var dayStart_minutes: Int64

    /// The defaults are those of an unknown member.
    package init(
        id: String, name: String? = nil, role: MemberRole? = nil, zone: Zone? = nil,
        dayStart_minutes: Int64 = 0
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.zone = zone
        self.dayStart_minutes = dayStart_minutes
    }

    /// - member: nil if nothing was reported about them yet.
    package init(_ id: String, _ member: Member?) {
        // A zone unknown on this machine counts as none; auth-service validated it.
        let zone = member?.zone.flatMap { try? Zone($0) }
        self.init(
            id: id, name: member?.name, role: member?.role, zone: zone,
            dayStart_minutes: member?.dayStartMinutes ?? 0)
    }

    func calendar(else fallback: Zone) -> DayCalendar {
        DayCalendar(zone: zone ?? fallback, dayStart_minutes: dayStart_minutes)
    }
}

/// One of a member's devices.
struct ReportDevice {
    var number: Int
    var name: String
    var model: String
    var latest: Instant

    /// Apple's model name: any Linux machine is a mac.
    static func reported(_ model: String) -> String { model == "linux" ? "mac" : model }
}
