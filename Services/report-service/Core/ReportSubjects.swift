import Rules
import Store

/// Labels of the subjects in a report, each looked up once.
final class ReportSubjects {
    struct Subject {
        var kind: UseEntry.Kind
        var key: String
        /// A person's name for it.
        var name: String?
        /// Never nil: unknown ones are `other`.
        var category: String
        /// Whether time of known domains during its use belongs to the domains.
        var isBrowser: Bool
        /// For a host, the number of its registrable domain.
        var site: Int?
    }

    private let database: Database
    private var known: [Int: Subject] = [:]

    init(_ database: Database) { self.database = database }

    /// - Throws: `damaged` if the number is unknown.
    func subject(_ number: Int) throws(StoreError) -> Subject {
        if let subject = known[number] { return subject }
        let found = try database.first(
            "SELECT kind, key, name, category, browser, site FROM subject WHERE id = ?1", number
        ) { row in
            Subject(
                kind: UseEntry.Kind(rawValue: UInt8(truncatingIfNeeded: row.int64(0))) ?? .nobody,
                key: row.text(1), name: row.isNull(2) ? nil : row.text(2),
                category: row.isNull(3) ? "" : row.text(3), isBrowser: row.int64(4) != 0,
                site: row.isNull(5) ? nil : Int(row.int64(5)))
        }
        guard var subject = found else {
            throw StoreError(.damaged, message: "a roll-up of \(database.path) names a subject that is gone")
        }
        if subject.category.isEmpty { subject.category = try fallback(subject.kind, subject.key) }
        if subject.kind == .app, Catalogue().isBrowser(.app(subject.key)) { subject.isBrowser = true }
        known[number] = subject
        return subject
    }

    /// A host without a reported category has that of the nearest domain above it; then the built-in table
    /// decides.
    private func fallback(_ kind: UseEntry.Kind, _ key: String) throws(StoreError) -> String {
        guard kind == .host else { return Catalogue().category(of: .app(key)) }
        for domain in DomainNames(of: key).dropFirst() {
            let category = try database.first(
                "SELECT category FROM subject WHERE kind = ?1 AND key = ?2 AND category IS NOT NULL",
                Int64(kind.rawValue), domain
            ) { $0.text(0) }
            if let category { return category }
        }
        return Catalogue().category(of: .domain(key))
    }

    /// A person's name for an app; nil if none was reported.
    func name(ofApp key: String) throws(StoreError) -> String? {
        try database.first(
            "SELECT name FROM subject WHERE kind = ?1 AND key = ?2 AND name IS NOT NULL",
            Int64(UseEntry.Kind.app.rawValue), key
        ) { $0.text(0) }
    }

    /// All recorded hosts.
    func hosts() throws(StoreError) -> [String] {
        try database.query(
            "SELECT key FROM subject WHERE kind = ?1", Int64(UseEntry.Kind.host.rawValue)
        ) { $0.text(0) }
    }

    /// Whether a subject of this kind and key was ever recorded.
    func isKnown(_ kind: UseEntry.Kind, _ key: String) throws(StoreError) -> Bool {
        try database.first(
            "SELECT 1 FROM subject WHERE kind = ?1 AND key = ?2", Int64(kind.rawValue), key
        ) { _ in true } ?? false
    }
}
