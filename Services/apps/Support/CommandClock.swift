internal import Contract
internal import ExtensionLink
internal import FoundationExtras
internal import Glibc

/// The clock that a command of ours lives by: the system's, also where that is the virtual one, in the time
/// zone of its member, as the app's extensions do.
enum CommandClock {
    private static let pageKey = "SCREENTIME_CLOCK_PAGE"

    /// Starts this program again with the clock library where the system's clock is virtual; else, and the
    /// second time, enters the member's zone.
    /// - Returns: why it is not known whether they have one: the program stays in that of its terminal.
    /// - Throws: `unavailable` when the library is not there, or the program cannot be started again.
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
