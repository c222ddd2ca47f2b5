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

/// One message handled, one message sent, or one piece of work, by one service.
@Record
package struct Span: Record {
    /// 32 hex digits.
    package var traceID: String = ""
    /// 16 hex digits.
    package var spanID: String = ""
    /// 16 hex digits; absent: the root.
    package var parentID: String?
    /// The process that did it.
    package var service: String = ""
    /// Method, event type or work.
    package var name: String = ""
    /// What it was.
    package var kind: SpanKind = .internal
    /// UTC milliseconds.
    package var start: Instant = 0
    /// Microseconds, on the monotonic clock.
    package var durationUs: Int64 = 0
    /// ok, or the name of the error.
    package var outcome: String = "ok"
    /// Figures of the span: sequence, pid, counts; never private words.
    package var numbers: [Counter]?
    /// What it was about, if it is not private: an app's id, a store's name, a callback.
    package var subject: String?
}

/// The last spans a service keeps; every service answers it.
@Method("trace.read", of: .auth, .read, for: .person)
package enum TraceRead: Method {
    @Record("trace.read.params")
    package struct Params: Record {
        /// Only this trace.
        package var traceID: String?
        /// At most so many of the newest; default all kept.
        package var limit: Int64?
    }

    @Record("trace.read.result")
    package struct Result: Record {
        /// Oldest first.
        package var spans: [Span] = []
    }
}
