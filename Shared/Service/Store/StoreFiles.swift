import FileAccess
import Glibc

/// The files of a store below SQLite. ``DiskFiles`` are the machine's; a simulation has a disk of its own,
/// with an SQLite VFS on the same files.
package protocol StoreFiles: Sendable {
    /// The registered SQLite VFS that opens the same files (sqlite3_vfs_register); nil for SQLite's own.
    var vfsName: String? { get }
    /// Creates the directory of a path and its parents with mode 0700 where they are missing.
    func makeDirectory(of path: String) throws(StoreError)
    /// Size of a regular file in bytes; nil if there is none.
    /// - Throws: `.damaged` if it is something else: SQLite would follow a link, and block at a FIFO.
    func bytes(of path: String) throws(StoreError) -> Int64?
    /// Opens a file.
    /// - Returns: nil if it does not exist.
    func open(_ path: String, _ access: FileAccessMode) throws(StoreError) -> (any OpenFile)?
    /// Creates a file with mode 0600 and opens it for reading and writing.
    /// - Throws: `.io` if it exists.
    func create(_ path: String) throws(StoreError) -> any OpenFile
    /// Opens a file for reading and writing, creates it if it is missing, and locks it for this process until
    /// the last reference to the result is gone.
    /// - Throws: `.locked` with the text at its beginning if another process holds it.
    func lock(_ path: String, of storePath: String) throws(StoreError) -> any OpenFile
    /// Gives a file another name, and replaces the file that has it.
    func rename(_ path: String, to name: String) throws(StoreError)
    /// Removes a file if it exists.
    func remove(_ path: String) throws(StoreError)
    /// Makes creations, removals and names in the directory of a path durable.
    func syncDirectory(of path: String) throws(StoreError)
}

/// What an opened file is used for.
package enum FileAccessMode: Sendable {
    case reading
    /// Reading and writing in place.
    case updating
}

/// An open file; it closes with the last reference. Only for files that SQLite does not have open in this
/// process, or that stay open as long: closing any descriptor of a file releases SQLite's POSIX locks on it.
package protocol OpenFile: AnyObject {
    /// Its path, for messages.
    var path: String { get }
    /// Reads up to `count` bytes; fewer only at the end of the file.
    func read(at offset: Int, count: Int) throws(StoreError) -> [UInt8]
    /// Writes all bytes, or throws.
    func write(_ bytes: [UInt8], at offset: Int) throws(StoreError)
    /// Makes the content durable (fdatasync(2)).
    func sync() throws(StoreError)
}

extension StoreFiles {
    /// Opens a file that must exist.
    func open(existing path: String, _ access: FileAccessMode = .reading) throws(StoreError) -> any OpenFile {
        guard let file = try open(path, access) else {
            throw StoreError(errno: ENOENT, tried: "opening \(path)")
        }
        return file
    }
}

/// The files of this machine.
package struct DiskFiles: StoreFiles {
    package init() {}

    package var vfsName: String? { nil }

    package func makeDirectory(of path: String) throws(StoreError) {
        let directory = Self.directory(of: path)
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

    package func bytes(of path: String) throws(StoreError) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw StoreError(errno: errno, tried: "examining \(path)") }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Self.noRegularFile(path) }
        return Int64(status.st_size)
    }

    package func open(_ path: String, _ access: FileAccessMode) throws(StoreError) -> (any OpenFile)? {
        let flags = access == .reading ? O_RDONLY : O_RDWR | O_NOFOLLOW
        let descriptor = Glibc.open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw StoreError(errno: errno, tried: "opening \(path)") }
            return nil
        }
        return DiskFile(path, descriptor)
    }

    package func create(_ path: String) throws(StoreError) -> any OpenFile {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, tried: "creating \(path)") }
        return DiskFile(path, descriptor)
    }

    package func lock(_ path: String, of storePath: String) throws(StoreError) -> any OpenFile {
        let opened = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard opened >= 0 else { throw StoreError(errno: errno, tried: "opening the lock file \(path)") }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw Self.noRegularFile(path)
        }
        do throws(FileLock.Failure) { return DiskFile(path, try FileLock(opened)) } catch {
            switch error {
            case .system(let code): throw StoreError(errno: code, tried: "locking \(path)")
            case .held(let process):
                throw StoreError(
                    .locked,
                    message: "opening \(storePath): process \(process ?? "(still starting)") owns it")
            }
        }
    }

    package func rename(_ path: String, to name: String) throws(StoreError) {
        guard Glibc.rename(path, name) == 0 else { throw StoreError(errno: errno, tried: "naming \(name)") }
    }

    package func remove(_ path: String) throws(StoreError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw StoreError(errno: errno, tried: "removing \(path)")
        }
    }

    package func syncDirectory(of path: String) throws(StoreError) {
        let descriptor = Glibc.open(Self.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError(errno: errno, tried: "opening the directory of \(path)")
        }
        // Nothing is written through a directory's descriptor.
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StoreError(errno: errno, tried: "syncing the directory of \(path)")
        }
    }

    private static func noRegularFile(_ path: String) -> StoreError {
        StoreError(
            .damaged, message: "opening \(path): it is not a regular file",
            remedy: "Move it away, and restore it from a backup if there was one.")
    }
}

/// A file by its descriptor.
private final class DiskFile: OpenFile {
    let path: String
    private let descriptor: Int32
    /// Owns the descriptor, if the file is locked.
    private let lock: FileLock?

    init(_ path: String, _ descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
        lock = nil
    }

    init(_ path: String, _ lock: consuming FileLock) {
        self.path = path
        descriptor = lock.descriptor
        self.lock = consume lock
    }

    deinit {
        // What must be on disk was synced before.
        if lock == nil { _ = close(descriptor) }
    }

    func read(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(
                    descriptor, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset + filled))
            }
            if got < 0 {
                let code = errno
                guard code == EINTR else { throw StoreError(errno: code, tried: "reading \(path)") }
            } else if got == 0 {
                break
            } else {
                filled += got
            }
        }
        return filled == count ? bytes : Array(bytes.prefix(filled))
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        let written = pwrite(descriptor, bytes, bytes.count, off_t(offset))
        guard written == bytes.count else {
            throw StoreError(errno: written < 0 ? errno : ENOSPC, tried: "writing \(path)")
        }
    }

    func sync() throws(StoreError) {
        guard fdatasync(descriptor) == 0 else { throw StoreError(errno: errno, tried: "syncing \(path)") }
    }
}
