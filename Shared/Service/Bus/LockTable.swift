import Glibc

/// Holders of flock(2) locks, read from the kernel's table /proc/locks. Trying to take a lock would answer
/// the same question, but could keep its owner from starting for a moment.
package struct LockTable {
    /// Pids by inode number. Files of different file systems can share a number.
    private var holders: [UInt: Set<Int64>] = [:]

    /// Number of reads. The union of all is used: a lock that was released between two reads counts as held.
    private static let readingsMax = 3

    /// Reads the table now.
    package init() { self.init(reading: Self.read) }

    /// The kernel returns the table in pieces and finds the start of the next piece by counting. If a lock of
    /// an earlier piece is released in between, a held lock is skipped. A table of more than one piece is
    /// therefore read again.
    init(reading: () -> (text: String, pieces: Int)) {
        for _ in 0..<Self.readingsMax {
            let read = reading()
            add(read.text)
            if read.pieces <= 1 { return }
        }
    }

    private mutating func add(_ text: String) {
        text.withCString { text in
            var next = strstr(text, ": FLOCK ")
            while let lock = next {
                var (pid, inode) = (0, UInt(0))
                let count = withUnsafeMutablePointer(to: &pid) { pid in
                    withUnsafeMutablePointer(to: &inode) { inode in
                        // proc(5): "1: FLOCK  ADVISORY  WRITE 1234 08:01:131 0 EOF"
                        withVaList([pid, inode]) { vsscanf(lock, ": FLOCK %*s %*s %ld %*x:%*x:%lu", $0) }
                    }
                }
                if count == 2 { holders[inode, default: []].insert(Int64(pid)) }
                next = strstr(lock + 1, ": FLOCK ")
            }
        }
    }

    /// The holder's pid. Nil if nobody holds it, the file does not exist, or the holder belongs to another
    /// user, whose open files are not visible.
    package func holder(of path: String) -> Int64? {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        return holders[file.st_ino]?.first { Self.hasOpen(path, $0) }
    }

    /// Whether a process has this file open: the holder of a lock keeps its file open, others do not.
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

    /// The same with a table that is read for this one call.
    package static func holder(of path: String) -> Int64? { LockTable().holder(of: path) }

    /// If /proc/locks cannot be read, no lock counts as held.
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

/// Names in a directory, unsorted, without `.` and `..`; empty if the directory cannot be opened.
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
