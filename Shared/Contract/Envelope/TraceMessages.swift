package import JSON

/// OpenTelemetry's span kinds.
package enum SpanKind: String, NameEnum {
    case server
    case client
    case producer
    case consumer
    case `internal`
}

/// One message handled, one message sent, or one piece of work, by one service.
package struct Span: Record {
    package var traceID = ""
    package var spanID = ""
    package var parentID: String?
    package var service = ""
    package var name = ""
    package var kind: SpanKind = .internal
    package var startMs: Int64 = 0
    package var durationUs: Int64 = 0
    package var outcome = "ok"
    package var numbers: [Counter]?
    package var subject: String?

    package init() {}
    package init(
        traceID: String = "", spanID: String = "", parentID: String? = nil, service: String = "",
        name: String = "", kind: SpanKind = .internal, startMs: Int64 = 0, durationUs: Int64 = 0,
        outcome: String = "ok", numbers: [Counter]? = nil, subject: String? = nil
    ) {
        self.traceID = traceID
        self.spanID = spanID
        self.parentID = parentID
        self.service = service
        self.name = name
        self.kind = kind
        self.startMs = startMs
        self.durationUs = durationUs
        self.outcome = outcome
        self.numbers = numbers
        self.subject = subject
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("trace_id", &traceID, "32 hex digits.")
        try visitor.field("span_id", &spanID, "16 hex digits.")
        try visitor.field("parent_id", &parentID, "16 hex digits; absent: the root.")
        try visitor.field("service", &service, "The process that did it.")
        try visitor.field("name", &name, "Method, event type or work.")
        try visitor.field("kind", &kind, "What it was.")
        try visitor.field("start_ms", &startMs, "UTC milliseconds.")
        try visitor.field("duration_us", &durationUs, "Microseconds, on the monotonic clock.")
        try visitor.field("outcome", &outcome, "ok, or the name of the error.")
        try visitor.field(
            "numbers", &numbers,
            "Figures of the span: sequence, pid, counts; never private words.")
        try visitor.field(
            "subject", &subject,
            "What it was about, if it is not private: an app's id, a store's name, a callback.")
    }
}

/// The last spans a service keeps; every service answers it.
package enum TraceRead: Method {
    package static let name = "trace.read"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "The last spans a service keeps; every service answers it."

    package struct Params: Record {
        package static var title: String { "trace.read.params" }
        package var traceID: String?
        package var limit: Int64?

        package init() {}
        package init(
            traceID: String? = nil, limit: Int64? = nil
        ) {
            self.traceID = traceID
            self.limit = limit
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("trace_id", &traceID, "Only this trace.")
            try visitor.field("limit", &limit, "At most so many of the newest; default all kept.")
        }
    }

    package struct Result: Record {
        package static var title: String { "trace.read.result" }
        package var spans: [Span] = []

        package init() {}
        package init(
            spans: [Span] = []
        ) {
            self.spans = spans
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("spans", &spans, "Oldest first.")
        }
    }
}
