import Glibc

/// Facts about a process that are slower to read, read on demand.
package enum ProcessFacts {
    /// The path of the program, without the suffix that the kernel adds when the file was replaced. Nil for
    /// kernel threads, exited processes, and other users' processes.
    package static func executablePath(_ pid: Int32) -> String? {
        guard let target = ProcFile.linkTarget("/proc/\(pid)/exe") else { return nil }
        let mark = " (deleted)"
        return target.hasSuffix(mark) ? String(target.dropLast(mark.count)) : target
    }

    /// The last component of `path`.
    package static func baseName(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    /// Whether `pid` is `ancestor` or descends from it by the present parents.
    static func `is`(_ pid: Int32, of ancestor: Int32) -> Bool {
        var next = pid
        for _ in 0..<32 where next > 1 {
            if next == ancestor { return true }
            guard let record = ProcessRecord(pid: next) else { return false }
            next = record.parentPid
        }
        return false
    }

    /// The directory part of `path`, without a trailing slash.
    package static func directory(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// Whether the running program's file belongs to root and only root can write it. Only then is its name
    /// meaningful: a game copied to `~/Xorg` has the name, but not the owner.
    static func isInstalledBySystem(_ pid: Int32) -> Bool {
        var status = stat()
        guard stat("/proc/\(pid)/exe", &status) == 0 else { return false }
        return status.st_uid == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// The process's user; nil if it exited.
    static func owner(_ pid: Int32) -> UInt32? {
        var status = stat()
        return stat("/proc/\(pid)", &status) == 0 ? status.st_uid : nil
    }

    /// The kernel's short name (at most 15 bytes), which a program can set itself.
    static func shortName(_ pid: Int32) -> String? {
        ProcFile.text("/proc/\(pid)/comm")
    }

    /// The program's base name; for processes of root with an unreadable link, the kernel's short name.
    static func systemName(_ pid: Int32) -> String? {
        if let path = executablePath(pid) { return isInstalledBySystem(pid) ? baseName(path) : nil }
        return owner(pid) == 0 ? shortName(pid) : nil
    }
}
