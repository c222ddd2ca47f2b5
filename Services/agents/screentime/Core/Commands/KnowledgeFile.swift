import CommandKit
import Contract
import CSQLite
import Glibc
import Rules

/// Reads macOS's knowledgeC.db with its `-wal`, in memory: the original stays as it is, and no copy is made
/// that could be left behind.
enum KnowledgeFile {
    /// - Parameter image: what the file has in it.
    /// - Throws: `noInput` when its `-wal` cannot be read, `badData` when it is no such database.
    static func rows(_ path: String, _ image: [UInt8]) throws(CommandError) -> [KnowledgeC.Row] {
        var image = image
        let log = path + "-wal"
        if path != "-", access(log, F_OK) == 0 {
            let bytes = try InputFile.whole(
                log, bytesMax: ImportCommandFile.bytesMax, remedy: ImportCommandFile.nothing)
            guard KnowledgeLog.apply(bytes, to: &image, bytesMax: ImportCommandFile.bytesMax) else {
                throw damaged(
                    path, "its -wal says that it is larger than \(ImportCommandFile.bytesMax) bytes")
            }
        }
        // Read and write version 1: a database in memory has no write-ahead log.
        guard image.count >= 100, image.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw damaged(path, "file is not a database")
        }
        (image[18], image[19]) = (1, 1)
        let outcome = image.withUnsafeMutableBytes { bytes in
            Result { () throws(KnowledgeDatabase.Fault) in try KnowledgeDatabase.open(bytes).rows() }
        }
        do throws(KnowledgeDatabase.Fault) { return try outcome.get() } catch {
            throw damaged(path, error.reason)
        }
    }

    private static func damaged(_ path: String, _ reason: String) -> CommandError {
        CommandError(
            ExitCode.badData, "'\(path)' is no whole knowledgeC.db: \(reason)",
            remedy: "\(ImportCommandFile.nothing) Copy the file again, with its -wal beside it.")
    }
}

/// A database from another program, opened read-only in memory. Nothing of its schema runs: no
/// views, triggers, virtual tables, generated columns, functions or expressions of indexes.
struct KnowledgeDatabase: ~Copyable {
    struct Fault: Error {
        var reason: String
    }

    enum Limits {
        /// Bytes of one value or row that SQLite makes or reads.
        static let valueBytesMax: Int32 = 1 << 20
        /// Bytes of an app's name or a stream's.
        static let nameBytesMax = 4_096
        /// Steps of SQLite's machine for any file, and for each byte of it. Reading a row takes some 20.
        static let stepsMax = 20_000_000
        static let stepsPerByte = 16
        /// Steps between two looks at how many there were.
        static let stepsAtOnce: Int32 = 1_000
    }

    private let handle: OpaquePointer
    private let budget: Budget

    /// Steps that are left.
    private final class Budget {
        var steps: Int
        init(_ steps: Int) { self.steps = steps }
    }

    /// - Parameter image: outlives the database.
    static func open(_ image: UnsafeMutableRawBufferPointer) throws(Fault) -> KnowledgeDatabase {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(":memory:", &opened, flags, nil) == SQLITE_OK, let opened else {
            sqlite3_close(opened)
            throw Fault(reason: "SQLite has no memory for it")
        }
        let database = KnowledgeDatabase(
            handle: opened, budget: Budget(Limits.stepsMax + Limits.stepsPerByte * image.count))
        let bytes = image.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let count = sqlite3_int64(image.count)
        let code = sqlite3_deserialize(
            opened, "main", bytes, count, count, UInt32(SQLITE_DESERIALIZE_READONLY))
        guard code == SQLITE_OK else { throw database.fault }
        database.confine()
        return database
    }

    private init(handle: OpaquePointer, budget: Budget) {
        self.handle = handle
        self.budget = budget
    }

    deinit { sqlite3_close(handle) }

    private func confine() {
        for (option, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, Int32(1)), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        ] {
            let code = screentime_sqlite3_configure(handle, option, value)
            precondition(code == SQLITE_OK, "SQLite does not know option \(option) of a connection")
        }
        for (limit, value) in [
            (SQLITE_LIMIT_LENGTH, Limits.valueBytesMax), (SQLITE_LIMIT_ATTACHED, 0),
            (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COLUMN, 500),
            (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
        ] {
            sqlite3_limit(handle, limit, value)
        }
        sqlite3_set_authorizer(handle, Self.authorizer, nil)
        let budget = Unmanaged.passUnretained(budget).toOpaque()
        sqlite3_progress_handler(
            handle, Limits.stepsAtOnce,
            { context in
                guard let context else { return 1 }
                let budget = Unmanaged<Budget>.fromOpaque(context).takeUnretainedValue()
                budget.steps -= Int(Limits.stepsAtOnce)
                return budget.steps < 0 ? 1 : 0
            }, budget)
    }

