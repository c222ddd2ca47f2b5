internal import Contract
internal import JSON

/// One message of the contract: its name, its purpose and its schema.
struct Message: Sendable {
    /// For example `usage.observe.request`; names the schema's file and the component.
    let name: String
    let summary: String
    /// Returns the schema and adds the records it refers to to the builder.
    let schema: @Sendable (inout SchemaBuilder) -> JSONValue

    /// All messages, in the order of the registry.
    static var all: [Message] {
        Registry.calls.flatMap { [request($0), answer($0)] } + Registry.events.map { event($0) }
            + [syncHead, span, refusal]
    }

    /// The schema as a separate file, JSON Schema 2020-12.
    var standaloneSchema: JSONValue {
        var builder = SchemaBuilder()
        let body = schema(&builder).objectValue ?? []
        let head: [(key: String, value: JSONValue)] = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("$id", .string("urn:screentime:contract:\(Registry.version):\(name)")),
        ]
        return .object(head + body + [("$defs", Self.components(of: builder))])
    }

    static func components(of builder: SchemaBuilder) -> JSONValue {
        .object(builder.definitions.map { (key: $0.0, value: $0.1) })
    }

    // MARK: the kinds of messages

    static func request(_ method: any Call.Type) -> Message { opened(request: method) }
    static func answer(_ method: any Call.Type) -> Message { opened(answer: method) }
    static func event(_ event: any EventData.Type) -> Message { opened(event: event) }

    private static func opened<M: Call>(request method: M.Type) -> Message {
        Message(name: M.name + ".request", summary: M.summary) { builder in
            let params = builder.record(M.Params.self)
            let needsParams = builder.definitions.first { $0.0 == M.Params.title }?.1["required"] != nil
            var required: [JSONValue] = ["jsonrpc", "method"]
            if M.effect == .write { required.append("idempotency_key") }
            if needsParams { required.append("params") }
            return [
                "title": .string(M.name + ".request"), "description": .string(M.summary),
                "allOf": [builder.record(Request.self)],
                "properties": [
                    "jsonrpc": ["const": "2.0"], "id": ["type": ["string", "integer"]],
                    "method": ["const": .string(M.name)], "params": params,
                ],
                "required": .array(required),
            ]
        }
    }

    private static func opened<M: Call>(answer method: M.Type) -> Message {
        Message(name: M.name + ".answer", summary: "The answer to \(M.name): a result or an error.") {
            builder in
            [
                "title": .string(M.name + ".answer"), "allOf": [builder.record(Answer.self)],
                "properties": [
                    "jsonrpc": ["const": "2.0"], "id": ["type": ["string", "integer", "null"]],
                    "result": builder.record(M.Result.self),
                ],
                "required": ["jsonrpc", "id"],
                "oneOf": [["required": ["result"]], ["required": ["error"]]],
            ]
        }
    }

    private static func opened<E: EventData>(event: E.Type) -> Message {
        Message(name: E.type + ".event", summary: E.summary) { builder in
            [
                "title": .string(E.type + ".event"), "description": .string(E.summary),
                "allOf": [builder.record(EventHead.self)],
                "properties": [
                    "specversion": ["const": "1.0"], "type": ["const": .string(E.type)],
                    "data": [
                        "anyOf": [builder.record(E.self), ["type": "null"]],
                        "description": "Absent or null when personal data was deleted; the sequence stays.",
                    ],
                ],
            ]
        }
    }

    static let syncHead = Message(
        name: "sync.head", summary: "The present end of a service's log."
    ) {
        ["title": "sync.head", "allOf": [$0.record(SyncHead.self)]]
    }
    static let span = Message(name: "trace.span", summary: "One span; sent only to present subscribers.") {
        ["title": "trace.span", "allOf": [$0.record(Span.self)]]
    }
    static let refusal = Message(
        name: "refusal.answer",
        summary: "The answer to a message that is no request: an error, with id null if it is unknown."
    ) {
        [
            "title": "refusal.answer", "allOf": [$0.record(Answer.self)],
            "properties": ["id": ["type": ["string", "integer", "null"]]],
            "required": ["jsonrpc", "id", "error"],
        ]
    }
}
