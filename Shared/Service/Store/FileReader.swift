import Glibc

/// A file open for reading. Not for a file that SQLite has open in this process: closing any descriptor of it
/// releases SQLite's POSIX locks.
final class FileReader {
    let path: String
    private let descriptor: Int32

    init(path: String) throws(StoreError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(errno: errno, tried: "opening \(path)") }
    }

    deinit {
        // Read only, so a failing close loses nothing.
        _ = close(descriptor)
    }

    /// Reads up to `count` bytes; fewer only at the end of the file.
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
}
