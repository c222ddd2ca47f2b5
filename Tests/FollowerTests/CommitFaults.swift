import CSQLite
import Foundation
import Testing

@testable import Store

/// Lets commits of one database fail, as a full disk or a broken one would: by a commit hook, which turns
/// COMMIT into a rollback, or by a page limit, which is `SQLITE_FULL` in the middle of a write.
final class CommitFaults {
    /// Asked at each commit, also of a transaction that changed nothing; true lets it fail.
    var failsCommit: () -> Bool = { false }
    private(set) var failures = 0
    private let connection: Connection

    init(_ database: Database) {
        connection = database.connection
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_commit_hook(
            connection.raw,
            { context in
                // The hook is taken away before this object goes.
                guard let context else { return 0 }
                let faults = Unmanaged<CommitFaults>.fromOpaque(context).takeUnretainedValue()
                guard faults.failsCommit() else { return 0 }
                faults.failures += 1
                return 1
            }, context)
    }

    deinit {
        // A closed one has no hooks, and its handle is gone.
        if !connection.isClosed { sqlite3_commit_hook(connection.raw, nil, nil) }
    }

    /// The statement that stores a setting fails, before any commit.
    func refuseSettings() throws {
        try connection.execute(
            "CREATE TEMP TRIGGER refusal BEFORE INSERT ON setting BEGIN SELECT RAISE(ABORT, 'full'); END",
            tried: "refusing settings")
    }

    /// No page more than there are: inserting fails with `SQLITE_FULL` as soon as it needs one.
    func fillDisk() throws {
        try connection.execute("PRAGMA max_page_count = 1", tried: "filling the disk")
    }

    func freeDisk() throws {
        try connection.execute("PRAGMA max_page_count = 1000000000", tried: "freeing the disk")
    }
}
