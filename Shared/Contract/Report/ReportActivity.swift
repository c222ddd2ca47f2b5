package import JSON

/// What one member did on one device: Apple's DeviceActivityData.
package struct ReportActivity: Record {
    package var user = ReportActivityUser()
    package var device = ReportActivityDevice()
    package var lastUpdatedMs: Int64 = 0
    package var segmentInterval: ReportSegment = .daily
    package var dateInterval = Interval()
    package var activitySegments: [ReportActivitySegment] = []

    package init() {}
    package init(
        user: ReportActivityUser = ReportActivityUser(),
        device: ReportActivityDevice = ReportActivityDevice(), lastUpdatedMs: Int64 = 0,
        segmentInterval: ReportSegment = .daily, dateInterval: Interval = Interval(),
        activitySegments: [ReportActivitySegment] = []
    ) {
        self.user = user
        self.device = device
        self.lastUpdatedMs = lastUpdatedMs
        self.segmentInterval = segmentInterval
        self.dateInterval = dateInterval
        self.activitySegments = activitySegments
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("user", &user, "Who.")
        try visitor.field("device", &device, "On which device.")
        try visitor.field(
            "last_updated_ms", &lastUpdatedMs,
            "The newest instant that is known of the device, UTC milliseconds.")
        try visitor.field("segment_interval", &segmentInterval, "How long a segment is.")
        try visitor.field("date_interval", &dateInterval, "All segments together.")
        try visitor.field(
            "activity_segments", &activitySegments,
            "In order; those that have begun by now, also without activity.")
    }
}

/// Whose activity.
package struct ReportActivityUser: Record {
    package var member = ""
    package var name: String?
    package var role: MemberRole?

    package init() {}
    package init(
        member: String = "", name: String? = nil, role: MemberRole? = nil
    ) {
        self.member = member
        self.name = name
        self.role = role
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("member", &member, "Member id.", .publicText)
        try visitor.field("name", &name, "As the household calls them, when it is known.", .personal)
        try visitor.field("role", &role, "Their role, when it is known.")
    }
}

/// Which device.
package struct ReportActivityDevice: Record {
    package var name = ""
    package var model = ""

    package init() {}
    package init(
        name: String = "", model: String = ""
    ) {
        self.name = name
        self.model = model
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("name", &name, "Name of the device.", .personal)
        try visitor.field(
            "model", &model, "A Linux machine is a mac, an import says its own, such as android.",
            .publicText)
    }
}

/// One hour, day or week.
package struct ReportActivitySegment: Record {
    package var dateInterval = Interval()
    package var totalActivityMs: Int64 = 0
    package var longestActivity: Interval?
    package var firstPickupMs: Int64?
    package var totalPickupsWithoutApplicationActivity: Int64 = 0
    package var categories: [ReportCategoryActivity] = []

    package init() {}
    package init(
        dateInterval: Interval = Interval(), totalActivityMs: Int64 = 0, longestActivity: Interval? = nil,
        firstPickupMs: Int64? = nil, totalPickupsWithoutApplicationActivity: Int64 = 0,
        categories: [ReportCategoryActivity] = []
    ) {
        self.dateInterval = dateInterval
        self.totalActivityMs = totalActivityMs
        self.longestActivity = longestActivity
        self.firstPickupMs = firstPickupMs
        self.totalPickupsWithoutApplicationActivity = totalPickupsWithoutApplicationActivity
        self.categories = categories
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("date_interval", &dateInterval, "When it is.")
        try visitor.field(
            "total_activity_ms", &totalActivityMs,
            "Milliseconds in which anything asked for was in use; what was in use at the same time counts once."
        )
        try visitor.field(
            "longest_activity", &longestActivity,
            "The longest use without a break, inside of the segment; the first of equal ones.")
        try visitor.field("first_pickup_ms", &firstPickupMs, "UTC milliseconds.")
        try visitor.field(
            "total_pickups_without_application_activity", &totalPickupsWithoutApplicationActivity,
            "Pickups that led to no app.")
        try visitor.field("categories", &categories, "Sorted by category.")
    }
}

/// The use of one category.
package struct ReportCategoryActivity: Record {
    package var category = ""
    package var name: String?
    package var token: String?
    package var totalActivityMs: Int64 = 0
    package var applications: [ReportApplicationActivity] = []
    package var webDomains: [ReportDomainActivity] = []

    package init() {}
    package init(
        category: String = "", name: String? = nil, token: String? = nil, totalActivityMs: Int64 = 0,
        applications: [ReportApplicationActivity] = [], webDomains: [ReportDomainActivity] = []
    ) {
        self.category = category
        self.name = name
        self.token = token
        self.totalActivityMs = totalActivityMs
        self.applications = applications
        self.webDomains = webDomains
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("category", &category, "Its name in the catalogue.", .subject(.category))
        try visitor.field("name", &name, "What a person calls it; for report extensions.", .personal)
        try visitor.field(
            "token", &token,
            "The client's token:BASE64 of it; for report extensions.", .token(of: .category, category))
        try visitor.field(
            "total_activity_ms", &totalActivityMs,
            "Milliseconds of its apps and domains, added up; a browser's time with a known domain belongs to the domain's category."
        )
        try visitor.field("applications", &applications, "Sorted by app.")
        try visitor.field("web_domains", &webDomains, "Sorted by domain.")
    }
}

/// The use of one app.
package struct ReportApplicationActivity: Record {
    package var app = ""
    package var name: String?
    package var token: String?
    package var totalActivityMs: Int64 = 0
    package var numberOfPickups: Int64 = 0
    package var numberOfNotifications: Int64 = 0

    package init() {}
    package init(
        app: String = "", name: String? = nil, token: String? = nil, totalActivityMs: Int64 = 0,
        numberOfPickups: Int64 = 0, numberOfNotifications: Int64 = 0
    ) {
        self.app = app
        self.name = name
        self.token = token
        self.totalActivityMs = totalActivityMs
        self.numberOfPickups = numberOfPickups
        self.numberOfNotifications = numberOfNotifications
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("app", &app, "App id.", .subject(.app))
        try visitor.field("name", &name, "What a person calls it, if known.", .personal)
        try visitor.field(
            "token", &token, "The client's token:BASE64 of it; for report extensions.", .token(of: .app, app))
        try visitor.field(
            "total_activity_ms", &totalActivityMs,
            "Milliseconds; of a browser also those that belong to domains.")
        try visitor.field("number_of_pickups", &numberOfPickups, "Pickups that led to it.")
        try visitor.field("number_of_notifications", &numberOfNotifications, "Notifications it showed.")
    }
}

/// The use of one web domain.
package struct ReportDomainActivity: Record {
    package var domain = ""
    package var token: String?
    package var totalActivityMs: Int64 = 0

    package init() {}
    package init(
        domain: String = "", token: String? = nil, totalActivityMs: Int64 = 0
    ) {
        self.domain = domain
        self.token = token
        self.totalActivityMs = totalActivityMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field(
            "domain", &domain,
            "What one can register, with those of its hosts that are asked for; hosts of several categories by themselves.",
            .subject(.domain))
        try visitor.field(
            "token", &token,
            "The client's token:BASE64 of it; for report extensions.", .token(of: .domain, domain))
        try visitor.field("total_activity_ms", &totalActivityMs, "Milliseconds.")
    }
}
