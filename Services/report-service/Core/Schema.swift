import Store

/// The tables of report-service: a copy of the usage log of activity-center, ready to be read by
/// stretches of time. All of it can be built anew from `usage.recorded`. Instants are UTC milliseconds.
enum Schema {
    static let migrations = [
        Migration(
            version: 1, name: "usage",
            sql: """
                -- One per (member, device, subject) that has anything. subject '':
                -- pickups that led to no app. kind: Engine's Subject.Kind. open_since_ms:
                -- in use since then, without a known end.
                CREATE TABLE series (
                    id INTEGER PRIMARY KEY, member TEXT NOT NULL, device TEXT NOT NULL, kind INTEGER NOT NULL,
                    subject TEXT NOT NULL, open_since_ms INTEGER, UNIQUE (member, device, kind, subject)
                ) STRICT;
                -- What a subject is called and where it belongs, as it was told last.
                CREATE TABLE subject (
                    kind INTEGER NOT NULL, id TEXT NOT NULL, name TEXT, category TEXT, PRIMARY KEY (kind, id)
                ) STRICT, WITHOUT ROWID;
                -- Within a series disjoint, so the one that begins last before an instant
                -- is the only older one that can reach beyond it.
                CREATE TABLE use (
                    series INTEGER NOT NULL, start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL,
                    PRIMARY KEY (series, start_ms)
                ) STRICT, WITHOUT ROWID;
                -- kind: Engine's Mark.Kind.
                CREATE TABLE mark (
                    series INTEGER NOT NULL, kind INTEGER NOT NULL, at_ms INTEGER NOT NULL,
                    count INTEGER NOT NULL, PRIMARY KEY (series, kind, at_ms)
                ) STRICT, WITHOUT ROWID;
                """),
        Migration(
            version: 2, name: "browsers",
            sql: "ALTER TABLE subject ADD COLUMN browser INTEGER NOT NULL DEFAULT 0"),
    ]
}
