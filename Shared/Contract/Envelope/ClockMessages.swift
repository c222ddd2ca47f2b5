package import JSON

/// How one process stands towards the virtual clock: what it would do next, and what it has not finished.
package struct ClockState: Record {
    package var service = ""
    package var pid: Int64 = 0
    package var isVirtual = false
    package var nowMs: Int64 = 0
    package var nextDueMs: Int64?
    package var head: Int64 = 0
    package var follows: [FollowedLog] = []
    package var sent: Int64 = 0
    package var taken: Int64 = 0
    package var open: [String] = []
    package var holds: String?

    package init() {}
    package init(
        service: String = "", pid: Int64 = 0, isVirtual: Bool = false, nowMs: Int64 = 0,
        nextDueMs: Int64? = nil, head: Int64 = 0, follows: [FollowedLog] = [], sent: Int64 = 0,
        taken: Int64 = 0, open: [String] = [], holds: String? = nil
    ) {
        self.service = service
        self.pid = pid
        self.isVirtual = isVirtual
        self.nowMs = nowMs
        self.nextDueMs = nextDueMs
        self.head = head
        self.follows = follows
        self.sent = sent
        self.taken = taken
        self.open = open
        self.holds = holds
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("service", &service, "Name of the process.")
        try visitor.field("pid", &pid, "Process id.")
        try visitor.field("virtual", &isVirtual, "Whether it lives by the virtual clock.")
        try visitor.field("now_ms", &nowMs, "Its present instant, UTC milliseconds.")
        try visitor.field("next_due_ms", &nextDueMs, "When it wants to do something next; none: never.")
        try visitor.field("head", &head, "Last sequence of its event log; 0 if it has none.")
        try visitor.field("follows", &follows, "The logs it follows.")
        try visitor.field("sent", &sent, "Requests it has sent since it started.")
        try visitor.field("taken", &taken, "Requests it has taken since it started, without these.")
        try visitor.field("open", &open, "What it has not finished, a sentence each; none: it is still.")
        try visitor.field("holds", &holds, "What its store holds beyond a first start; none: nothing.")
    }
}

/// What a driver waits for when it asks a process how it stands.
package struct ClockWait: Record {
    package var heads: [Position]?
    package var waitMs: Int64?

    package init() {}
    package init(heads: [Position]? = nil, waitMs: Int64? = nil) {
        self.heads = heads
        self.waitMs = waitMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("heads", &heads, "Heads of logs that it is to have taken in, if it follows them.")
        try visitor.field(
            "wait_ms", &waitMs,
            "Real milliseconds, up to 10000, that the answer may wait until it is still; default 0.")
    }
}

/// Tells how a process stands towards the virtual clock; every service and the desktop-agent answer it.
package enum ClockStatus: Method {
    package static let name = "clock.status"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "Tells what the process will do next and what it has not finished."
    package typealias Params = ClockWait
    package typealias Result = ClockState
}

/// The virtual clock was moved. A read: it changes nothing but what is due, and that only once.
package enum ClockTick: Method {
    package static let name = "clock.tick"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "Says that the virtual clock was moved: what is due is done, then answered."
    package typealias Params = ClockWait
    package typealias Result = ClockState
}

/// From here on the process lives by the virtual clock of its state directory.
package enum ClockEnter: Method {
    package static let name = "clock.enter"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "Lets a process that holds nothing yet live by the virtual clock."
    package typealias Params = Nothing
    package typealias Result = ClockState
}
