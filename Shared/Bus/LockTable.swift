import Glibc

/// Who holds a flock(2), by the kernel's own table. Trying to take the lock would tell the same, but for a
/// moment keep its owner from starting.
package enum LockTable {
    /// The holder's pid; nil: nobody holds it, or there is no such file.
    package static func holder(of path: String) -> Int64? {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        let inode = String(file.st_ino)
        for line in text().split(separator: "\n") {
            // proc(5): "1: FLOCK ADVISORY WRITE 1234 08:01:131 0 EOF"
            let fields = line.split(separator: " ")
            guard fields.count >= 6, fields[1] == "FLOCK",
                fields[5].split(separator: ":").last.map(String.init) == inode
            else { continue }
            return Int64(fields[4])
        }
        return nil
    }

    /// Without the table nobody can tell, and nobody holds anything.
    private static func text() -> String {
        let descriptor = open("/proc/locks", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            all += buffer[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }
}
