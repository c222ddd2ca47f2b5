import Glibc

/// Features of the running kernel.
enum Kernel {
    /// Whether RLIMIT_NPROC in a user namespace is compared with the tasks of that namespace: since Linux
    /// 5.14. Before, it is compared with all tasks of the user.
    static let countsTasksByNamespace: Bool = {
        var name = utsname()
        guard uname(&name) == 0 else { return false }
        let release = withUnsafeBytes(of: &name.release) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return isAtLeast(5, 14, release)
    }()

    /// - Parameter release: the release of uname(2), for example `6.1.0-18-amd64`.
    static func isAtLeast(_ major: Int, _ minor: Int, _ release: String) -> Bool {
        let numbers = release.split(separator: ".", maxSplits: 2).map { Int($0.prefix { $0.isNumber }) ?? 0 }
        guard numbers.count >= 2 else { return false }
        return (numbers[0], numbers[1]) >= (major, minor)
    }
}
