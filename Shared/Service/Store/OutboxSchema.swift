extension SchemaPart {
    /// The tables of every service: its event log, its cursors in other logs, stored answers, and a few named
    /// values. Released steps are never changed.
    static let outbox = SchemaPart(
        name: "outbox",
        migrations: [
            Migration(
                version: 1, name: "log, cursors, answers, settings",
                sql: """
                    CREATE TABLE log (
                        one INTEGER PRIMARY KEY CHECK (one = 1),
                        epoch TEXT NOT NULL CHECK (length(epoch) > 0),
                        created_ms INTEGER NOT NULL,
                        trimmed INTEGER NOT NULL DEFAULT 0
                    ) STRICT;
                    CREATE TABLE event (
                        sequence INTEGER PRIMARY KEY,
                        type TEXT NOT NULL,
                        previous INTEGER NOT NULL,
                        time_ms INTEGER NOT NULL,
                        body BLOB NOT NULL
                    ) STRICT;
                    CREATE TABLE event_last (
                        type TEXT PRIMARY KEY,
                        sequence INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE cursor (
                        source TEXT PRIMARY KEY,
                        epoch TEXT NOT NULL,
                        sequence INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE answer (
                        caller TEXT NOT NULL,
                        key TEXT NOT NULL,
                        method TEXT NOT NULL,
                        request_hash BLOB NOT NULL,
                        answer BLOB NOT NULL,
                        at_ms INTEGER NOT NULL,
                        PRIMARY KEY (caller, key)
                    ) STRICT;
                    CREATE INDEX answer_at ON answer (at_ms);
                    CREATE TABLE setting (
                        name TEXT PRIMARY KEY,
                        value TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """),
            Migration(
                version: 2, name: "runs",
                sql: """
                    -- One start of this service each, with its first sequence. '0' made what is older.
                    CREATE TABLE run (first INTEGER PRIMARY KEY, id TEXT NOT NULL) STRICT;
                    INSERT INTO run (first, id) SELECT 1, '0' FROM log
                        WHERE trimmed > 0 OR EXISTS (SELECT 1 FROM event);
                    -- run: the one that made the event at the cursor. rebuilding: what was built from the
                    -- source is being built again from its present state, and the cursor says nothing.
                    ALTER TABLE cursor ADD COLUMN run TEXT NOT NULL DEFAULT '0';
                    ALTER TABLE cursor ADD COLUMN rebuilding INTEGER NOT NULL DEFAULT 0;
                    -- The runs of a followed log as its events told: where does a restored one part from it?
                    CREATE TABLE followed_run (
                        source TEXT NOT NULL, first INTEGER NOT NULL, id TEXT NOT NULL,
                        PRIMARY KEY (source, first)
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO followed_run (source, first, id)
                        SELECT source, 1, '0' FROM cursor WHERE sequence > 0;
                    """),
            Migration(
                version: 3, name: "rows that cannot be read",
                sql: """
                    -- Rows that made no sense, where INSERT INTO name (columns) VALUES (literals) puts them
                    -- back.
                    CREATE TABLE unreadable_row (
                        number INTEGER PRIMARY KEY, name TEXT NOT NULL, columns TEXT NOT NULL,
                        literals TEXT NOT NULL, at_ms INTEGER NOT NULL
                    ) STRICT;
                    """),
        ])
}
