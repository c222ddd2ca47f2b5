import CPosix
import Glibc

/// Reports that a control group was frozen or thawed: "a value change" in `cgroup.events` "generates a file
/// modified event" (the kernel's cgroup-v2.rst), which inotify(7) reports. For one thread.
final class GroupWatch {
    private let cgroups: CgroupTree
    private var watched: [String: Int32] = [:]

    /// Poll it for reading; when it is readable, call `drain`.
    let fileDescriptor: Int32

    /// Nil if the user has no inotify instance left (fs.inotify.max_user_instances).
    init?(_ cgroups: CgroupTree) {
        self.cgroups = cgroups
        fileDescriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard fileDescriptor >= 0 else { return nil }
    }

    deinit { if fileDescriptor >= 0 { close(fileDescriptor) } }

    /// Watches these groups only.
    func set(_ groups: Set<String>) {
        for (group, watch) in watched where !groups.contains(group) {
            inotify_rm_watch(fileDescriptor, watch)
            watched[group] = nil
        }
        for group in groups where watched[group] == nil {
            guard let mountPoint = cgroups.mountPoint else { return }
            let watch = inotify_add_watch(
                fileDescriptor, mountPoint + group + "/cgroup.events", UInt32(IN_MODIFY))
            // A removed group has no members.
            if watch >= 0 { watched[group] = watch }
        }
    }

    /// Discards the waiting events; the caller checks every group.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(fileDescriptor, &buffer, buffer.count) > 0 {}
    }
}
