import CSQLite

/// The owner of one sqlite3 handle and of the lock beside its file. It lives as long as the database or any
/// of its statements; it closes the handle first and frees the lock last.
final class Connection {
    let raw: OpaquePointer
    let path: String
    private let lock: FileLock
    /// How many writes are running, one inside the other.
    var depth = 0
    /// Why SQLite ended the transaction in the middle of a write; nil when it did not.
    var lost: StoreError?

    init(path: String) throws(StoreError) {
        try StoreFile.makeDirectory(of: path)
        let lock = try FileLock(storePath: path)
        let file = try StoreFile(path: path)
        try file.prepare(created: lock.saysCreated)
        var handle: OpaquePointer?
        // No SQLITE_OPEN_CREATE: a file that vanishes now must not be made anew.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        // "Whether or not an error occurs when it is opened, resources associated with the database
        // connection handle should be released by passing it to sqlite3_close()" (sqlite3_open).
        guard let handle, code == SQLITE_OK else {
            sqlite3_close(handle)
            throw StoreError(
                StoreError.Kind(sqliteCode: code, systemError: 0), sqliteCode: code,
                message: "opening \(path): \(String(cString: sqlite3_errstr(code)))")
        }
        raw = handle
        self.path = path
        self.lock = lock
        sqlite3_busy_timeout(raw, Limits.busy_ms)
    }

    deinit {
        // Every statement holds this object, so none is left and SQLITE_BUSY cannot happen.
        sqlite3_close(raw)
    }

    var storeWasCreated: Bool { lock.saysCreated }
    func markCreated() throws(StoreError) { try lock.markCreated() }

    /// Whether SQLite has no transaction open, also because it rolled one back by itself.
    var isIdle: Bool { sqlite3_get_autocommit(raw) != 0 }

    /// Refuses to go on in a write whose transaction is gone: each statement would commit by itself, and be
    /// kept although the write fails.
    func checkTransaction() throws(StoreError) {
        guard depth > 0, isIdle else { return }
        throw lost ?? StoreError(.misuse, message: "the transaction of \(path) ended inside of a write")
    }

    /// Rows that the last statement changed.
    var changedRows: Int64 { sqlite3_changes64(raw) }

    /// Throws unless `code` is SQLITE_OK.
    func check(_ code: Int32, sql: String?, tried: String) throws(StoreError) {
        guard code == SQLITE_OK else { throw error(code, sql: sql, tried: tried) }
    }

    func error(_ code: Int32, sql: String?, tried: String) -> StoreError {
        StoreError(
            StoreError.Kind(sqliteCode: code, systemError: sqlite3_system_errno(raw)),
            sqliteCode: code, sql: sql,
            message: "\(tried) in \(path): \(String(cString: sqlite3_errmsg(raw)))")
    }

    /// Runs a script of any number of statements; rows are dropped.
    func execute(_ sql: String, tried: String) throws(StoreError) {
        try check(sqlite3_exec(raw, sql, nil, nil, nil), sql: sql, tried: tried)
    }
}
