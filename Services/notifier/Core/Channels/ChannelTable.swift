import Contract
import JSON
import Store
import Units

/// A channel with its key.
@Record
struct StoredChannel: Record {
    /// Its kind.
    var kind: ChannelKind = .email
    /// As in Channel.
    var address: String = ""
    /// Of a webhook.
    var secret: String?
    /// When it delivered last.
    var delivered: Instant?
    /// Why the last attempt failed; also while others wait that failed before it delivered.
    var problem: String?
}

/// A report that waits for a channel.
struct OutgoingRow {
    var number: Int64
    var kind: ChannelKind
    var report: OutgoingReport
    var made: Instant
    var due: Instant
    var attempts: Int64

    var hasFailed: Bool { attempts > 0 }

    /// The same in each attempt.
    var id: String { "weekly-\(made.sinceEpoch.count)-\(number)" }
}

/// Rows of the tables `channel` and `outgoing`.
struct ChannelTable {
    let database: Database

    func all() throws(StoreError) -> [StoredChannel] {
        try database.query("SELECT body FROM channel ORDER BY kind") { row throws(StoreError) in
            try .stored(row.bytes(0), in: "channel")
        }
    }

    func find(_ kind: ChannelKind) throws(StoreError) -> StoredChannel? {
        try all().first { $0.kind == kind }
    }

    func set(_ channel: StoredChannel) throws(StoreError) {
        try database.run(
            "INSERT OR REPLACE INTO channel (kind, body) VALUES (?1, ?2)", channel.kind.rawValue,
            channel.encoded())
    }

    /// Also what waits for it.
    func remove(_ kind: ChannelKind) throws(StoreError) {
        try database.run("DELETE FROM channel WHERE kind = ?1", kind.rawValue)
        try database.run("DELETE FROM outgoing WHERE kind = ?1", kind.rawValue)
    }

    func add(_ report: OutgoingReport, to kind: ChannelKind, at now: Instant) throws(StoreError) {
        try database.run(
            "INSERT INTO outgoing (kind, body, made_ms, due_ms, attempts) VALUES (?1, ?2, ?3, ?3, 0)",
            kind.rawValue, report.encoded(), now)
    }

    static let columns = "number, kind, body, made_ms, due_ms, attempts"

    static func read(_ row: Statement) throws(StoreError) -> OutgoingRow {
        guard let kind = ChannelKind(rawValue: row.text(1)) else {
            throw StoreError.unreadable("outgoing", "an unknown kind of channel")
        }
        return OutgoingRow(
            number: row.int64(0), kind: kind, report: try .stored(row.bytes(2), in: "outgoing"),
            made: row.instant(3), due: row.instant(4), attempts: row.int64(5))
    }

    /// Those for channels that are switched on, in order of due time.
    func waiting() throws(StoreError) -> [OutgoingRow] {
        try database.query(
            "SELECT \(Self.columns) FROM outgoing WHERE kind IN (SELECT kind FROM channel) "
                + "ORDER BY due_ms, number", row: Self.read)
    }

    /// Also those for a channel that could not be read.
    func outgoing() throws(StoreError) -> [OutgoingRow] {
        try database.query("SELECT \(Self.columns) FROM outgoing ORDER BY number", row: Self.read)
    }

    func retry(_ number: Int64, at due: Instant) throws(StoreError) {
        try database.run(
            "UPDATE outgoing SET due_ms = ?2, attempts = attempts + 1 WHERE number = ?1", number, due)
    }

    /// What waits for the channel is due at once.
    func hurry(_ kind: ChannelKind, at now: Instant) throws(StoreError) {
        try database.run(
            "UPDATE outgoing SET due_ms = ?2 WHERE kind = ?1 AND due_ms > ?2", kind.rawValue, now)
    }

    func remove(_ number: Int64) throws(StoreError) {
        try database.run("DELETE FROM outgoing WHERE number = ?1", number)
    }
}
