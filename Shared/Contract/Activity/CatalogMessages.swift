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
@Record
package struct CatalogItem: Record {
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id, host or domain.
    @Field(markedBy: "subjectMark") package var subject: String = ""
    /// What a person calls the app.
    @Field(.personal) package var name: String?
    /// social, games, …; other when nobody knows.
    @Field(.subject(.category)) package var category: String = ""
    /// What decided the category.
    package var source: CategorySource = .nothing
    /// Of a domain: the domain that decided, and for a list its name after a blank.
    @Field(.personal) package var decidedBy: String?
    /// Of a domain: what reports show it as.
    @Field(.subject(.domain)) package var registrableDomain: String?
    /// True for an app that shows web domains.
    package var browser: Bool?
    /// Name or path of the app's icon (Icon Theme Specification).
    @Field(.personal) package var icon: String?
    /// StartupWMClass of its desktop entry.
    @Field(.personal) package var windowClass: String?
    /// Devices that have the app installed, sorted.
    @Field(.personal) package var devices: [String]?

    private var subjectMark: FieldMark { .subject(kind.mark) }
}

/// One installed app, as its desktop entry tells.
@Record
package struct InstalledApp: Record {
    /// Desktop-file id without .desktop.
    @Field(.subject(.app)) package var app: String = ""
    /// In the person's language.
    package var name: String = ""
    /// Freedesktop categories.
    package var categories: [String] = []
    /// Name or path of its icon.
    package var icon: String?
    /// StartupWMClass.
    package var windowClass: String?
}

/// Tells which apps a device has: those that came or changed, and those that went.
@Method("catalog.observe", of: .activity, .write, for: .person)
package enum CatalogObserve: Method {
    @Record("catalog.observe.params")
    package struct Params: Record {
        /// Name of the device, as in usage.observe.
        package var device: String = ""
        /// Up to 500.
        package var apps: [InstalledApp] = []
        /// Ids of apps that the device has no longer.
        @Field(.subject(.app)) package var gone: [String]?
        /// True: a full list begins; what the device had is forgotten.
        package var begins: Bool?
    }

    package typealias Result = Written
}

/// Apps, or domains that were used, set or are well known, sorted by id, page by page.
///
/// Domains of imported lists are found by catalog.resolve and catalog.read.
@Method("catalog.list", of: .activity, .read, for: .authorizedClient)
package enum CatalogList: Method {
    @Record("catalog.list.params")
    package struct Params: Record {
        /// App or domain; default app.
        package var kind: SubjectKind?
        /// Only what has this in its id or name, in any case.
        @Field(.personal) package var filter: String?
        /// Only this category.
        @Field(.subject(.category)) package var category: String?
        /// Only what this decided.
        package var source: CategorySource?
        /// next of the page before.
        @Field(.personal) package var after: String?
        /// Items of a page; default and most 500.
        package var limit: Int64?
    }

    @Record("catalog.list.result")
    package struct Result: Record {
        /// Sorted by subject, bytewise.
        package var items: [CatalogItem] = []
        /// There is more: ask again with this as after.
        @Field(.personal) package var next: String?
        /// Head of the log it goes with; follow from here.
        package var sequence: Int64 = 0
        /// Epoch of the log that the sequence belongs to.
        @Field(.publicText) package var epoch: String?
    }
}

/// What a request about one app or domain names: exactly one of the three.
@Record
package struct CatalogTarget: Record {
    /// App id.
    @Field(.subject(.app)) package var app: String?
    /// Host or domain; a domain stands for all below it.
    @Field(.subject(.domain)) package var host: String?
    /// What a person typed: a known app's id or name, else a domain that can exist, else an app.
    @Field(.subject(.appOrDomain)) package var target: String?
}

/// The category of one app or host, and what decided it.
@Method("catalog.resolve", of: .activity, .read, for: .authorizedClient)
package enum CatalogResolve: Method {
    package typealias Params = CatalogTarget
    package typealias Result = CatalogItem
}

/// Puts an app or a domain into a category, whatever others say, also for use already recorded.
@Method("catalog.set", of: .activity, .write, for: .person)
package enum CatalogSet: Method {
    @Record("catalog.set.params")
    package struct Params: Record {
        /// The app or domain.
        package var about: CatalogTarget = CatalogTarget()
        /// Absent: takes back what was set.
        @Field(.subject(.category)) package var category: String?
    }

    @Record("catalog.set.result")
    package struct Result: Record {
        /// As it is now.
        package var item: CatalogItem = CatalogItem()
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// Apps and used domains whose category, name or being a browser changed.
///
/// Reports and shields follow at once; a threshold that was delivered stays delivered.
@Event("catalog.changed", of: .activity)
package struct CatalogChanged: EventData {
    /// As they are now; up to 500 in one event.
    package var subjects: [CatalogChange] = []
    /// True: answers of catalog.resolve about hosts that nobody used may differ from now on.
    package var hostsMayDiffer: Bool = false
}

/// What followers keep of a subject.
@Record
package struct CatalogChange: Record {
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id or host.
    package var subject: String = ""
    /// Its category.
    package var category: String = ""
    /// What a person calls the app.
    package var name: String?
    /// True for an app that shows web domains.
    package var browser: Bool?
}
