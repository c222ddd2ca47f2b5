/// An error of a store. Branch on `kind`; the texts are for people and may change.
package struct StoreError: Error, Sendable, Equatable {
    /// What kind of failure it is.
    package enum Kind: String, Sendable, CaseIterable {
        /// The disk, the quota or the page limit is exhausted. Committed data is safe.
        case full
        /// The file differs from what was written: pages, header or write-ahead log are broken or missing.
        case damaged
        /// The file was made by a newer program.
        case newer
        /// The file is a valid SQLite file of another program.
        case foreign
        /// Another connection used the file for longer than `StoreLimits.busy_ms`.
        case busy
        /// Another process owns the file.
        case locked
        /// The row violates a UNIQUE, NOT NULL, CHECK or FOREIGN KEY constraint.
        case constraint
        /// A system call to read, write or open failed.
        case io
        /// A mistake of the program: bad SQL, bad index, commit inside a write.
        case misuse
    }

    /// The kind of failure, for branching.
    package let kind: Kind
    /// SQLite's extended result code; 0 (SQLITE_OK) if SQLite was not involved.
    package let sqliteCode: Int32
    /// The statement with placeholders, never with values; nil if none was running.
    package let sql: String?
    /// The table with a row that was read and makes no sense; nil for any other error.
    package let table: String?
    /// What was attempted and what failed.
    package let message: String
    /// What to do about it.
    package let remedy: String

    /// If `remedy` is nil, the kind's own is used.
    package init(
        _ kind: Kind, sqliteCode: Int32 = 0, sql: String? = nil, table: String? = nil, message: String,
        remedy: String? = nil
    ) {
        self.kind = kind
        self.sqliteCode = sqliteCode
        self.sql = sql
        self.table = table
        self.message = message
        self.remedy = remedy ?? kind.remedy
    }
}

extension StoreError {
    /// The error of a row whose bytes are as they were written, but make no sense to this program.
    package static func unreadable(_ table: String, _ why: String) -> StoreError {
        StoreError(
            .damaged, table: table, message: "the table \(table) has a row that cannot be read: \(why)")
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String { "\(kind.rawValue): \(message). \(remedy)" }
}

extension StoreError.Kind {
    /// The remedy if nothing more specific is known.
    var remedy: String {
        switch self {
        case .full: "Free space on the disk that holds the file, then try again."
        case .damaged:
            "Stop the service, move the file with its -wal, -shm and .lock away, and restore a backup."
        case .newer: "Start the program that wrote the file, or a newer one."
        case .foreign: "Choose another path for the state of this service."
        case .busy: "Close other programs that have the file open, then try again."
        case .locked: "Stop the other process, or give this one its own state directory."
        case .constraint: "Check what was sent: the row breaks a rule of the table."
        case .io: "Check the disk and the permissions of the state directory."
        case .misuse: "This is a mistake in the program; report it with this message."
        }
    }
}
