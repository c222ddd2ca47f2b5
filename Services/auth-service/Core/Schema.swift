import Store

/// The tables of auth-service. A released step is never changed.
enum Schema {
    static let migrations = [
        Migration(
            version: 1, name: "members and authorizations",
            sql: """
                CREATE TABLE member (
                    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, uid INTEGER
                ) WITHOUT ROWID;
                CREATE TABLE authorization (
                    id TEXT PRIMARY KEY, client TEXT NOT NULL, client_name TEXT,
                    member TEXT NOT NULL REFERENCES member (id), for_whom TEXT NOT NULL, status TEXT NOT NULL,
                    pending INTEGER NOT NULL, access INTEGER NOT NULL, restrictions INTEGER NOT NULL,
                    requested_ms INTEGER NOT NULL, decided_ms INTEGER, UNIQUE (client, member)
                ) WITHOUT ROWID;
                CREATE TABLE asker (
                    caller TEXT NOT NULL, key TEXT NOT NULL, params BLOB NOT NULL,
                    authorization TEXT NOT NULL, traceparent TEXT NOT NULL, deadline_ms INTEGER NOT NULL,
                    ended_ms INTEGER, answer BLOB, error BLOB, PRIMARY KEY (caller, key)
                ) WITHOUT ROWID;
                CREATE INDEX asker_waiting ON asker (authorization) WHERE ended_ms IS NULL;
                """),
        Migration(
            version: 2, name: "members' days",
            sql: """
                ALTER TABLE member ADD COLUMN zone TEXT;
                ALTER TABLE member ADD COLUMN day_start_minutes INTEGER NOT NULL DEFAULT 0;
                """),
        Migration(
            version: 3, name: "tokens, selections and access to names",
            sql: """
                CREATE TABLE token_master (id INTEGER PRIMARY KEY CHECK (id = 1), key BLOB NOT NULL);
                CREATE TABLE token_grant (
                    client TEXT NOT NULL, member TEXT NOT NULL, generation INTEGER NOT NULL,
                    PRIMARY KEY (client, member)
                ) WITHOUT ROWID;
                CREATE TABLE selection (
                    client TEXT NOT NULL, member TEXT NOT NULL, name TEXT NOT NULL, body BLOB NOT NULL,
                    PRIMARY KEY (client, member, name)
                ) WITHOUT ROWID;
                ALTER TABLE authorization ADD COLUMN data_access INTEGER;
                ALTER TABLE authorization ADD COLUMN asks_data_access INTEGER;
                """),
        Migration(
            version: 4, name: "names that do not fit into a token",
            sql: """
                CREATE TABLE token_name (digest BLOB PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
                """),
        // Questions of before have the identifier of their authorization.
        Migration(
            version: 5, name: "questions until they are off the screen",
            sql: """
                CREATE TABLE question (
                    number INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, authorization TEXT NOT NULL,
                    ended_by TEXT
                );
                CREATE UNIQUE INDEX question_open ON question (authorization) WHERE ended_by IS NULL;
                INSERT INTO question (identifier, authorization)
                    SELECT 'authorization.' || id, id FROM authorization WHERE pending;
                """),
        Migration(
            version: 6, name: "requests for more time",
            sql: """
                CREATE TABLE request (
                    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
                    member TEXT NOT NULL REFERENCES member (id), kind TEXT NOT NULL, subject TEXT NOT NULL,
                    minutes INTEGER, one_more_minute INTEGER NOT NULL, reason TEXT, asked_ms INTEGER NOT NULL,
                    self_approval_ms INTEGER, day_end_ms INTEGER NOT NULL, state TEXT NOT NULL,
                    decided_ms INTEGER, decider TEXT, granted INTEGER, end_ms INTEGER, answer TEXT,
                    boot_id TEXT, boottime_ms INTEGER, traceparent TEXT NOT NULL
                );
                CREATE UNIQUE INDEX request_pending ON request (member, kind, subject)
                    WHERE state = 'pending' AND NOT one_more_minute;
                CREATE TABLE request_question (
                    number INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, request TEXT NOT NULL UNIQUE,
                    ended_by TEXT
                );
                ALTER TABLE member ADD COLUMN self_approval_minutes INTEGER;
                ALTER TABLE member ADD COLUMN next_self_approval_minutes INTEGER;
                ALTER TABLE member ADD COLUMN next_self_approval_ms INTEGER;
                ALTER TABLE member ADD COLUMN one_more_minute INTEGER;
                """),
        // The day end of the last one more minute whose subject was forgotten.
        Migration(
            version: 7, name: "minutes whose subject was forgotten",
            sql: "ALTER TABLE member ADD COLUMN forgotten_minute_ms INTEGER;"),
        // The button that was pressed before the clock was judged.
        Migration(
            version: 8, name: "buttons that wait for the clock",
            sql: "ALTER TABLE request_question ADD COLUMN pressed TEXT;"),
    ]
}
