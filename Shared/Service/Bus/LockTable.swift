import Glibc

/// Who holds which flock(2), by the kernel's own table. Trying to take a lock would tell the same, but for a
/// moment keep its owner from starting.
package struct LockTable {
    /// By inode: on each file system another file may have the same number.
    private var holders: [String: Set<Int64>] = [:]

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
            if let pid = Int64(fields[4]) { holders[String(inode), default: []].insert(pid) }
        }
    }

    /// The holder's pid; nil: nobody holds it, or there is no such file, or it is of another user, whose open
    /// files are not shown.
    package func holder(of path: String) -> Int64? {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        return holders[String(file.st_ino)]?.first { Self.hasOpen(path, $0) }
    }

    /// Whether a process has this very file open: only the holder of a lock keeps its file open.
    package static func hasOpen(_ path: String, _ pid: Int64) -> Bool {
        var wanted = stat()
        guard stat(path, &wanted) == 0 else { return false }
        let files = "/proc/\(pid)/fd"
        return directoryEntries(files).contains { entry in
            var file = stat()
            return stat("\(files)/\(entry)", &file) == 0 && file.st_ino == wanted.st_ino
                && file.st_dev == wanted.st_dev
        }
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

/// Names in a directory; none when there is no such directory.
package func directoryEntries(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}
