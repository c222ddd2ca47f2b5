package import Contract
package import JSON
package import Loop

/// The address of a peer for an answer.
package struct Route: Sendable {
    /// The routing id of the connection (zmq_socket(3), ROUTER).
    package let identity: [UInt8]
    /// Whether the peer is a REQ socket, which separates its routing id from the body.
    var hasDelimiter: Bool
    /// The peer's pid by the kernel; 0 while it is not known.
    var pid: Int32 = 0
    var connection: Connection?

    /// The address of a peer without a delimiter.
    package init(identity: [UInt8], pid: Int32, connection: Connection?) {
        self.init(identity: identity, hasDelimiter: false)
        self.pid = pid
        self.connection = connection
    }

    init(identity: [UInt8], hasDelimiter: Bool) {
        self.identity = identity
        self.hasDelimiter = hasDelimiter
    }
}

/// The answer to one request. Call exactly one of its functions, once.
@LoopActor package final class Reply {
    private let server: RequestServer
    let route: Route
    let id: RawJSON?
    let batch: BatchAnswer?
    var span: StartedSpan?
    /// The request while it counts as open; nil if there was no room for it.
    var open: OpenRequest?

    init(server: RequestServer, route: Route, id: RawJSON?, batch: BatchAnswer?) {
        self.server = server
        self.route = route
        self.id = id
        self.batch = batch
    }

    /// - Parameter result: one JSON value.
    package func succeed(_ result: [UInt8]) { succeed(about: result.count) { $0.raw(result) } }

    /// - Parameters:
    ///   - count: about how many bytes are written.
    ///   - write: writes one JSON value, the result.
    package func succeed(about count: Int = 448, _ write: (inout JSONWriter) -> Void) {
        guard let id else { return server.finish(self, nil, outcome: "ok") }
        var writer = JSONWriter(capacity: count + 64)
        writer.beginObject()
        writer.key("jsonrpc")
        writer.string("2.0")
        writer.key("id")
        id.write(&writer)
        writer.key("result")
        write(&writer)
        writer.endObject()
        let bytes = writer.finish()
        guard bytes.count <= Limits.messageBytesMax else {
            fail(
                ServiceError(
                    .limitExceeded, "the answer has more than \(Limits.messageBytesMax) bytes",
                    remedy: "Request less at once, for example by a smaller limit."))
            return
        }
        server.finish(self, bytes, outcome: "ok")
    }

    /// Answers with an error.
    package func fail(_ error: ServiceError) {
        server.finish(
            self, id.map { RequestParser.refusal($0, error) }, outcome: error.name.rawValue)
    }
}

/// A reply whose result type is known.
@LoopActor package struct TypedReply<M: Call> {
    private let reply: Reply
    init(_ reply: Reply) { self.reply = reply }

    /// Answers with a result.
    package func succeed(_ result: M.Result) { reply.succeed { result.encode(into: &$0) } }
    /// - Parameter encoded: the bytes of an `M.Result`, for example the stored answer to a repeated write.
    package func succeed(encoded: [UInt8]) { reply.succeed(encoded) }
    /// - Parameters:
    ///   - count: about how many bytes are written.
    ///   - write: writes an `M.Result`.
    package func succeed(about count: Int, _ write: (inout JSONWriter) -> Void) {
        reply.succeed(about: count, write)
    }
    /// Answers with an error.
    package func fail(_ error: ServiceError) { reply.fail(error) }
    /// - Parameter result: the bytes of an `M.Result`, or the error.
    package func end(_ result: Swift.Result<[UInt8], ServiceError>) {
        switch result {
        case .success(let bytes): reply.succeed(bytes)
        case .failure(let error): reply.fail(error)
        }
    }
}
