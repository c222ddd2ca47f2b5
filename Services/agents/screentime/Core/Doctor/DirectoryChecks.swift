import Bus
import Contract
import CPosix
import Glibc
import ServiceKit

/// The directories of this instance.
enum DirectoryChecks {
    /// Bytes below which the state directory is nearly full: 256 MiB.
    private static let freeBytesMin: UInt64 = 256 << 20
    /// Files and directories (inodes) below which it is nearly full.
    private static let freeFilesMin: UInt64 = 1_000

    static func all(_ configuration: Configuration) -> [Finding] {
        [
            runtime(configuration.runtime),
            state(configuration.stateDirectory),
            space(configuration.stateDirectory), writable("log directory", configuration.logDirectory, "LOG"),
        ]
    }

    private static func runtime(_ runtime: RuntimeDirectory) -> Finding {
        let check = "runtime directory"
        var status = stat()
        guard stat(runtime.path, &status) == 0 else {
            return longest(runtime)
                ?? .warning(
                    check, "'\(runtime.path)' does not exist yet; the sockets of the services belong there",
                    "Start the services with scripts/run-all.sh; they make it.")
        }
        do throws(ServiceError) {
            // It exists, so nothing is made here; it is only checked.
            try runtime.prepare()
        } catch {
            return .error(check, "\(error.message); the services do not start with it", error.remedy)
        }
        return .ok(check, "'\(runtime.path)' is yours alone")
    }

    private static func state(_ path: String) -> Finding {
        let check = "state directory"
        guard access(path, F_OK) == 0 else { return writable(check, path, "STATE") }
        do throws(ServiceError) {
            // It exists, so nothing is made here; it is only checked.
            try preparePrivateDirectory(path, check, key: "SCREENTIME_STATE_DIR")
        } catch {
            return .error(check, "\(error.message); the services do not start with it", error.remedy)
        }
        return writable(check, path, "STATE")
    }

    private static func longest(_ runtime: RuntimeDirectory) -> Finding? {
        let bytes = ServiceName.allCases.map { runtime.socketPath($0, .requests).utf8.count }.max() ?? 0
        guard bytes > Limits.socketPathBytesMax else { return nil }
        return .error(
            "runtime directory",
            "'\(runtime.path)' makes socket paths of \(bytes) bytes; the system allows "
                + "\(Limits.socketPathBytesMax)",
            "Set SCREENTIME_RUNTIME_DIR to a shorter path.")
    }

    private static func writable(_ check: String, _ path: String, _ key: String) -> Finding {
        let present = firstExisting(path)
        guard access(present, W_OK | X_OK) == 0 else {
            return .error(
                check,
                "'\(present)' is not writable (\(String(cString: strerror(errno)))); nothing is kept there",
                "Correct its permissions, or set SCREENTIME_\(key)_DIR.")
        }
        return .ok(check, present == path ? "'\(path)' is writable" : "'\(path)' will be made on first start")
    }

    private static func space(_ path: String) -> Finding {
        var status = statvfs()
        guard statvfs(firstExisting(path), &status) == 0 else {
            return .warning(
                "free space", "the file system of '\(path)' does not tell its size", "Look with df.")
        }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        guard free >= freeBytesMin else {
            return .error(
                "free space", "\(free >> 20) MiB are left for '\(path)'; when it is full, writes are refused",
                "Free some space, or move SCREENTIME_STATE_DIR.")
        }
        // File systems that create inodes on demand report none.
        guard status.f_files == 0 || status.f_favail >= freeFilesMin else {
            return .error(
                "free space",
                "\(status.f_favail) more files can be made for '\(path)'; without any, extensions do not start",
                "Remove files on that file system (df -i), or move SCREENTIME_STATE_DIR.")
        }
        return .ok("free space", "\(free >> 20) MiB are left for the state")
    }

    /// The path itself, or the nearest parent there is.
    private static func firstExisting(_ path: String) -> String {
        var present = path
        while access(present, F_OK) != 0, let slash = present.lastIndex(of: "/"), present != "/" {
            present = slash == present.startIndex ? "/" : String(present[..<slash])
        }
        return present
    }
}
