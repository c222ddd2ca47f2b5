import CPosix
import Contract
import Glibc
import Time
import Units

/// Control groups, version 2: the group of a process, its members, and whether it may be frozen.
package struct CgroupTree: Sendable {
    /// Mount point of the version 2 hierarchy, without a trailing slash; nil if there is none.
    package let mountPoint: String?

    /// The hierarchy at a known mount point.
    package init(mountPoint: String?) { self.mountPoint = mountPoint }

    /// Finds the mount point in `/proc/self/mountinfo` (proc(5): the type follows ` - `).
    package init() {
        let lines = (ProcFile.text("/proc/self/mountinfo") ?? "").split(separator: "\n")
        mountPoint = lines.lazy.compactMap { line -> String? in
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count, dash > 4,
                fields[dash + 1] == "cgroup2", fields[3] == "/"
            else { return nil }
            return String(fields[4])
        }.first
    }

    /// The process's group in the hierarchy, for example `/user.slice/…/app-x-1.scope`.
    package func group(of pid: Int32) -> String? {
        let lines = (ProcFile.text("/proc/\(pid)/cgroup") ?? "").split(separator: "\n")
        return lines.first { $0.hasPrefix("0::/") }.map { String($0.dropFirst(3)) }
    }

    /// Whether systemd, or a desktop through it, created the group for one app: its last part is
    /// `app-….scope` or `app-….service` (systemd.io/DESKTOP_ENVIRONMENTS, "XDG standardization for
    /// applications").
    package static func isAppScope(_ group: String) -> Bool {
        let leaf = ProcessFacts.baseName(group)
        return leaf.hasPrefix("app-") && (leaf.hasSuffix(".scope") || leaf.hasSuffix(".service"))
    }

    /// A file of a group; nil without a hierarchy.
    func path(of group: String, _ file: String) -> String? { mountPoint.map { "\($0)\(group)/\(file)" } }

    /// All processes in the group and its subgroups.
    package func members(of group: String) -> Set<Int32> {
        guard let mountPoint else { return [] }
        var result: Set<Int32> = []
        var waiting = [mountPoint + group]
        while let path = waiting.popLast() {
            let text = ProcFile.text(path + "/cgroup.procs") ?? ""
            result.formUnion(text.split(separator: "\n").compactMap { Int32($0) })
            var status = stat()
            for name in ProcFile.names(in: path) where !name.includes("cgroup.") {
                let below = path + "/" + name
                if lstat(below, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { waiting.append(below) }
            }
        }
        return result
    }

    /// Whether this user may freeze the group.
    func mayFreeze(_ group: String) -> Bool {
        guard let mountPoint else { return false }
        return access(mountPoint + group + "/cgroup.freeze", W_OK) == 0
    }

    /// Whether the kernel reports that the complete group is frozen.
    package func isFrozen(_ group: String) -> Bool {
        guard let mountPoint else { return false }
        return ProcFile.text(mountPoint + group + "/cgroup.events")?.includes("frozen 1") ?? false
    }

    /// Whether a freeze of the group was requested, completed or not; nil if the group was removed.
    func isAskedToFreeze(_ group: String) -> Bool? {
        guard let mountPoint else { return nil }
        return ProcFile.text(mountPoint + group + "/cgroup.freeze").map { $0 == "1" }
    }

    /// Freezes or thaws the group, and waits until the kernel reports it. False if it was refused, the group
    /// was removed, or the time limit was reached.
    func setFrozen(_ frozen: Bool, _ group: String, within limit: Milliseconds) -> Bool {
        guard let mountPoint else { return false }
        let path = mountPoint + group
        let events = open(path + "/cgroup.events", O_RDONLY | O_CLOEXEC)
        guard events >= 0 else { return false }
        defer { close(events) }
        guard ProcFile.write(frozen ? "1" : "0", to: path + "/cgroup.freeze") == 0 else { return false }
        let deadline = MonotonicClock.now + limit
        while true {
            if Self.isFrozen(events) == frozen { return true }
            let left = deadline - MonotonicClock.now
            guard left > 0 else { return false }
            var entry = pollfd(fd: events, events: Int16(POLLPRI), revents: 0)
            poll(&entry, 1, Int32(clamping: left.count))
        }
    }

    private static func isFrozen(_ events: Int32) -> Bool? {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = pread(events, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self).includes("frozen 1")
    }
}
