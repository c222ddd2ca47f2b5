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

/// A change at one instant on one device. Two observations with the same content are the same, so a second
/// import has no effect.
@Record
package struct Observation: Record {
    /// UTC milliseconds.
    package var at: Instant = 0
    /// What changed.
    package var kind: ObservationKind = .alive
    /// App id: desktop-file id without .desktop, exe:PATH, or as imported. focus: absent = no app; unknown =
    /// an app that cannot be identified. domain: the browser that shows it; the domain then counts only while
    /// that browser has the focus, and its time is not the browser's. Absent = it counts whatever has the
    /// focus.
    @Field(.subject(.app)) package var app: String?
    /// domain: host of the active tab; absent = none. visit: host of the page; absent = it has no host.
    @Field(.subject(.domain)) package var domain: String?
    /// Which window or activity of the app, for opened and closed.
    @Field(in: .min ... .max) package var instance: Int64?
    /// Order among observations of one millisecond.
    @Field(in: .min ... .max) package var ordinal: Int64?
    /// The kernel's boot id of the boot that boottime_ms belongs to.
    @Field(.publicText) package var bootID: String?
    /// CLOCK_BOOTTIME in milliseconds; durations are measured on it.
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

/// What can be used, or named in a rule.
package enum SubjectKind: String, NameEnum {
    case app
    case domain
    case category
    /// A category of domains; `category` is one of apps.
    case domainCategory = "domain_category"
}

/// Submits observations of a sensor or an import; answered after they are committed.
@Method("usage.observe", of: .activity, .write, for: .authorizedClient)
package enum UsageObserve: Method {
    /// Observations of one device; all are stored in one transaction, or none.
    @Record("usage.observe.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Name of the device; stable over time.
        @Field(.personal) package var device: String = ""
        /// For example linux or android; default linux.
        @Field(.publicText) package var deviceModel: String?
        /// Up to 4000, in any order.
        package var observations: [Observation] = []
    }

    /// How many observations were new.
    @Record("usage.observe.result")
    package struct Result: Record {
        /// Observations that were new.
        package var accepted: Int64 = 0
        /// Observations that were stored before, and were skipped.
        package var duplicates: Int64 = 0
        /// Head of the log after this write.
        package var sequence: Int64 = 0
        /// Milliseconds until the next callback, of any client, if nothing changes; not for an app.
        package var untilNextCallback: Milliseconds?
    }
}

/// Reads the intervals of use of one member.
@Method("usage.read", of: .activity, .read, for: .authorizedClient)
package enum UsageRead: Method {
    /// A half-open range of time and filters.
    @Record("usage.read.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Only this device.
        @Field(.personal) package var device: String?
        /// Only this app or domain.
        @Field(.subject(.appOrDomain)) package var subject: String?
        /// Start of the range, UTC milliseconds.
        @Field(in: .min ... .max) package var from: Instant = 0
        /// End of the range, UTC milliseconds, exclusive.
        @Field(in: .min ... .max) package var to: Instant = 0
    }

    /// Disjoint intervals by subject and device.
    @Record("usage.read.result")
    package struct Result: Record {
        /// One element for each subject and device.
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
    /// For example linux or android.
    package var deviceModel: String?
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id or host; unknown = session time of an app that cannot be identified.
    package var subject: String = ""
    /// Category of the subject at this moment; see catalog.changed.
    package var category: String?
    /// The app's name, if known.
    package var name: String?
    /// True for a web browser: time with a known domain counts for the domain, not for the browser.
    package var browser: Bool?
    /// UTC milliseconds, inclusive.
    @Field(in: .min ... .max) package var from: Instant = 0
    /// UTC milliseconds, exclusive.
    @Field(in: .min ... .max) package var to: Instant = 0
    /// All intervals that start in the range, in order, disjoint.
    package var intervals: [Interval] = []
    /// Instants of pickups after which the subject was used first.
    @Field(name: "pickups") package var pickups: [Instant] = []
    /// Instants at which the subject showed a notification.
    @Field(name: "notifications") package var notifications: [Instant] = []
    /// The subject has been in use since this instant, and the use has not ended.
    package var openSince: Instant?
}
