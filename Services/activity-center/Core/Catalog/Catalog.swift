import Contract
import Loop
import Rules
import Store

/// What is known of apps, and where apps and domains belong. Apps and what the person set stay in memory,
/// imported lists do not.
///
/// A stronger word wins, whatever it is about: the person's, for domains the imported lists', for apps their
/// desktop entry's, our own table's. Within one the longest domain decides.
@LoopActor final class Catalog {
    let lists: DomainLists
    private let database: Database
    private let table: AppTable
    private(set) var apps: [String: KnownApp] = [:]
    /// What the person set.
    private(set) var overrides: [Subject: String] = [:]
    /// For the rules; of domains it knows those that were asked for.
    private var catalogue = Catalogue()

    /// Hosts whose category is remembered; more, and all are asked for again.
    private static let hostsKept = 20_000

    init(_ database: Database) throws {
        self.database = database
        table = AppTable(database)
        lists = DomainLists(database)
        try reload()
    }

    /// Forgets what memory learnt in a write that failed.
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

    /// Of all apps, on how many devices each is.
    var installedCount: Int { apps.values.reduce(0) { $0 + $1.devices.count } }

    func name(of subject: Subject) -> String? { subject.kind == .app ? apps[subject.id]?.facts.name : nil }

    func isBrowser(_ subject: Subject) -> Bool { catalogue.isBrowser(subject) }

    func category(of subject: Subject) throws(StoreError) -> String {
        if subject.kind == .domain { try learn(host: subject.id) }
        return catalogue.category(of: subject)
    }

    /// The catalogue as far as these subjects need it.
    func catalogue(for subjects: some Sequence<Subject>) throws(StoreError) -> Catalogue {
        for subject in subjects where subject.kind == .domain { try learn(host: subject.id) }
        return catalogue
    }

    /// What decides a category.
    struct Verdict: Equatable {
        var category: String
        var source: CategorySource
        /// Of a domain: which one decided, and the list.
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

    /// What followers keep of a subject.
    func change(of subject: Subject) throws(StoreError) -> CatalogChange {
        CatalogChange(
            kind: subject.subjectKind, subject: subject.id, category: try category(of: subject),
            name: name(of: subject), browser: isBrowser(subject) ? true : nil)
    }

    private func learn(host: String) throws(StoreError) {
        guard catalogue.domainCategories[host] == nil else { return }
        let verdict = try verdict(onHost: host, in: lists.inForce)
        if catalogue.domainCategories.count >= Self.hostsKept { forgetHosts() }
        catalogue.domainCategories[host] = verdict.category
    }

    /// Hosts are asked for again: what decides about them changed.
    func forgetHosts() { catalogue.domainCategories = [:] }

    private func refresh(_ id: String) {
        var facts = apps[id]?.facts ?? AppFacts()
        facts.category = overrides[.app(id)] ?? facts.category
        catalogue.set(id, facts)
    }

    // MARK: learning; parts of a write

    /// Forgets apps that nothing recorded speaks of any more. One that is installed is told again when its
    /// device's session next begins.
    func forget(_ ids: [String]) throws(StoreError) {
        for id in ids {
            apps[id] = nil
            refresh(id)
            try table.remove(id)
        }
    }

    /// Takes back all that the person set.
    /// - Returns: how much that was.
    func forgetOverrides() throws(StoreError) -> Int {
        let count = overrides.count
        let ids = overrides.keys.filter { $0.kind == .app }.map(\.id)
        overrides = [:]
        for id in ids { refresh(id) }
        forgetHosts()
        try database.run("DELETE FROM category_override")
        return count
    }

    /// Takes in what an observation says of its app.
    /// - Returns: the app, when that is news.
    func learn(_ observation: Observation) throws(StoreError) -> Subject? {
        guard let id = observation.app else { return nil }
        let showsDomain = observation.kind == .domain && observation.domain != nil
        let isTold = observation.appName != nil || observation.appCategories != nil
        guard isTold || showsDomain && !isBrowser(.app(id)) else { return nil }
        var app = apps[id] ?? KnownApp()
        if let name = observation.appName { app.facts.name = name }
        if let categories = observation.appCategories { app.facts.take(freedesktop: categories) }
        if showsDomain { app.facts.isBrowser = true }
        return try keep(app, as: id) ? .app(id) : nil
    }

    /// Takes in what a device's desktop entries say.
    /// - Returns: the apps of which followers know something else now.
    func learn(_ installed: InstalledApp, on device: String) throws(StoreError) -> CatalogChange? {
        let id = installed.app
        let before = apps[id] == nil ? nil : try change(of: .app(id))
        var app = apps[id] ?? KnownApp()
        app.facts.name = installed.name
        app.facts.take(freedesktop: installed.categories)
        app.icon = installed.icon
        app.windowClass = installed.windowClass
        if app.devices.insert(device).inserted { try table.install(id, on: device) }
        try keep(app, as: id)
        let after = try change(of: .app(id))
        return before == after ? nil : after
    }

    /// The device has the app no longer; what is known of it stays, for the use it had.
    func forget(_ id: String, on device: String) throws(StoreError) {
        guard apps[id]?.devices.remove(device) != nil else { return }
        try table.uninstall(id, from: device)
    }

    /// - Returns: whether that is news.
    @discardableResult
    private func keep(_ app: KnownApp, as id: String) throws(StoreError) -> Bool {
        guard app != apps[id] else { return false }
        apps[id] = app
        refresh(id)
        try table.save(app, as: id)
        return true
    }

    /// - Parameter category: nil takes back what was set.
    func set(_ category: String?, for subject: Subject) throws(StoreError) {
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
    /// As which number a category is stored; what is no category is `other`.
    static func number(of category: String) -> Int64 { Int64(names.firstIndex(of: category) ?? 0) }

    static func stored(_ number: Int64) -> String {
        names.indices.contains(Int(number)) ? names[Int(number)] : other
    }
}
