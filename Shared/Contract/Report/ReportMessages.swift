package import JSON
package import Units

/// Length of a row's segment; weeks start on Monday.
package enum ReportSegment: String, NameEnum {
    case hourly
    case daily
    case weekly
}

/// What a row is about.
package enum ReportGrouping: String, NameEnum {
    case app
    case category
    case domain
    case device
    case member
    case total
}

/// What an answer looks like.
package enum ReportShape: String, NameEnum {
    case rows
    case table
    case activity
}

/// Several members at once.
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
    /// Local date, or RFC 3339 with offset for hourly.
    @Field(.publicText) package var segmentStart: String = ""
    /// App, category, domain, device, member, or all.
    @Field(.personal) package var key: String = ""
    /// Milliseconds, or a count.
    package var value: Int64 = 0
}

/// What a person calls the key of a row.
@Record
package struct ReportName: Record {
    /// Key of a row.
    @Field(.personal) package var key: String = ""
    /// What a person calls it.
    @Field(.personal) package var name: String = ""
}

/// A report with each key once. It says the same as rows in a fifth of the bytes.
@Record
package struct ReportTable: Record {
    /// Sorted.
    @Field(.personal) package var keys: [String] = []
    /// Those with anything in them, in order.
    package var segments: [ReportTableSegment] = []
}

/// One segment of a table.
@Record
package struct ReportTableSegment: Record {
    /// Local date, or RFC 3339 with offset for hourly.
    @Field(.publicText) package var segmentStart: String = ""
    /// By turns the place of a key in keys, from 0, and its value; sorted by key, without zeros.
    package var cells: [Int64] = []
}

/// Who used what for how long.
@Method("report.query", of: .report, .read, for: .authorizedClient)
package enum ReportQuery: Method {
    @Record("report.query.params")
    package struct Params: Record, MemberScoped {
        /// Local date YYYY-MM-DD, inclusive; default the earlier of today and to.
        @Field(.publicText) package var from: String?
        /// Local date, inclusive; default the later of today and from.
        @Field(.publicText) package var to: String?
        /// Instead of from and to: widened to whole hours, days or weeks, as segment says.
        package var during: Interval?
        /// IANA time zone; default the member's.
        @Field(.publicText) package var zone: String?
        /// IANA time zone, for members who have none of their own; default the system's.
        @Field(.publicText) package var fallbackZone: String?
        /// When a day begins, minutes after midnight, 0 to 1439; default the member's.
        package var dayStartMinutes: Int64?
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Instead of member: ids of several; their use is added up.
        @Field(.publicText) package var members: [String]?
        /// Instead of member: everybody, or all children; a client gets those it is authorized for.
        package var users: ReportUsers?
        /// Only this device.
        @Field(.personal) package var device: String?
        /// Only devices of these names; absent or empty: all.
        @Field(.personal) package var devices: [String]?
        /// Only devices of these models: mac (any Linux machine), or as imported, such as android.
        @Field(.publicText) package var models: [String]?
        /// Only these apps, by id.
        @Field(.subject(.app)) package var applications: [String]?
        /// Only apps and domains of these categories. Of applications, categories and web_domains the union
        /// counts; all absent or empty: everything.
        @Field(.subject(.category)) package var categories: [String]?
        /// Only these domains and what is below them.
        @Field(.subject(.domain)) package var webDomains: [String]?
        /// Default daily.
        package var segment: ReportSegment?
        /// Default app; the shape activity has all of it.
        package var by: ReportGrouping?
        /// Default duration; the shape activity has all of it.
        package var metric: ReportMetric?
        /// Which of rows (default), table and activity is answered.
        package var shape: ReportShape?
        /// 0, then next_page: segments that one answer cannot hold come in several. Absent: all or none.
        package var page: Int64?

        package var judgedMembers: [String?] {
            if users != nil { return [] }
            return members.flatMap { $0.isEmpty ? nil : $0 } ?? [member]
        }
    }

    @Record("report.query.result")
    package struct Result: Record {
        /// Sorted by segment_start, then key; zero rows are left out.
        package var rows: [ReportRow] = []
        /// What the rows would be, when the shape is table.
        package var table: ReportTable?
        /// When the shape is activity: by member, then by name of the device.
        package var activity: [ReportActivity]?
        /// The zone used.
        @Field(.publicText) package var zone: String = ""
        /// The day start used, minutes.
        package var dayStartMinutes: Int64 = 0
        /// What the reader should know, a sentence each.
        @Field(.personal) package var notes: [String] = []
        /// True when something is in use right now and counted up to this moment.
        package var running: Bool = false
        /// Names of apps among the keys, where one is known; sorted by key.
        package var names: [ReportName]?
        /// There is more: ask the same again with this page.
        package var nextPage: Int64?
    }
}

/// Reports of a member changed from this instant on.
@Event("report.changed", of: .report)
package struct ReportChanged: EventData {
    /// Member id.
    package var member: String = ""
    /// UTC milliseconds.
    package var from: Instant = 0
}
