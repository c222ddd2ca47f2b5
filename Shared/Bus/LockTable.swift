import Glibc

/// Who holds which flock(2), by the kernel's own table. Trying to take a lock would tell the same, but for a
/// moment keep its owner from starting.
package struct LockTable {
    private var holders: [String: Int64] = [:]

    /// Whoever is found is believed: a lock that was let go meanwhile may as well have been let go later.
    private static let readingsMax = 3

    /// The table as it is now.
    package init() { self.init(reading: Self.read) }

    /// The kernel gives the table in pieces, and finds the place of the next one by counting: when a lock of
    /// an earlier piece is let go meanwhile, one that is held is left out. So more than a piece is read
    /// again.
    init(reading: () -> (text: String, pieces: Int)) {
        for _ in 0..<Self.readingsMax {
            let read = reading()
            add(read.text)
            if read.pieces <= 1 { return }
        }
    }

    private mutating func add(_ text: String) {
        for line in text.split(separator: "\n") {
            // proc(5): "1: FLOCK ADVISORY WRITE 1234 08:01:131 0 EOF"
            let fields = line.split(separator: " ")
            guard fields.count >= 6, fields[1] == "FLOCK", let inode = fields[5].split(separator: ":").last
            else { continue }
            holders[String(inode)] = Int64(fields[4])
        }
    }

    /// The holder's pid; nil: nobody holds it, or there is no such file.
    package func holder(of path: String) -> Int64? {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        return holders[String(file.st_ino)]
    }

    package static func holder(of path: String) -> Int64? { LockTable().holder(of: path) }

    /// Without the table nobody can tell, and nobody holds anything.
    private static func read() -> (text: String, pieces: Int) {
        let descriptor = open("/proc/locks", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return ("", 0) }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var pieces = 0
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            all += buffer[..<count]
            pieces += 1
        }
        return (String(decoding: all, as: UTF8.self), pieces)
    }
}