    /// Three pragmas, and reading the schema and ZOBJECT. A function, a view or another table is refused.
    private static let authorizer:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, UnsafePointer<CChar>?
        ) -> Int32 = { _, action, first, _, _, _ in
            let name = first.map { String(cString: $0).lowercased() } ?? ""
            switch action {
            case SQLITE_SELECT: return SQLITE_OK
            case SQLITE_READ:
                return ["zobject", "sqlite_master", "sqlite_schema"].contains(name) ? SQLITE_OK : SQLITE_DENY
            case SQLITE_PRAGMA:
                let allowed = ["cell_size_check", "ignore_check_constraints", "quick_check", "table_xinfo"]
                return allowed.contains(name) ? SQLITE_OK : SQLITE_DENY
            default: return SQLITE_DENY
            }
        }

    // MARK: reading

    /// - Throws: when SQLite finds the file damaged (a cut one may still answer), or ZOBJECT is not what
    /// macOS   makes it.
    func rows() throws(Fault) -> [KnowledgeC.Row] {
        try each("PRAGMA cell_size_check = 1") { _ throws(Fault) in }
        // CHECK constraints are expressions of the file's.
        try each("PRAGMA ignore_check_constraints = 1") { _ throws(Fault) in }
        try requireTable()
        // Of this table alone: newer versions of SQLite would open virtual tables to check them.
        try each("PRAGMA quick_check(ZOBJECT)") { statement throws(Fault) in
            guard let word = try Self.text(statement, 0), word != "ok" else { return }
            throw Fault(reason: word)
        }
        var rows: [KnowledgeC.Row] = []
        // NOT INDEXED: what an index holds is the file's word, too.
        let sql = """
            SELECT Z_PK, ZSTREAMNAME, ZVALUESTRING, ZSTARTDATE, ZENDDATE FROM ZOBJECT NOT INDEXED
            WHERE ZSTREAMNAME IN ('\(KnowledgeC.usageStream)', '\(KnowledgeC.focusStream)')
            ORDER BY Z_PK
            """
        try each(sql) { statement throws(Fault) in
            rows.append(
                KnowledgeC.Row(
                    id: sqlite3_column_int64(statement, 0), stream: try Self.text(statement, 1) ?? "",
                    app: try Self.text(statement, 2), start_s: Self.number(statement, 3),
                    end_s: Self.number(statement, 4)))
        }
        return rows
    }

    private func requireTable() throws(Fault) {
        var kinds: [String] = []
        let sql = "SELECT type, rootpage > 0 FROM sqlite_schema WHERE name = 'ZOBJECT' COLLATE NOCASE"
        try each(sql) { statement throws(Fault) in
            let isStored = sqlite3_column_int(statement, 1) == 1
            kinds.append(isStored ? try Self.text(statement, 0) ?? "" : "virtual table or view")
        }
        guard kinds == ["table"] else {
            throw Fault(
                reason: kinds.isEmpty ? "it has no table ZOBJECT" : "ZOBJECT is a \(kinds[0]) and no table")
        }
        try each("PRAGMA table_xinfo(ZOBJECT)") { statement throws(Fault) in
            // Column 6: 1 is hidden, 2 and 3 are generated.
            guard sqlite3_column_int(statement, 6) == 0 else {
                throw Fault(reason: "ZOBJECT has a generated column")
            }
        }
    }

    private func each(
        _ sql: String, _ row: (OpaquePointer) throws(Fault) -> Void
    ) throws(Fault) {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
            throw fault
        }
        defer { sqlite3_finalize(prepared) }
        while true {
            let code = sqlite3_step(prepared)
            guard code != SQLITE_DONE else { return }
            guard code == SQLITE_ROW else { throw fault }
            try row(prepared)
        }
    }

    private var fault: Fault {
        guard budget.steps >= 0 else {
            return Fault(reason: "reading it takes more steps than its size explains")
        }
        return Fault(reason: String(cString: sqlite3_errmsg(handle)))
    }

    private static func text(_ statement: OpaquePointer, _ column: Int32) throws(Fault) -> String? {
        guard let text = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        guard count <= Limits.nameBytesMax else {
            throw Fault(reason: "a name in it has \(count) bytes, more than \(Limits.nameBytesMax)")
        }
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// nil for NULL and for what is no number.
    private static func number(_ statement: OpaquePointer, _ column: Int32) -> Double? {
        let type = sqlite3_column_type(statement, column)
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
        return sqlite3_column_double(statement, column)
    }
}
