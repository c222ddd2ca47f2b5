package import JSON

/// A JSON-RPC 2.0 request with our extra members. `params` stays raw until the method is known.
package struct Request: Record {
    package var jsonrpc = "2.0"
    /// String or integer, echoed as it came. Absent: a notification, never answered.
    package var id: RawJSON?
    package var method = ""
    package var traceparent: String?
    /// Milliseconds left for the caller, counted from receipt on the monotonic clock.
    package var deadline: Int64?
    package var idempotencyKey: String?
    /// Bundle id of the client the caller speaks for; absent: the person of the uid.
    package var client: String?
    package var notBefore: [Position]?
    package var params: RawJSON?

    package init() {}
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("jsonrpc", &jsonrpc, "Always \"2.0\".")
        try visitor.field("id", &id, "Unique among the caller's open requests; absent for a notification.")
        try visitor.field("method", &method, "A method of this contract.")
        try visitor.field("traceparent", &traceparent, "W3C trace context of the caller's span.")
        try visitor.field(
            "deadline", &deadline, "Milliseconds left, from receipt; 1 to 3600000, default 5000.")
        try visitor.field(
            "idempotency_key", &idempotencyKey,
            "For writes: the owner keeps key and answer for 24 h, a repeat gets the same answer.")
        try visitor.field("client", &client, "Bundle id of the client spoken for; absent: the person.")
        try visitor.field(
            "not_before", &notBefore, "Wait until these events, up to 16, have been taken in.")
        try visitor.field("params", &params, "An object, as the method says.")
    }
}

/// A point in a source's log.
package struct Position: Record {
    package var service = ServiceName.auth
    package var sequence: Int64 = 0

    package init() {}
    package init(_ service: ServiceName, _ sequence: Int64) {
        self.service = service
        self.sequence = sequence
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("service", &service, "The owner of the log.")
        try visitor.field("sequence", &sequence, "Sequence in it, from 1.")
    }
}

/// A JSON-RPC 2.0 answer: exactly one of `result` and `error`.
package struct Answer: Record {
    package var jsonrpc = "2.0"
    package var id: RawJSON?
    package var result: RawJSON?
    package var error: ErrorObject?

    package init() {}
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("jsonrpc", &jsonrpc, "Always \"2.0\".")
        try visitor.field("id", &id, "The request's id; null when it could not be read.")
        try visitor.field("result", &result, "On success.")
        try visitor.field("error", &error, "On refusal.")
    }
}
