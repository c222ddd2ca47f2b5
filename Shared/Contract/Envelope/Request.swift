package import JSON
package import Units

/// A JSON-RPC 2.0 request with extra members. `params` stays raw until the method is known.
@Record
package struct Request: Record {
    /// Always "2.0".
    package var jsonrpc: String = "2.0"
    /// Unique among the caller's open requests; absent for a notification.
    ///
    /// A string or an integer, returned unchanged in the answer. A notification is never answered.
    package var id: RawJSON?
    /// A method of this contract.
    package var method: String = ""
    /// W3C trace context of the caller's span.
    package var traceparent: String?
    /// Milliseconds from receipt, 1 to 3600000; default 5000.
    ///
    /// It is measured on the monotonic clock.
    @Field(name: "deadline") package var deadline: Milliseconds?
    /// For writes: the owner stores key and answer for 24 h, and a repeated request gets the same answer.
    package var idempotencyKey: String?
    /// Bundle id of the client the caller speaks for; absent: the person.
    package var client: String?
    /// Wait until these events, up to 16, have been applied.
    package var notBefore: [Position]?
    /// An object; its members depend on the method.
    package var params: RawJSON?
}

/// A position in the log of a service.
@Record
package struct Position: Record {
    /// The owner of the log.
    package var service: ServiceName = ServiceName.auth
    /// Sequence in it, from 1.
    package var sequence: Int64 = 0

    /// The event `sequence` in the log of `service`.
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
    /// The method's result; set on success.
    package var result: RawJSON?
    /// The error; set on refusal.
    package var error: ErrorObject?
}
