import Contract
import ServiceKit
internal import Store

/// The tables of this service. A row's `body` is a record of the contract as JSON.
enum Schema {
    static let records = [RecordTable("delivery", key: ["id"], of: Delivery.self)]

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
                """),
        Migration(
            version: 2, name: "callbacks once in any copy of the log",
            sql: """
                CREATE TABLE kept (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, extension TEXT NOT NULL,
                    activity TEXT NOT NULL, state TEXT NOT NULL, failures INTEGER NOT NULL,
                    due_ms INTEGER NOT NULL,
                    traceparent TEXT NOT NULL, body BLOB NOT NULL) STRICT;
                INSERT INTO kept (id, extension, activity, state, failures, due_ms, traceparent, body)
                    SELECT id, extension, activity, state, failures, due_ms, traceparent, body FROM delivery;
                DROP TABLE delivery;
                ALTER TABLE kept RENAME TO delivery;
                CREATE INDEX delivery_waiting ON delivery (extension, id)
                    WHERE state IN ('waiting', 'running');
                -- Every callback that was taken in for an extension (CallbackKey), also when its delivery is
                -- not kept any more: an activity-center that was restored tells some again.
                CREATE TABLE taken_in (key BLOB PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                CREATE INDEX taken_in_at ON taken_in (at_ms);
                """),
        Migration(
            version: 3, name: "whose app groups are",
            sql: """
                -- The client that named it first; its files stay when its extensions are removed.
                CREATE TABLE app_group (name TEXT PRIMARY KEY COLLATE NOCASE, client TEXT NOT NULL)
                    STRICT, WITHOUT ROWID;
                INSERT OR IGNORE INTO app_group (name, client)
                    SELECT named.value, json_extract(CAST(body AS TEXT), '$.client')
                    FROM extension, json_each(CAST(body AS TEXT), '$.groups') AS named;
                """),
        Migration(
            version: 4, name: "callbacks that were given up",
            sql: """
                -- 1: it was given up, and nothing took its place since; see DeliveryTable.replaceMissing.
                ALTER TABLE delivery ADD COLUMN is_missing INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX delivery_missing ON delivery (extension, id) WHERE is_missing = 1;
                """),
        Migration(
            version: 5, name: "what a program notes",
            sql: """
                -- StoredDelivery.receipt. Row numbers, which were noted before, come again in older copies of
                -- this store; so what is noted of an attempt begun before is not believed.
                ALTER TABLE delivery ADD COLUMN receipt INTEGER;
                """),
        Migration(
            version: 6, name: "where a client's extensions came from",
            sql: """
                -- Stays when they are removed, because what the client has stays.
                CREATE TABLE client_folder (client TEXT NOT NULL, folder TEXT NOT NULL,
                    PRIMARY KEY (client, folder)) STRICT, WITHOUT ROWID;
                -- A path without its last part.
                INSERT OR IGNORE INTO client_folder (client, folder)
                    SELECT client, rtrim(substr(path, 1, length(rtrim(path, replace(path, '/', '')))), '/')
                    FROM (SELECT json_extract(CAST(body AS TEXT), '$.client') AS client,
                        coalesce(json_extract(CAST(body AS TEXT), '$.source'),
                            json_extract(CAST(body AS TEXT), '$.path')) AS path FROM extension)
                    WHERE client IS NOT NULL AND path IS NOT NULL;
                """),
        Migration(
            version: 7, name: "when apps lost their permission",
            sql: """
                -- The last time, UTC milliseconds: what was registered until then is not expected any more,
                -- also when it is told later.
                CREATE TABLE revocation (client TEXT NOT NULL, member TEXT NOT NULL, at_ms INTEGER NOT NULL,
                    PRIMARY KEY (client, member)) STRICT, WITHOUT ROWID;
                """),
        Migration(
            version: 8, name: "removals whose files are not out of reach yet",
            sql: """
                CREATE TABLE removal (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
                """),
        Migration(
            version: 9, name: "deliveries of a revoked approval",
            sql: """
                -- 1: the approval was revoked before it ended. A later approval does not change that.
                ALTER TABLE delivery ADD COLUMN is_revoked INTEGER NOT NULL DEFAULT 0;
                """),
    ]
}
