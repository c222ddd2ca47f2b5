package import JSON
package import Units

/// State of one process under the virtual clock: when it acts next, and what it has not finished.
@Record
package struct ClockState: Record {
    /// Name of the process.
    package var service: String = ""
    /// Process id.
    package var pid: Int64 = 0
    /// Whether it uses the virtual clock.
    @Field(name: "virtual") package var isVirtual: Bool = false
    /// Its current time, UTC milliseconds.
    package var now: Instant = 0
    /// When its next timer is due, UTC milliseconds; absent: none.
    package var nextDue: Instant?
    /// Last sequence of its event log; 0 if it has none.
    package var head: Int64 = 0
    /// The logs it follows.
    package var follows: [FollowedLog] = []
    /// Requests it has sent since it started.
    package var sent: Int64 = 0
    /// Requests it has received since it started, without those of the clock.
    package var taken: Int64 = 0
    /// Unfinished work, a sentence each; empty: it is idle.
    package var open: [String] = []
    /// What its store contains beyond that of a first start; absent: nothing.
    package var holds: String?
}

/// What the driver of the virtual clock waits for when it queries a process.
@Record
package struct ClockWait: Record {
    /// Heads of logs that it must have applied, if it follows them.
    package var heads: [Position]?
    /// Real milliseconds, up to 10000, to wait until it is idle before answering; default 0.
    package var wait: Milliseconds?
}

/// Returns when the process acts next and what it has not finished.
///
/// Every service and the desktop-agent implement it.
@Method("clock.status", of: .auth, .read, for: .person)
package enum ClockStatus: Method {
    /// What to wait for before answering.
    package typealias Params = ClockWait
    /// The state of the process.
    package typealias Result = ClockState
}

/// Announces that the virtual clock moved; answered after everything due was done.
///
/// It is a read: it only triggers what is due, once.
@Method("clock.tick", of: .auth, .read, for: .person)
package enum ClockTick: Method {
    /// What to wait for before answering.
    package typealias Params = ClockWait
    /// The state of the process.
    package typealias Result = ClockState
}

/// Switches a process that has no state yet to the virtual clock.
@Method("clock.enter", of: .auth, .read, for: .person)
package enum ClockEnter: Method {
    /// No parameters.
    package typealias Params = Nothing
    /// The state of the process.
    package typealias Result = ClockState
}
