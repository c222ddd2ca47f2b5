package import JSON

/// The weekly report is a notification of the person with a repeating trigger and
/// `NotificationDetails.weeklyReport`.
package enum WeeklyReport {
    /// The notification's identifier for a member; nil: the person.
    package static func identifier(of member: String?) -> String {
        member.map { "weekly-report.\($0)" } ?? "weekly-report"
    }

    /// Of one that is shown now: a posting with the identifier above would take its place.
    package static func identifierNow(of member: String?) -> String {
        member.map { "weekly-report-now.\($0)" } ?? "weekly-report-now"
    }

    /// Of all that tell weeks of a member.
    package static func identifiers(of member: String?) -> [String] {
        [identifier(of: member), identifierNow(of: member)]
    }

    /// What turns it on.
    /// - Parameters:
    ///   - weekday: 1 (Sunday) to 7, as DateComponents has it.
    ///   - minutes: after midnight, 0 to 1439, in the member's zone.
    package static func posting(weekday: Int64, minutes: Int64, member: String?) -> NotificationPost.Params {
        var params = posting(member: member)
        params.identifier = identifier(of: member)
        params.trigger = NotificationTrigger(
            components: DateComponents(hour: minutes / 60, minute: minutes % 60, weekday: weekday),
            repeats: true)
        return params
    }

    /// What shows one now.
    package static func posting(member: String?) -> NotificationPost.Params {
        NotificationPost.Params(
            identifier: identifierNow(of: member), title: "Weekly report", member: member,
            details: NotificationDetails(tellsOpening: true, weeklyReport: true))
    }

    /// Page of the console that a click on it opens.
    package static let page = "/reports"
}

/// Opens a page of the console in the person's browser.
@Method("page.open", ofAgent: AgentName.desktopAgent, .read, for: .person)
package enum PageOpen: AgentMethod {
    /// Which page.
    @Record("page.open.params")
    package struct Params: Record {
        /// Path of the page, as /reports.
        package var page: String = ""
    }
    /// Nothing: the browser is being started.
    package typealias Result = Nothing
}
