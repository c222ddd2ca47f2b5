package import JSON
package import Units

/// What one member did on one device: Apple's DeviceActivityData.
@Record
package struct ReportActivity: Record {
    /// Who.
    package var user: ReportActivityUser = ReportActivityUser()
    /// On which device.
    package var device: ReportActivityDevice = ReportActivityDevice()
    /// The newest instant that is known of the device, UTC milliseconds.
    package var lastUpdated: Instant = 0
    /// How long a segment is.
    package var segmentInterval: ReportSegment = .daily
    /// All segments together.
    package var dateInterval: Interval = Interval()
    /// In order; those that have begun by now, also without activity.
    package var activitySegments: [ReportActivitySegment] = []
}

/// Whose activity.
@Record
package struct ReportActivityUser: Record {
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// As the household calls them, when it is known.
    @Field(.personal) package var name: String?
    /// Their role, when it is known.
    package var role: MemberRole?
}

/// Which device.
@Record
package struct ReportActivityDevice: Record {
    /// Name of the device.
    @Field(.personal) package var name: String = ""
    /// A Linux machine is a mac, an import says its own, such as android.
    @Field(.publicText) package var model: String = ""
}

/// One hour, day or week.
@Record
package struct ReportActivitySegment: Record {
    /// When it is.
    package var dateInterval: Interval = Interval()
    /// Milliseconds in which anything asked for was in use; what was in use at the same time counts once.
    package var totalActivity: Milliseconds = 0
    /// The longest use without a break, inside of the segment; the first of equal ones.
    package var longestActivity: Interval?
    /// UTC milliseconds.
    package var firstPickup: Instant?
    /// Pickups that led to no app.
    package var totalPickupsWithoutApplicationActivity: Int64 = 0
    /// Sorted by category.
    package var categories: [ReportCategoryActivity] = []
}

/// The use of one category.
@Record
package struct ReportCategoryActivity: Record {
    /// Its name in the catalogue.
    @Field(.subject(.category)) package var category: String = ""
    /// What a person calls it; for report extensions.
    @Field(.personal) package var name: String?
    /// The client's token:BASE64 of it; for report extensions.
    @Field(markedBy: "tokenMark") package var token: String?
    /// Milliseconds of its apps and domains, added up; a browser's time with a known domain belongs to the
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
    /// What a person calls it, if known.
    @Field(.personal) package var name: String?
    /// The client's token:BASE64 of it; for report extensions.
    @Field(markedBy: "tokenMark") package var token: String?
    /// Milliseconds; of a browser also those that belong to domains.
    package var totalActivity: Milliseconds = 0
    /// Pickups that led to it.
    package var numberOfPickups: Int64 = 0
    /// Notifications it showed.
    package var numberOfNotifications: Int64 = 0

    private var tokenMark: FieldMark { .token(of: .app, app) }
}

/// The use of one web domain.
@Record
package struct ReportDomainActivity: Record {
    /// What one can register, with those of its hosts that are asked for; hosts of several categories by
    /// themselves.
    @Field(.subject(.domain)) package var domain: String = ""
    /// The client's token:BASE64 of it; for report extensions.
    @Field(markedBy: "tokenMark") package var token: String?
    /// Milliseconds.
    package var totalActivity: Milliseconds = 0

    private var tokenMark: FieldMark { .token(of: .domain, domain) }
}
