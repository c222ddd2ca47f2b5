import Store

/// The tables of activity-center. Instants are UTC milliseconds.
enum Schema {
    static let migrations = [
        Migration(
            version: 1, name: "usage",
            sql: """
                CREATE TABLE subject (
                    id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (kind, name)
                ) STRICT;
                CREATE TABLE boot (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
                -- One per (member, device). machine: the UsageMachine after its last observation.
                CREATE TABLE stream (
                    id INTEGER PRIMARY KEY, member TEXT NOT NULL, device TEXT NOT NULL, model TEXT NOT NULL,
                    machine BLOB NOT NULL, since_checkpoint INTEGER NOT NULL, seen_ms INTEGER NOT NULL,
                    stale INTEGER NOT NULL, UNIQUE (member, device)
                ) STRICT;
                -- The wall clock of one boot was set back by so much at elapsed_ms: see Stream.place.
                CREATE TABLE clock_step (
                    stream INTEGER NOT NULL, boot INTEGER NOT NULL, elapsed_ms INTEGER NOT NULL,
                    correction_ms INTEGER NOT NULL, PRIMARY KEY (stream, boot, elapsed_ms)
                ) STRICT, WITHOUT ROWID;
                -- An observation is its content. order_ms - correction_ms is what its device's clock said.
                CREATE TABLE observation (
                    stream INTEGER NOT NULL, order_ms INTEGER NOT NULL, ordinal INTEGER NOT NULL,
                    kind INTEGER NOT NULL, first INTEGER NOT NULL, second INTEGER NOT NULL,
                    instance INTEGER NOT NULL, boot INTEGER NOT NULL, elapsed_ms INTEGER NOT NULL,
                    correction_ms INTEGER NOT NULL,
                    PRIMARY KEY (stream, order_ms, ordinal, kind, first, second, instance, boot, elapsed_ms)
                ) STRICT, WITHOUT ROWID;
                -- The machine before the first observation with order_ms >= before_ms.
                CREATE TABLE checkpoint (
                    stream INTEGER NOT NULL, before_ms INTEGER NOT NULL, machine BLOB NOT NULL,
                    PRIMARY KEY (stream, before_ms)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE use (
                    stream INTEGER NOT NULL, subject INTEGER NOT NULL, start_ms INTEGER NOT NULL,
                    end_ms INTEGER NOT NULL, PRIMARY KEY (stream, subject, start_ms, end_ms)
                ) STRICT, WITHOUT ROWID;
                -- Pickups (kind 1) and notifications (2); subject 0: a pickup without an app.
                CREATE TABLE mark (
                    stream INTEGER NOT NULL, subject INTEGER NOT NULL, at_ms INTEGER NOT NULL,
                    kind INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (stream, subject, at_ms, kind)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE app (id TEXT PRIMARY KEY, name TEXT, category TEXT) STRICT, WITHOUT ROWID;
                """),
        Migration(
            version: 2, name: "monitoring",
            sql: """
                -- open_*: the occurrence whose start was told and whose end was not.
                -- settled_ms: occurrences that begin before it are over.
                CREATE TABLE activity (
                    registration INTEGER PRIMARY KEY AUTOINCREMENT, client TEXT NOT NULL,
                    member TEXT NOT NULL, name TEXT NOT NULL,
                    registered_ms INTEGER NOT NULL, definition BLOB NOT NULL,
                    open_start_ms INTEGER, open_end_ms INTEGER, settled_ms INTEGER NOT NULL,
                    UNIQUE (client, member, name)
                ) STRICT;
                -- Since when each event counts: an unchanged one keeps it when registered again.
                CREATE TABLE counted_event (
                    registration INTEGER NOT NULL REFERENCES activity ON DELETE CASCADE, name TEXT NOT NULL,
                    registered_ms INTEGER NOT NULL, PRIMARY KEY (registration, name)
                ) STRICT, WITHOUT ROWID;
                -- What was told, once and for ever; told 0: it was missed and only recorded.
                CREATE TABLE fired (
                    registration INTEGER NOT NULL REFERENCES activity ON DELETE CASCADE,
                    occurrence_start_ms INTEGER NOT NULL, callback TEXT NOT NULL, event TEXT NOT NULL,
                    at_ms INTEGER NOT NULL, told INTEGER NOT NULL,
                    PRIMARY KEY (registration, occurrence_start_ms, callback, event)
                ) STRICT, WITHOUT ROWID;
                """),
        Migration(
            version: 3, name: "catalogue",
            sql: """
                ALTER TABLE app ADD COLUMN browser INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE app ADD COLUMN icon TEXT;
                ALTER TABLE app ADD COLUMN window_class TEXT;
                CREATE TABLE installed_app (
                    device TEXT NOT NULL, app TEXT NOT NULL, PRIMARY KEY (device, app)
                ) STRICT, WITHOUT ROWID;
                -- What the person set. category: the place in Categories.names. kind: that of subject.
                CREATE TABLE category_override (
                    kind INTEGER NOT NULL, subject TEXT NOT NULL, category INTEGER NOT NULL,
                    PRIMARY KEY (kind, subject)
                ) STRICT, WITHOUT ROWID;
                -- state 0: coming, 1: in force, 2: going. parts: taken in.
                -- imported_ms: of a coming one its begin.
                CREATE TABLE domain_list (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, state INTEGER NOT NULL,
                    attempt TEXT NOT NULL, parts INTEGER NOT NULL, domains INTEGER NOT NULL,
                    imported_ms INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE listed_domain (
                    list INTEGER NOT NULL, domain TEXT NOT NULL, category INTEGER NOT NULL,
                    PRIMARY KEY (list, domain)
                ) STRICT, WITHOUT ROWID;
                """),
        Migration(
            version: 4, name: "places",
            sql: """
                -- order_ms - shift_ms is where its use is placed: see Stream.Place.
                ALTER TABLE observation ADD COLUMN shift_ms INTEGER NOT NULL DEFAULT 0;
                """),
        Migration(
            version: 5, name: "nominal places of occurrences",
            sql: """
                -- Wall times: see Monitoring.Standing. Rows of version 2 get theirs when they are read.
                ALTER TABLE activity ADD COLUMN open_end_wall_ms INTEGER;
                ALTER TABLE activity ADD COLUMN settled_wall_ms INTEGER;
                """),
        Migration(
            version: 6, name: "boundaries that wait for use",
            sql: """
                -- awaits_use: the open occurrence's start was not told. ended_*: its end was not told.
                ALTER TABLE activity ADD COLUMN awaits_use INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE activity ADD COLUMN ended_start_ms INTEGER;
                ALTER TABLE activity ADD COLUMN ended_end_ms INTEGER;
                """),
    ]
}
