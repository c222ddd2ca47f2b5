/// One step of a schema: a script that runs once, in a transaction of its own. A released step is never
/// changed; the next change is the next step.
package struct Migration: Sendable {
    /// 1, 2, 3 … without a gap.
    package let version: Int
    package let name: String
    package let sql: String

    package init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }
}

/// A schema that grows by itself: the tables of every service ("outbox") and the service's own ("service")
/// have separate numbers in the table `schema_part`.
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
    /// Brings every part to its newest version.
    /// - Returns: whether a step was run.
    func migrate(_ parts: [SchemaPart]) throws(StoreError) -> Bool {
        var isChanged = false
        for part in parts { try part.check() }
        let present = try versions()
        for (name, version) in present.sorted(by: { $0.key < $1.key }) {
            let known = parts.first { $0.name == name }?.newest ?? 0
            guard version <= known else { throw newer("\(name) \(version)", known: "\(known)") }
        }
        // A step may rebuild a table that others refer to; the references are checked before its commit.
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
        // The name is the table's primary key, so no name comes twice.
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
