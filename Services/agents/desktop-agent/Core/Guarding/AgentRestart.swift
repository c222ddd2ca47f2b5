import Contract
import Glibc
import Time
import Units

/// Starts the agent again after it died, unless something else does (a service manager). The guard does it,
/// as its last act.
enum AgentRestart {
    /// Set to `yes` by whatever starts the agent again itself.
    static let supervisedKey = "SCREENTIME_SUPERVISED"
    /// Deaths in a row, each soon after the start; in the environment of the next agent and its guard.
    static let deathsKey = "SCREENTIME_AGENT_DEATHS"
    /// An agent that ran this long did not die in a row.
    static let healthy: Milliseconds = 10_000
    /// Longest pause before the next agent, in seconds; it grows by one with each death of a row.
    static let pauseMax = 10

    /// Number of deaths in a row, with the one now.
    /// - Parameter lived: how long the agent ran, as far as the guard knows.
    static func deaths(before: String?, lived: Milliseconds) -> Int {
        lived < healthy ? (before.flatMap { Int($0) } ?? 0) + 1 : 1
    }

    /// Starts the agent and returns when it is ready or has ended.
    static func run(lived: Milliseconds) {
        guard getenv(supervisedKey).map({ String(cString: $0) }) != "yes" else { return }
        let deaths = deaths(before: getenv(deathsKey).map { String(cString: $0) }, lived: lived)
        if deaths > 1 { sleep(UInt32(min(deaths - 1, pauseMax))) }
        setenv(deathsKey, String(deaths), 1)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (_, failure) = DetachedProcess.start(AgentName.desktopAgent, .init(output: ends[1]))
        close(ends[1])
        guard failure == 0 else { return }
        // Until then the agent holds no lock, so whoever stops everything waits for this process instead.
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) < 0, errno == EINTR {}
    }
}
