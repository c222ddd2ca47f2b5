import Glibc

/// The arguments of bubblewrap. Every path inside is as outside, so that what a program is told of files does
/// not depend on how it is confined.
enum BubblewrapCommand {
    /// Nothing of the machine's processes, network, names and users.
    static let namespaces = [
        "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
        "--unshare-cgroup-try", "--hostname", "extension", "--die-with-parent", "--cap-drop", "ALL",
    ]

    /// Libraries and what libc and Foundation read of the system: time zones, locales, fonts.
    static let base: [String] = {
        var words = ["--proc", "/proc", "--dev", "/dev"]
        for path in [
            "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/usr/share/locale", "/usr/share/fonts",
        ] {
            words += ["--ro-bind-try", path, path]
        }
        for path in ["/lib", "/lib64", "/etc/localtime"] { words += same(path) }
        for path in ["/etc/timezone", "/etc/ld.so.cache", "/etc/fonts"] {
            words += ["--ro-bind-try", path, path]
        }
        // Of the devices only: /dev itself and /dev/shm would be memory that nothing counts.
        return words + ["--remount-ro", "/dev"]
    }()

    /// What of it a program may read by Landlock, too.
    static let readable = [
        "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/zoneinfo", "/usr/share/locale",
        "/usr/share/fonts", "/etc/localtime", "/etc/timezone", "/etc/ld.so.cache", "/etc/fonts",
    ]

    /// A symbolic link stays one: the name of the time zone is read from where /etc/localtime points.
    private static func same(_ path: String) -> [String] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count - 1)
        guard count > 0 else { return ["--ro-bind-try", path, path] }
        let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return ["--symlink", target, path]
    }
}
