package import JSON

/// What decided a category, the strongest first.
package enum CategorySource: String, NameEnum {
    /// The person set it.
    case person
    /// A list that the person imported.
    case list
    /// The app's desktop entry.
    case entry
    /// Our own table.
    case known
    /// Nothing: it is `other`.
    case nothing
}

/// An app or a domain and where it belongs.
package struct CatalogItem: Record {
    package var kind: SubjectKind = .app
    package var subject = ""
    package var name: String?
    package var category = ""
    package var source: CategorySource = .nothing
    package var decidedBy: String?
    package var registrableDomain: String?
    package var browser: Bool?
    package var icon: String?
    package var windowClass: String?
    package var devices: [String]?

    package init() {}
    package init(
        kind: SubjectKind = .app, subject: String = "", name: String? = nil, category: String = "",
        source: CategorySource = .nothing, decidedBy: String? = nil, registrableDomain: String? = nil,
        browser: Bool? = nil, icon: String? = nil, windowClass: String? = nil, devices: [String]? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.name = name
        self.category = category
        self.source = source
        self.decidedBy = decidedBy
        self.registrableDomain = registrableDomain
        self.browser = browser
        self.icon = icon
        self.windowClass = windowClass
        self.devices = devices
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("kind", &kind, "App or domain.")
        try visitor.field("subject", &subject, "App id, host or domain.", .subject(kind.mark))
        try visitor.field("name", &name, "What a person calls the app.", .personal)
        try visitor.field(
            "category", &category, "social, games, …; other when nobody knows.", .subject(.category))
        try visitor.field("source", &source, "What decided the category.")
        try visitor.field(
            "decided_by", &decidedBy,
                "Of a domain: the domain that decided, and for a list its name after a blank.", .personal)
        try visitor.field(
            "registrable_domain", &registrableDomain,
            "Of a domain: what reports show it as.", .subject(.domain))
        try visitor.field("browser", &browser, "True for an app that shows web domains.")
        try visitor.field(
            "icon", &icon, "Name or path of the app's icon (Icon Theme Specification).", .personal)
        try visitor.field("window_class", &windowClass, "StartupWMClass of its desktop entry.", .personal)
        try visitor.field("devices", &devices, "Devices that have the app installed, sorted.", .personal)
    }
}

/// One installed app, as its desktop entry tells.
package struct InstalledApp: Record {
    package var app = ""
    package var name = ""
    package var categories: [String] = []
    package var icon: String?
    package var windowClass: String?

    package init() {}
    package init(
        app: String = "", name: String = "", categories: [String] = [], icon: String? = nil,
        windowClass: String? = nil
    ) {
        self.app = app
        self.name = name
        self.categories = categories
        self.icon = icon
        self.windowClass = windowClass
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("app", &app, "Desktop-file id without .desktop.", .subject(.app))
        try visitor.field("name", &name, "In the person's language.")
        try visitor.field("categories", &categories, "Freedesktop categories.")
        try visitor.field("icon", &icon, "Name or path of its icon.")
        try visitor.field("window_class", &windowClass, "StartupWMClass.")
    }
}

/// Tells which apps a device has: those that came or changed, and those that went.
package enum CatalogObserve: Method {
    package static let name = "catalog.observe"
    package static let owner = ServiceName.activity
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Tells which apps a device has: those that came or changed, and those that went."

    package struct Params: Record {
        package static var title: String { "catalog.observe.params" }
        package var device = ""
        package var apps: [InstalledApp] = []
        package var gone: [String]?
        package var begins: Bool?

        package init() {}
        package init(
            device: String = "", apps: [InstalledApp] = [], gone: [String]? = nil, begins: Bool? = nil
        ) {
            self.device = device
            self.apps = apps
            self.gone = gone
            self.begins = begins
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("device", &device, "Name of the device, as in usage.observe.")
            try visitor.field("apps", &apps, "Up to 500.")
            try visitor.field("gone", &gone, "Ids of apps that the device has no longer.", .subject(.app))
            try visitor.field(
                "begins", &begins, "True: a full list begins; what the device had is forgotten.")
        }
    }

    package typealias Result = Written
}

