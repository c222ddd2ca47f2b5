import Contract
import Domains
import Rules
import Store
import Units

/// Assigns small numbers to members, devices, subjects and series. A series is the use of one subject on one
/// device.
final class UsageDirectory {
    struct Series {
        var id: Int
        var records: Int64
        var latest: Instant
        var openSince: Instant?
    }

    /// The device and subject of a series.
    struct Owner {
        var device: Int
        var subject: RecordedSubject
    }

    private let database: Database
    /// Loaded for the first host.
    private var domains: RegistrableDomains?
    private var owners: [Int: Owner] = [:]

    init(_ database: Database) { self.database = database }

    /// Discards the cache when the store may have changed.
    func discard() { owners = [:] }

    // MARK: numbers

    /// The number of a member; assigns one if needed.
    func member(_ name: String) throws(StoreError) -> Int {
        if let known = try find(member: name) { return known }
        try database.run("INSERT INTO member (name) VALUES (?1)", name)
        return Int(try database.integer("SELECT last_insert_rowid()"))
    }

    func find(member name: String) throws(StoreError) -> Int? {
        try database.first("SELECT id FROM member WHERE name = ?1", name) { Int($0.int64(0)) }
    }

    /// The number of a device, with its newest model.
    /// - Parameter latest: the newest instant in the event.
    func device(
        _ name: String, model: String, of member: Int, latest: Instant
    ) throws(StoreError) -> Int {
        let known = try database.first(
            "SELECT id, model, latest_ms FROM device WHERE member = ?1 AND name = ?2", member, name
        ) { (id: Int($0.int64(0)), isSame: $0.text(1) == model && $0.instant(2) >= latest) }
        guard let known else {
            try database.run(
                "INSERT INTO device (member, name, model, latest_ms) VALUES (?1, ?2, ?3, ?4)", member, name,
                model, latest)
            return Int(try database.integer("SELECT last_insert_rowid()"))
        }
        if !known.isSame {
            try database.run(
                "UPDATE device SET model = ?2, latest_ms = max(latest_ms, ?3) WHERE id = ?1", known.id, model,
                latest)
        }
        return known.id
    }

    /// The number of an event's subject.
    /// - Returns: also whether the facts of a known subject changed.
    func subject(_ event: UsageRecorded) throws(StoreError) -> (number: Int, isChanged: Bool) {
        let kind = Self.kind(of: event)
        let facts = SubjectFacts(
            name: event.name, category: event.category, isBrowser: event.browser ?? false)
        if let known = try find(kind, event.subject) {
            if known.facts == facts { return (known.number, false) }
            try set(known.number, facts)
            return (known.number, true)
        }
        let site = kind == .host ? try self.site(of: event.subject) : nil
        return (try add(kind, event.subject, facts, site: site), false)
    }

    func find(
        _ kind: UseEntry.Kind, _ key: String
    ) throws(StoreError) -> (number: Int, facts: SubjectFacts)? {
        try database.first(
            "SELECT id, name, category, browser FROM subject WHERE kind = ?1 AND key = ?2",
            Int64(kind.rawValue), key
        ) { row in
            let facts = SubjectFacts(
                name: row.isNull(1) ? nil : row.text(1), category: row.isNull(2) ? nil : row.text(2),
                isBrowser: row.int64(3) != 0)
            return (number: Int(row.int64(0)), facts: facts)
        }
    }

    func set(_ number: Int, _ facts: SubjectFacts) throws(StoreError) {
        try database.run(
            "UPDATE subject SET name = ?2, category = ?3, browser = ?4 WHERE id = ?1", number, facts.name,
            facts.category, facts.isBrowser)
    }

    private static func kind(of event: UsageRecorded) -> UseEntry.Kind {
        // The empty host stands for pages that have none.
        if event.kind == .domain { return .host }
        return event.subject.isEmpty ? .nobody : .app
    }

    private func add(
        _ kind: UseEntry.Kind, _ key: String, _ facts: SubjectFacts, site: Int?
    ) throws(StoreError) -> Int {
        try database.run(
            "INSERT INTO subject (kind, key, name, category, browser, site) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            Int64(kind.rawValue), key, facts.name, facts.category, facts.isBrowser, site)
        return Int(try database.integer("SELECT last_insert_rowid()"))
    }

    private func site(of host: String) throws(StoreError) -> Int {
        if domains == nil { domains = RegistrableDomains() }
        let key = domains?.registrable(host) ?? host
        if let known = try find(.site, key) { return known.number }
        return try add(.site, key, SubjectFacts(isBrowser: false), site: nil)
    }

    // MARK: series

    func series(device: Int, subject: Int) throws(StoreError) -> Series {
        let known = try database.first(
            "SELECT id, records, latest_ms, open_since_ms FROM series WHERE device = ?1 AND subject = ?2",
            device, subject
        ) { row in
            Series(
                id: Int(row.int64(0)), records: row.int64(1), latest: row.instant(2),
                openSince: row.isNull(3) ? nil : row.instant(3))
        }
        if let known { return known }
        try database.run(
            "INSERT INTO series (device, subject, records, latest_ms) VALUES (?1, ?2, 0, 0)", device, subject)
        return Series(id: Int(try database.integer("SELECT last_insert_rowid()")), records: 0, latest: 0)
    }

    /// Saves a series. An empty one is deleted, with everything that only it needed.
    func keep(_ series: Series, device: Int, subject: Int, member: Int) throws(StoreError) {
        guard series.records == 0, series.openSince == nil else {
            return try database.run(
                "UPDATE series SET records = ?2, latest_ms = ?3, open_since_ms = ?4 WHERE id = ?1", series.id,
                series.records, series.latest, series.openSince)
        }
        owners[series.id] = nil
        try database.run("DELETE FROM series WHERE id = ?1", series.id)
        let site = try database.first("SELECT coalesce(site, 0) FROM subject WHERE id = ?1", subject) {
            $0.int64(0)
        }
        try database.run(
            "DELETE FROM subject WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM series WHERE subject = ?1)",
            subject)
        try database.run(
            "DELETE FROM subject WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM subject WHERE site = ?1)", site)
        try database.run(
            "DELETE FROM device WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM series WHERE device = ?1)", device
        )
        try database.run(
            "DELETE FROM member WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM device WHERE member = ?1)", member
        )
    }

    /// - Throws: `damaged` if no series has this number.
    func owner(of series: Int) throws(StoreError) -> Owner {
        if let known = owners[series] { return known }
        let owner = try database.first(
            "SELECT device, subject, kind, site FROM series JOIN subject ON subject.id = subject "
                + "WHERE series.id = ?1", series
        ) { row in
            Owner(
                device: Int(row.int64(0)),
                subject: RecordedSubject(
                    kind: UseEntry.Kind(rawValue: UInt8(truncatingIfNeeded: row.int64(2))) ?? .nobody,
                    number: Int(row.int64(1)), site: row.isNull(3) ? nil : Int(row.int64(3))))
        }
        guard let owner else {
            throw StoreError(.damaged, message: "a record of \(database.path) belongs to no series")
        }
        owners[series] = owner
        return owner
    }
}
