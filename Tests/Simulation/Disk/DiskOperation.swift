/// One thing that a process asks of the disk, before it happens.
package struct DiskOperation: Sendable, Equatable {
    /// What it does.
    package enum Kind: Int, Sendable, CaseIterable {
        /// Opens an existing file.
        case open
        /// Asks whether a file exists, or for its size.
        case examine
        case create
        case read
        case write
        case truncate
        /// Makes the content of a file durable.
        case sync
        /// Makes creations, removals and names in a directory durable.
        case syncDirectory
        case rename
        case remove
        /// Takes a lock: flock(2) of ``StoreFiles``, a POSIX lock of SQLite, or one in its shared memory.
        case lock
        /// Maps a region of the memory that the connections to a write-ahead log share.
        case mapMemory
    }

    /// What it does.
    package let kind: Kind
    /// Of the file; a rename has the old name, a temporary file of SQLite ``SimulatedDisk/temporaryName``.
    package let path: String
    /// The process that asks, as in ``SimulatedDisk/files(of:)``.
    package let owner: String
    /// Bytes to read or write, or the length to truncate to; otherwise 0.
    package let bytes: Int
}

/// What goes wrong with an operation.
package enum DiskFault: Sendable, Equatable {
    /// ENOSPC; of SQLite's writes SQLITE_FULL. Nothing happens.
    case full
    /// EIO; for SQLite the SQLITE_IOERR of the operation: of a read SQLITE_IOERR_CORRUPTFS, as its own VFS
    /// returns, which SQLite reports as SQLITE_CORRUPT.
    ///
    /// A sync that fails, by this or `full`, is that of Linux: the unsynced data counts as written from then
    /// on, and a random part of it never reaches the disk, although every process still reads it.
    case io
    /// A write ends after this many bytes, with ENOSPC; any other operation fails like `full`.
    case shortWrite(bytes: Int)
    /// The process dies, and nothing of the operation happens.
    case dieBefore
    /// The process dies after the operation took effect, and never sees its result.
    case dieAfter
}

/// How much was asked of a disk.
package struct DiskCounts: Sendable, Equatable {
    private var counts = [Int](repeating: 0, count: DiskOperation.Kind.allCases.count)
    /// Bytes of all writes.
    package private(set) var bytesWritten = 0

    /// Operations of a kind, with those that failed, without those of dead processes.
    package subscript(kind: DiskOperation.Kind) -> Int { counts[kind.rawValue] }
    /// Operations of all kinds.
    package var all: Int { counts.reduce(0, +) }

    mutating func add(_ kind: DiskOperation.Kind, bytes: Int) {
        counts[kind.rawValue] += 1
        if kind == .write { bytesWritten += bytes }
    }
}

/// Why an operation failed.
struct DiskError: Error {
    /// errno.
    let code: Int32
    /// Bytes of a write that take effect all the same.
    var written = 0
}
