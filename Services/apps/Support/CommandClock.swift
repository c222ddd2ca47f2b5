internal import Contract
internal import ExtensionLink
internal import FoundationExtras
internal import Glibc

/// The clock of a command: the same as the app's extensions have, virtual or not, in the member's time zone.
enum CommandClock {
    private static let pageKey = "SCREENTIME_CLOCK_PAGE"

    /// If the system's clock is virtual, executes this program again with the clock library. Otherwise, and
    /// in the second execution, sets the member's time zone.
    /// - Returns: why the member's time zone is unknown; the program then uses the terminal's.
    /// - Throws: `unavailable` if the library is missing or the program cannot be executed again.
    static func follow() throws(ServiceError) -> String? {
        let clock = try Link.shared.call(LinkClock.self, Nothing())
        if getenv(pageKey) == nil, let page = clock.page, let library = clock.library {
            try startAgain(page, library)
        }
        if let zone = clock.zone { ProgramZone.enter(zone) }
        return clock.zoneUnknown
    }

    private static func startAgain(_ page: String, _ library: String) throws(ServiceError) -> Never {
        let others = getenv("LD_PRELOAD").map { ":" + String(cString: $0) } ?? ""
        setenv("LD_PRELOAD", library + others, 1)
        setenv(pageKey, page, 1)
        // Not /proc/self/exe, which would become the process's name.
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
