package import JSON

/// What changed at an instant.
package enum ObservationKind: String, NameEnum {
    case focus
    case domain
    case visit
    case idle
    case active
    case locked
    case unlocked
    case suspend
    case resume
    case alive
    case opened
    case closed
    case reset
    case notification
    case sensorLost = "sensor_lost"
}

/// Something that changed at one instant on one device. Its identity is its content: a second import changes
/// nothing.
package struct Observation: Record {
    package var atMs: Int64 = 0
    package var kind: ObservationKind = .alive
    package var app: String?
    package var domain: String?
    package var instance: Int64?
    package var ordinal: Int64?
    package var bootID: String?
    package var boottimeMs: Int64?
    package var appName: String?
    package var appCategories: [String]?

    package init() {}
    package init(
        atMs: Int64 = 0, kind: ObservationKind = .alive, app: String? = nil, domain: String? = nil,
        instance: Int64? = nil, ordinal: Int64? = nil, bootID: String? = nil, boottimeMs: Int64? = nil,
        appName: String? = nil, appCategories: [String]? = nil
    ) {
        self.atMs = atMs
        self.kind = kind
        self.app = app
        self.domain = domain
        self.instance = instance
        self.ordinal = ordinal
        self.bootID = bootID
        self.boottimeMs = boottimeMs
        self.appName = appName
        self.appCategories = appCategories
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("at_ms", &atMs, "UTC milliseconds.")
        try visitor.field("kind", &kind, "What changed.")
        try visitor.field(
            "app", &app,
            "App id: desktop-file id without .desktop, exe:PATH, or as imported. focus: absent = none; unknown = cannot be named. domain: the browser that shows it: it counts only while that has the focus, and its seconds are the browser's no longer; absent = it counts whatever has the focus.",
            .subject(.app))
        try visitor.field(
            "domain", &domain,
            "domain: host of the active tab, absent = none. visit: host of the page, absent = it has none.",
            .subject(.domain))
        try visitor.field(
            "instance", &instance, in: .min ... .max,
            "Which window or activity of the app, for opened and closed.")
        try visitor.field(
            "ordinal", &ordinal, in: .min ... .max, "Order among observations of one millisecond.")
        try visitor.field("boot_id", &bootID, "The kernel's boot id, where boottime_ms counts.", .publicText)
        try visitor.field(
            "boottime_ms", &boottimeMs, in: .min ... .max,
            "CLOCK_BOOTTIME, milliseconds: durations are measured on it.")
        try visitor.field("app_name", &appName, "The app's name, for the catalogue.", .personal)
        try visitor.field(
            "app_categories", &appCategories,
            "Freedesktop categories of the app, for the catalogue.", .publicText)
    }
}

/// Half-open [start, end), UTC milliseconds.
package struct Interval: Record {
    package var startMs: Int64 = 0
    package var endMs: Int64 = 0

    package init() {}
    package init(
        startMs: Int64 = 0, endMs: Int64 = 0
    ) {
        self.startMs = startMs
        self.endMs = endMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("start_ms", &startMs, "First millisecond.")
        try visitor.field("end_ms", &endMs, "First millisecond after it.")
    }
}

/// What is used, or named by a rule.
package enum SubjectKind: String, NameEnum {
    case app
    case domain
    case category
    /// A category of domains; `category` is one of apps.
    case domainCategory = "domain_category"
}

/// Hands over what a sensor saw, or an import; answered when it is committed.
package enum UsageObserve: Method {
    package static let name = "usage.observe"
    package static let owner = ServiceName.activity
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Hands over what a sensor saw, or an import; answered when it is committed."

    package struct Params: Record, MemberScoped {
        package static var title: String { "usage.observe.params" }
        package var member: String?
        package var device = ""
        package var deviceModel: String?
        package var observations: [Observation] = []

        package init() {}
        package init(
            member: String? = nil, device: String = "", deviceModel: String? = nil,
            observations: [Observation] = []
        ) {
            self.member = member
            self.device = device
            self.deviceModel = deviceModel
            self.observations = observations
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field("device", &device, "Name of the device, stable.", .personal)
            try visitor.field("device_model", &deviceModel, "linux, android, …; default linux.", .publicText)
            try visitor.field("observations", &observations, "Up to 4000, in any order.")
        }
    }

    package struct Result: Record {
        package static var title: String { "usage.observe.result" }
        package var accepted: Int64 = 0
        package var duplicates: Int64 = 0
        package var sequence: Int64 = 0

        package init() {}
        package init(
            accepted: Int64 = 0, duplicates: Int64 = 0, sequence: Int64 = 0
        ) {
            self.accepted = accepted
            self.duplicates = duplicates
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("accepted", &accepted, "New ones.")
            try visitor.field("duplicates", &duplicates, "Known already, changed nothing.")
            try visitor.field("sequence", &sequence, "Head of the log after it.")
        }
    }
}

