internal import FileAccess

/// The status of a process or thread (/proc/PID/status) at one moment.
struct ProcessStatus {
    private let values: [Substring: Int64]
    /// Whether SIGKILL is pending.
    private let isKilled: Bool

    /// Nil if the process is gone.
    init?(_ pid: Int32) { self.init(path: "/proc/\(pid)/status") }

    private init?(path: String) {
        guard let text = readWhole(path) else { return nil }
        var values: [Substring: Int64] = [:]
        var pending: UInt64 = 0
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count > 1, words[0].hasSuffix(":") else { continue }
            if words[0] == "SigPnd:" { pending = UInt64(words[1], radix: 16) ?? 0 }
            if let value = Int64(words[1]) { values[words[0].dropLast()] = value }
        }
        self.values = values
        isKilled = pending & (1 << 8) != 0
    }

    /// A number; 0 if this kernel does not report it.
    func number(_ key: Substring) -> Int64 { values[key] ?? 0 }

    /// A value in KiB, converted to bytes.
    func bytes(_ key: Substring) -> Int64 { number(key) << 10 }

    /// Whether it has memory; a thread that ended has none.
    private var hasMemory: Bool { values["RssAnon"] != nil }

    /// Whether the first thread has ended while others continue: the kernel then reports neither memory nor
    /// open files of the process. When a whole process ends, its threads are killed one by one.
    func isLeaderless(_ pid: Int32) -> Bool {
        guard !hasMemory, number("Threads") > 1 else { return false }
        let tasks = "/proc/\(pid)/task"
        do throws(FileError) {
            for name in try Directory(path: tasks).entries() {
                let thread = ProcessStatus(path: "\(tasks)/\(name.text)/status")
                if let thread, thread.hasMemory, !thread.isKilled { return true }
            }
        } catch {
            // The process is gone.
        }
        return false
    }
}

/// Bytes that a process has written (proc_pid_io(5)).
enum WrittenBytes {
    /// Bytes written by calls or as changed pages, whichever is more, including mapped files. Nil if the
    /// process is gone, or this kernel does not count.
    static func of(_ pid: Int32) -> Int64? {
        guard let text = readWhole("/proc/\(pid)/io") else { return nil }
        let values = text.split(separator: "\n").compactMap { line -> Int64? in
            let words = line.split(separator: " ")
            guard words.count == 2, ["wchar:", "write_bytes:"].contains(words[0]) else { return nil }
            return Int64(words[1])
        }
        return values.max()
    }
}
