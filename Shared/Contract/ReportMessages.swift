package import JSON

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
    case total
}

/// What a row counts.
package enum ReportMetric: String, NameEnum {
    case duration
    case pickups
    case notifications
}

/// One row of a report.
package struct ReportRow: Record {
    package var segmentStart = ""
    package var key = ""
    package var value: Int64 = 0

    package init() {}
    package init(
        segmentStart: String = "", key: String = "", value: Int64 = 0
    ) {
        self.segmentStart = segmentStart
        self.key = key
        self.value = value
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("segment_start", &segmentStart, "Local date, or RFC 3339 with offset for hourly.")
        try visitor.field("key", &key, "App, category, domain, device, or all.")
        try visitor.field("value", &value, "Milliseconds, or a count.")
    }
}

/// What a person calls the key of a row.
package struct ReportName: Record {
    package var key = ""
    package var name = ""

    package init() {}
    package init(
        key: String = "", name: String = ""
    ) {
        self.key = key
        self.name = name
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("key", &key, "Key of a row.")
        try visitor.field("name", &name, "What a person calls it.")
    }
}

/// Who used what for how long.
package enum ReportQuery: Method {
    package static let name = "report.query"
    package static let owner = ServiceName.report
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "Who used what for how long."

    package struct Params: Record, MemberScoped {
        package static var title: String { "report.query.params" }
        package var from: String?
        package var to: String?
        package var zone: String?
        package var member: String?
        package var device: String?
        package var segment: ReportSegment?
        package var by: ReportGrouping?
        package var metric: ReportMetric?
        package var page: Int64?

        package init() {}
        package init(
            from: String? = nil, to: String? = nil, zone: String? = nil, member: String? = nil,
            device: String? = nil, segment: ReportSegment? = nil, by: ReportGrouping? = nil,
            metric: ReportMetric? = nil, page: Int64? = nil
        ) {
            self.from = from
            self.to = to
            self.zone = zone
            self.member = member
            self.device = device
            self.segment = segment
            self.by = by
            self.metric = metric
            self.page = page
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field(
                "from", &from, "Local date YYYY-MM-DD, inclusive; default the earlier of today and to.")
            try visitor.field("to", &to, "Local date, inclusive; default the later of today and from.")
            try visitor.field("zone", &zone, "IANA time zone; default the system's.")
            try visitor.field("member", &member, "Member id; default the person of the uid.")
            try visitor.field("device", &device, "Only this device.")
            try visitor.field("segment", &segment, "Default daily.")
            try visitor.field("by", &by, "Default app.")
            try visitor.field("metric", &metric, "Default duration.")
            try visitor.field(
                "page", &page,
                "0, then next_page: rows that one answer cannot hold come in several. Absent: all or none."
            )
        }
    }

    package struct Result: Record {
        package static var title: String { "report.query.result" }
        package var rows: [ReportRow] = []
        package var zone = ""
        package var notes: [String] = []
        package var running = false
        package var names: [ReportName]?
        package var nextPage: Int64?

        package init() {}
        package init(
            rows: [ReportRow] = [], zone: String = "", notes: [String] = [], running: Bool = false,
            names: [ReportName]? = nil, nextPage: Int64? = nil
        ) {
            self.rows = rows
            self.zone = zone
            self.notes = notes
            self.running = running
            self.names = names
            self.nextPage = nextPage
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("rows", &rows, "Sorted by segment_start, then key; zero rows are left out.")
            try visitor.field("zone", &zone, "The zone used.")
            try visitor.field("notes", &notes, "What the reader should know, a sentence each.")
            try visitor.field(
                "running", &running,
                "True when something is in use right now and counted up to this moment.")
            try visitor.field(
                "names", &names, "Names of apps among the keys, where one is known; sorted by key.")
            try visitor.field("next_page", &nextPage, "There is more: ask the same again with this page.")
        }
    }
}

/// Reports of a member changed from this instant on.
package struct ReportChanged: EventData {
    package static let type = "report.changed"
    package static let owner = ServiceName.report
    package static let summary = "Reports of a member changed from this instant on."
    package var member = ""
    package var fromMs: Int64 = 0

    package init() {}
    package init(
        member: String = "", fromMs: Int64 = 0
    ) {
        self.member = member
        self.fromMs = fromMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("member", &member, "Member id.")
        try visitor.field("from_ms", &fromMs, "UTC milliseconds.")
    }
}