/// The log of intervals of one member.
package enum UsageRead: Method {
    package static let name = "usage.read"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "The log of intervals of one member."

    package struct Params: Record, MemberScoped {
        package static var title: String { "usage.read.params" }
        package var member: String?
        package var device: String?
        package var subject: String?
        package var fromMs: Int64 = 0
        package var toMs: Int64 = 0

        package init() {}
        package init(
            member: String? = nil, device: String? = nil, subject: String? = nil, fromMs: Int64 = 0,
            toMs: Int64 = 0
        ) {
            self.member = member
            self.device = device
            self.subject = subject
            self.fromMs = fromMs
            self.toMs = toMs
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field("device", &device, "Only this device.", .personal)
            try visitor.field("subject", &subject, "Only this app or domain.", .subject(.appOrDomain))
            try visitor.field("from_ms", &fromMs, in: .min ... .max, "UTC milliseconds.")
            try visitor.field("to_ms", &toMs, in: .min ... .max, "UTC milliseconds, exclusive.")
        }
    }

    package struct Result: Record {
        package static var title: String { "usage.read.result" }
        package var usage: [SubjectUsage] = []

        package init() {}
        package init(
            usage: [SubjectUsage] = []
        ) {
            self.usage = usage
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("usage", &usage, "By subject and device.")
        }
    }
}

/// Intervals of one subject on one device.
package struct SubjectUsage: Record {
    package var member = ""
    package var device = ""
    package var kind: SubjectKind = .app
    package var subject = ""
    package var intervals: [Interval] = []

    package init() {}
    package init(
        member: String = "", device: String = "", kind: SubjectKind = .app, subject: String = "",
        intervals: [Interval] = []
    ) {
        self.member = member
        self.device = device
        self.kind = kind
        self.subject = subject
        self.intervals = intervals
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("member", &member, "Member id.", .publicText)
        try visitor.field("device", &device, "Device name.", .personal)
        try visitor.field("kind", &kind, "App or domain.")
        try visitor.field("subject", &subject, "App id or host.", .subject(kind.mark))
        try visitor.field("intervals", &intervals, "In order, disjoint.")
    }
}

/// Replaces all intervals and marks of (member, device, subject) that start in [from_ms, to_ms).
package struct UsageRecorded: EventData {
    package static let type = "usage.recorded"
    package static let owner = ServiceName.activity
    package static let summary = "Replaces all intervals and marks of (member, device, subject) that start in [from_ms, to_ms)."
    package var member = ""
    package var device = ""
    package var deviceModel: String?
    package var kind: SubjectKind = .app
    package var subject = ""
    package var category: String?
    package var name: String?
    package var browser: Bool?
    package var fromMs: Int64 = 0
    package var toMs: Int64 = 0
    package var intervals: [Interval] = []
    package var pickups: [Int64] = []
    package var notifications: [Int64] = []
    package var openSinceMs: Int64?

    package init() {}
    package init(
        member: String = "", device: String = "", deviceModel: String? = nil, kind: SubjectKind = .app,
        subject: String = "", category: String? = nil, name: String? = nil, browser: Bool? = nil,
        fromMs: Int64 = 0, toMs: Int64 = 0, intervals: [Interval] = [], pickups: [Int64] = [],
        notifications: [Int64] = [], openSinceMs: Int64? = nil
    ) {
        self.member = member
        self.device = device
        self.deviceModel = deviceModel
        self.kind = kind
        self.subject = subject
        self.category = category
        self.name = name
        self.browser = browser
        self.fromMs = fromMs
        self.toMs = toMs
        self.intervals = intervals
        self.pickups = pickups
        self.notifications = notifications
        self.openSinceMs = openSinceMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("member", &member, "Member id.")
        try visitor.field("device", &device, "Device name.")
        try visitor.field("device_model", &deviceModel, "linux, android, and so on.")
        try visitor.field("kind", &kind, "App or domain.")
        try visitor.field("subject", &subject, "App id or host; unknown = session time that nobody can name.")
        try visitor.field("category", &category, "Present category of the subject; see catalog.changed.")
        try visitor.field("name", &name, "The app's name, if known.")
        try visitor.field(
            "browser", &browser, "True for an app that shows web domains: their seconds are theirs, not its.")
        try visitor.field("from_ms", &fromMs, in: .min ... .max, "UTC milliseconds, inclusive.")
        try visitor.field("to_ms", &toMs, in: .min ... .max, "UTC milliseconds, exclusive.")
        try visitor.field(
            "intervals", &intervals,
            "All intervals that start in the range, in order, disjoint.")
        try visitor.field("pickups", &pickups, "Instants of pickups that belong to the subject.")
        try visitor.field("notifications", &notifications, "Instants of notifications of the subject.")
        try visitor.field(
            "open_since_ms", &openSinceMs,
            "The subject is in use since then, and no end is known.")
    }
}
