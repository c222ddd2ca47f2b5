internal import Contract
internal import ExtensionLink
internal import Glibc

/// The clock that a command of ours lives by: the system's, also where that is the virtual one.
enum CommandClock {
    private static let pageKey = "SCREENTIME_CLOCK_PAGE"

    /// Starts this program again with the clock library where the system's clock is virtual; else, and the
    /// second time, returns.
    /// - Throws: `unavailable` when the library is not there, or the program cannot be started again.
    static func follow() throws(ServiceError) {
        guard getenv(pageKey) == nil else { return }
        let clock = try Link.shared.call(LinkClock.self, Nothing())
        guard let page = clock.page, let library = clock.library else { return }
        let others = getenv("LD_PRELOAD").map { ":" + String(cString: $0) } ?? ""
        setenv("LD_PRELOAD", library + others, 1)
        setenv(pageKey, page, 1)
        // Not /proc/self/exe: that would be the process's name.
        guard let program = realpath("/proc/self/exe", nil) else { throw failed(errno) }
        execv(program, CommandLine.unsafeArgv)
        throw failed(errno)
    }

    private static func failed(_ code: Int32) -> ServiceError {
        ServiceError(
            .unavailable, "starting with the virtual clock failed: \(String(cString: strerror(code)))",
            remedy: "See `screentime clock`.")
    }
}
