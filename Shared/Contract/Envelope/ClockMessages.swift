package import JSON
package import Units

/// How one process stands towards the virtual clock: what it would do next, and what it has not finished.
@Record
package struct ClockState: Record {
    /// Name of the process.
    package var service: String = ""
    /// Process id.
    package var pid: Int64 = 0
    /// Whether it lives by the virtual clock.
    @Field(name: "virtual") package var isVirtual: Bool = false
    /// Its present instant, UTC milliseconds.
    package var now: Instant = 0
    /// When it wants to do something next; none: never.
    package var nextDue: Instant?
    /// Last sequence of its event log; 0 if it has none.
    package var head: Int64 = 0
    /// The logs it follows.
    package var follows: [FollowedLog] = []
    /// Requests it has sent since it started.
    package var sent: Int64 = 0
    /// Requests it has taken since it started, without these.
    package var taken: Int64 = 0
    /// What it has not finished, a sentence each; none: it is still.
    package var open: [String] = []
    /// What its store holds beyond a first start; none: nothing.
    package var holds: String?
}

/// What a driver waits for when it asks a process how it stands.
@Record
package struct ClockWait: Record {
    /// Heads of logs that it is to have taken in, if it follows them.
    package var heads: [Position]?
    /// Real milliseconds, up to 10000, that the answer may wait until it is still; default 0.
    package var wait: Milliseconds?
}

/// Tells what the process will do next and what it has not finished.
///
/// Every service and the desktop-agent answer it.
@Method("clock.status", of: .auth, .read, for: .person)
package enum ClockStatus: Method {
    package typealias Params = ClockWait
    package typealias Result = ClockState
}

/// Says that the virtual clock was moved: what is due is done, then answered.
///
/// A read: it changes nothing but what is due, and that only once.
@Method("clock.tick", of: .auth, .read, for: .person)
package enum ClockTick: Method {
    package typealias Params = ClockWait
    package typealias Result = ClockState
}

/// Lets a process that holds nothing yet live by the virtual clock.
@Method("clock.enter", of: .auth, .read, for: .person)
package enum ClockEnter: Method {
    package typealias Params = Nothing
    package typealias Result = ClockState
}
