import Store

/// The tables of this service. A row's `body` is a record of the contract, or of this module, as JSON.
enum Schema {
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
