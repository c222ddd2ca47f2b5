package import JSON
package import Units

/// The use of one device by one member: Apple's DeviceActivityData.
@Record
package struct ReportActivity: Record {
    /// The member.
    package var user: ReportActivityUser = ReportActivityUser()
    /// The device.
    package var device: ReportActivityDevice = ReportActivityDevice()
    /// Newest instant for which the device has reported, UTC milliseconds.
    package var lastUpdated: Instant = 0
    /// Length of a segment.
    package var segmentInterval: ReportSegment = .daily
    /// The range of all segments together.
    package var dateInterval: Interval = Interval()
    /// In order; all segments that have begun, also those without activity.
    package var activitySegments: [ReportActivitySegment] = []
}

/// The member of a report activity.
@Record
package struct ReportActivityUser: Record {
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// Name that the household uses, if known.
    @Field(.personal) package var name: String?
    /// Their role, if known.
    package var role: MemberRole?
}

/// The device of a report activity.
@Record
package struct ReportActivityDevice: Record {
    /// Name of the device.
    @Field(.personal) package var name: String = ""
    /// `mac` for a Linux machine; imported devices have their own, for example android.
    @Field(.publicText) package var model: String = ""
}

/// The activity of one hour, day or week.
@Record
package struct ReportActivitySegment: Record {
    /// Start and end of the segment.
    package var dateInterval: Interval = Interval()
    /// Milliseconds during which anything requested was in use; simultaneous use counts once.
    package var totalActivity: Milliseconds = 0
    /// The longest uninterrupted use within the segment; of equal ones, the first.
    package var longestActivity: Interval?
    /// First pickup of the device in the segment, UTC milliseconds.
    package var firstPickup: Instant?
    /// Pickups after which no app was used.
    package var totalPickupsWithoutApplicationActivity: Int64 = 0
    /// Sorted by category.
    package var categories: [ReportCategoryActivity] = []
}

/// The use of one category.
@Record
package struct ReportCategoryActivity: Record {
    /// Its name in the catalogue.
    @Field(.subject(.category)) package var category: String = ""
    /// Display name; set for report extensions.
    @Field(.personal) package var name: String?
    /// The client's token:BASE64 of it; for report extensions.
    @Field(markedBy: "tokenMark") package var token: String?
    /// Sum of the milliseconds of its apps and domains; a browser's time with a known domain counts in the
    /// domain's category.
    package var totalActivity: Milliseconds = 0
    /// Sorted by app.
    package var applications: [ReportApplicationActivity] = []
    /// Sorted by domain.
    package var webDomains: [ReportDomainActivity] = []

    private var tokenMark: FieldMark { .token(of: .category, category) }
}

/// The use of one app.
@Record
package struct ReportApplicationActivity: Record {
    /// App id.
    @Field(.subject(.app)) package var app: String = ""
    /// Display name, if known.
    @Field(.personal) package var name: String?
    /// The client's token:BASE64 of it; for report extensions.
    @Field(markedBy: "tokenMark") package var token: String?
    /// Milliseconds; for a browser including those that count for domains.
    package var totalActivity: Milliseconds = 0
    /// Pickups after which it was used first.
    package var numberOfPickups: Int64 = 0
    /// Notifications it showed.
    package var numberOfNotifications: Int64 = 0

    private var tokenMark: FieldMark { .token(of: .app, app) }
}

/// The use of one web domain.
@Record
package struct ReportDomainActivity: Record {
    /// The registrable domain, with the requested hosts below it; hosts of different categories are separate
    /// elements.
    @Field(.subject(.domain)) package var domain: String = ""
    /// The client's token:BASE64 of it; for report extensions.
    @Field(markedBy: "tokenMark") package var token: String?
    /// Milliseconds.
    package var totalActivity: Milliseconds = 0

    private var tokenMark: FieldMark { .token(of: .domain, domain) }
}
