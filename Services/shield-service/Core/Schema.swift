import Contract
import Hosting
import ServiceKit
import Store

/// The tables of this service. A row's `body` is a record of the contract, or of this module, as JSON.
enum Schema {
    static let records =
        [
            RecordTable("store", key: ["client", "member", "name"], of: StoredStore.self),
            RecordTable("shield", key: ["member", "kind", "subject"], of: EffectiveShield.self),
            RecordTable("exception", key: ["id"], of: StoredException.self),
            RecordTable("freeze", key: ["agent", "app"], of: Freeze.self),
            RecordTable("enforcement", key: ["agent"], of: EnforcementResult.self),
        ] + HostedPrograms.records

    static let migrations = [
        Migration(
            version: 1, name: "stores, shields and freezes",
            sql: """
                CREATE TABLE store (
                    client TEXT NOT NULL, member TEXT NOT NULL, name TEXT NOT NULL, body BLOB NOT NULL,
                    PRIMARY KEY (client, member, name)) STRICT, WITHOUT ROWID;
                CREATE TABLE shield (
                    member TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, body BLOB NOT NULL,
                    PRIMARY KEY (member, kind, subject)) STRICT, WITHOUT ROWID;
                CREATE TABLE freeze (
                    agent TEXT NOT NULL, app TEXT NOT NULL, body BLOB NOT NULL,
                    PRIMARY KEY (agent, app)) STRICT, WITHOUT ROWID;
                """),
        Migration(
            version: 2, name: "categories of apps",
            sql: """
                CREATE TABLE app_category (
                    app TEXT PRIMARY KEY, category TEXT NOT NULL, listing INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """),
        Migration(
            version: 3, name: "exceptions",
            sql: """
                CREATE TABLE exception (id TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID;
                """),
        Migration(
            version: 4, name: "whether limits act",
            sql: """
                CREATE TABLE enforcement (
                    agent TEXT PRIMARY KEY, checked INTEGER NOT NULL, body BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;
                """),
    ]
}
