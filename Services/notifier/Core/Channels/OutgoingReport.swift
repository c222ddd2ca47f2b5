import Contract
import JSON
import Units

/// A weekly report on its way through a channel.
@Record
struct OutgoingReport: Record {
    /// Its title and body, as in the notification.
    var title: String = ""
    /// In several lines.
    var body: String = ""
    /// Member id; absent: the person.
    var member: String?
    /// The first local date, YYYY-MM-DD.
    var from: String = ""
    /// The last one.
    var to: String = ""
    /// Use in these seven days.
    var total: Milliseconds = 0
    /// Use in the seven days before; absent if nothing was measured then.
    var before: Milliseconds?
    /// The most used apps.
    var apps: [App] = []

    /// An app and its use.
    @Record
    struct App: Record {
        /// Its name.
        var name: String = ""
        /// Use in the seven days.
        var duration: Milliseconds = 0
    }

    init(_ week: WeekOfUse, title: String, body: String, member: String?) {
        self.title = title
        self.body = body
        self.member = member
        from = week.first.description
        to = week.last.description
        total = week.total
        before = week.before
        apps = week.top.map { App(name: $0.name, duration: $0.duration) }
    }
}
