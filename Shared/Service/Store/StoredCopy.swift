import Glibc

/// A store in one file that nobody writes: a backup. Opening it changes nothing and creates no files.
package struct StoredCopy {
    /// A cursor in another service's log.
    package struct Place: Sendable, Equatable {
        /// Name of the followed service.
        package let source: String
        /// Epoch of its log.
        package let epoch: String
        /// Last applied event.
        package let sequence: Int64
    }

    /// What is wrong with it; empty if nothing is.
    package let findings: [String]
    /// The sum over its pages; equal for equal content.
    package let sum: UInt64
    /// Size of its pages in bytes.
    package let bytes: Int64
    /// Epoch of its event log.
    package let epoch: String
    /// Sequence of its last event.
    package let head: Int64
    /// Its cursors in other logs, sorted by source.
    package let cursors: [Place]

    /// Reads every page.
    package init(path: String, in files: any StoreFiles = DiskFiles()) throws(StoreError) {
        let main = try files.open(existing: path)
        let header = try main.read(at: 0, count: 100)
        let pageBytes = StoreFile.pageBytes(header)
        let file = try StoreFile(path: path, in: files)
        bytes = file.bytes ?? 0
        guard (512...65536).contains(pageBytes), bytes >= 512 else {
            throw StoreError(.damaged, message: "reading \(path): it is not an SQLite file")
        }
        sum = try StoredPages(
            main: main, in: files, pageBytes: pageBytes, log: WriteAheadLog.Contents(), frames: 0
        ).hashes(count: Int(bytes) / pageBytes).reduce(0, &+)
        let connection = try Connection(immutable: path, in: files)
        defer { connection.close() }
        findings = try connection.pageFindings(limit: 10)
        let identity = try Identity(connection)
        epoch = identity.epoch
        head = identity.head
        let statement = try Statement(
            "SELECT source, epoch, sequence FROM cursor ORDER BY source", connection)
        var cursors: [Place] = []
        while try statement.step() {
            cursors.append(
                Place(source: statement.text(0), epoch: statement.text(1), sequence: statement.int64(2)))
        }
        self.cursors = cursors
    }
}
