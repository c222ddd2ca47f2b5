/// State of the group commit.
enum Batch {
    case none
    /// BEGIN IMMEDIATE was executed; the transaction contains this number of writes.
    case open(writes: Int)
    /// SQLite rolled back the whole transaction, with all its writes, before its commit.
    case lost(StoreError)
}

/// Group commit: many writes, one transaction, one fsync.
///
/// A service collects the writes of one turn of its loop, commits, and only then answers requests and
/// publishes events. Reads between `write` and `commit` see uncommitted data; do not answer from them.
extension Database {
    /// Whether a transaction is open, or was lost.
    package var batchIsOpen: Bool {
        if case .none = batch { false } else { true }
    }

    /// Number of writes that wait for the commit.
    package var writesWaiting: Int {
        if case .open(let writes) = batch { writes } else { 0 }
    }

    /// Runs `body` in the open batch, and opens one if there is none. If `body` throws, its writes are
    /// undone, the rest of the batch stays, and the error is rethrown. Inside a write it becomes part of that
    /// write.
    ///
    /// - Throws: what `body` throws; `StoreError` of SQLite. If SQLite rolled back the whole batch (disk
    ///   full, I/O), the same error is thrown for this write, each further one and `commit()`; none of them
    ///   is stored.
    package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try begin()
        try run("SAVEPOINT one_write")
        connection.depth += 1
        let result: Result
        do {
            defer { connection.depth -= 1 }
            result = try body(self)
        } catch {
            try undo(because: error)
            throw error
        }
        // A body that ignored the error of a lost transaction must not count as success.
        guard !connection.isIdle else { throw lose(because: nil) }
        try run("RELEASE one_write")
        if connection.depth == 0, case .open(let writes) = batch { batch = .open(writes: writes + 1) }
        return result
    }

    /// Commits all writes of the batch. Does nothing without a batch.
    /// - Returns: whether anything was written: a batch whose writes all failed, or changed nothing, needs no
    ///   place on the disk.
    /// - Throws: `.full`, `.io`, …: none of them is stored, and the next `write` begins a new batch.
    @discardableResult package func commit() throws(StoreError) -> Bool {
        try checkOutsideWrite("commit")
        defer { forget() }
        switch batch {
        case .none: return false
        case .lost(let error): throw error
        case .open:
            let before = connection.writtenCommits
            do throws(StoreError) {
                try run("COMMIT")
            } catch {
                rollbacks += 1
                // After a failed COMMIT "the transaction remains active"; some errors end it by themselves.
                if !connection.isIdle { try run("ROLLBACK") }
                throw error
            }
            forget()
            recordCommit()
            return connection.writtenCommits != before
        }
    }

    /// Undoes all writes of the batch. Does nothing without a batch.
    package func rollback() throws(StoreError) {
        try checkOutsideWrite("rollback")
        forget()
        rollbacks += 1
        if !connection.isIdle { try run("ROLLBACK") }
    }

    /// Throws unless a write is running. For changes that must share a transaction with something else.
    func checkInsideWrite(_ what: String) throws(StoreError) {
        guard connection.depth == 0 else { return }
        throw StoreError(.misuse, message: "\(what) in \(path) outside a write")
    }

    private func checkOutsideWrite(_ what: String) throws(StoreError) {
        guard connection.depth > 0 else { return }
        throw StoreError(.misuse, message: "\(what) of \(path) inside a write")
    }

    private func forget() {
        batch = .none
        connection.lost = nil
    }

    private func begin() throws(StoreError) {
        switch batch {
        case .open: return
        case .lost(let error): throw error
        case .none:
            try run("BEGIN IMMEDIATE")
            batch = .open(writes: 0)
        }
    }

    private func undo(because error: any Error) throws(StoreError) {
        guard !connection.isIdle else { throw lose(because: error) }
        rollbacks += 1
        try run("ROLLBACK TO one_write")
        try run("RELEASE one_write")
    }

    /// Records that SQLite (or the body) ended the transaction unexpectedly.
    private func lose(because error: (any Error)?) -> StoreError {
        rollbacks += 1
        if case .lost(let first) = batch { return first }
        let cause = connection.lost ?? error as? StoreError
        let lost = StoreError(
            cause?.kind ?? .misuse, sqliteCode: cause?.sqliteCode ?? 0, sql: cause?.sql,
            message: "all \(writesWaiting + 1) writes of this batch are undone: "
                + (cause?.message ?? "the transaction of \(path) ended inside a write"))
        batch = .lost(lost)
        connection.lost = lost
        return lost
    }
}
