package import JSON
package import Units

/// A JSON-RPC 2.0 request with our extra members. `params` stays raw until the method is known.
@Record
package struct Request: Record {
    /// Always "2.0".
    package var jsonrpc: String = "2.0"
    /// Unique among the caller's open requests; absent for a notification.
    ///
    /// String or integer, echoed as it came. Absent: a notification, never answered.
    package var id: RawJSON?
    /// A method of this contract.
    package var method: String = ""
    /// W3C trace context of the caller's span.
    package var traceparent: String?
    /// Milliseconds left, from receipt; 1 to 3600000, default 5000.
    ///
    /// It is counted on the monotonic clock.
    @Field(name: "deadline") package var deadline: Milliseconds?
    /// For writes: the owner keeps key and answer for 24 h, a repeat gets the same answer.
    package var idempotencyKey: String?
    /// Bundle id of the client spoken for; absent: the person.
    ///
    /// Bundle id of the client the caller speaks for; absent: the person of the uid.
    package var client: String?
    /// Wait until these events, up to 16, have been taken in.
    package var notBefore: [Position]?
    /// An object, as the method says.
    package var params: RawJSON?
}

/// A point in a source's log.
@Record
package struct Position: Record {
    /// The owner of the log.
    package var service: ServiceName = ServiceName.auth
    /// Sequence in it, from 1.
    package var sequence: Int64 = 0

    package init(_ service: ServiceName, _ sequence: Int64) {
        self.service = service
        self.sequence = sequence
    }
}

/// A JSON-RPC 2.0 answer: exactly one of `result` and `error`.
@Record
package struct Answer: Record {
    /// Always "2.0".
    package var jsonrpc: String = "2.0"
    /// The request's id; null when it could not be read.
    package var id: RawJSON?
    /// On success.
    package var result: RawJSON?
    /// On refusal.
    package var error: ErrorObject?
}
