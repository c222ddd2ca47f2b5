/// Where the group commit stands.
enum Batch {
    case none
    /// BEGIN IMMEDIATE was run; so many writes are in it.
    case open(writes: Int)
    /// The whole transaction is gone, with every write that was in it, before its commit.
    case lost(StoreError)
}

/// Group commit: many writes, one transaction, one fsync.
///
/// A service collects the writes of one turn of its loop, commits, and only then answers the requests and
/// publishes the events. Reads between `write` and `commit` see what is not yet safe; answer nothing from it.
extension Database {
    package var batchIsOpen: Bool {
        if case .none = batch { false } else { true }
    }

    /// How many writes wait for the commit.
    package var writesWaiting: Int {
        if case .open(let writes) = batch { writes } else { 0 }
    }

    /// Runs `body` in the open batch, and opens one if there is none. When `body` throws, what it wrote is
    /// undone, the rest of the batch stays, and its error is thrown on. Inside a write it is part of that
    /// write.
    ///
    /// - Throws: what `body` throws; `StoreError` of SQLite. When SQLite gave up the whole batch (full disk,
    ///   I/O), the same error comes for this write, for every further one and for `commit()`: none of them
    ///   is kept.
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
        // A body that swallowed the error of a lost transaction must not be taken for a success.
        guard !connection.isIdle else { throw lose(because: nil) }
        try run("RELEASE one_write")
        if connection.depth == 0, case .open(let writes) = batch { batch = .open(writes: writes + 1) }
        return result
    }

    /// Makes every write of the batch safe. With no batch it does nothing.
    /// - Throws: `.full`, `.io`, …: then none of them is kept and the next `write` begins a new batch.
    package func commit() throws(StoreError) {
        try checkOutsideWrite("commit")
        defer { forget() }
        switch batch {
        case .none: return
        case .lost(let error): throw error
        case .open:
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
        }
    }

    /// Drops every write of the batch. With no batch it does nothing.
    package func rollback() throws(StoreError) {
        try checkOutsideWrite("rollback")
        forget()
        rollbacks += 1
        if !connection.isIdle { try run("ROLLBACK") }
    }

    /// Throws unless a write is running: what must be in one transaction with something else asks this first.
    func checkInsideWrite(_ what: String) throws(StoreError) {
        guard connection.depth == 0 else { return }
        throw StoreError(.misuse, message: "\(what) in \(path) outside of a write")
    }

    private func checkOutsideWrite(_ what: String) throws(StoreError) {
        guard connection.depth > 0 else { return }
        throw StoreError(.misuse, message: "\(what) of \(path) inside of a write")
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

    /// Remembers that SQLite (or the body) ended the transaction behind our back.
    private func lose(because error: (any Error)?) -> StoreError {
        rollbacks += 1
        if case .lost(let first) = batch { return first }
        let cause = connection.lost ?? error as? StoreError
        let lost = StoreError(
            cause?.kind ?? .misuse, sqliteCode: cause?.sqliteCode ?? 0, sql: cause?.sql,
            message: "all \(writesWaiting + 1) writes of this batch are undone: "
                + (cause?.message ?? "the transaction of \(path) ended inside of a write"))
        batch = .lost(lost)
        connection.lost = lost
        return lost
    }
}
