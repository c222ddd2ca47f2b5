import Contract
import Loop
import Rules
import Store

/// The known apps, and the categories of apps and domains. Apps and the person's categories are kept in
/// memory, imported lists are not.
///
/// Sources have a fixed precedence: the person's setting, then for domains the imported lists, for apps their
/// desktop entry, then the built-in table. Within one source the longest domain decides.
@LoopActor final class Catalog {
    let lists: DomainLists
    private let database: Database
    private let table: AppTable
    private(set) var apps: [String: KnownApp] = [:]
    /// Categories set by the person.
    private(set) var overrides: [Subject: String] = [:]
    /// Input of the rules; contains only the domains that were looked up.
    private var catalogue = Catalogue()

    init(_ database: Database) throws {
        self.database = database
        table = AppTable(database)
        lists = DomainLists(database)
        try reload()
    }

    /// Restores the state in memory from the store after a failed write.
    func reload() throws {
        try lists.reload()
        apps = try table.all()
        overrides = [:]
        try database.each("SELECT kind, subject, category FROM category_override") { row in
            guard let kind = Subject.Kind(rawValue: UInt8(truncatingIfNeeded: row.int64(0))) else { return }
            overrides[Subject(kind, row.text(1))] = Categories.stored(row.int64(2))
        }
        catalogue = Catalogue()
        for id in apps.keys { refresh(id) }
        for subject in overrides.keys where subject.kind == .app { refresh(subject.id) }
    }

    // MARK: asking

    /// Sum over all apps of the number of devices that have it.
    var installedCount: Int { apps.values.reduce(0) { $0 + $1.devices.count } }

    func name(of subject: Subject) -> String? { subject.kind == .app ? apps[subject.id]?.facts.name : nil }

    func isBrowser(_ subject: Subject) -> Bool { catalogue.isBrowser(subject) }

    func category(of subject: Subject) throws(StoreError) -> String {
        if subject.kind == .domain { try learn(host: subject.id) }
        return catalogue.category(of: subject)
    }

    /// The catalogue with at least these subjects.
    func catalogue(for subjects: some Sequence<Subject>) throws(StoreError) -> Catalogue {
        for subject in subjects where subject.kind == .domain { try learn(host: subject.id) }
        return catalogue
    }

    /// A category with the source that decides it.
    struct Verdict: Equatable {
        var category: String
        var source: CategorySource
        /// For a domain: the deciding domain, and the list.
        var decidedBy: String?
    }

    func verdict(on subject: Subject) throws(StoreError) -> Verdict {
        if subject.kind == .domain { return try verdict(onHost: subject.id, in: lists.inForce) }
        if let category = overrides[subject] { return Verdict(category: category, source: .person) }
        if let category = apps[subject.id]?.facts.category {
            return Verdict(category: category, source: .entry)
        }
        if let category = WellKnown.category(ofApp: subject.id) {
            return Verdict(category: category, source: .known)
        }
        return Verdict(category: Categories.other, source: .nothing)
    }

    func verdict(onHost host: String, in lists: [DomainLists.List]) throws(StoreError) -> Verdict {
        for name in DomainNames(of: host) {
            guard let category = overrides[.domain(name)] else { continue }
            return Verdict(category: category, source: .person, decidedBy: name)
        }
        if let found = try self.lists.find(host, in: lists) {
            return Verdict(
                category: found.category, source: .list, decidedBy: "\(found.domain) \(found.list)")
        }
        if let found = WellKnown.category(ofHost: host) {
            return Verdict(category: found.category, source: .known, decidedBy: found.domain)
        }
        return Verdict(category: Categories.other, source: .nothing)
    }

    /// What followers store about a subject.
    func change(of subject: Subject) throws(StoreError) -> CatalogChange {
        CatalogChange(
            kind: subject.subjectKind, subject: subject.id, category: try category(of: subject),
            name: name(of: subject), browser: isBrowser(subject) ? true : nil)
    }

    private func learn(host: String) throws(StoreError) {
        guard catalogue.domainCategories[host] == nil else { return }
        let verdict = try verdict(onHost: host, in: lists.inForce)
        if catalogue.domainCategories.count >= ActivityLimits.hostsKept { forgetHosts() }
        catalogue.domainCategories[host] = verdict.category
    }

