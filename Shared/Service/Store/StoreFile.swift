import Glibc

/// The files of a store before SQLite opens them. SQLite treats an empty or missing main file as a new
/// database and deletes the write-ahead log beside it; this type detects such a loss first.
struct StoreFile {
    let path: String
    /// Size of the main file in bytes; nil if it does not exist.
    let bytes: Int64?
    /// Size of the write-ahead log in bytes; 0 if it does not exist.
    let logBytes: Int64

    private static let headerText = "SQLite format 3\0"
    private static let headerBytes = 100

    init(path: String) throws(StoreError) {
        self.path = path
        bytes = try Self.size(path)
        logBytes = try Self.size(path + "-wal") ?? 0
        _ = try Self.size(path + "-shm")
    }

    /// Refuses damaged files, and creates an empty main file (mode 0600) if there is none.
    ///
    /// An empty main file is new only if neither a log nor the lock file shows earlier use: then a crash left
    /// it before the first commit, and nothing can be lost.
    /// - Returns: what SQLite will read from the log.
    func prepare(created: Bool) throws(StoreError) -> WriteAheadLog.Contents {
        if let bytes, bytes > 0 {
            let header = try FileReader(path: path).read(at: 0, count: Self.headerBytes)
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
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, tried: "creating \(path)") }
        // Nothing was written through the descriptor, so a failing close loses nothing.
        _ = close(descriptor)
        try Self.syncDirectory(of: path)
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
        let log = try WriteAheadLog(path: path + "-wal", bytes: logBytes, mainPageBytes: pageBytes)
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

    // MARK: the file system

    /// Creates the directory of `path` and its parents with mode 0700 where they are missing.
    static func makeDirectory(of path: String) throws(StoreError) {
        let directory = directory(of: path)
        var code = mkdir(directory, 0o700) == 0 ? 0 : errno
        if code == ENOENT, directory.contains("/") {
            try makeDirectory(of: directory)
            code = mkdir(directory, 0o700) == 0 ? 0 : errno
        }
        guard code == 0 || code == EEXIST else {
            throw StoreError(errno: code, tried: "making the directory \(directory)")
        }
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func syncDirectory(of path: String) throws(StoreError) {
        let descriptor = open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError(errno: errno, tried: "opening the directory of \(path)")
        }
        // Nothing is written through a directory's descriptor.
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StoreError(errno: errno, tried: "syncing the directory of \(path)")
        }
    }

    /// Size of a regular file. SQLite would follow a link anywhere, and block at a FIFO forever.
    private static func size(_ path: String) throws(StoreError) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw StoreError(errno: errno, tried: "examining \(path)") }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw noRegularFile(path) }
        return Int64(status.st_size)
    }

    static func checkRegular(_ descriptor: Int32, _ path: String) throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw noRegularFile(path)
        }
    }

    private static func noRegularFile(_ path: String) -> StoreError {
        StoreError(
            .damaged, message: "opening \(path): it is not a regular file",
            remedy: "Move it away, and restore it from a backup if there was one.")
    }
}
