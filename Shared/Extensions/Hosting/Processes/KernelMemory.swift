internal import FileAccess
import Glibc

/// Kernel memory that a program causes and that no figure of the process includes. Each count stops soon
/// after the limit.
enum KernelMemory {
    /// Bytes the kernel uses for a mapping and for a watch of epoll, rounded up.
    private static let (mappingBytes, watchBytes): (Int64, Int64) = (256, 256)

    /// The limit that is exceeded; nil if none is.
    /// - Parameter mappings: number of mappings counted.
    static func excess(_ pid: Int32, mappings: Int64) -> Excess? {
        excessOfMemory(mappings, HostingLimits.mappingsMax, mappingBytes, "parts of memory (mappingsMax)")
            ?? excessOfMemory(
                watches(of: pid), HostingLimits.watchesMax, watchBytes,
                "descriptors watched by epoll (watchesMax)")
            ?? excessOfLocks(pid)
    }

    private static func excessOfMemory(
        _ count: Int64, _ limit: Int64, _ bytes: Int64, _ what: String
    ) -> Excess? {
        guard count > limit else { return nil }
        return Excess(
            what: .memory, limit: limit * bytes, measured: count * bytes,
            sentence: "it has more than \(limit) \(what), and each takes memory of the kernel")
    }

    private static func excessOfLocks(_ pid: Int32) -> Excess? {
        let limit = HostingLimits.locksMax
        let count = locks(of: pid)
        guard count > limit else { return nil }
        return Excess(
            what: .locks, limit: limit, measured: count,
            sentence: "it holds more than \(limit) locks of parts of files (locksMax)")
    }

    /// Lines of proc_locks(5): `1: POSIX ADVISORY WRITE 1234 08:01:131 0 EOF`.
    private static func locks(of pid: Int32) -> Int64 {
        let (kind, owner) = (Array("POSIX".utf8), Array(String(pid).utf8))
        var count: Int64 = 0
        scanLines("/proc/locks") { line in
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            if words.count > 4, words[1].elementsEqual(kind), words[4].elementsEqual(owner) { count += 1 }
            return count <= HostingLimits.locksMax
        }
        return count
    }

    /// Lines `tfd: …` of what the kernel says of an epoll (proc_pid_fdinfo(5)).
    private static func watches(of pid: Int32) -> Int64 {
        let mark = Array("tfd:".utf8)
        var count: Int64 = 0
        do throws(FileError) {
            let directory = try Directory(path: "/proc/\(pid)/fd")
            for name in try directory.entries() where count <= HostingLimits.watchesMax {
                // Special files of the kernel have none.
                guard let status = directory.target(name), status.st_mode & S_IFMT == 0 else { continue }
                scanLines("/proc/\(pid)/fdinfo/\(name.text)") { line in
                    if line.starts(with: mark) { count += 1 }
                    return count <= HostingLimits.watchesMax
                }
            }
        } catch {
            // It has ended, or forbids access; RLIMIT_NOFILE bounds it then.
        }
        return count
    }
}
