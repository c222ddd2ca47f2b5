import Glibc

/// The files of a store before SQLite sees them. SQLite takes an empty or missing main file for a new
/// database and deletes the write-ahead log beside it; here such a loss is noticed first.
struct StoreFile {
    let path: String
    /// Bytes of the main file; nil when there is none.
    let bytes: Int64?
    /// Bytes of the write-ahead log; 0 when there is none.
    let logBytes: Int64

    static let headerText = "SQLite format 3\0"

    init(path: String) throws(StoreError) {
        self.path = path
        bytes = try Self.size(path)
        logBytes = try Self.size(path + "-wal") ?? 0
    }

    /// Refuses files that have lost something, and makes an empty main file (mode 0600) when there is none.
    ///
    /// An empty main file is new only when neither a log nor the lock file tells of an earlier life: then it
    /// is what a crash left before the first commit, and nothing can be lost.
    func prepare(created: Bool) throws(StoreError) {
        if (bytes ?? 0) == 0 {
            guard !created, logBytes == 0 else { throw lost }
        } else {
            try checkHeader()
        }
        if bytes == nil { try create() }
    }

    private var lost: StoreError {
        StoreError(
            .damaged,
            message: "opening \(path): the file is \(bytes == nil ? "missing" : "empty"), but a store was here",
            remedy: "Restore it from a backup; or, to begin with nothing, remove \(path), \(path)-wal "
                + "and \(path).lock.")
    }

    private func create() throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, tried: "creating \(path)") }
        // The descriptor wrote nothing, so there is nothing a failing close could lose.
        _ = close(descriptor)
        try Self.syncDirectory(of: path)
    }

    private func checkHeader() throws(StoreError) {
        let header = try Self.read(path, count: Self.headerText.utf8.count)
        guard header != Array(Self.headerText.utf8) else { return }
        throw StoreError(.damaged, message: "opening \(path): the header is not that of an SQLite file")
    }

    // MARK: the file system

    /// Makes the directory of `path` and its parents, mode 0700, where they are missing.
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

    static func read(_ path: String, count: Int) throws(StoreError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(errno: errno, tried: "opening \(path)") }
        // Read only: a failing close loses nothing. SQLite has not opened the file yet, so no lock is dropped.
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, off_t(filled))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw StoreError(errno: errno, tried: "reading \(path)") }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes.prefix(filled))
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func syncDirectory(of path: String) throws(StoreError) {
        let descriptor = open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(errno: errno, tried: "opening the directory of \(path)") }
        // Nothing is written through a directory's descriptor.
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StoreError(errno: errno, tried: "syncing the directory of \(path)")
        }
    }

    private static func size(_ path: String) throws(StoreError) -> Int64? {
        var status = stat()
        if stat(path, &status) == 0 { return Int64(status.st_size) }
        guard errno == ENOENT else { throw StoreError(errno: errno, tried: "looking at \(path)") }
        return nil
    }
}
