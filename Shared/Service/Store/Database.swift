/// The store of one service: one SQLite file, used from the service's thread only.
///
/// Settings: WAL, synchronous FULL (a commit is on disk when it returns), foreign keys on. Writes go through
/// `write` and `commit` (see Batch.swift). The file is closed on deinit; an open batch is then lost.
package final class Database {
    /// "Scrn", by which `file` and other programs recognise our files.
    static let applicationIdentifier: Int64 = 0x5363_726E
    /// Version of the table schema_part, which all parts share. PRAGMA user_version.
    static let layoutVersion: Int64 = 1

    let connection: Connection
    private var statements: [String: Statement] = [:]
    var batch = Batch.none
    /// Incremented with every rollback: values cached before may be wrong.
    var rollbacks = 0
    /// Whether the schema has the table `run`.
    private(set) var knowsRuns = false
    /// Number of frames in the log at which a commit ends with a checkpoint.
    var nextCheckpointFrames = StoreLimits.checkpointFrames
    /// What this path held before another store, or an older copy of this one, replaced it. Nil if it was not
    /// replaced or nothing left shows it.
    package let replaced: CommittedState?

    /// Why one state of the sidecar was invalid at the opening, although the store could be compared with the
    /// other; nil if both were valid.
    package let sidecarFinding: String?

    /// Path of the main file.
    package var path: String { connection.path }

    /// Opens the store, or creates it with its directory (mode 0700, the file 0600), and migrates its schema
    /// to the newest version.
    /// - Parameters:
    ///   - files: where the store is.
    ///   - migrations: the service's own tables, numbered 1, 2, 3 …
    ///   - openingCheckBytesMax: largest store in bytes whose pages are all compared with the sidecar now.
    /// - Throws: `.locked` with the process id of the owner; `.damaged` when the file, its log or its history
    ///   do not fit together; `.newer`; `.foreign`; `.full`; `.io`; the error of a failing migration (the
    ///   steps before it stay).
    package init(
        path: String, in files: any StoreFiles = DiskFiles(), migrations: [Migration],
        openingCheckBytesMax: Int64 = StoreLimits.openingCheckBytesMax
    ) throws(StoreError) {
        connection = try Connection(path: path, in: files, openingCheckBytesMax: openingCheckBytesMax)
        if case .differs(let state, _) = connection.finding { replaced = state } else { replaced = nil }
        let isHalf = connection.recorder?.sidecarWasHalfBroken ?? false
        sidecarFinding = isHalf ? path + Sidecar.suffix : nil
        do throws(StoreError) {
            try identify()
            if connection.recorder == nil { try checkPages() }
            try configure()
            let isChanged = try migrate([.outbox, SchemaPart(name: "service", migrations: migrations)])
            knowsRuns =
                try integer("SELECT version FROM schema_part WHERE name = 'outbox'")
                >= Identity.versionWithRuns
            try beginRecording(emptyingLog: isChanged)
            try connection.recorder?.syncLogName()
            if !connection.storeWasCreated { try connection.markCreated() }
        } catch {
            // The steps before the failed one are committed, and must be recorded in the sidecar.
            recordCommit()
            throw error
        }
    }

    deinit { recordCommit() }

    /// Moves new tables out of the log before the first state of a sidecar is written.
    private func beginRecording(emptyingLog: Bool) throws(StoreError) {
        if let recorder = connection.recorder {
            if recorder.isAhead, connection.framesToRecord == nil {
                connection.framesToRecord = recorder.state.frames
            }
            recordCommit()
            if emptyingLog { try checkpoint(.truncate) }
            return try syncRecord()
        }
        guard try checkpoint(.truncate) else {
            throw StoreError(.busy, message: "opening \(path): another program reads it")
        }
        connection.framesToRecord = nil
        connection.recorder = try CommitRecorder(
            measuring: path, in: connection.files, pageBytes: Int(try integer("PRAGMA page_size")),
            pages: Int(try integer("PRAGMA page_count")), Identity(connection))
    }

    // MARK: statements

    /// The reset statement for a SQL text. Prepared statements are cached by text. If the cached one is still
    /// in use, a second one is prepared, so that two users never share bindings.
    package func prepare(_ sql: String) throws(StoreError) -> Statement {
        if let index = statements.index(forKey: sql), isKnownUniquelyReferenced(&statements.values[index]) {
            let statement = statements.values[index]
            statement.clear()
            return statement
        }
        let statement = try Statement(sql, connection)
        if statements.count < StoreLimits.statementsMax { statements[sql] = statement }
        return statement
    }

    /// Runs a statement to its end, discarding rows.
    package func run(_ sql: String, _ bindings: (any Bindable)?...) throws(StoreError) {
        let statement = try prepare(sql)
        try statement.bind(all: bindings)
        try statement.run()
        // Outside a batch each statement is its own transaction.
        if !batchIsOpen, connection.framesToRecord != nil { recordCommit() }
    }

    /// All rows, each converted by `row`.
    package func query<Row>(
        _ sql: String, _ bindings: (any Bindable)?..., row: (Statement) throws(StoreError) -> Row
    ) throws(StoreError) -> [Row] {
        let statement = try prepare(sql)
        defer { statement.reset() }
        try statement.bind(all: bindings)
        var rows: [Row] = []
        while try statement.step() { rows.append(try row(statement)) }
        return rows
    }

    /// The first row, converted by `row`; nil if there is none.
    package func first<Row>(
        _ sql: String, _ bindings: (any Bindable)?..., row: (Statement) throws(StoreError) -> Row
    ) throws(StoreError) -> Row? {
        let statement = try prepare(sql)
        defer { statement.reset() }
        try statement.bind(all: bindings)
        return try statement.step() ? try row(statement) : nil
    }

    /// Calls `row` for each row; `row` may throw any error.
    package func each(
        _ sql: String, _ bindings: (any Bindable)?..., row: (Statement) throws -> Void
    ) throws {
        let statement = try prepare(sql)
        defer { statement.reset() }
        try statement.bind(all: bindings)
        while try statement.step() { try row(statement) }
    }

    /// Number of rows changed by the last INSERT, UPDATE or DELETE; 0 for an ignored INSERT OR IGNORE.
    package var changedRows: Int64 { connection.changedRows }

    /// The first column of the first row as an integer; 0 if there is no row.
    package func integer(_ sql: String) throws(StoreError) -> Int64 {
        try first(sql) { $0.int64(0) } ?? 0
    }
}
