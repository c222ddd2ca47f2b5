import Contract
import Schedules
import Units

extension NotificationContent {
    /// The person sees one sender; the client's name is part of the text where it matters.
    init(_ row: StoredNotification) {
        let record = row.record
        let urgency: Urgency =
            switch record.urgency {
            case .low: .low
            case .normal: .normal
            case .critical: .critical
            }
        var lines = [record.title, record.subtitle ?? "", record.body].filter {
            !DesktopNotificationsText.isBlank($0)
        }
        let summary = lines.isEmpty ? "" : lines.removeFirst()
        if let due = record.due, record.late != nil { lines.append(Self.lateness(due)) }
        var actions = record.actions.map { Action(key: $0.key, label: $0.label) }
        if record.details?.tellsOpening ?? false {
            // By the specification this is the click on the notification itself; daemons draw no button for
            // it.
            actions.insert(Action(key: NotificationAnswered.defaultAction, label: "Open"), at: 0)
        }
        self.init(
            identifier: row.key.text, appName: "Screen Time", summary: summary,
            body: lines.joined(separator: "\n"), urgency: urgency, actions: actions,
            // A question stays until it is answered.
            expireTimeout_ms: record.actions.isEmpty ? -1 : 0)
        sound = record.details?.sound
    }

    /// Why it is shown late.
    private static func lateness(_ due: Instant) -> String {
        let zone = Zone.current
        let minutes = zone.wall(at: due) / Milliseconds.minute % (24 * 60)
        let clock = "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        return "(This was due on \(zone.date(at: due)) at \(clock); the system was off.)"
    }
}

extension NotificationAttachment {
    var isImage: Bool {
        ["public.png", "public.jpeg", "public.image", "com.compuserve.gif"].contains(type)
    }
}
