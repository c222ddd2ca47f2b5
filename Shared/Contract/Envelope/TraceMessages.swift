package import JSON
package import Units

/// OpenTelemetry's span kinds.
package enum SpanKind: String, NameEnum {
    case server
    case client
    case producer
    case consumer
    case `internal`
}

/// A span of one service: a message handled, a message sent, or a piece of work.
@Record
package struct Span: Record {
    /// 32 hex digits.
    package var traceID: String = ""
    /// 16 hex digits.
    package var spanID: String = ""
    /// 16 hex digits; absent for the root span.
    package var parentID: String?
    /// Name of the process.
    package var service: String = ""
    /// Method, event type or kind of work.
    package var name: String = ""
    /// Kind of the span.
    package var kind: SpanKind = .internal
    /// Start, UTC milliseconds.
    package var start: Instant = 0
    /// Duration in microseconds, measured on the monotonic clock.
    package var durationUs: Int64 = 0
    /// ok, or the name of the error.
    package var outcome: String = "ok"
    /// Numbers that describe it: sequence, pid, counts; nothing private.
    package var numbers: [Counter]?
    /// What it was about, unless that is private: an app's id, a store's name, a callback.
    package var subject: String?
}

/// Reads the last spans that a service keeps in memory; every service implements it.
@Method("trace.read", of: .auth, .read, for: .person)
package enum TraceRead: Method {
    /// Filter, and the number of spans.
    @Record("trace.read.params")
    package struct Params: Record {
        /// Only this trace.
        package var traceID: String?
        /// Maximum number, counted from the newest; default all.
        package var limit: Int64?
    }

    /// The spans.
    @Record("trace.read.result")
    package struct Result: Record {
        /// Oldest first.
        package var spans: [Span] = []
    }
}
