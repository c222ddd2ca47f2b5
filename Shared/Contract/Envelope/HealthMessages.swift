package import JSON
package import Units

/// How a service is: it answers everything (ready), not yet (starting), not all (degraded), nothing (down).
package enum ServiceState: String, NameEnum {
    case ready
    case starting
    case degraded
    case down
}

/// How far a subscriber has read one owner's log.
@Record
package struct FollowedLog: Record {
    /// The owner.
    package var service: ServiceName = .auth
    /// Epoch of the log that the cursor belongs to.
    package var epoch: String = ""
    /// Last event taken in and committed.
    package var sequence: Int64 = 0
    /// The owner's head as last heard.
    package var head: Int64 = 0
    /// Whether the live stream is connected and in step.
    package var connected: Bool = false
    /// True: what is kept of the owner is being built again; else absent.
    package var rebuilding: Bool?
}

/// How often something happened since the start.
@Record
package struct Counter: Record {
    /// What is counted.
    package var name: String = ""
    /// How often.
    package var count: Int64 = 0
}

/// Tells how the service is; every service answers it, also while it starts.
@Method("health.check", of: .auth, .read, for: .anyone)
package enum HealthCheck: Method {
    package typealias Params = Nothing

    @Record("health.check.result")
    package struct Result: Record {
        /// Name of the service.
        package var service: String = ""
        /// How it is.
        package var state: ServiceState = .starting
        /// Process id.
        package var pid: Int64 = 0
        /// UTC milliseconds since when it is in this state.
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
        /// Committed events not yet handed to the live stream.
        package var unpublished: Int64 = 0
        /// Requests taken and not yet answered.
        package var unanswered: Int64 = 0
        /// The logs it follows.
        package var follows: [FollowedLog] = []
        /// Why the state is degraded, a sentence each.
        package var degradedBy: [String] = []
        /// The last error it logged, without private values.
        package var lastError: String?
        /// When, UTC milliseconds.
        @Field(name: "last_error_ms") package var lastErrorAt: Instant?
        /// Refused and dropped messages by reason.
        package var counters: [Counter] = []
        /// Those of degraded_by for which something that was set up does not happen; absent: none.
        package var notActing: [String]?
        /// Those of degraded_by that name kept data which is lost; absent: none.
        package var dataLost: [String]?
    }
}
