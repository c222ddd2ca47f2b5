internal import Contract
internal import JSON

/// Parses bytes as JSON-RPC 2.0 requests, sections 4 to 6.
enum RequestParser {
    enum Parsed {
        case one(Request)
        case batch([BatchEntry])
        case refused(RefusalReason, answer: [UInt8])
    }

    enum BatchEntry {
        case valid(Request)
        case invalid(answer: [UInt8])

        var expectsAnswer: Bool {
            switch self {
            case .valid(let request): request.id != nil
            case .invalid: true
            }
        }
    }

    static func parse(_ bytes: UnsafeRawBufferPointer) -> Parsed {
        let start = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
        if start == UInt8(ascii: "[") { return parseBatch(bytes) }
        do {
            let request = try Request.decodeStrictly(bytes)
            if let fault = fault(request) {
                return .refused(.invalidRequest, answer: refusal(request.id, fault))
            }
            return .one(request)
        } catch {
            return refuse(bytes, error)
        }
    }

    /// Bytes that are not JSON give parseError; JSON that is not a request gives invalidRequest.
    private static func refuse(_ bytes: UnsafeRawBufferPointer, _ error: JSONError) -> Parsed {
        do {
            let value = try RawJSON.decode(bytes)
            let fault = ServiceError(
                .invalidRequest, "not a JSON-RPC 2.0 request: \(error.message)",
                remedy: "Send an object with jsonrpc, id, method and params.")
            return .refused(.invalidRequest, answer: refusal(idOf(value), fault))
        } catch {
            let fault = ServiceError(
                .parseError, "not valid JSON by RFC 8259: \(error.message)",
                remedy: "Send one UTF-8 JSON value without byte order mark, duplicate keys or trailing bytes."
            )
            return .refused(.invalidJSON, answer: refusal(nil, fault))
        }
    }

    /// The id of a malformed request, if it has one.
    private static func idOf(_ value: RawJSON) -> RawJSON? {
        // Not an object, or without an id: answered with id null, as section 5 requires.
        guard let decoded = try? JSONValue.decode(value.bytes), let id = decoded["id"] else { return nil }
        switch id {
        case .string, .integer: return RawJSON(encoding: id)
        default: return nil
        }
    }

    private static func parseBatch(_ bytes: UnsafeRawBufferPointer) -> Parsed {
        let values: [RawJSON]
        do throws(JSONError) { values = try [RawJSON].decode(bytes) } catch { return refuse(bytes, error) }
        guard !values.isEmpty, values.count <= Limits.requestsPerBatchMax else {
            let fault = ServiceError(
                .invalidRequest,
                "a batch has 1 to \(Limits.requestsPerBatchMax) requests, this one has \(values.count)",
                remedy: "Send fewer requests at once.")
            return .refused(.invalidRequest, answer: refusal(nil, fault))
        }
        return .batch(values.map { value in value.bytes.withUnsafeBytes(batchEntry) })
    }

    private static func batchEntry(_ bytes: UnsafeRawBufferPointer) -> BatchEntry {
        switch parse(bytes) {
        case .one(let request): return .valid(request)
        case .refused(_, let answer): return .invalid(answer: answer)
        case .batch:
            let fault = ServiceError(
                .invalidRequest, "a batch inside a batch", remedy: "Send one flat array.")
            return .invalid(answer: refusal(nil, fault))
        }
    }

    private static func fault(_ request: Request) -> ServiceError? {
        let wrong: String
        if request.jsonrpc != "2.0" {
            wrong = "jsonrpc is not \"2.0\""
        } else if let id = request.id, !isLegal(id) {
            wrong = "the id is neither a string nor an integer"
        } else if let key = request.idempotencyKey, !isKey(key) {
            wrong = "idempotency_key has \(key.utf8.count) bytes, 1 to \(Limits.nameBytesMax) are allowed"
        } else if let client = request.client, !VisibleText.isName(client) {
            wrong =
                "client has \(client.utf8.count) bytes, or invisible characters; 1 to "
                + "\(Limits.nameBytesMax) bytes of visible text are allowed"
        } else if let deadline = request.deadline, deadline < 1 || deadline > Limits.requestDeadlineMax {
            wrong = "deadline is \(deadline), 1 to \(Limits.requestDeadlineMax) milliseconds are allowed"
        } else if let positions = request.notBefore, positions.count > Limits.positionsPerRequestMax {
            wrong =
                "not_before has \(positions.count) positions, "
                + "\(Limits.positionsPerRequestMax) are allowed"
        } else {
            return nil
        }
        return ServiceError(.invalidRequest, wrong, remedy: "See Request in the contract.")
    }

    static func isKey(_ key: String) -> Bool { (1...Limits.nameBytesMax).contains(key.utf8.count) }

    static func isLegal(_ id: RawJSON) -> Bool {
        guard let first = id.bytes.first, id.bytes.count <= Limits.nameBytesMax else { return false }
        if first == UInt8(ascii: "\"") { return true }
        return id.bytes.allSatisfy { $0 == UInt8(ascii: "-") || (48...57).contains($0) }
    }

    /// The bytes of an error answer. If `id` is nil, it is written as null.
    static func refusal(_ id: RawJSON?, _ error: ServiceError) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("jsonrpc")
        writer.string("2.0")
        writer.key("id")
        if let id { id.write(&writer) } else { writer.null() }
        writer.key("error")
        ErrorObject(error).write(&writer)
        writer.endObject()
        return writer.bytes
    }
}
