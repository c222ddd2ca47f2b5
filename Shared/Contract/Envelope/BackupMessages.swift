package import JSON

/// Identifies a backup.
@Record("backup.key")
package struct BackupKey: Record {
    /// Any text that is unique to this backup.
    package var id: String = ""
}

/// Takes a snapshot of the store and blocks commits until backup.copy, for five seconds at most.
///
/// While every service blocks commits, the snapshots form one consistent cut.
@Method("backup.hold", of: .auth, .write, for: .person)
package enum BackupHold: Method {
    /// The id of the new backup.
    package typealias Params = BackupKey

    /// The state of the log in the snapshot.
    @Record("backup.hold.result")
    package struct Result: Record {
        /// Epoch of the log in the snapshot.
        package var epoch: String = ""
        /// Sequence of the last event in it.
        package var head: Int64 = 0
    }
}

/// Resumes commits, and writes the snapshot into a new file.
@Method("backup.copy", of: .auth, .write, for: .person)
package enum BackupCopy: Method {
    /// The backup, and where to write the copy.
    @Record("backup.copy.params")
    package struct Params: Record {
        /// As in backup.hold.
        package var id: String = ""
        /// Absolute path of the file to create, which must not exist. Absent: the backup is cancelled.
        package var path: String?
    }

    /// Size and checksum of the copy.
    @Record("backup.copy.result")
    package struct Result: Record {
        /// Bytes of the file; 0 if no path was given.
        package var bytes: Int64 = 0
        /// Checksum over its pages, hexadecimal.
        package var sum: String = ""
    }
}

/// Checks every page of the service's store.
///
/// The service keeps running. Each page is compared with what was committed, and SQLite's own check runs.
@Method("store.check", of: .auth, .read, for: .person)
package enum StoreCheck: Method {
    /// No parameters.
    package typealias Params = Nothing

    /// The findings, and the positions to compare with other services.
    @Record("store.check.result")
    package struct Result: Record {
        /// Problems found, a sentence each; empty if there are none.
        package var findings: [String] = []
        /// Bytes of the store that were checked.
        package var bytes: Int64 = 0
        /// Epoch of the service's log.
        package var epoch: String = ""
        /// Sequence of its last event.
        package var head: Int64 = 0
        /// Its positions in the logs it follows.
        package var cursors: [LogPlace] = []
    }
}

/// A position in a service's log.
@Record
package struct LogPlace: Record, Equatable {
    /// Owner of the log.
    package var service: String = ""
    /// Epoch of the log.
    package var epoch: String = ""
    /// Sequence of the last event that was applied.
    package var sequence: Int64 = 0
}
