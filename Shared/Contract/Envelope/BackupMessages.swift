package import JSON

/// Which backup a request belongs to.
@Record("backup.key")
package struct BackupKey: Record {
    /// Any text that is unique to this backup.
    package var id: String = ""
}

/// Takes a snapshot of the store and holds commits until backup.copy, five seconds at most.
///
/// When every service holds, the snapshots are one consistent cut.
@Method("backup.hold", of: .auth, .write, for: .person)
package enum BackupHold: Method {
    package typealias Params = BackupKey

    @Record("backup.hold.result")
    package struct Result: Record {
        /// The log that the snapshot has.
        package var epoch: String = ""
        /// The last event in it.
        package var head: Int64 = 0
    }
}

/// Lets commits go on, and writes the snapshot into a new file.
@Method("backup.copy", of: .auth, .write, for: .person)
package enum BackupCopy: Method {
    @Record("backup.copy.params")
    package struct Params: Record {
        /// As in backup.hold.
        package var id: String = ""
        /// The file to make, absolute; nothing may be there. Absent: the backup is given up.
        package var path: String?
    }

    @Record("backup.copy.result")
    package struct Result: Record {
        /// Bytes of the file; 0 when none was asked for.
        package var bytes: Int64 = 0
        /// A sum over its pages, hexadecimal, by which a change is noticed.
        package var sum: String = ""
    }
}

/// Checks every page of the service's store, and says what is wrong.
///
/// Without stopping the service: every page against what was committed, and SQLite's own check.
@Method("store.check", of: .auth, .read, for: .person)
package enum StoreCheck: Method {
    package typealias Params = Nothing

    @Record("store.check.result")
    package struct Result: Record {
        /// What is wrong, a sentence each; empty when nothing is.
        package var findings: [String] = []
        /// Bytes of the store that were looked at.
        package var bytes: Int64 = 0
        /// The service's own log.
        package var epoch: String = ""
        /// Its last event.
        package var head: Int64 = 0
        /// How far it has taken in the logs of others.
        package var cursors: [LogPlace] = []
    }
}

/// A place in a service's log.
@Record
package struct LogPlace: Record, Equatable {
    /// Whose log.
    package var service: String = ""
    /// Which log of it.
    package var epoch: String = ""
    /// The last event that was taken in.
    package var sequence: Int64 = 0
}
