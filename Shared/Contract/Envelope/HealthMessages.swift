package import JSON
package import Units

/// State of a service: answers everything (ready), starts up (starting), answers only in part (degraded), is
/// not reachable (down).
package enum ServiceState: String, NameEnum {
    case ready
    case starting
    case degraded
    case down
}

/// A subscriber's position in one owner's log.
@Record
package struct FollowedLog: Record {
    /// Owner of the log.
    package var service: ServiceName = .auth
    /// Epoch of the log that the cursor belongs to.
    package var epoch: String = ""
    /// Last event that was applied and committed.
    package var sequence: Int64 = 0
    /// The owner's head as last received.
    package var head: Int64 = 0
    /// Whether the live stream is connected and without a gap.
    package var connected: Bool = false
    /// True while the copy of the owner's state is being rebuilt; else absent.
    package var rebuilding: Bool?
}

/// A count of occurrences, for example since the start.
@Record
package struct Counter: Record {
    /// What is counted.
    package var name: String = ""
    /// How often.
    package var count: Int64 = 0
}

/// Reports the health of the service; every service implements it, also during its start.
@Method("health.check", of: .auth, .read, for: .anyone)
package enum HealthCheck: Method {
    /// No parameters.
    package typealias Params = Nothing

    /// State, positions and counts of the service.
    @Record("health.check.result")
    package struct Result: Record {
        /// Name of the service.
        package var service: String = ""
        /// Its state.
        package var state: ServiceState = .starting
        /// Process id.
        package var pid: Int64 = 0
        /// When it entered this state, UTC milliseconds.
        package var since: Instant = 0
        /// Version of the program.
        package var version: String = ""
        /// Version of this contract.
        package var contractVersion: String = ""
        /// Epoch of its event log.
        package var logEpoch: String = ""
        /// Last sequence of its event log.
        package var head: Int64 = 0
        /// unpublished + unanswered + sum over followed logs of head - sequence.
        package var queue: Int64 = 0
        /// Committed events not yet sent to the live stream.
        package var unpublished: Int64 = 0
        /// Requests received and not yet answered.
        package var unanswered: Int64 = 0
        /// The logs it follows.
        package var follows: [FollowedLog] = []
        /// Why the state is degraded, a sentence each.
        package var degradedBy: [String] = []
        /// The last error it logged, without private values.
        package var lastError: String?
        /// When that error was logged, UTC milliseconds.
        @Field(name: "last_error_ms") package var lastErrorAt: Instant?
        /// Refused and dropped messages by reason, and other counts.
        package var counters: [Counter] = []
        /// The sentences of degraded_by that mean that something configured has no effect; absent: none.
        package var notActing: [String]?
        /// The sentences of degraded_by that report lost data; absent: none.
        package var dataLost: [String]?
    }
}
