internal import FileAccess
import Glibc

/// Unlinked files of a program that use space until it ends: open ones, and ones of which it has only mapped
/// a part.
struct NamelessFiles: Sendable {
    private let devices: Set<dev_t>
    private let directories: [[UInt8]]

    /// - Parameter places: directories that the program may change.
    init(in places: [MeasuredPlace]) {
        var (devices, directories): (Set<dev_t>, [[UInt8]]) = ([], [])
        for place in places {
            // A directory without a status no longer exists.
            if let status = try? place.place.directory.status() { devices.insert(status.st_dev) }
            directories.append(Array(((realPath(place.place.path) ?? place.place.path) + "/").utf8))
        }
        self.devices = devices
        self.directories = directories
    }

    /// The size of these files, and the number of all mappings, counted up to one above the limit.
    func held(by pid: Int32) -> (bytes: Int64, mappings: Int64) {
        let (mapped, mappings) = mappedFiles(pid)
        guard !directories.isEmpty else { return (0, mappings) }
        let open = openFiles(pid)
        // The kernel does not report the length of a file that is only mapped: assume the maximum.
        let hidden = Int64(mapped.subtracting(open.keys).count) * HostingLimits.fileBytesMax
        return (open.values.reduce(hidden, +), mappings)
    }

    /// Bytes by inode.
    private func openFiles(_ pid: Int32) -> [UInt64: Int64] {
        var files: [UInt64: Int64] = [:]
        do throws(FileError) {
            let directory = try Directory(path: "/proc/\(pid)/fd")
            for name in try directory.entries() {
                // Links that the kernel resolves to the open file itself instead of a path.
                guard let status = directory.target(name), status.st_nlink == 0,
                    status.st_mode & S_IFMT == S_IFREG, devices.contains(status.st_dev)
                else { continue }
                files[UInt64(status.st_ino)] = max(Int64(status.st_size), Int64(status.st_blocks) * 512)
            }
        } catch {
            // It has ended, or forbids access; RLIMIT_FSIZE and RLIMIT_NOFILE bound it then.
        }
        return files
    }

    /// Inodes of the lines `from-to rights offset device inode   path (deleted)`, and the number of lines.
    private func mappedFiles(_ pid: Int32) -> (inodes: Set<UInt64>, mappings: Int64) {
        var (inodes, mappings): (Set<UInt64>, Int64) = ([], 0)
        let end = Array(" (deleted)".utf8)
        scanLines("/proc/\(pid)/maps") { line in
            mappings += 1
            guard line.last == end.last, line.suffix(end.count).elementsEqual(end) else {
                return mappings <= HostingLimits.mappingsMax
            }
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            if words.count == 6, let inode = UInt64(String(decoding: words[4], as: UTF8.self)) {
                let path = words[5].drop { $0 == UInt8(ascii: " ") }
                if directories.contains(where: { path.starts(with: $0) }) { inodes.insert(inode) }
            }
            return mappings <= HostingLimits.mappingsMax
        }
        return (inodes, mappings)
    }
}

/// A file system in memory that bubblewrap mounted for one program.
struct MemoryFiles: Sendable {
    /// Path inside the program's namespace.
    let path: String

    /// Its size including unlinked files; nil if the program has ended, or has not started.
    func used(by pid: Int32) -> TreeSize? {
        var status = statvfs()
        // The program cannot replace the path, because its root is read-only. Before that root is mounted,
        // the path is on the disk, which has another size.
        guard statvfs("/proc/\(pid)/root\(path)", &status) == 0,
            Int64(status.f_blocks) * Int64(status.f_frsize) == HostingLimits.temporaryBytesMax
        else { return nil }
        return TreeSize(
            bytes: Int64(status.f_blocks - status.f_bfree) * Int64(status.f_frsize),
            names: Int64(status.f_files) - Int64(status.f_ffree))
    }
}
