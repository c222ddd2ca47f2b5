package import JSON

/// How a service is: it answers everything (ready), not yet (starting), not all (degraded), nothing (down).
package enum ServiceState: String, NameEnum {
    case ready
    case starting
    case degraded
    case down
}

/// How far a subscriber has read one owner's log.
package struct FollowedLog: Record {
    package var service: ServiceName = .auth
    package var epoch = ""
    package var sequence: Int64 = 0
    package var head: Int64 = 0
    package var connected = false
    package var rebuilding: Bool?

    package init() {}
    package init(
        service: ServiceName = .auth, epoch: String = "", sequence: Int64 = 0, head: Int64 = 0,
        connected: Bool = false, rebuilding: Bool? = nil
    ) {
        self.service = service
        self.epoch = epoch
        self.sequence = sequence
        self.head = head
        self.connected = connected
        self.rebuilding = rebuilding
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("service", &service, "The owner.")
        try visitor.field("epoch", &epoch, "Epoch of the log that the cursor belongs to.")
        try visitor.field("sequence", &sequence, "Last event taken in and committed.")
        try visitor.field("head", &head, "The owner's head as last heard.")
        try visitor.field("connected", &connected, "Whether the live stream is connected and in step.")
        try visitor.field(
            "rebuilding", &rebuilding, "True: what is kept of the owner is being built again; else absent.")
    }
}

/// How often something happened since the start.
package struct Counter: Record {
    package var name = ""
    package var count: Int64 = 0

    package init() {}
    package init(
        name: String = "", count: Int64 = 0
    ) {
        self.name = name
        self.count = count
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("name", &name, "What is counted.")
        try visitor.field("count", &count, "How often.")
    }
}

/// Tells how the service is; every service answers it, also while it starts.
package enum HealthCheck: Method {
    package static let name = "health.check"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.anyone
    package static let summary = "Tells how the service is; every service answers it, also while it starts."
    package typealias Params = Nothing

    package struct Result: Record {
        package static var title: String { "health.check.result" }
        package var service = ""
        package var state: ServiceState = .starting
        package var pid: Int64 = 0
        package var sinceMs: Int64 = 0
        package var version = ""
        package var contractVersion = ""
        package var logEpoch = ""
        package var head: Int64 = 0
        package var queue: Int64 = 0
        package var unpublished: Int64 = 0
        package var unanswered: Int64 = 0
        package var follows: [FollowedLog] = []
        package var degradedBy: [String] = []
        package var lastError: String?
        package var lastErrorMs: Int64?
        package var counters: [Counter] = []
        package var notActing: [String]?
        package var dataLost: [String]?

        package init() {}
        package init(
            service: String = "", state: ServiceState = .starting, pid: Int64 = 0, sinceMs: Int64 = 0,
            version: String = "", contractVersion: String = "", logEpoch: String = "", head: Int64 = 0,
            queue: Int64 = 0, unpublished: Int64 = 0, unanswered: Int64 = 0, follows: [FollowedLog] = [],
            degradedBy: [String] = [], lastError: String? = nil, lastErrorMs: Int64? = nil,
            counters: [Counter] = [], notActing: [String]? = nil, dataLost: [String]? = nil
        ) {
            self.service = service
            self.state = state
            self.pid = pid
            self.sinceMs = sinceMs
            self.version = version
            self.contractVersion = contractVersion
            self.logEpoch = logEpoch
            self.head = head
            self.queue = queue
            self.unpublished = unpublished
            self.unanswered = unanswered
            self.follows = follows
            self.degradedBy = degradedBy
            self.lastError = lastError
            self.lastErrorMs = lastErrorMs
            self.counters = counters
            self.notActing = notActing
            self.dataLost = dataLost
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("service", &service, "Name of the service.")
            try visitor.field("state", &state, "How it is.")
            try visitor.field("pid", &pid, "Process id.")
            try visitor.field("since_ms", &sinceMs, "UTC milliseconds since when it is in this state.")
            try visitor.field("version", &version, "Version of the program.")
            try visitor.field("contract_version", &contractVersion, "Version of this contract.")
            try visitor.field("log_epoch", &logEpoch, "Epoch of its event log.")
            try visitor.field("head", &head, "Last sequence of its event log.")
            try visitor.field(
                "queue", &queue,
                "unpublished + unanswered + sum over followed logs of head - sequence.")
            try visitor.field(
                "unpublished", &unpublished,
                "Committed events not yet handed to the live stream.")
            try visitor.field("unanswered", &unanswered, "Requests taken and not yet answered.")
            try visitor.field("follows", &follows, "The logs it follows.")
            try visitor.field("degraded_by", &degradedBy, "Why the state is degraded, a sentence each.")
            try visitor.field("last_error", &lastError, "The last error it logged, without private values.")
            try visitor.field("last_error_ms", &lastErrorMs, "When, UTC milliseconds.")
            try visitor.field("counters", &counters, "Refused and dropped messages by reason.")
            try visitor.field(
                "not_acting", &notActing,
                "Those of degraded_by for which something that was set up does not happen; absent: none.")
            try visitor.field(
                "data_lost", &dataLost,
                "Those of degraded_by that name kept data which is lost; absent: none.")
        }
    }
}
