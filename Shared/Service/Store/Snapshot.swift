internal import CSQLite

/// The store at one instant, while its owner continues to write: a second connection with a read transaction.
///
/// It may be passed to another thread, which then uses it alone.
package final class Snapshot: @unchecked Sendable {
    private let connection: Connection
    /// What the owner had committed when the snapshot was taken.
    package let state: CommittedState
    private let files: any StoreFiles
    /// The owner's, which stays open: closing another one would release SQLite's locks (see ``OpenFile``).
    private let main: any OpenFile
    private let hashes: [UInt64]

    init(
        path: String, in files: any StoreFiles, _ state: CommittedState, main: any OpenFile, hashes: [UInt64]
    ) throws(StoreError) {
        self.state = state
        self.files = files
        self.main = main
        self.hashes = hashes
        connection = try Connection(reading: path, in: files)
        // The read transaction begins with the first page read, and lasts until the connection is closed.
        try connection.execute("BEGIN; SELECT count(*) FROM sqlite_schema", tried: "taking a snapshot")
    }

    /// Writes the store to a new file with mode 0600, and checks it.
    /// - Returns: the sum over its pages, and its bytes.
    /// - Throws: `.io` if the file exists; `.full`; `.damaged` if the content is not a valid store.
    package func copy(to path: String) throws(StoreError) -> (sum: UInt64, bytes: Int64) {
        _ = try files.create(path)
        let target = try Connection(writing: path, in: files)
        do throws(StoreError) {
            try copy(into: target)
            target.close()
        } catch {
            target.close()
            throw error
        }
        let copy = try StoredCopy(path: path, in: files)
        guard copy.findings.isEmpty else {
            throw StoreError(.damaged, message: "copying \(connection.path): \(copy.findings[0])")
        }
        return (copy.sum, copy.bytes)
    }

    private func copy(into target: Connection) throws(StoreError) {
        // A copy that fails is deleted, so it needs no journal.
        try target.execute("PRAGMA journal_mode = OFF", tried: "beginning a copy")
        guard let backup = sqlite3_backup_init(target.raw, "main", connection.raw, "main") else {
            throw target.error(sqlite3_errcode(target.raw), sql: nil, tried: "beginning a copy")
        }
        let code = sqlite3_backup_step(backup, -1)
        // Returns the error of the step again.
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw target.error(code, sql: nil, tried: "writing a copy") }
    }

    /// What is wrong with the store; empty if nothing is. Reads every page.
    package func findings() throws(StoreError) -> [String] {
        try changedPages() + connection.pageFindings(limit: 10)
    }

    /// Pages that differ from what was committed.
    private func changedPages() throws(StoreError) -> [String] {
        let log = try logContents()
        let found = try StoredPages(
            main: main, in: files, pageBytes: state.pageBytes, log: log, frames: log.pages.count
        ).hashes(count: state.pages)
        guard found.reduce(0, &+) != state.sum else { return [] }
        // If the log was restarted while it was read, its pages are in the main file: read again.
        let isStill = log.pages.isEmpty ? true : try logContents().pages == log.pages
        guard isStill else { return try changedPages() }
        let changed = (0..<state.pages).filter { CommitRecorder.isOther(hashes[$0], than: found[$0]) }
        guard !changed.isEmpty else { return ["a page differs from what was committed"] }
        return [
            "pages that differ from what was committed: "
                + changed.prefix(10).map { String($0 + 1) }.joined(separator: ", ")
        ]
    }

    /// The frames of the snapshot. None if the log was restarted since: all were moved before that.
    private func logContents() throws(StoreError) -> WriteAheadLog.Contents {
        var contents = WriteAheadLog.Contents()
        guard state.frames > 0 else { return contents }
        let file = try files.open(existing: connection.path + "-wal")
        let header = WriteAheadLog.Header(try file.read(at: 0, count: WriteAheadLog.headerBytes))
        guard header.salts == state.salts else { return contents }
        contents.salts = header.salts
        let frameBytes = WriteAheadLog.frameHeaderBytes + state.pageBytes
        for frame in 0..<state.frames {
            let bytes = try file.read(at: WriteAheadLog.headerBytes + frame * frameBytes, count: 4)
            contents.pages.append(Int(bytes.number(at: 0)))
        }
        return contents
    }

    /// Ends the read transaction.
    package func close() { connection.close() }
}

extension Database {
    /// The store as committed, without the writes of an open batch.
    package func snapshot() throws(StoreError) -> Snapshot {
        if let failure = recordingFailure { throw failure }
        guard let recorder = connection.recorder else {
            throw StoreError(.misuse, message: "a snapshot of \(path), which is closed")
        }
        return try recorder.snapshot()
    }
}
