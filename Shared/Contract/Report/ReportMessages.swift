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
        try visitor.field(
            "segment_start", &segmentStart, "Local date, or RFC 3339 with offset for hourly.", .publicText)
        try visitor.field("key", &key, "App, category, domain, device, member, or all.", .personal)
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
        try visitor.field("key", &key, "Key of a row.", .personal)
        try visitor.field("name", &name, "What a person calls it.", .personal)
    }
}

/// A report with each key once. It says the same as rows in a fifth of the bytes.
package struct ReportTable: Record {
    package var keys: [String] = []
    package var segments: [ReportTableSegment] = []

    package init() {}
    package init(
        keys: [String] = [], segments: [ReportTableSegment] = []
    ) {
        self.keys = keys
        self.segments = segments
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("keys", &keys, "Sorted.", .personal)
        try visitor.field("segments", &segments, "Those with anything in them, in order.")
    }
}

/// One segment of a table.
package struct ReportTableSegment: Record {
    package var segmentStart = ""
    package var cells: [Int64] = []

    package init() {}
    package init(
        segmentStart: String = "", cells: [Int64] = []
    ) {
        self.segmentStart = segmentStart
        self.cells = cells
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field(
            "segment_start", &segmentStart, "Local date, or RFC 3339 with offset for hourly.", .publicText)
        try visitor.field(
            "cells", &cells,
            "By turns the place of a key in keys, from 0, and its value; sorted by key, without zeros.")
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
        package var during: Interval?
        package var zone: String?
        package var fallbackZone: String?
        package var dayStartMinutes: Int64?
        package var member: String?
        package var members: [String]?
        package var users: ReportUsers?
        package var device: String?
        package var devices: [String]?
        package var models: [String]?
        package var applications: [String]?
        package var categories: [String]?
        package var webDomains: [String]?
        package var segment: ReportSegment?
        package var by: ReportGrouping?
        package var metric: ReportMetric?
        package var shape: ReportShape?
        package var page: Int64?

        package var judgedMembers: [String?] {
            if users != nil { return [] }
            return members.flatMap { $0.isEmpty ? nil : $0 } ?? [member]
        }

        package init() {}
        package init(
            from: String? = nil, to: String? = nil, during: Interval? = nil, zone: String? = nil,
            fallbackZone: String? = nil, dayStartMinutes: Int64? = nil, member: String? = nil,
            members: [String]? = nil,
            users: ReportUsers? = nil, device: String? = nil, devices: [String]? = nil,
            models: [String]? = nil, applications: [String]? = nil, categories: [String]? = nil,
            webDomains: [String]? = nil, segment: ReportSegment? = nil, by: ReportGrouping? = nil,
            metric: ReportMetric? = nil, shape: ReportShape? = nil, page: Int64? = nil
        ) {
            self.from = from
            self.to = to
            self.during = during
            self.zone = zone
            self.fallbackZone = fallbackZone
            self.dayStartMinutes = dayStartMinutes
            self.member = member
            self.members = members
            self.users = users
            self.device = device
            self.devices = devices
            self.models = models
            self.applications = applications
            self.categories = categories
            self.webDomains = webDomains
            self.segment = segment
            self.by = by
            self.metric = metric
            self.shape = shape
            self.page = page
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field(
                "from", &from, "Local date YYYY-MM-DD, inclusive; default the earlier of today and to.",
                .publicText)
            try visitor.field(
                "to", &to, "Local date, inclusive; default the later of today and from.", .publicText)
            try visitor.field(
                "during", &during,
                "Instead of from and to: widened to whole hours, days or weeks, as segment says.")
            try visitor.field("zone", &zone, "IANA time zone; default the member's.", .publicText)
            try visitor.field(
                "fallback_zone", &fallbackZone,
                "IANA time zone, for members who have none of their own; default the system's.", .publicText)
            try visitor.field(
                "day_start_minutes", &dayStartMinutes,
                "When a day begins, minutes after midnight, 0 to 1439; default the member's.")
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field(
                "members", &members, "Instead of member: ids of several; their use is added up.", .publicText)
            try visitor.field(
                "users", &users,
                "Instead of member: everybody, or all children; a client gets those it is authorized for.")
            try visitor.field("device", &device, "Only this device.", .personal)
            try visitor.field(
                "devices", &devices, "Only devices of these names; absent or empty: all.", .personal)
            try visitor.field(
                "models", &models,
                "Only devices of these models: mac (any Linux machine), or as imported, such as android.",
                .publicText)
            try visitor.field("applications", &applications, "Only these apps, by id.", .subject(.app))
            try visitor.field(
                "categories", &categories,
                "Only apps and domains of these categories. Of applications, categories and web_domains the union counts; all absent or empty: everything.",
                .subject(.category))
            try visitor.field(
                "web_domains", &webDomains, "Only these domains and what is below them.", .subject(.domain))
            try visitor.field("segment", &segment, "Default daily.")
            try visitor.field("by", &by, "Default app; the shape activity has all of it.")
            try visitor.field("metric", &metric, "Default duration; the shape activity has all of it.")
            try visitor.field("shape", &shape, "Which of rows (default), table and activity is answered.")
            try visitor.field(
                "page", &page,
                "0, then next_page: segments that one answer cannot hold come in several. Absent: all or none."
            )
        }
    }

    package struct Result: Record {
        package static var title: String { "report.query.result" }
        package var rows: [ReportRow] = []
        package var table: ReportTable?
        package var activity: [ReportActivity]?
        package var zone = ""
        package var dayStartMinutes: Int64 = 0
        package var notes: [String] = []
        package var running = false
        package var names: [ReportName]?
        package var nextPage: Int64?

        package init() {}
        package init(
            rows: [ReportRow] = [], table: ReportTable? = nil, activity: [ReportActivity]? = nil,
            zone: String = "", dayStartMinutes: Int64 = 0, notes: [String] = [], running: Bool = false,
            names: [ReportName]? = nil, nextPage: Int64? = nil
        ) {
            self.rows = rows
            self.table = table
            self.activity = activity
            self.zone = zone
            self.dayStartMinutes = dayStartMinutes
            self.notes = notes
            self.running = running
            self.names = names
            self.nextPage = nextPage
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("rows", &rows, "Sorted by segment_start, then key; zero rows are left out.")
            try visitor.field("table", &table, "What the rows would be, when the shape is table.")
            try visitor.field(
                "activity", &activity, "When the shape is activity: by member, then by name of the device.")
            try visitor.field("zone", &zone, "The zone used.", .publicText)
            try visitor.field("day_start_minutes", &dayStartMinutes, "The day start used, minutes.")
            try visitor.field("notes", &notes, "What the reader should know, a sentence each.", .personal)
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
