/// One step of a schema: a script that runs once, in its own transaction. A released step is never changed;
/// changes become the next step.
package struct Migration: Sendable {
    /// Numbered 1, 2, 3 … without gaps.
    package let version: Int
    /// What the step does, for error messages.
    package let name: String
    /// Any number of statements, without BEGIN and COMMIT.
    package let sql: String

    /// A step with these values.
    package init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }
}

/// A schema with its own version number in the table `schema_part`: the tables of every service ("outbox")
/// and the service's own ("service").
struct SchemaPart {
    let name: String
    let migrations: [Migration]

    var newest: Int { migrations.count }

    func check() throws(StoreError) {
        for (offset, migration) in migrations.enumerated() where migration.version != offset + 1 {
            throw StoreError(
                .misuse,
                message: "the migrations of \(name) are not numbered 1, 2, 3 …: place \(offset + 1) has "
                    + "\(migration.version) (\(migration.name))")
        }
    }
}

extension Database {
    /// Migrates every part to its newest version.
    /// - Returns: whether any step ran.
    func migrate(_ parts: [SchemaPart]) throws(StoreError) -> Bool {
        var isChanged = false
        for part in parts { try part.check() }
        let present = try versions()
        for (name, version) in present.sorted(by: { $0.key < $1.key }) {
            let known = parts.first { $0.name == name }?.newest ?? 0
            guard version <= known else { throw newer("\(name) \(version)", known: "\(known)") }
        }
        // A step may rebuild a table that others reference; references are checked before its commit.
        try run("PRAGMA foreign_keys = OFF")
        for part in parts {
            for migration in part.migrations.dropFirst(present[part.name] ?? 0) {
                try apply(migration, of: part.name)
                isChanged = true
            }
        }
        try run("PRAGMA foreign_keys = ON")
        return isChanged
    }

    func newer(_ found: String, known: String) -> StoreError {
        StoreError(
            .newer, message: "opening \(path): its schema is \(found), this program knows up to \(known)")
    }

    private func versions() throws(StoreError) -> [String: Int] {
        let rows = try query("SELECT name, version FROM schema_part") { row in
            (row.text(0), Int(row.int64(1)))
        }
        // The name is the table's primary key, so it is unique.
        return Dictionary(uniqueKeysWithValues: rows)
    }

    private func apply(_ migration: Migration, of part: String) throws(StoreError) {
        let tried = "migration \(migration.version) (\(migration.name)) of \(part)"
        try transaction(tried) { () throws(StoreError) in
            try connection.execute(migration.sql, tried: tried)
            guard !connection.isIdle else {
                throw StoreError(.misuse, sql: migration.sql, message: "\(tried) ends its own transaction")
            }
            let broken = try query("PRAGMA foreign_key_check") { $0.text(0) }
            if let table = broken.first {
                throw StoreError(
                    .constraint, message: "\(tried) leaves rows of \(table) without their parent")
            }
            try run(
                "INSERT INTO schema_part (name, version) VALUES (?1, ?2) "
                    + "ON CONFLICT (name) DO UPDATE SET version = excluded.version",
                part, migration.version)
        }
    }
}
