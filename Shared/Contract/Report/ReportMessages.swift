package import JSON
package import Units

/// Length of a row's segment. Weeks start on Monday.
package enum ReportSegment: String, NameEnum {
    case hourly
    case daily
    case weekly
}

/// What the rows of a report are grouped by.
package enum ReportGrouping: String, NameEnum {
    case app
    case category
    case domain
    case device
    case member
    case total
}

/// Form of the answer to a report query.
package enum ReportShape: String, NameEnum {
    case rows
    case table
    case activity
}

/// A group of members to report on together.
package enum ReportUsers: String, NameEnum {
    case all
    case children
}

/// What a row counts.
package enum ReportMetric: String, NameEnum {
    case duration
    case pickups
    case notifications
}

/// One row of a report.
@Record
package struct ReportRow: Record {
    /// Local date; for hourly segments an RFC 3339 time with offset.
    @Field(.publicText) package var segmentStart: String = ""
    /// App, category, domain, device, member, or all.
    @Field(.personal) package var key: String = ""
    /// Milliseconds, or a count.
    package var value: Int64 = 0
}

/// The display name of a row's key.
@Record
package struct ReportName: Record {
    /// Key of a row.
    @Field(.personal) package var key: String = ""
    /// Display name.
    @Field(.personal) package var name: String = ""
}

/// A report that contains each key once. It has the content of the rows in a fifth of the bytes.
@Record
package struct ReportTable: Record {
    /// Sorted.
    @Field(.personal) package var keys: [String] = []
    /// The segments that are not empty, in order.
    package var segments: [ReportTableSegment] = []
}

/// One segment of a table.
@Record
package struct ReportTableSegment: Record {
    /// Local date; for hourly segments an RFC 3339 time with offset.
    @Field(.publicText) package var segmentStart: String = ""
    /// Pairs of a key's index in `keys`, from 0, and its value; sorted by key, without zeros.
    package var cells: [Int64] = []
}

/// Queries how long members used apps, categories and domains, and counts of pickups and notifications.
@Method("report.query", of: .report, .read, for: .authorizedClient)
package enum ReportQuery: Method {
    /// Range of time, grouping and filters.
    @Record("report.query.params")
    package struct Params: Record, MemberScoped {
        /// First local date, YYYY-MM-DD, inclusive; default the earlier of today and `to`.
        @Field(.publicText) package var from: String?
        /// Last local date, inclusive; default the later of today and `from`.
        @Field(.publicText) package var to: String?
        /// Replaces from and to; widened to whole hours, days or weeks according to segment.
        package var during: Interval?
        /// IANA time zone; default the member's.
        @Field(.publicText) package var zone: String?
        /// IANA time zone for members without one; default the system's.
        @Field(.publicText) package var fallbackZone: String?
        /// Start of the day, minutes after midnight, 0 to 1439; default the member's.
        package var dayStartMinutes: Int64?
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Replaces member: ids of several members, whose use is added up.
        @Field(.publicText) package var members: [String]?
        /// Replaces member: all members, or all children; a client gets those it is authorized for.
        package var users: ReportUsers?
        /// Only this device.
        @Field(.personal) package var device: String?
        /// Only devices of these names; absent or empty: all.
        @Field(.personal) package var devices: [String]?
        /// Only devices of these models: mac (any Linux machine), or as imported, such as android.
        @Field(.publicText) package var models: [String]?
        /// Only these apps, by id.
        @Field(.subject(.app)) package var applications: [String]?
        /// Only apps and domains of these categories. applications, categories and web_domains select their
        /// union; if all are absent or empty, everything is selected.
        @Field(.subject(.category)) package var categories: [String]?
        /// Only these domains and their subdomains.
        @Field(.subject(.domain)) package var webDomains: [String]?
        /// Default daily.
        package var segment: ReportSegment?
        /// Default app; ignored by the shape activity, which contains all groupings.
        package var by: ReportGrouping?
        /// Default duration; ignored by the shape activity, which contains all metrics.
        package var metric: ReportMetric?
        /// Form of the answer: rows (default), table or activity.
        package var shape: ReportShape?
        /// 0, then next_page: an answer over the message limit is split into pages. Absent: everything in one
        /// answer, or an error.
        package var page: Int64?

        /// The members whose authorization is checked; empty for `users`, where the handler selects those the
        /// client may see.
        package var judgedMembers: [String?] {
            if users != nil { return [] }
            return members.flatMap { $0.isEmpty ? nil : $0 } ?? [member]
        }
    }

    /// The report in the requested shape.
    @Record("report.query.result")
    package struct Result: Record {
        /// Sorted by segment_start, then key; zero rows are left out.
        package var rows: [ReportRow] = []
        /// The rows as a table, if the shape is table.
        package var table: ReportTable?
        /// If the shape is activity: sorted by member, then by name of the device.
        package var activity: [ReportActivity]?
        /// The zone used.
        @Field(.publicText) package var zone: String = ""
        /// The day start used, minutes.
        package var dayStartMinutes: Int64 = 0
        /// Hints for the reader, a sentence each.
        @Field(.personal) package var notes: [String] = []
        /// True when something is in use now and counted up to this moment.
        package var running: Bool = false
        /// Known names of apps among the keys, sorted by key.
        package var names: [ReportName]?
        /// Set when there is more: repeat the request with this page.
        package var nextPage: Int64?
    }
}

/// Reports of a member changed from this instant on.
@Event("report.changed", of: .report)
package struct ReportChanged: EventData {
    /// Member id.
    package var member: String = ""
    /// First instant whose report changed, UTC milliseconds.
    package var from: Instant = 0
}