/// Apps or domains, page by page, sorted by id: apps that were told or used; domains that were used, set or
/// are well known. Domains of imported lists are found by catalog.resolve and catalog.read.
package enum CatalogList: Method {
    package static let name = "catalog.list"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "Apps, or domains that were used, set or are well known, sorted by id, page by page."

    package struct Params: Record {
        package static var title: String { "catalog.list.params" }
        package var kind: SubjectKind?
        package var filter: String?
        package var category: String?
        package var source: CategorySource?
        package var after: String?
        package var limit: Int64?

        package init() {}
        package init(
            kind: SubjectKind? = nil, filter: String? = nil, category: String? = nil,
            source: CategorySource? = nil, after: String? = nil, limit: Int64? = nil
        ) {
            self.kind = kind
            self.filter = filter
            self.category = category
            self.source = source
            self.after = after
            self.limit = limit
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("kind", &kind, "App or domain; default app.")
            try visitor.field(
                "filter", &filter, "Only what has this in its id or name, in any case.", .personal)
            try visitor.field("category", &category, "Only this category.", .subject(.category))
            try visitor.field("source", &source, "Only what this decided.")
            try visitor.field("after", &after, "next of the page before.", .personal)
            try visitor.field("limit", &limit, "Items of a page; default and most 500.")
        }
    }

    package struct Result: Record {
        package static var title: String { "catalog.list.result" }
        package var items: [CatalogItem] = []
        package var next: String?
        package var sequence: Int64 = 0
        package var epoch: String?

        package init() {}
        package init(
            items: [CatalogItem] = [], next: String? = nil, sequence: Int64 = 0, epoch: String? = nil
        ) {
            self.items = items
            self.next = next
            self.sequence = sequence
            self.epoch = epoch
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("items", &items, "Sorted by subject, bytewise.")
            try visitor.field("next", &next, "There is more: ask again with this as after.", .personal)
            try visitor.field("sequence", &sequence, "Head of the log it goes with; follow from here.")
            try visitor.field("epoch", &epoch, "Epoch of the log that the sequence belongs to.", .publicText)
        }
    }
}

/// What a request about one app or domain names: exactly one of the three.
package struct CatalogTarget: Record {
    package var app: String?
    package var host: String?
    package var target: String?

    package init() {}
    package init(app: String? = nil, host: String? = nil, target: String? = nil) {
        self.app = app
        self.host = host
        self.target = target
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("app", &app, "App id.", .subject(.app))
        try visitor.field(
            "host", &host, "Host or domain; a domain stands for all below it.", .subject(.domain))
        try visitor.field(
            "target", &target,
                "What a person typed: a known app's id or name, else a domain that can exist, else an app.",
            .subject(.appOrDomain))
    }
}

/// The category of one app or host, and what decided it.
package enum CatalogResolve: Method {
    package static let name = "catalog.resolve"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "The category of one app or host, and what decided it."
    package typealias Params = CatalogTarget
    package typealias Result = CatalogItem
}

/// Puts an app or a domain into a category, whatever others say; at once, also for use already recorded.
package enum CatalogSet: Method {
    package static let name = "catalog.set"
    package static let owner = ServiceName.activity
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Puts an app or a domain into a category, whatever others say, also for use already recorded."

    package struct Params: Record {
        package static var title: String { "catalog.set.params" }
        package var about = CatalogTarget()
        package var category: String?

        package init() {}
        package init(about: CatalogTarget = CatalogTarget(), category: String? = nil) {
            self.about = about
            self.category = category
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("about", &about, "The app or domain.")
            try visitor.field("category", &category, "Absent: takes back what was set.", .subject(.category))
        }
    }

    package struct Result: Record {
        package static var title: String { "catalog.set.result" }
        package var item = CatalogItem()
        package var sequence: Int64 = 0

        package init() {}
        package init(item: CatalogItem = CatalogItem(), sequence: Int64 = 0) {
            self.item = item
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("item", &item, "As it is now.")
            try visitor.field("sequence", &sequence, "Head of the log after it.")
        }
    }
}

/// The subjects whose category, name or being a browser changed. Reports and shields follow at once; a
/// threshold that was delivered stays delivered.
package struct CatalogChanged: EventData {
    package static let type = "catalog.changed"
    package static let owner = ServiceName.activity
    package static let summary = "Apps and used domains whose category, name or being a browser changed."
    package var subjects: [CatalogChange] = []
    package var hostsMayDiffer = false

    package init() {}
    package init(subjects: [CatalogChange] = [], hostsMayDiffer: Bool = false) {
        self.subjects = subjects
        self.hostsMayDiffer = hostsMayDiffer
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("subjects", &subjects, "As they are now; up to 500 in one event.")
        try visitor.field(
            "hosts_may_differ", &hostsMayDiffer,
            "True: answers of catalog.resolve about hosts that nobody used may differ from now on.")
    }
}

/// What followers keep of a subject.
package struct CatalogChange: Record {
    package var kind: SubjectKind = .app
    package var subject = ""
    package var category = ""
    package var name: String?
    package var browser: Bool?

    package init() {}
    package init(
        kind: SubjectKind = .app, subject: String = "", category: String = "", name: String? = nil,
        browser: Bool? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.category = category
        self.name = name
        self.browser = browser
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("kind", &kind, "App or domain.")
        try visitor.field("subject", &subject, "App id or host.")
        try visitor.field("category", &category, "Its category.")
        try visitor.field("name", &name, "What a person calls the app.")
        try visitor.field("browser", &browser, "True for an app that shows web domains.")
    }
}
