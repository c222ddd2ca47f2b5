internal import Contract
internal import JSON
internal import Units

/// A request without its method and its parameters.
struct RequestHead {
    /// Nil for a notification.
    private(set) var id: RawJSON?
    /// Nil if the request has none, or an invalid one.
    private(set) var trace: TraceContext?
    private(set) var deadline: Milliseconds?
    private(set) var idempotencyKey: String?
    private(set) var client: String?
    private(set) var notBefore: [Position] = []

    private init() {}

    init(_ request: Request) {
        id = request.id
        trace = request.traceparent.flatMap { TraceContext($0) }
        deadline = request.deadline
        idempotencyKey = request.idempotencyKey
        client = request.client
        notBefore = request.notBefore ?? []
    }

    /// Reads a request up to its parameters, which `reader` reads next. Returns nil unless the
    /// members have the order of ``Request``, and nothing about them is unusual: any other message is read by
    /// ``RequestParser``, which alone refuses.
    /// - Returns: also the bytes of the method's name, borrowed from the message.
    static func read(_ reader: inout JSONReader) -> (head: RequestHead, method: UnsafeBufferPointer<UInt8>)? {
        reader.refusesUnknownFields = true
        var head = RequestHead()
        do {
            try reader.beginObject()
            guard reader.takeKey("jsonrpc"), let version = reader.plainString(), isTwo(version)
            else { return nil }
            if reader.takeKey("id") {
                let id = try RawJSON.decodeNext(&reader)
                guard RequestParser.isLegal(id) else { return nil }
                head.id = id
            }
            guard reader.takeKey("method"), let method = reader.plainString(),
                try head.readOptions(&reader), reader.takeKey("params"), !reader.isAtEnd
            else { return nil }
            return (head, method)
        } catch { return nil }
    }

    /// Reads the members between the method and the parameters. Returns false if one of them is not valid.
    private mutating func readOptions(_ reader: inout JSONReader) throws(JSONError) -> Bool {
        if reader.takeKey("traceparent") {
            guard let text = reader.plainString() else { return false }
            trace = TraceContext(text)
        }
        if reader.takeKey("deadline") {
            deadline = Milliseconds(try reader.integer(in: 1...Limits.requestDeadlineMax.count))
        }
        if reader.takeKey("idempotency_key") {
            let key = try reader.string()
            guard RequestParser.isKey(key) else { return false }
            idempotencyKey = key
        }
        if reader.takeKey("client") {
            let name = try reader.string()
            guard VisibleText.isName(name) else { return false }
            client = name
        }
        guard reader.takeKey("not_before") else { return true }
        notBefore = try [Position].decodeNext(&reader)
        return notBefore.count <= Limits.positionsPerRequestMax
    }

    private static func isTwo(_ version: UnsafeBufferPointer<UInt8>) -> Bool {
        version.count == 3 && version[0] == UInt8(ascii: "2") && version[1] == UInt8(ascii: ".")
            && version[2] == UInt8(ascii: "0")
    }
}
