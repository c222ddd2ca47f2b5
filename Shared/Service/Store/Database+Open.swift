extension Database {
    /// Recognises the file as a store of ours, or makes a new file one; another program's file is left
    /// untouched.
    func identify() throws(StoreError) {
        let identifier = try integer("PRAGMA application_id")
        let layout = try integer("PRAGMA user_version")
        let isEmpty = try integer("SELECT count(*) FROM sqlite_schema") == 0
        if identifier == Self.applicationIdentifier, !isEmpty {
            guard layout <= Self.layoutVersion else {
                throw newer("layout \(layout)", known: "\(Self.layoutVersion)")
            }
            return
        }
        guard isEmpty, identifier == 0, layout == 0 else {
            let message =
                "opening \(path): it is the SQLite file of another program (application_id \(identifier))"
            throw StoreError(.foreign, message: message)
        }
        guard !connection.storeWasCreated else {
            throw StoreError(
                .damaged, message: "opening \(path): the file has no tables, but a store existed here")
        }
        try create()
    }

    /// The journal mode first, since it cannot change inside a transaction; the rest is one transaction.
    private func create() throws(StoreError) {
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
        try transaction("creating the store") { () throws(StoreError) in
            try run("PRAGMA application_id = \(Self.applicationIdentifier)")
            try run("PRAGMA user_version = \(Self.layoutVersion)")
            try run(
                "CREATE TABLE schema_part (name TEXT PRIMARY KEY, version INTEGER NOT NULL) "
                    + "STRICT, WITHOUT ROWID")
        }
    }

    func configure() throws(StoreError) {
        guard try first("PRAGMA journal_mode = WAL", row: { $0.text(0) }) == "wal" else {
            throw StoreError(.io, message: "opening \(path): the file system has no shared memory")
        }
        try run("PRAGMA synchronous = FULL")
        try run("PRAGMA foreign_keys = ON")
        try run("PRAGMA trusted_schema = OFF")
        try run("PRAGMA cell_size_check = ON")
        // Deleted rows are overwritten where that needs no extra write; `scrub` removes the rest.
        try run("PRAGMA secure_delete = FAST")
        try run("PRAGMA journal_size_limit = \(StoreLimits.logBytesMax)")
    }

    /// Checks every page of a store without a sidecar, whose pages cannot be compared.
    func checkPages() throws(StoreError) {
        let findings = try connection.pageFindings(limit: 3)
        guard !findings.isEmpty else { return }
        let message = "opening \(path): its pages are broken: \(findings.joined(separator: "; "))"
        throw StoreError(.damaged, sql: "PRAGMA integrity_check(3)", message: message)
    }

    /// Runs `body` in a transaction of the opening, committed before this returns. If it fails, the opening
    /// fails.
    func transaction(
        _ tried: String, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try connection.execute("BEGIN IMMEDIATE", tried: tried)
        do throws(StoreError) {
            try body()
            try connection.execute("COMMIT", tried: tried)
        } catch {
            if !connection.isIdle { try connection.execute("ROLLBACK", tried: "undoing \(tried)") }
            throw error
        }
    }

    /// Rewrites the file without deleted data and empties the log, so that no deleted byte remains on disk.
    /// Needs free space for a second copy, and no open batch.
    package func scrub() throws(StoreError) {
        guard !batchIsOpen else {
            throw StoreError(.misuse, message: "scrubbing \(path) while a batch is open")
        }
        try connection.execute("VACUUM", tried: "scrubbing")
        guard try checkpoint(.truncate) else {
            throw StoreError(.busy, message: "scrubbing \(path): another connection reads the old pages")
        }
    }
}
