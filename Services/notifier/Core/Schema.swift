import Store

/// The table of this service. A row's `body` is a `NotificationRecord` as JSON.
enum Schema {
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
                """)
    ]
}
