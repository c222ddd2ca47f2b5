internal import Store

/// The tables of this service. A row's `body` is a record of the contract as JSON.
enum Schema {
    static let migrations = [
        Migration(
            version: 1, name: "extensions and deliveries",
            sql: """
                CREATE TABLE extension (id TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID;
                CREATE TABLE delivery (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    source TEXT NOT NULL, sequence INTEGER NOT NULL, extension TEXT NOT NULL,
                    activity TEXT NOT NULL, state TEXT NOT NULL, failures INTEGER NOT NULL,
                    due_ms INTEGER NOT NULL,
                    traceparent TEXT NOT NULL, body BLOB NOT NULL,
                    UNIQUE (source, sequence, extension)) STRICT;
                CREATE INDEX delivery_waiting ON delivery (extension, id)
                    WHERE state IN ('waiting', 'running');
                """)
    ]
}
