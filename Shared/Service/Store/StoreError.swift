/// What went wrong in a store. Branch on `kind`; the words are for people and may change.
package struct StoreError: Error, Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The disk, the quota or the page limit is used up. Nothing that was committed is lost.
        case full
        /// The file is not what was written: pages, header or write-ahead log are broken or missing.
        case damaged
        /// The file was made by a newer program.
        case newer
        /// The file is a good SQLite file of another program.
        case foreign
        /// Somebody reads or writes the file right now and did not finish in `Limits.busy_ms`.
        case busy
        /// Another process owns the file.
        case locked
        /// A UNIQUE, NOT NULL, CHECK or FOREIGN KEY rule of the schema refused the row.
        case constraint
        /// The system refused to read, write or open.
        case io
        /// The program used the store wrongly: bad SQL, bad index, commit inside a write.
        case misuse
    }

    package let kind: Kind
    /// SQLite's extended result code; 0 (SQLITE_OK) when SQLite was not asked.
    package let sqliteCode: Int32
    /// The statement, with placeholders and never with values; nil when none was running.
    package let sql: String?
    /// What was tried and what was wrong.
    package let message: String
    /// What to do about it.
    package let remedy: String

    package init(
        _ kind: Kind, sqliteCode: Int32 = 0, sql: String? = nil, message: String, remedy: String? = nil
    ) {
        self.kind = kind
        self.sqliteCode = sqliteCode
        self.sql = sql
        self.message = message
        self.remedy = remedy ?? kind.remedy
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String { "\(kind.rawValue): \(message). \(remedy)" }
}

extension StoreError.Kind {
    /// What to do when nothing more exact is known.
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
