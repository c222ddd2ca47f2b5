import Contract
import JSON
import Store

/// Identifies a notification: each client has its own identifiers.
struct NotificationKey: Hashable {
    /// Bundle id; empty for the person or a service.
    var client: String
    var identifier: String

    /// One text for the desktop channel. No client's name contains a NUL.
    var text: String { "\(client)\u{0}\(identifier)" }

    init(client: String?, identifier: String) {
        self.client = client ?? ""
        self.identifier = identifier
    }

    init?(text: String) {
        guard let end = text.firstIndex(of: "\u{0}") else { return nil }
        client = String(text[..<end])
        identifier = String(text[text.index(after: end)...])
    }
}

/// One row.
struct StoredNotification {
    /// Increases with each posting, even of the same identifier, so that an answer to an older posting is
    /// recognised.
    var number: Int64 = 0
    var record: NotificationRecord
    /// Trace context of the poster.
    var trace: String
    /// The daemon's number, and the daemon that gave it.
    var shownAs: (serverID: UInt32, daemon: String)?
    /// Why it failed.
    var failure: String?

    var key: NotificationKey { NotificationKey(client: record.client, identifier: record.identifier) }
    /// Whether it is a weekly report whose words are not known yet.
    var isUnwritten: Bool { record.details?.weeklyReport ?? false }
}

/// Rows of the table `notification`.
struct NotificationTable {
    let database: Database

    private static let columns = "SELECT number, body, trace, server_id, daemon, failure FROM notification"

    private static func read(_ row: Statement) throws(StoreError) -> StoredNotification {
        let record = try NotificationRecord.stored(row.bytes(1), in: "notification")
        let isShown = !row.isNull(3) && !row.isNull(4)
        return StoredNotification(
            number: row.int64(0), record: record, trace: row.text(2),
            shownAs: isShown ? (UInt32(truncatingIfNeeded: row.int64(3)), row.text(4)) : nil,
            failure: row.isNull(5) ? nil : row.text(5))
    }

    func find(_ key: NotificationKey) throws(StoreError) -> StoredNotification? {
        try database.first(
            Self.columns + " WHERE client = ?1 AND identifier = ?2", key.client, key.identifier,
            row: Self.read)
    }

    /// Rows after row `number`, in order of posting.
    func page(after number: Int64, limit: Int64) throws(StoreError) -> [StoredNotification] {
        try database.query(
            Self.columns + " WHERE number > ?1 ORDER BY number LIMIT ?2", number, limit, row: Self.read)
    }

    /// Rows in a state, in order of posting.
    func all(_ state: NotificationState) throws(StoreError) -> [StoredNotification] {
        try database.query(
            Self.columns + " WHERE state = ?1 ORDER BY number", state.rawValue, row: Self.read)
    }

    /// Weekly reports that wait to be written, in order of posting.
    func unwritten() throws(StoreError) -> [StoredNotification] { try all(.pending).filter(\.isUnwritten) }

    /// Withdrawn and answered rows whose daemon has not reported that it closed them.
    func shownAndOver() throws(StoreError) -> [StoredNotification] {
        try database.query(
            Self.columns + " WHERE state IN ('closed', 'answered') AND server_id IS NOT NULL "
                + "ORDER BY number", row: Self.read)
    }

    /// The newest rows in order of posting, of one client, or of all if nil.
    func newest(
        client: String?, pendingOnly: Bool, limit: Int64
    ) throws(StoreError) -> [StoredNotification] {
        try database.query(
            Self.columns + " WHERE (?1 IS NULL OR client = ?1) AND (?2 = 0 OR state = 'pending') "
                + "ORDER BY number DESC LIMIT ?3", client, pendingOnly, limit, row: Self.read
        ).reversed()
    }

    /// Number of pending ones of one client, or of all if nil, not counting `key`.
    func pendingCount(client: String?, without key: NotificationKey) throws(StoreError) -> Int {
        let count = try database.first(
            "SELECT count(*) FROM notification WHERE state = 'pending' AND (?1 IS NULL OR client = ?1) "
                + "AND NOT (client = ?2 AND identifier = ?3)", client, key.client, key.identifier
        ) { $0.int64(0) }
        return Int(count ?? 0)
    }

    /// Inserts a posting at the end of the order, replacing an older one with its key.
    func replace(_ posted: StoredNotification) throws(StoreError) {
        let key = posted.key
        try database.run(
            "DELETE FROM notification WHERE client = ?1 AND identifier = ?2", key.client, key.identifier)
        try database.run(
            "INSERT INTO notification (client, identifier, state, body, trace, server_id, daemon, failure) "
                + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", key.client, key.identifier,
            posted.record.state.rawValue, posted.record.encoded(), posted.trace,
            posted.shownAs.map { Int64($0.serverID) }, posted.shownAs?.daemon, posted.failure)
    }

    func update(_ row: StoredNotification) throws(StoreError) {
        try database.run(
            "UPDATE notification SET state = ?2, body = ?3, server_id = ?4, daemon = ?5, failure = ?6 "
                + "WHERE number = ?1", row.number, row.record.state.rawValue, row.record.encoded(),
            row.shownAs.map { Int64($0.serverID) }, row.shownAs?.daemon, row.failure)
    }

    func remove(_ row: StoredNotification) throws(StoreError) {
        try database.run("DELETE FROM notification WHERE number = ?1", row.number)
    }

    /// Deletes the oldest beyond `count`, but no pending ones, and no question of the system itself that
    /// nobody has answered. What cannot be read is no question.
    func trim(keeping count: Int) throws(StoreError) {
        try database.run(
            "DELETE FROM notification WHERE number IN (SELECT number FROM notification "
                + "WHERE state <> 'pending' AND NOT (state = 'delivered' AND client = '' "
                + "AND CASE WHEN json_valid(CAST(body AS TEXT)) "
                + "THEN json_array_length(CAST(body AS TEXT), '$.actions') > 0 ELSE 0 END) ORDER BY number "
                + "LIMIT max(0, (SELECT count(*) FROM notification) - ?1))", count)
    }
}
