import CSQLite
import Glibc

/// Owns one sqlite3 handle and the lock beside its file. It lives as long as the database or any of its
/// statements; it closes the handle first and releases the lock last.
final class Connection {
    let raw: OpaquePointer
    let path: String
    let files: any StoreFiles
    /// Nil for a reader, which owns nothing, and after closing.
    private var lock: StoreLock?
    /// Updates the sidecar; nil for a reader, and until a new store is complete.
    var recorder: CommitRecorder?
    /// Result of comparing the files with the sidecar before they were opened.
    let finding: OpeningCheck.Finding
    /// Committed frames in the log after the last commit, if that is not recorded yet.
    var framesToRecord: Int?
    /// Number of commits that wrote to the log. `COMMIT` of a transaction that changed nothing is none.
    private(set) var writtenCommits: Int64 = 0
    /// Why the sidecar is older than the store; nil if it is not.
    var recordingFailure: StoreError?
    private(set) var isClosed = false
    /// Nesting depth of running writes.
    var depth = 0
    /// Why SQLite ended the transaction during a write; nil if it did not.
    var lost: StoreError?

    /// - Parameter openingCheckBytesMax: see `Limits`.
    init(path: String, in files: any StoreFiles, openingCheckBytesMax: Int64) throws(StoreError) {
        self.files = files
        try files.makeDirectory(of: path)
        let lock = try StoreLock(storePath: path, in: files)
        let file = try StoreFile(path: path, in: files)
        let log = try file.prepare(created: lock.isMarkedCreated)
        finding = try OpeningCheck(
            path: path, files: files, bytes: file.bytes ?? 0, log: log, bytesMax: openingCheckBytesMax
        ).run()
        if case .differs(let state, let why) = finding {
            try Replacement.check(path: path, in: files, state, why: why)
        }
        raw = try Self.open(path, in: files, SQLITE_OPEN_READWRITE)
        self.path = path
        self.lock = lock
        sqlite3_busy_timeout(raw, StoreLimits.busy_ms)
        if case .whole(let recorder) = finding { self.recorder = recorder }
        watchCommits()
    }

    /// A second, read-only connection for snapshots and checks; the owner keeps the lock.
    init(reading path: String, in files: any StoreFiles) throws(StoreError) {
        raw = try Self.open(path, in: files, SQLITE_OPEN_READONLY)
        self.path = path
        self.files = files
        lock = nil
        finding = .noSidecar
        sqlite3_busy_timeout(raw, StoreLimits.busy_ms)
    }

    /// Opens a file that becomes a copy of a store; nobody else uses it.
    init(writing path: String, in files: any StoreFiles) throws(StoreError) {
        raw = try Self.open(path, in: files, SQLITE_OPEN_READWRITE)
        self.path = path
        self.files = files
        lock = nil
        finding = .noSidecar
    }

    /// Opens a file that nobody writes, without creating files beside it.
    init(immutable path: String, in files: any StoreFiles) throws(StoreError) {
        let escaped: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        let name = path.map { escaped[$0] ?? String($0) }.joined()
        raw = try Self.open("file:\(name)?immutable=1", in: files, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        self.path = path
        self.files = files
        lock = nil
        finding = .noSidecar
    }

    /// A service has few small tables: most of those pages would never be used. Refused if SQLite is in use
    /// already, which changes nothing but memory.
    private static let pagesAreCachedOneByOne = screentime_sqlite3_cache_pages_one_by_one() == SQLITE_OK

    private static func open(
        _ path: String, in files: any StoreFiles, _ access: Int32
    ) throws(StoreError) -> OpaquePointer {
        _ = pagesAreCachedOneByOne
        var handle: OpaquePointer?
        // No SQLITE_OPEN_CREATE: a file that disappeared must not be created again.
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, files.vfsName)
        // "Whether or not an error occurs when it is opened, resources associated with the database
        // connection handle should be released by passing it to sqlite3_close()" (sqlite3_open).
        guard let handle, code == SQLITE_OK else {
            sqlite3_close(handle)
            throw StoreError(
                StoreError.Kind(sqliteCode: code, systemError: 0), sqliteCode: code,
                message: "opening \(path): \(String(cString: sqlite3_errstr(code)))")
        }
        return handle
    }

    /// SQLite then leaves checkpoints to this module: `sqlite3_wal_hook` "disables the automatic checkpoint".
    private func watchCommits() {
        sqlite3_wal_hook(
            raw,
            { context, _, _, frames in
                // The handle never outlives the object that was passed to it.
                if let context {
                    let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
                    connection.framesToRecord = Int(frames)
                    connection.writtenCommits += 1
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { close() }

    /// Closes the file. All its statements are finalized, and throw when used again.
    ///
    /// SQLite moves the log into the main file when it closes the last connection. It may do so only if the
    /// sidecar is current and synced; otherwise the files are left as after a kill.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        do throws(StoreError) {
            if let recorder, framesToRecord != nil || recordingFailure != nil || recorder.isAhead {
                throw recordingFailure ?? StoreError(.misuse, message: "a commit was not recorded")
            }
            try recorder?.sync()
        } catch {
            screentime_sqlite3_configure(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        }
        while let statement = sqlite3_next_stmt(raw, nil) { sqlite3_finalize(statement) }
        // No statement is left, so SQLITE_BUSY cannot occur.
        sqlite3_close(raw)
        recorder = nil
        lock = nil
    }

    func checkOpen() throws(StoreError) {
        guard isClosed else { return }
        throw StoreError(.misuse, message: "\(path) was closed")
    }

    var storeWasCreated: Bool { lock?.isMarkedCreated ?? true }
    func markCreated() throws(StoreError) { try lock?.markCreated() }

    /// Whether SQLite has no open transaction; it may have rolled one back by itself.
    var isIdle: Bool { isClosed || sqlite3_get_autocommit(raw) != 0 }

    /// Throws in a write whose transaction is gone. Otherwise each statement would commit by itself and
    /// remain although the write fails.
    func checkTransaction() throws(StoreError) {
        try checkOpen()
        guard depth > 0, isIdle else { return }
        throw lost ?? StoreError(.misuse, message: "the transaction of \(path) ended inside a write")
    }

    /// Rows that the last statement changed.
    var changedRows: Int64 { sqlite3_changes64(raw) }

    /// Throws unless `code` is SQLITE_OK.
    func check(_ code: Int32, sql: String?, tried: String) throws(StoreError) {
        guard code == SQLITE_OK else { throw error(code, sql: sql, tried: tried) }
    }

    func error(_ code: Int32, sql: String?, tried: String) -> StoreError {
        if code & 0xff == SQLITE_CORRUPT, let failed = FailedRead(raw) {
            let reason = String(cString: strerror(failed.code))
            return StoreError(
                .io, sqliteCode: code, sql: sql,
                message: "\(tried): reading \(path)\(failed.suffix): \(reason)")
        }
        return StoreError(
            StoreError.Kind(sqliteCode: code, systemError: sqlite3_system_errno(raw)),
            sqliteCode: code, sql: sql,
            message: "\(tried) in \(path): \(String(cString: sqlite3_errmsg(raw)))")
    }

    /// Runs a script of any number of statements; rows are discarded.
    func execute(_ sql: String, tried: String) throws(StoreError) {
        try checkOpen()
        try check(sqlite3_exec(raw, sql, nil, nil, nil), sql: sql, tried: tried)
    }
}
