import CGio
import Glibc

/// Identifies a program's file without its name. A rename changes only `changed_ns`; a copy has only `size`
/// in common.
struct ProgramFile: Hashable {
    let device: UInt
    let inode: UInt
    let size: Int64
    /// Last change of the content.
    let modified_ns: Int64
    /// Last change of the content or metadata; part of the key for cached digests.
    let changed_ns: Int64

    /// Nil unless there is a regular, non-empty file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return nil
        }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        size = Int64(status.st_size)
        modified_ns = Self.nanoseconds(status.st_mtim)
        changed_ns = Self.nanoseconds(status.st_ctim)
    }

    /// Whether it is the same file, possibly renamed.
    func isSame(_ other: ProgramFile) -> Bool {
        (device, inode, size, modified_ns) == (other.device, other.inode, other.size, other.modified_ns)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// Computes the SHA-256 of a file in steps, so that the caller can do other work between them.
final class FileDigest {
    let file: ProgramFile
    private let descriptor: Int32
    private let checksum: OpaquePointer
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// Nil if the file cannot be read or was replaced.
    init?(_ file: ProgramFile, path: String) {
        self.file = file
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        guard ProgramFile(path: "/proc/self/fd/\(descriptor)") == file,
            let checksum = g_checksum_new(G_CHECKSUM_SHA256)
        else {
            close(descriptor)
            return nil
        }
        self.checksum = checksum
    }

    deinit {
        g_checksum_free(checksum)
        close(descriptor)
    }

    enum Step: Equatable { case more, done(String), failed }

    /// Reads about this number of further bytes.
    func step(bytesMax: Int) -> Step {
        var left = bytesMax
        while left > 0 {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failed }
            guard count > 0 else {
                return g_checksum_get_string(checksum).map { .done(String(cString: $0)) } ?? .failed
            }
            g_checksum_update(checksum, buffer, gssize(count))
            left -= count
        }
        return .more
    }
}
