import Contract
import Loop
import Rules
import ServiceKit
import Store

/// The category of each app that activity-center's catalogue has: a copy in a table and in memory.
///
/// A listing reads all of the catalogue's apps. Each row contains the number of the last listing that had the
/// app, so that its end finds the rows of apps that are no longer in the catalogue. An interrupted listing
/// keeps its number; the next one has a higher one.
@LoopActor final class AppCategories {
    private let database: Database
    private(set) var byApp: [String: String] = [:]
    /// Number of the last complete listing; 0 if there was none.
    private var complete: Int64
    /// Number of the listing that reads the catalogue now; nil if none does.
    private var present: Int64?
    var isListing: Bool { present != nil }
    /// Whether another listing became due while this one reads the catalogue.
    private(set) var isDueAgain = false
    /// Apps that events changed since the present page was requested: the page may be older than the events.
    private var changedSinceRequest: Set<String> = []

    private static let completeSetting = "catalogue_listing"
    private static let dueSetting = "catalogue_listing_due"

    init(_ database: Database) throws {
        self.database = database
        complete = try Settings(database).get(Self.completeSetting).flatMap { Int64($0) } ?? 0
        try database.each("SELECT app, category FROM app_category") { byApp[$0.text(0)] = $0.text(1) }
    }

    /// Whether the complete catalogue was read at least once.
    var isComplete: Bool { complete > 0 }

    /// Whether the catalogue must be read: it never was, or something was deleted since.
    func isListingDue() throws -> Bool { try !isComplete || Settings(database).get(Self.dueSetting) != nil }

    /// For an app that is not in the catalogue: from the table of well-known apps, else `other`.
    func category(of app: String) -> String { byApp[app] ?? Catalogue().category(of: .app(app)) }

    /// Apps without a desktop entry whose category differs from the table of well-known apps: only the person
    /// can have set it.
    var programsMoved: [String] {
        byApp.keys.filter {
            $0.hasPrefix(Subject.programPrefix) && byApp[$0] != Catalogue().category(of: .app($0))
        }
    }

    // MARK: parts of a write

    /// Stores what an event reports.
    func set(_ category: String, of app: String, _ transaction: Transaction) throws {
        if isListing { changedSinceRequest.insert(app) }
        try write(category, app, transaction)
    }

    /// Stores an item of a listing, unless an event changed the app meanwhile.
    /// - Returns: whether it was stored.
    func setListed(_ category: String, of app: String, _ transaction: Transaction) throws -> Bool {
        guard !changedSinceRequest.contains(app) else { return false }
        try write(category, app, transaction)
        return true
    }

    private func write(_ category: String, _ app: String, _ transaction: Transaction) throws {
        let app = byApp.stored(app)
        try database.run(
            "INSERT OR REPLACE INTO app_category (app, category, listing) VALUES (?1, ?2, ?3)", app, category,
            present ?? complete)
        become(category, app, transaction)
    }

    /// - Returns: the removed apps.
    func remove(_ transaction: Transaction, where isIncluded: (String) throws -> Bool) throws -> [String] {
        let gone = try byApp.keys.filter(isIncluded)
        for app in gone {
            try database.run("DELETE FROM app_category WHERE app = ?1", app)
            become(nil, app, transaction)
        }
        return gone
    }

    private func become(_ category: String?, _ app: String, _ transaction: Transaction) {
        let before = byApp[app]
        transaction.onUndo { [weak self] in self?.byApp[app] = before }
        byApp[app] = category
    }

    /// Makes a listing due, also after a restart. A listing that is reading the catalogue is not enough: it
    /// may have read what was deleted since.
    func noteListingDue() throws {
        isDueAgain = isListing
        try Settings(database).set(Self.dueSetting, "1")
    }

    // MARK: a listing

    func beginListing() throws {
        let highest = try database.integer("SELECT coalesce(max(listing), 0) FROM app_category")
        present = max(complete, highest) + 1
        isDueAgain = false
    }

    /// Call before each request for a page.
    func willRequestPage() { changedSinceRequest = [] }

    /// Call when it is complete, or failed.
    func stopListing() { present = nil }

    /// Removes the apps that the listing did not have. Part of the write that stores its last page.
    /// - Returns: the removed apps.
    func completeListing(_ transaction: Transaction) throws -> [String] {
        guard let present else { preconditionFailure("no listing has begun") }
        let old = Set(
            try database.query("SELECT app FROM app_category WHERE listing < ?1", present) { $0.text(0) })
        let gone = try remove(transaction) { old.contains($0) }
        if !gone.isEmpty { try transaction.leaveBytes() }
        let before = complete
        transaction.onUndo { [weak self] in self?.complete = before }
        complete = present
        try Settings(database).set(Self.completeSetting, String(complete))
        if !isDueAgain { try Settings(database).set(Self.dueSetting, nil) }
        return gone
    }
}
