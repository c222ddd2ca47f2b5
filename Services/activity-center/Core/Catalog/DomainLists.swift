import Contract
import Loop
import Rules
import Store
import Units

/// The imported lists of domains. A million of them stay on disk; a lookup reads a few pages.
@LoopActor final class DomainLists {
    struct List: Equatable {
        let id: Int64
        var name: String
        var domains: Int64
        var imported: Instant
    }

    private let database: Database
    /// The active lists; the one imported last comes first.
    private(set) var inForce: [List] = []

    /// The stored state of a list.
    private enum State: Int64 { case coming, inForce, going }

    init(_ database: Database) { self.database = database }

    func reload() throws(StoreError) {
        inForce = try database.query(
            "SELECT id, name, domains, imported_ms FROM domain_list WHERE state = ?1 ORDER BY id DESC",
            State.inForce.rawValue
        ) { List(id: $0.int64(0), name: $0.text(1), domains: $0.int64(2), imported: $0.instant(3)) }
    }

    // MARK: looking up

    /// The longest domain in the lists that equals a host or contains it; of several lists the first one.
    func find(
        _ host: String, in lists: [List]
    ) throws(StoreError) -> (domain: String, category: String, list: String)? {
        guard !lists.isEmpty else { return nil }
        let statement = try database.prepare(
            "SELECT category FROM listed_domain WHERE list = ?1 AND domain = ?2")
        defer { statement.reset() }
        for name in DomainNames(of: host) {
            try statement.bind(2, name)
            for list in lists {
                try statement.bind(1, list.id)
                guard try statement.step() else { continue }
                return (name, Categories.stored(statement.int64(0)), list.name)
            }
        }
        return nil
    }

    /// Domains of a list after `domain`, sorted.
    func domains(
        of list: List, after domain: String, limit: Int
    ) throws(StoreError) -> [(domain: String, category: String)] {
        try database.query(
            """
            SELECT domain, category FROM listed_domain WHERE list = ?1 AND domain > ?2
            ORDER BY domain LIMIT ?3
            """, list.id, domain, limit
        ) { ($0.text(0), Categories.stored($0.int64(1))) }
    }

    // MARK: importing; inside a write

    /// A list that is being imported.
    struct Coming {
        var list: List
        /// Number of received parts.
        var parts: Int64
    }

    /// Starts an import; abandons another import of the same name.
    func begin(_ name: String, attempt: String, now: Instant) throws(StoreError) -> Coming {
        try database.run(
            """
            UPDATE domain_list SET state = ?1
            WHERE state = ?2 AND (name = ?3 OR imported_ms < ?4)
            """, State.going.rawValue, State.coming.rawValue, name, now - ActivityLimits.comingKept)
        try database.run(
            """
            INSERT INTO domain_list (name, state, attempt, parts, domains, imported_ms)
            VALUES (?1, ?2, ?3, 0, 0, ?4)
            """, name, State.coming.rawValue, attempt, now)
        let id = try database.integer("SELECT last_insert_rowid()")
        try giveUpOldest(but: id)
        return Coming(list: List(id: id, name: name, domains: 0, imported: now), parts: 0)
    }

    func coming(_ name: String, attempt: String) throws(StoreError) -> Coming? {
        try database.first(
            """
            SELECT id, domains, imported_ms, parts FROM domain_list
            WHERE name = ?1 AND attempt = ?2 AND state = ?3
            """, name, attempt, State.coming.rawValue
        ) {
            Coming(
                list: List(id: $0.int64(0), name: name, domains: $0.int64(1), imported: $0.instant(2)),
                parts: $0.int64(3))
        }
    }

    /// Adds one part, keyed like the table. A domain that is already there keeps its category.
    func add(_ groups: [CatalogGroup], to coming: inout Coming, now: Instant) throws(StoreError) {
        let insert = try database.prepare(
            "INSERT OR IGNORE INTO listed_domain (list, domain, category) VALUES (?1, ?2, ?3)")
        try insert.bind(1, coming.list.id)
        let rows = groups.flatMap { group in
            let category = Categories.number(of: group.category)
            return group.domains.map { (domain: $0, category: category) }
        }
        for row in rows.sorted(by: { $0.domain < $1.domain }) {
            try insert.bind(2, row.domain)
            try insert.bind(3, row.category)
            try insert.run()
            coming.list.domains += database.changedRows
        }
        coming.parts += 1
        try database.run(
            "UPDATE domain_list SET parts = ?2, domains = ?3, imported_ms = ?4 WHERE id = ?1",
            coming.list.id, coming.parts, coming.list.domains, now)
        try giveUpOldest(but: coming.list.id)
    }

    /// Abandons other imports as far as there is no room for them.
    private func giveUpOldest(but id: Int64) throws(StoreError) {
        let lists = try database.query(
            """
            SELECT id, domains FROM domain_list WHERE state = ?1
            ORDER BY id = ?2 DESC, imported_ms DESC, id DESC
            """, State.coming.rawValue, id
        ) { (id: $0.int64(0), domains: $0.int64(1)) }
        var domains: Int64 = 0
        for (place, other) in lists.enumerated() {
            domains += other.domains
            guard place >= ActivityLimits.comingMax || domains > ActivityLimits.comingDomainsMax else {
                continue
            }
            try database.run(
                "UPDATE domain_list SET state = ?2 WHERE id = ?1", other.id, State.going.rawValue)
        }
    }

    /// Activates an imported list; it replaces the active list of its name.
    func activate(_ coming: Coming, now: Instant) throws(StoreError) {
        try remove(coming.list.name)
        try database.run(
            "UPDATE domain_list SET state = ?2, imported_ms = ?3 WHERE id = ?1", coming.list.id,
            State.inForce.rawValue, now)
        try reload()
    }

    func remove(_ name: String) throws(StoreError) {
        try database.run(
            "UPDATE domain_list SET state = ?2 WHERE name = ?1 AND state = ?3", name, State.going.rawValue,
            State.inForce.rawValue)
        try reload()
    }

    /// Deletes some rows of inactive lists.
    /// - Returns: whether there may be more.
    func sweep(limit: Int) throws(StoreError) -> Bool {
        let going = try database.first(
            "SELECT id FROM domain_list WHERE state = ?1 LIMIT 1", State.going.rawValue
        ) { $0.int64(0) }
        guard let going else { return false }
        try database.run(
            """
            DELETE FROM listed_domain WHERE list = ?1 AND domain IN
                (SELECT domain FROM listed_domain WHERE list = ?1 ORDER BY domain LIMIT ?2)
            """, going, limit)
        if database.changedRows < limit {
            try database.run("DELETE FROM domain_list WHERE id = ?1", going)
        }
        return true
    }
}
