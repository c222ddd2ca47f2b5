package import JSON

/// What decided a category, in order of precedence.
package enum CategorySource: String, NameEnum {
    /// The person set it.
    case person
    /// A list that the person imported.
    case list
    /// The app's desktop entry.
    case entry
    /// The built-in table of well-known apps and domains.
    case known
    /// Nothing; the category is `other`.
    case nothing
}

/// An app or a domain with its category.
@Record
package struct CatalogItem: Record {
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id, host or domain.
    @Field(markedBy: "subjectMark") package var subject: String = ""
    /// What a person calls the app.
    @Field(.personal) package var name: String?
    /// For example social or games; `other` when nothing decides it.
    @Field(.subject(.category)) package var category: String = ""
    /// What decided the category.
    package var source: CategorySource = .nothing
    /// For a domain: the domain whose entry decided; for a list, followed by a blank and the list's name.
    @Field(.personal) package var decidedBy: String?
    /// For a domain: the registrable domain that reports show.
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

extension CatalogItem {
    /// Whether the catalogue has an entry for the app: it was installed or used, or the person gave it a
    /// category.
    package var isEntered: Bool {
        switch source {
        case .person, .list, .entry: true
        case .known, .nothing: name != nil || devices != nil
        }
    }
}

/// One installed app, as its desktop entry describes it.
@Record
package struct InstalledApp: Record {
    /// Desktop-file id without .desktop.
    @Field(.subject(.app)) package var app: String = ""
    /// Its name in the person's language.
    package var name: String = ""
    /// Freedesktop categories.
    package var categories: [String] = []
    /// Name or path of its icon.
    package var icon: String?
    /// StartupWMClass.
    package var windowClass: String?
}

/// Reports which apps a device has: those that were added or changed, and those that were removed.
@Method("catalog.observe", of: .activity, .write, for: .person)
package enum CatalogObserve: Method {
    /// Changes of one device, or a part of its full list.
    @Record("catalog.observe.params")
    package struct Params: Record {
        /// Name of the device, as in usage.observe.
        package var device: String = ""
        /// Up to 500.
        package var apps: [InstalledApp] = []
        /// Ids of apps that were removed from the device.
        @Field(.subject(.app)) package var gone: [String]?
        /// True for the first part of a full list: the apps known of the device are removed first.
        package var begins: Bool?
    }

    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// Lists apps, or domains that were used, set or are well known, sorted by id, in pages.
///
/// Domains of imported lists are found by catalog.resolve and catalog.read.
@Method("catalog.list", of: .activity, .read, for: .authorizedClient)
package enum CatalogList: Method {
    /// Filters that all must match, and the page.
    @Record("catalog.list.params")
    package struct Params: Record {
        /// app or domain; default app.
        package var kind: SubjectKind?
        /// Only items whose id or name contains this, case-insensitively.
        @Field(.personal) package var filter: String?
        /// Only this category.
        @Field(.subject(.category)) package var category: String?
        /// Only items whose category this decided.
        package var source: CategorySource?
        /// `next` of the previous page.
        @Field(.personal) package var after: String?
        /// Items per page; default and maximum 500.
        package var limit: Int64?
    }

    /// One page of items.
    @Record("catalog.list.result")
    package struct Result: Record {
        /// Sorted by subject, bytewise.
        package var items: [CatalogItem] = []
        /// Set when there is more: pass it as `after` in the next request.
        @Field(.personal) package var next: String?
        /// Head of the log that this page reflects; follow the log from here.
        package var sequence: Int64 = 0
        /// Epoch of the log that the sequence belongs to.
        @Field(.publicText) package var epoch: String?
    }
}

/// The app or domain that a request is about: exactly one of the three fields is set.
@Record
package struct CatalogTarget: Record {
    /// App id.
    @Field(.subject(.app)) package var app: String?
    /// Host or domain; a domain covers its subdomains.
    @Field(.subject(.domain)) package var host: String?
    /// Text that a person typed. It is matched against ids and names of known apps, then read as a domain if
    /// it can be one, else as an app.
    @Field(.subject(.appOrDomain)) package var target: String?
}

/// Finds the category of one app or host, and what decided it.
@Method("catalog.resolve", of: .activity, .read, for: .authorizedClient)
package enum CatalogResolve: Method {
    /// The app or host.
    package typealias Params = CatalogTarget
    /// The item with its category; for a host, what its most specific known domain decides.
    package typealias Result = CatalogItem
}

/// Sets the category of an app or a domain, over all other sources, also for use recorded before.
@Method("catalog.set", of: .activity, .write, for: .person)
package enum CatalogSet: Method {
    /// The subject and its new category.
    @Record("catalog.set.params")
    package struct Params: Record {
        /// The app or domain.
        package var about: CatalogTarget = CatalogTarget()
        /// Absent: removes the person's setting.
        @Field(.subject(.category)) package var category: String?
    }

    /// The changed item.
    @Record("catalog.set.result")
    package struct Result: Record {
        /// The item after the change.
        package var item: CatalogItem = CatalogItem()
        /// Head of the log after this write.
        package var sequence: Int64 = 0
    }
}

/// The category, the name or the browser flag of apps and used domains changed.
///
/// Reports and shields use the new values at once; a delivered threshold stays delivered.
@Event("catalog.changed", of: .activity)
package struct CatalogChanged: EventData {
    /// The subjects with their new values; up to 500 in one event.
    package var subjects: [CatalogChange] = []
    /// True when catalog.resolve may now answer differently for hosts that were never used.
    package var hostsMayDiffer: Bool = false
    /// True when entries of apps were deleted that no event may name any more: a copy of the catalogue must
    /// be read again.
    package var appsDeleted: Bool?
}

/// What services that follow the catalogue store of a subject.
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
