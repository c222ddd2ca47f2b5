import Store

/// The tables of report-service: a copy of activity-center's usage log, organised by time, and its roll-ups.
/// All of it can be rebuilt from `usage.recorded`. Instants are UTC milliseconds; a quarter is a quarter-hour
/// of UTC, counted from 1970.
enum Schema {
    /// Tables that can be rebuilt.
    static let tables = [
        "member", "device", "subject", "series", "quarter", "long_use", "rollup", "hour", "calendar",
        "day",
    ]

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
        Migration(
            version: 3, name: "quarter-hours",
            sql: """
                DROP TABLE series; DROP TABLE subject; DROP TABLE use; DROP TABLE mark;
                -- Everything comes again from activity-center.
                DELETE FROM cursor WHERE source = 'activity-center';

                CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
                -- latest_ms: the newest instant that was told of it.
                CREATE TABLE device (
                    id INTEGER PRIMARY KEY, member INTEGER NOT NULL, name TEXT NOT NULL, model TEXT NOT NULL,
                    latest_ms INTEGER NOT NULL, UNIQUE (member, name)
                ) STRICT;
                -- kind: Engine's UseEntry.Kind. name, category and browser as told last. site: of a host, the
                -- subject of what one can register.
                CREATE TABLE subject (
                    id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, key TEXT NOT NULL, name TEXT,
                    category TEXT, browser INTEGER NOT NULL, site INTEGER, UNIQUE (kind, key)
                ) STRICT;
                CREATE INDEX subject_site ON subject (site) WHERE site IS NOT NULL;
                -- One per device and subject that has anything: so many records, the latest of which begins
                -- at latest_ms or before. open_since_ms: in use since then, without a known end.
                CREATE TABLE series (
                    id INTEGER PRIMARY KEY, device INTEGER NOT NULL, subject INTEGER NOT NULL,
                    records INTEGER NOT NULL, latest_ms INTEGER NOT NULL, open_since_ms INTEGER,
                    UNIQUE (device, subject)
                ) STRICT;
                CREATE INDEX series_subject ON series (subject);
                CREATE INDEX series_open ON series (device) WHERE open_since_ms IS NOT NULL;
                -- All uses and marks that begin in a quarter, packed (UseRecord); reach_ms: the last end.
                CREATE TABLE quarter (
                    member INTEGER NOT NULL, quarter INTEGER NOT NULL, reach_ms INTEGER NOT NULL,
                    records BLOB NOT NULL, PRIMARY KEY (member, quarter)
                ) STRICT, WITHOUT ROWID;
                -- Uses of more than a day: in no quarter, and in no roll-up.
                CREATE TABLE long_use (
                    member INTEGER NOT NULL, series INTEGER NOT NULL, start_ms INTEGER NOT NULL,
                    end_ms INTEGER NOT NULL, PRIMARY KEY (member, series, start_ms)
                ) STRICT, WITHOUT ROWID;
                -- What was used inside of a quarter (UseSections), written with the quarters it is made from.
                CREATE TABLE rollup (
                    member INTEGER NOT NULL, quarter INTEGER NOT NULL, sections BLOB NOT NULL,
                    PRIMARY KEY (member, quarter)
                ) STRICT, WITHOUT ROWID;
                -- The days of these calendars are kept once they were asked for.
                CREATE TABLE calendar (
                    id INTEGER PRIMARY KEY, zone TEXT NOT NULL, day_start_minutes INTEGER NOT NULL,
                    used_ms INTEGER NOT NULL, UNIQUE (zone, day_start_minutes)
                ) STRICT;
                CREATE TABLE day (
                    member INTEGER NOT NULL, calendar INTEGER NOT NULL, start_ms INTEGER NOT NULL,
                    end_ms INTEGER NOT NULL, sections BLOB NOT NULL, PRIMARY KEY (member, calendar, start_ms)
                ) STRICT, WITHOUT ROWID;
                """),
        Migration(
            version: 4, name: "hours",
            sql: """
                -- The sums of four quarters each (UseSections), written with their roll-ups. The service
                -- computes them for a store that has none yet.
                CREATE TABLE hour (
                    member INTEGER NOT NULL, hour INTEGER NOT NULL, sections BLOB NOT NULL,
                    PRIMARY KEY (member, hour)
                ) STRICT, WITHOUT ROWID;
                """),
    ]
}
