package import JSON

/// A callback that is to come.
package struct PendingCallback: Record {
    package var client = ""
    package var member = ""
    package var activity = ""
    package var event: String?
    package var callback = ""
    package var registration: Int64 = 0
    package var registeredMs: Int64 = 0
    package var occurrenceStartMs: Int64 = 0
    package var occurrenceEndMs: Int64 = 0
    package var dueMs: Int64?
    package var thresholdMs: Int64?
    package var totalMs: Int64?

    package init() {}
    package init(
        client: String = "", member: String = "", activity: String = "", event: String? = nil,
        callback: String = "", registration: Int64 = 0, registeredMs: Int64 = 0, occurrenceStartMs: Int64 = 0,
        occurrenceEndMs: Int64 = 0, dueMs: Int64? = nil, thresholdMs: Int64? = nil, totalMs: Int64? = nil
    ) {
        self.client = client
        self.member = member
        self.activity = activity
        self.event = event
        self.callback = callback
        self.registration = registration
        self.registeredMs = registeredMs
        self.occurrenceStartMs = occurrenceStartMs
        self.occurrenceEndMs = occurrenceEndMs
        self.dueMs = dueMs
        self.thresholdMs = thresholdMs
        self.totalMs = totalMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("client", &client, "Bundle id of the activity's owner.", .publicText)
        try visitor.field("member", &member, "Member id.", .publicText)
        try visitor.field("activity", &activity, "Name of the activity.", .publicText)
        try visitor.field("event", &event, "Name of the event, for the two threshold callbacks.", .publicText)
        try visitor.field("callback", &callback, "Apple's name of the callback.", .publicText)
        try visitor.field("registration", &registration, "Registration it belongs to.")
        try visitor.field("registered_ms", &registeredMs, "When that was, UTC milliseconds.")
        try visitor.field("occurrence_start_ms", &occurrenceStartMs, "UTC milliseconds.")
        try visitor.field("occurrence_end_ms", &occurrenceEndMs, "UTC milliseconds.")
        try visitor.field(
            "due_ms", &dueMs,
            "Armed for this instant, if use goes on as it is; absent: nothing that it counts is in use.")
        try visitor.field("threshold_ms", &thresholdMs, "The threshold.")
        try visitor.field("total_ms", &totalMs, "Use counted so far.")
    }
}

/// The callbacks that are to come in the open and next occurrences, earliest first.
package enum MonitoringPending: Method {
    package static let name = "monitoring.pending"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "The callbacks that are to come in the open and next occurrences, earliest first."

    package struct Params: Record, MemberScoped {
        package static var title: String { "monitoring.pending.params" }
        package var member: String?
        package var activity: String?
        package var limit: Int64?

        package init() {}
        package init(member: String? = nil, activity: String? = nil, limit: Int64? = nil) {
            self.member = member
            self.activity = activity
            self.limit = limit
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default all.", .publicText)
            try visitor.field("activity", &activity, "Only of this activity.", .publicText)
            try visitor.field("limit", &limit, "At most so many; default 100, up to 1000.")
        }
    }

    package struct Result: Record {
        package static var title: String { "monitoring.pending.result" }
        package var pending: [PendingCallback] = []

        package init() {}
        package init(pending: [PendingCallback] = []) { self.pending = pending }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("pending", &pending, "Earliest first; those without an instant last.")
        }
    }
}

/// When a threshold that was told is reached by what is known now.
package struct RecountedCallback: Record {
    package var atMs: Int64?
    package var totalMs: Int64 = 0

    package init() {}
    package init(atMs: Int64? = nil, totalMs: Int64 = 0) {
        self.atMs = atMs
        self.totalMs = totalMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field(
            "at_ms", &atMs, "The first millisecond that reaches it, UTC; absent: nothing known reaches it.")
        try visitor.field("total_ms", &totalMs, "Use counted up to the instant that was told.")
    }
}

/// Counts thresholds that were told anew, with all use that is known now; what was told stays told.
package enum MonitoringRecount: Method {
    package static let name = "monitoring.recount"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "Counts thresholds that were told anew, with all use that is known now; what was told stays told."

    package struct Params: Record {
        package static var title: String { "monitoring.recount.params" }
        package var callbacks: [ActivityCallback] = []

        package init() {}
        package init(callbacks: [ActivityCallback] = []) { self.callbacks = callbacks }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field(
                "callbacks", &callbacks,
                "As they were told; up to 1000. Only eventDidReachThreshold has a definition to count.")
        }
    }

    package struct Result: Record {
        package static var title: String { "monitoring.recount.result" }
        package var recounted: [RecountedCallback] = []

        package init() {}
        package init(recounted: [RecountedCallback] = []) { self.recounted = recounted }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("recounted", &recounted, "In the order of the question.")
        }
    }
}
