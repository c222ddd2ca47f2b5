import Time
import Units

/// For tests of days on the machine's clock: none ends while they run.
package enum NoonZone {
    /// The environment of processes in whose zone it is between 12:00 and 13:00 now.
    package static var environment: [String: String] {
        let hour = WallTime.now.milliseconds / 3_600_000 % 24
        // The signs of these zones are reversed: Etc/GMT-5 is five hours ahead.
        let ahead = 12 - hour
        return ["TZ": ahead == 0 ? "UTC" : "Etc/GMT\(ahead > 0 ? "-" : "+")\(abs(ahead))"]
    }
}
