import Glibc

/// Slower facts about one process, read only when asked for.
package enum ProcessFacts {
    /// The path of the program, without the mark the kernel adds when the file was replaced since.
    /// Nil for kernel threads, ended processes, and other users' processes.
    package static func executablePath(_ pid: Int32) -> String? {
        guard let target = ProcFile.linkTarget("/proc/\(pid)/exe") else { return nil }
        let mark = " (deleted)"
        return target.hasSuffix(mark) ? String(target.dropLast(mark.count)) : target
    }

    /// The last component of `path`.
    package static func baseName(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    /// Whether `pid` is `ancestor` or descends from it, as far as the parents of now tell.
    static func `is`(_ pid: Int32, of ancestor: Int32) -> Bool {
        var next = pid
        for _ in 0..<32 where next > 1 {
            if next == ancestor { return true }
            guard let record = ProcessRecord(pid: next) else { return false }
            next = record.parentPid
        }
        return false
    }

    /// The directory part of `path`, without a slash at its end.
    package static func directory(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// True when the running program's file belongs to root and nobody else may write it. Only then does
    /// its name mean anything: a game copied to `~/Xorg` has the name, but not the owner.
    static func isInstalledBySystem(_ pid: Int32) -> Bool {
        var status = stat()
        guard stat("/proc/\(pid)/exe", &status) == 0 else { return false }
        return status.st_uid == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// The user the process runs as; nil when it is gone.
    static func owner(_ pid: Int32) -> UInt32? {
        var status = stat()
        return stat("/proc/\(pid)", &status) == 0 ? status.st_uid : nil
    }

    /// The kernel's short name (15 bytes at most), which a program may set itself.
    static func shortName(_ pid: Int32) -> String? {
        ProcFile.text("/proc/\(pid)/comm")
    }

    /// The program's base name; for root's processes whose link we may not read, the kernel's short name.
    static func systemName(_ pid: Int32) -> String? {
        if let path = executablePath(pid) { return isInstalledBySystem(pid) ? baseName(path) : nil }
        return owner(pid) == 0 ? shortName(pid) : nil
    }
}