    /// Clears the cache after a change that can affect any host.
    func forgetHosts() { catalogue.domainCategories = [:] }

    private func refresh(_ id: String) {
        var facts = apps[id]?.facts ?? AppFacts()
        facts.category = overrides[.app(id)] ?? facts.category
        catalogue.set(id, facts)
    }

    // MARK: updating; inside a write

    /// Forgets apps to which no record refers. An installed app is reported again when a session of its
    /// device begins.
    func forget(_ ids: [String]) throws(StoreError) {
        for id in ids.map(apps.stored) {
            apps[id] = nil
            refresh(id)
            try table.remove(id)
        }
    }

    /// Deletes all categories set by the person.
    /// - Returns: how many there were.
    func forgetOverrides() throws(StoreError) -> Int {
        let count = overrides.count
        let ids = overrides.keys.filter { $0.kind == .app }.map(\.id)
        overrides = [:]
        for id in ids { refresh(id) }
        forgetHosts()
        try database.run("DELETE FROM category_override")
        return count
    }

    /// Updates the app from an observation.
    /// - Returns: the app if something changed.
    func learn(_ observation: Observation) throws(StoreError) -> Subject? {
        guard let id = observation.app.map(apps.stored) else { return nil }
        let showsDomain = observation.kind == .domain && observation.domain != nil
        let isTold = observation.appName != nil || observation.appCategories != nil
        guard isTold || showsDomain && !isBrowser(.app(id)) else { return nil }
        var app = apps[id] ?? KnownApp()
        if let name = observation.appName { app.facts.name = name }
        if let categories = observation.appCategories { app.facts.apply(freedesktop: categories) }
        if showsDomain { app.facts.isBrowser = true }
        return try keep(app, as: id) ? .app(id) : nil
    }

    /// Updates an app from a device's desktop entries.
    /// - Returns: the change for followers, if any.
    func learn(_ installed: InstalledApp, on device: String) throws(StoreError) -> CatalogChange? {
        let id = apps.stored(installed.app)
        let before = apps[id] == nil ? nil : try change(of: .app(id))
        var app = apps[id] ?? KnownApp()
        app.facts.name = installed.name
        app.facts.apply(freedesktop: installed.categories)
        app.icon = installed.icon
        app.windowClass = installed.windowClass
        if app.devices.insert(device).inserted { try table.install(id, on: device) }
        try keep(app, as: id)
        let after = try change(of: .app(id))
        return before == after ? nil : after
    }

    /// Removes the app from the device. Its facts stay because of its recorded use.
    func forget(_ id: String, on device: String) throws(StoreError) {
        let id = apps.stored(id)
        guard let device = apps[id]?.devices.remove(device) else { return }
        try table.uninstall(id, from: device)
    }

    /// - Returns: whether something changed.
    @discardableResult
    private func keep(_ app: KnownApp, as id: String) throws(StoreError) -> Bool {
        guard app != apps[id] else { return false }
        apps[id] = app
        refresh(id)
        try table.save(app, as: id)
        return true
    }

    /// - Parameter category: nil removes the setting.
    func set(_ category: String?, for subject: Subject) throws(StoreError) {
        let subject = overrides.stored(subject)
        overrides[subject] = category
        if let category {
            try database.run(
                "INSERT OR REPLACE INTO category_override (kind, subject, category) VALUES (?1, ?2, ?3)",
                Int64(subject.kind.rawValue), subject.id, Categories.number(of: category))
        } else {
            try database.run(
                "DELETE FROM category_override WHERE kind = ?1 AND subject = ?2",
                Int64(subject.kind.rawValue), subject.id)
        }
        if subject.kind == .app { refresh(subject.id) } else { forgetHosts() }
    }
}

extension Categories {
    /// The stored number of a category; an unknown one is stored as `other`.
    static func number(of category: String) -> Int64 { Int64(names.firstIndex(of: category) ?? 0) }

    static func stored(_ number: Int64) -> String {
        names.indices.contains(Int(number)) ? names[Int(number)] : other
    }
}
