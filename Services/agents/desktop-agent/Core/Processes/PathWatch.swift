import CPosix
import Glibc

/// Reports that something happened to files (inotify(7)). For one thread.
final class PathWatch {
    private let events: UInt32
    private var watched: [String: Int32] = [:]

    /// Poll it for reading; when it is readable, call `drain`.
    let fileDescriptor: Int32

    /// Nil if the user has no inotify instance left (fs.inotify.max_user_instances).
    /// - Parameter events: of inotify(7), for example IN_MODIFY.
    init?(_ events: Int32) {
        self.events = UInt32(events)
        fileDescriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard fileDescriptor >= 0 else { return nil }
    }

    deinit { if fileDescriptor >= 0 { close(fileDescriptor) } }

    /// Watches these files only; those that cannot be watched are left out.
    func set(_ paths: Set<String>) {
        for (path, watch) in watched where !paths.contains(path) {
            inotify_rm_watch(fileDescriptor, watch)
            watched[path] = nil
        }
        for path in paths where watched[path] == nil {
            let watch = inotify_add_watch(fileDescriptor, path, events)
            if watch >= 0 { watched[path] = watch }
        }
    }

    /// Discards the waiting events. Returns whether there were any.
    @discardableResult func drain() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var isAny = false
        while read(fileDescriptor, &buffer, buffer.count) > 0 { isAny = true }
        return isAny
    }
}
