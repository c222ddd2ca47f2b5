import Glibc

/// The arguments of bubblewrap. Every path inside is the same as outside, so that paths sent to a program do
/// not depend on its confinement.
enum BubblewrapCommand {
    /// Separate namespaces for processes, network, host name and users.
    static let namespaces = [
        "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
        "--unshare-cgroup-try", "--hostname", "extension", "--die-with-parent", "--cap-drop", "ALL",
    ]

    /// Libraries, and the files of the system that libc and Foundation read: time zones, locales, fonts.
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
        // Only single devices: /dev itself and /dev/shm would be memory that is not counted.
        return words + ["--remount-ro", "/dev"]
    }()

    /// The part of it that Landlock allows to read, too.
    static let readable = [
        "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/zoneinfo", "/usr/share/locale",
        "/usr/share/fonts", "/etc/localtime", "/etc/timezone", "/etc/ld.so.cache", "/etc/fonts",
    ]

    /// Symbolic links stay links: the name of the time zone is the target of /etc/localtime.
    private static func same(_ path: String) -> [String] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count - 1)
        guard count > 0 else { return ["--ro-bind-try", path, path] }
        let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return ["--symlink", target, path]
    }
}
