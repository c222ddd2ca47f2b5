package import Contract
package import Schedules
import Units

/// Who a report is about, and when their days are.
package struct ReportMember: Sendable {
    package var id: String
    /// As the household calls them; nil when that was not told.
    package var name: String?
    package var role: MemberRole?
    /// nil: the system's.
    package var zone: Zone?
    package var dayStart_minutes: Int64

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

    /// - member: nil when nothing was told of them yet.
    package init(_ id: String, _ member: Member?) {
        // A zone that this machine's calendar does not have is as good as none; auth-service checked it.
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

    /// As Apple's models: any Linux machine is a mac.
    static func reported(_ model: String) -> String { model == "linux" ? "mac" : model }
}
