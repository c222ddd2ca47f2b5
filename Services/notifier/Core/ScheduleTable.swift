import Contract
import JSON
import Store
import Units

/// A notification that is not due yet.
struct ScheduledNotification {
    var number: Int64 = 0
    /// The member whose zone applies to a calendar trigger.
    var member: String
    /// `due` in it is the next instant at which it is shown.
    var record: NotificationRecord
    /// Trace context of the poster.
    var trace: String

    var key: NotificationKey { NotificationKey(client: record.client, identifier: record.identifier) }
    var due: Instant { record.due ?? 0 }
}

/// Rows of the table `scheduled`.
struct ScheduleTable {
    let database: Database

    private static let columns = "SELECT number, member, body, trace FROM scheduled"

    private static func read(_ row: Statement) throws(StoreError) -> ScheduledNotification {
        ScheduledNotification(
            number: row.int64(0), member: row.text(1),
            record: try .stored(row.bytes(2), in: "scheduled"), trace: row.text(3))
    }

    /// Rows in order of due time, of one client, or of all if nil.
    func all(client: String? = nil) throws(StoreError) -> [ScheduledNotification] {
        try database.query(
            Self.columns + " WHERE (?1 IS NULL OR client = ?1) ORDER BY due_ms, number", client,
            row: Self.read)
    }

    func find(_ key: NotificationKey) throws(StoreError) -> ScheduledNotification? {
        try database.first(
            Self.columns + " WHERE client = ?1 AND identifier = ?2", key.client, key.identifier,
            row: Self.read)
    }

    func due(until ms: Instant) throws(StoreError) -> [ScheduledNotification] {
        try database.query(
            Self.columns + " WHERE due_ms <= ?1 ORDER BY due_ms, number", ms, row: Self.read)
    }

    /// Due time of the first row; nil if there is none.
    func nextDue() throws(StoreError) -> Instant? {
        try database.first("SELECT due_ms FROM scheduled ORDER BY due_ms LIMIT 1") { $0.instant(0) }
    }

    /// Number of rows of one client, or of all if nil, not counting `key`.
    func count(client: String?, without key: NotificationKey) throws(StoreError) -> Int {
        let count = try database.first(
            "SELECT count(*) FROM scheduled WHERE (?1 IS NULL OR client = ?1) "
                + "AND NOT (client = ?2 AND identifier = ?3)", client, key.client, key.identifier
        ) { $0.int64(0) }
        return Int(count ?? 0)
    }

    /// Inserts a row, replacing one with the same key.
    func replace(_ row: ScheduledNotification) throws(StoreError) {
        try remove(row.key)
        try database.run(
            "INSERT INTO scheduled (client, identifier, member, due_ms, body, trace) "
                + "VALUES (?1, ?2, ?3, ?4, ?5, ?6)", row.key.client, row.key.identifier, row.member,
            row.due, row.record.encoded(), row.trace)
    }

    func update(_ row: ScheduledNotification) throws(StoreError) {
        try database.run(
            "UPDATE scheduled SET due_ms = ?2, body = ?3 WHERE number = ?1", row.number, row.due,
            row.record.encoded())
    }

    func remove(_ key: NotificationKey) throws(StoreError) {
        try database.run(
            "DELETE FROM scheduled WHERE client = ?1 AND identifier = ?2", key.client, key.identifier)
    }
}

/// Other data of clients: a badge number, and the buttons of their categories.
struct ClientTable {
    let database: Database

    func badges() throws(StoreError) -> [NotificationBadge] {
        try database.query("SELECT client, count FROM badge ORDER BY client") {
            NotificationBadge(client: $0.text(0), count: $0.int64(1))
        }
    }

    /// - Parameter count: 0 removes the badge.
    func setBadge(_ count: Int64, of client: String) throws(StoreError) {
        if count > 0 {
            try database.run("INSERT OR REPLACE INTO badge (client, count) VALUES (?1, ?2)", client, count)
        } else {
            try database.run("DELETE FROM badge WHERE client = ?1", client)
        }
    }

    func categories(of client: String) throws(StoreError) -> [NotificationCategory] {
        try database.query(
            "SELECT body FROM category WHERE client = ?1 ORDER BY identifier", client, row: Self.read)
    }

    func category(_ identifier: String, of client: String) throws(StoreError) -> NotificationCategory? {
        try database.first(
            "SELECT body FROM category WHERE client = ?1 AND identifier = ?2", client, identifier,
            row: Self.read)
    }

    func setCategories(_ categories: [NotificationCategory], of client: String) throws(StoreError) {
        try database.run("DELETE FROM category WHERE client = ?1", client)
        for category in categories {
            try database.run(
                "INSERT OR REPLACE INTO category (client, identifier, body) VALUES (?1, ?2, ?3)", client,
                category.identifier, category.encoded())
        }
    }

    private static func read(_ row: Statement) throws(StoreError) -> NotificationCategory {
        try .stored(row.bytes(0), in: "category")
    }

    /// Bundle ids of those that have data here; the person has none.
    func all() throws(StoreError) -> [String] {
        let clients = try database.query("SELECT client FROM badge UNION SELECT client FROM category") {
            $0.text(0)
        }
        return clients.filter { !$0.isEmpty }
    }

    /// Deletes all data of one client.
    func forget(_ client: String) throws(StoreError) {
        try setBadge(0, of: client)
        try setCategories([], of: client)
    }
}
