internal import FileAccess
import Glibc

/// What a program has the kernel keep for it, and no figure of the process shows.
enum KernelMemory {
    /// What a pipe holds that nobody made larger.
    private static let pipeBytes: Int64 = 65_536

    /// Bytes that its pipes may hold.
    static func pipes(of pid: Int32) -> Int64 {
        var pipes: Set<UInt64> = []
        do throws(FileError) {
            let directory = try Directory(path: "/proc/\(pid)/fd")
            for name in try directory.entries() {
                guard let status = directory.target(name), status.st_mode & S_IFMT == S_IFIFO else {
                    continue
                }
                pipes.insert(UInt64(status.st_ino))
            }
        } catch {
            // It has ended, or forbids others to look; RLIMIT_NOFILE bounds it then.
        }
        return Int64(pipes.count) * pipeBytes
    }

    /// More locks of parts of files than it may have; nil: it has not.
    static func excessOfLocks(_ pid: Int32) -> Excess? {
        let limit = HostingLimits.locksMax
        let count = locks(of: pid, upTo: limit)
        guard count > limit else { return nil }
        return Excess(
            what: .locks, limit: limit, measured: count,
            sentence: "it holds more than \(limit) locks of parts of files (locksMax)")
    }

    /// Lines of proc_locks(5): `1: POSIX ADVISORY WRITE 1234 08:01:131 0 EOF`. Counting ends soon after the
    /// first that is too many.
    private static func locks(of pid: Int32, upTo limit: Int64) -> Int64 {
        let descriptor = open("/proc/locks", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        let (kind, owner) = (Array("POSIX".utf8), Array(String(pid).utf8))
        var (count, rest): (Int64, [UInt8]) = (0, [])
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while count <= limit {
            let got = read(descriptor, &buffer, buffer.count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            rest += buffer[..<got]
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            for line in rest[..<end].split(separator: UInt8(ascii: "\n")) {
                let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
                if words.count > 4, words[1].elementsEqual(kind), words[4].elementsEqual(owner) { count += 1 }
            }
            rest = Array(rest[(end + 1)...])
        }
        return count
    }
}
