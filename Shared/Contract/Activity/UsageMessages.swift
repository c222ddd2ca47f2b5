package import JSON
package import Units

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
@Record
package struct Observation: Record {
    /// UTC milliseconds.
    package var at: Instant = 0
    /// What changed.
    package var kind: ObservationKind = .alive
    /// App id: desktop-file id without .desktop, exe:PATH, or as imported. focus: absent = none; unknown =
    /// cannot be named. domain: the browser that shows it: it counts only while that has the focus, and its
    /// seconds are the browser's no longer; absent = it counts whatever has the focus.
    @Field(.subject(.app)) package var app: String?
    /// domain: host of the active tab, absent = none. visit: host of the page, absent = it has none.
    @Field(.subject(.domain)) package var domain: String?
    /// Which window or activity of the app, for opened and closed.
    @Field(in: .min ... .max) package var instance: Int64?
    /// Order among observations of one millisecond.
    @Field(in: .min ... .max) package var ordinal: Int64?
    /// The kernel's boot id, where boottime_ms counts.
    @Field(.publicText) package var bootID: String?
    /// CLOCK_BOOTTIME, milliseconds: durations are measured on it.
    @Field(in: .min ... .max) package var boottime: Milliseconds?
    /// The app's name, for the catalogue.
    @Field(.personal) package var appName: String?
    /// Freedesktop categories of the app, for the catalogue.
    @Field(.publicText) package var appCategories: [String]?
}

/// Half-open [start, end), UTC milliseconds.
@Record
package struct Interval: Record {
    /// First millisecond.
    package var start: Instant = 0
    /// First millisecond after it.
    package var end: Instant = 0
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
@Method("usage.observe", of: .activity, .write, for: .authorizedClient)
package enum UsageObserve: Method {
    @Record("usage.observe.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Name of the device, stable.
        @Field(.personal) package var device: String = ""
        /// linux, android, …; default linux.
        @Field(.publicText) package var deviceModel: String?
        /// Up to 4000, in any order.
        package var observations: [Observation] = []
    }

    @Record("usage.observe.result")
    package struct Result: Record {
        /// New ones.
        package var accepted: Int64 = 0
        /// Known already, changed nothing.
        package var duplicates: Int64 = 0
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// The log of intervals of one member.
@Method("usage.read", of: .activity, .read, for: .authorizedClient)
package enum UsageRead: Method {
    @Record("usage.read.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Only this device.
        @Field(.personal) package var device: String?
        /// Only this app or domain.
        @Field(.subject(.appOrDomain)) package var subject: String?
        /// UTC milliseconds.
        @Field(in: .min ... .max) package var from: Instant = 0
        /// UTC milliseconds, exclusive.
        @Field(in: .min ... .max) package var to: Instant = 0
    }

    @Record("usage.read.result")
    package struct Result: Record {
        /// By subject and device.
        package var usage: [SubjectUsage] = []
    }
}

/// Intervals of one subject on one device.
@Record
package struct SubjectUsage: Record {
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// Device name.
    @Field(.personal) package var device: String = ""
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id or host.
    @Field(markedBy: "subjectMark") package var subject: String = ""
    /// In order, disjoint.
    package var intervals: [Interval] = []

    private var subjectMark: FieldMark { .subject(kind.mark) }
}

/// Replaces all intervals and marks of (member, device, subject) that start in [from_ms, to_ms).
@Event("usage.recorded", of: .activity)
package struct UsageRecorded: EventData {
    /// Member id.
    package var member: String = ""
    /// Device name.
    package var device: String = ""
    /// linux, android, and so on.
    package var deviceModel: String?
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id or host; unknown = session time that nobody can name.
    package var subject: String = ""
    /// Present category of the subject; see catalog.changed.
    package var category: String?
    /// The app's name, if known.
    package var name: String?
    /// True for an app that shows web domains: their seconds are theirs, not its.
    package var browser: Bool?
    /// UTC milliseconds, inclusive.
    @Field(in: .min ... .max) package var from: Instant = 0
    /// UTC milliseconds, exclusive.
    @Field(in: .min ... .max) package var to: Instant = 0
    /// All intervals that start in the range, in order, disjoint.
    package var intervals: [Interval] = []
    /// Instants of pickups that belong to the subject.
    @Field(name: "pickups") package var pickups: [Instant] = []
    /// Instants of notifications of the subject.
    @Field(name: "notifications") package var notifications: [Instant] = []
    /// The subject is in use since then, and no end is known.
    package var openSince: Instant?
}
