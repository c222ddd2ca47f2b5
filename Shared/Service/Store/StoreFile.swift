/// The files of a store before SQLite opens them. SQLite treats an empty or missing main file as a new
/// database and deletes the write-ahead log beside it; this type detects such a loss first.
struct StoreFile {
    let path: String
    private let files: any StoreFiles
    /// Size of the main file in bytes; nil if it does not exist.
    let bytes: Int64?
    /// Size of the write-ahead log in bytes; 0 if it does not exist.
    let logBytes: Int64

    private static let headerText = "SQLite format 3\0"
    private static let headerBytes = 100

    init(path: String, in files: any StoreFiles) throws(StoreError) {
        self.path = path
        self.files = files
        bytes = try files.bytes(of: path)
        logBytes = try files.bytes(of: path + "-wal") ?? 0
        _ = try files.bytes(of: path + "-shm")
    }

    /// Refuses damaged files, and creates an empty main file (mode 0600) if there is none.
    ///
    /// An empty main file is new only if neither a log nor the lock file shows earlier use: then a crash left
    /// it before the first commit, and nothing can be lost.
    /// - Returns: what SQLite will read from the log.
    func prepare(created: Bool) throws(StoreError) -> WriteAheadLog.Contents {
        if let bytes, bytes > 0 {
            let header = try files.open(existing: path).read(at: 0, count: Self.headerBytes)
            // A crash left the first page half written: SQLite undoes it with its journal.
            let isHalf = !header.starts(with: Self.headerText.utf8)
            if isHalf, !created, try files.bytes(of: path + "-journal") ?? 0 > 0 {
                return WriteAheadLog.Contents()
            }
            try checkHeader(header)
            return try checkLog(header, bytes)
        }
        guard !created, logBytes == 0 else { throw lost }
        if bytes == nil { try create() }
        return WriteAheadLog.Contents()
    }

    private var lost: StoreError {
        StoreError(
            .damaged,
            message:
                "opening \(path): the file is \(bytes == nil ? "missing" : "empty"), but a store existed",
            remedy: "Restore it from a backup; or, to start with an empty store, remove \(path), \(path)-wal "
                + "and \(path).lock.")
    }

    private func create() throws(StoreError) {
        _ = try files.create(path)
        try files.syncDirectory(of: path)
    }

    private func checkHeader(_ header: [UInt8]) throws(StoreError) {
        guard !header.starts(with: Self.headerText.utf8) else { return }
        throw StoreError(.damaged, message: "opening \(path): the header is not that of an SQLite file")
    }

    /// Pages that the log counts but that are in neither file would be read as zeros.
    private func checkLog(
        _ header: [UInt8], _ bytes: Int64
    ) throws(StoreError) -> WriteAheadLog.Contents {
        let pageBytes = Self.pageBytes(header)
        guard (512...65536).contains(pageBytes) else {
            throw StoreError(
                .damaged, message: "opening \(path): the header has the page size \(pageBytes)")
        }
        guard logBytes > WriteAheadLog.headerBytes else { return WriteAheadLog.Contents() }
        let log = try WriteAheadLog(
            try files.open(existing: path + "-wal"), bytes: logBytes, mainPageBytes: pageBytes)
        let contents = try log.contents()
        let mainPages = Int(bytes) / pageBytes
        guard mainPages < contents.pagesCount else { return contents }
        let pages = Set(contents.pages)
        // SQLite never writes the page at 1 GiB, which holds its locks.
        let lockPage = 0x4000_0000 / pageBytes + 1
        for page in mainPages + 1...contents.pagesCount
        where page != lockPage && !pages.contains(page) {
            let message =
                "opening \(path): page \(page) of \(contents.pagesCount) is missing, the file was cut"
            throw StoreError(.damaged, message: message)
        }
        return contents
    }

    /// The page size in a main file's header.
    static func pageBytes(_ header: [UInt8]) -> Int {
        let field = Int(header.number(at: 16) >> 16)
        return field == 1 ? 65536 : field
    }
}
