/// The store of one service: one SQLite file, used from one thread, that of the service.
///
/// Settings: WAL, synchronous FULL (a commit is on the disk when it returns), foreign keys on. Writing goes
/// through `write` and `commit` (see Batch.swift). The file is closed when the object goes; an open batch is
/// then lost.
package final class Database {
    /// "Scrn": what `file` and a foreign program can tell our files by.
    static let applicationIdentifier: Int64 = 0x5363_726E
    /// The layout that all parts share: the table schema_part. PRAGMA user_version.
    static let layoutVersion: Int64 = 1

    let connection: Connection
    private var statements: [String: Statement] = [:]
    var batch = Batch.none
    /// Grows with every rollback: what was remembered from before may be wrong.
    var rollbacks = 0
    /// Whether the schema has the table `run`.
    private(set) var knowsRuns = false
    /// Frames in the log from which on a commit ends with a checkpoint.
    var nextCheckpointFrames = Limits.checkpointFrames
    /// What this path held before another store, or an older copy of this one, was put in its place; nil when
    /// that did not happen, or when nothing is left that tells.
    package let replaced: CommittedState?

    /// What was wrong with the sidecar at the opening although the store could be compared with it; nil:
    /// nothing.
    package let sidecarFinding: String?

    package var path: String { connection.path }

    /// Opens the store, or creates it with its directory (mode 0700, the file 0600), and brings its schema up
    /// to date.
    /// - Parameters:
    ///   - migrations: the service's own tables; 1, 2, 3 …
    ///   - openingCheckBytesMax: bytes up to which all pages are compared with the sidecar now.
    /// - Throws: `.locked` with the process id of the owner; `.damaged` when the file, its log or its history
    ///   do not fit together; `.newer`; `.foreign`; `.full`; `.io`; the error of a failing migration (the
    ///   steps before it stay).
    package init(
        path: String, migrations: [Migration], openingCheckBytesMax: Int64 = Limits.openingCheckBytesMax
    ) throws(StoreError) {
        connection = try Connection(path: path, openingCheckBytesMax: openingCheckBytesMax)
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
            try connection.recorder?.openLog()
            if !connection.storeWasCreated { try connection.markCreated() }
        } catch {
            // The steps before the failing one are committed, and the sidecar must know of them.
            recordCommit()
            throw error
        }
    }

    deinit { recordCommit() }

    /// New tables, and the first state of a sidecar, do not stay in the log alone.
    private func beginRecording(emptyingLog: Bool) throws(StoreError) {
        guard connection.recorder == nil else {
            recordCommit()
            if emptyingLog { try checkpoint(.truncate) }
            return try syncRecord()
        }
        guard try checkpoint(.truncate) else {
            throw StoreError(.busy, message: "opening \(path): another program reads it")
        }
        connection.framesToRecord = nil
        connection.recorder = try CommitRecorder(
            measuring: path, pageBytes: Int(try integer("PRAGMA page_size")),
            pages: Int(try integer("PRAGMA page_count")), Identity(connection))
    }

    // MARK: statements

    /// The statement for a SQL text, freshly reset. Texts are kept prepared; a text whose statement is still
    /// held somewhere gets a second statement, so that two users never share bindings.
    package func prepare(_ sql: String) throws(StoreError) -> Statement {
        if let index = statements.index(forKey: sql), isKnownUniquelyReferenced(&statements.values[index]) {
            let statement = statements.values[index]
            statement.clear()
            return statement
        }
        let statement = try Statement(sql, connection)
        if statements.count < Limits.statementsMax { statements[sql] = statement }
        return statement
    }

    /// Runs a statement to its end.
    package func run(_ sql: String, _ bindings: (any Bindable)?...) throws(StoreError) {
        let statement = try prepare(sql)
        try statement.bind(all: bindings)
        try statement.run()
        // Outside of a batch each statement commits by itself.
        if !batchIsOpen, connection.framesToRecord != nil { recordCommit() }
    }

    /// All rows, each turned into a value.
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

    /// The first row, or nil.
    package func first<Row>(
        _ sql: String, _ bindings: (any Bindable)?..., row: (Statement) throws(StoreError) -> Row
    ) throws(StoreError) -> Row? {
        let statement = try prepare(sql)
        defer { statement.reset() }
        try statement.bind(all: bindings)
        return try statement.step() ? try row(statement) : nil
    }

    /// Goes through the rows one by one; `row` may throw what it likes.
    package func each(
        _ sql: String, _ bindings: (any Bindable)?..., row: (Statement) throws -> Void
    ) throws {
        let statement = try prepare(sql)
        defer { statement.reset() }
        try statement.bind(all: bindings)
        while try statement.step() { try row(statement) }
    }

    /// Rows that the last INSERT, UPDATE or DELETE changed: 0 for an INSERT OR IGNORE that was ignored.
    package var changedRows: Int64 { connection.changedRows }

    /// The first column of the first row as an integer; 0 when there is no row.
    package func integer(_ sql: String) throws(StoreError) -> Int64 {
        try first(sql) { $0.int64(0) } ?? 0
    }
}
