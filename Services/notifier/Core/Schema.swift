import Contract
import ServiceKit
import Store

/// The tables of this service. A row's `body` is a `NotificationRecord`, `NotificationCategory`,
/// `StoredChannel` or `OutgoingReport` as JSON.
enum Schema {
    static let records = [
        RecordTable("notification", key: ["number"], of: NotificationRecord.self),
        RecordTable("scheduled", key: ["number"], of: NotificationRecord.self),
        RecordTable("category", key: ["client", "identifier"], of: NotificationCategory.self),
        RecordTable("channel", key: ["kind"], of: StoredChannel.self),
        RecordTable("outgoing", key: ["number"], columns: ChannelTable.columns, read: ChannelTable.read),
    ]

    static let migrations = [
        Migration(
            version: 1, name: "notifications",
            sql: """
                CREATE TABLE notification (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    client TEXT NOT NULL, identifier TEXT NOT NULL, state TEXT NOT NULL, body BLOB NOT NULL,
                    trace TEXT NOT NULL, server_id INTEGER, daemon TEXT, failure TEXT,
                    UNIQUE (client, identifier)) STRICT;
                CREATE INDEX notification_state ON notification (state, number);
                """),
        Migration(
            version: 2, name: "scheduled notifications",
            sql: """
                CREATE TABLE scheduled (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    client TEXT NOT NULL, identifier TEXT NOT NULL, member TEXT NOT NULL,
                    due_ms INTEGER NOT NULL, body BLOB NOT NULL, trace TEXT NOT NULL,
                    UNIQUE (client, identifier)) STRICT;
                CREATE INDEX scheduled_due ON scheduled (due_ms, number);
                CREATE TABLE badge (client TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT;
                CREATE TABLE category (
                    client TEXT NOT NULL, identifier TEXT NOT NULL, body BLOB NOT NULL,
                    PRIMARY KEY (client, identifier)) STRICT;
                """),
        Migration(
            version: 3, name: "channels of weekly reports",
            sql: """
                CREATE TABLE channel (kind TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
                CREATE TABLE outgoing (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    kind TEXT NOT NULL, body BLOB NOT NULL, made_ms INTEGER NOT NULL,
                    due_ms INTEGER NOT NULL, attempts INTEGER NOT NULL) STRICT;
                """),
    ]
}
