import Contract
import JSON

/// `GET /api/openapi.json`: the API as an OpenAPI 3.1 document, made from the contract. Its schemas are those
/// of docs/contract.
enum OpenAPI {
    static let path = API.path + "openapi.json"

    static func answer(_ request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(
            Packed(document().encoded(), isText: true), type: "application/json", caching: "no-cache",
            to: request)
    }

    static func document() -> JSONValue {
        var builder = SchemaBuilder(prefix: "#/components/schemas/")
        let problem = builder.record(Problem.self)
        let paths = API.methods.sorted { $0.name < $1.name }.map { method in
            (key: API.path + method.name, value: JSONValue.object([("post", operation(method, &builder))]))
        }
        let session = sessionPaths(&builder) + [appPath(&builder)]
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "screentime console", "version": .string(Registry.version),
                "description": .string(prose),
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "security": [["session": [], "csrf": []]],
            "paths": .object(session + paths),
            "components": [
                "securitySchemes": [
                    "session": [
                        "type": "apiKey", "in": "cookie", "name": "screentime_session_PORT",
                        "description": "Set by POST /session; PORT is the console's port.",
                    ],
                    "csrf": [
                        "type": "apiKey", "in": "header", "name": "X-CSRF-Token",
                        "description": "The member csrf of the answer to POST /session and GET /session.",
                    ],
                ],
                "responses": [
                    "problem": [
                        "description":
                            "A refusal (RFC 9457); the title is of x-errors (asyncapi.json) or x-refusals.",
                        "content": ["application/problem+json": ["schema": problem]],
                    ]
                ],
                "schemas": .object(builder.definitions.map { (key: $0.0, value: $0.1) }),
            ],
            "x-refusals": .object(ConsoleRefusal.allCases.map { ($0.rawValue, .integer(Int64($0.status))) }),
        ]
    }

    private static let prose = """
        The methods of the bus that the console's pages use, over HTTP on loopback. Sign in with POST \
        /session and the ticket of `screentime open --print`. A POST needs the header Origin with the \
        console's own origin, and Content-Type application/json. The contract (asyncapi.json) says what a \
        method does and who may call it.
        """

    private static func sessionPaths(_ builder: inout SchemaBuilder) -> [(key: String, value: JSONValue)] {
        let begin: JSONValue = [
            "operationId": "session.begin", "summary": "Signs in with a ticket, which is good once.",
            "security": [],
            "requestBody": body(builder.record(SignIn.self), isRequired: true),
            "responses": responses(builder.record(SignedIn.self)),
        ]
        let read: JSONValue = [
            "operationId": "session.read", "summary": "Who is signed in, and what they may do.",
            "security": [["session": []]], "responses": responses(builder.record(SessionDescription.self)),
        ]
        let end: JSONValue = [
            "operationId": "session.end", "summary": "Signs out.",
            "responses": ["204": ["description": "Signed out."], "default": refusal],
        ]
        return [
            ("/session", .object([("post", begin), ("get", read)])),
            ("/session/end", .object([("post", end)])),
        ]
    }

    private static func appPath(_ builder: inout SchemaBuilder) -> (key: String, value: JSONValue) {
        let run: JSONValue = [
            "operationId": .string(AppRun.name), "summary": .string(AppRun.summary),
            "requestBody": body(builder.record(AppRun.self), isRequired: true),
            // What a command prints is the app's, see docs/commands.md.
            "responses": responses([:]), "x-effect": "write", "x-access": "person",
        ]
        return (API.path + AppRun.name, .object([("post", run)]))
    }

    private static func operation(_ method: any Call.Type, _ builder: inout SchemaBuilder) -> JSONValue {
        opened(method, &builder)
    }

    private static func opened<M: Call>(_ method: M.Type, _ builder: inout SchemaBuilder) -> JSONValue {
        let params = builder.record(M.Params.self)
        let isRequired = builder.definitions.first { $0.0 == M.Params.title }?.1["required"] != nil
        var members: [(key: String, value: JSONValue)] = [
            ("operationId", .string(M.name)), ("summary", .string(M.summary)),
            ("requestBody", body(params, isRequired: isRequired)),
            ("responses", responses(builder.record(M.Result.self))),
            ("x-effect", .string(M.effect.rawValue)), ("x-access", .string(M.access.rawValue)),
        ]
        if let parameters = parameters(method) { members.append(("parameters", parameters)) }
        return .object(members)
    }

    private static func parameters(_ method: any Call.Type) -> JSONValue? {
        let owners = Addressee.all(of: method)
        var parameters: [JSONValue] = []
        if owners.count > 1 {
            parameters.append([
                "name": "service", "in": "query", "required": true,
                "description": "Whom to ask: every service has this method.",
                "schema": ["type": "string", "enum": .array(owners.map { .string($0) })],
            ])
        }
        if method.effect == .write {
            parameters.append([
                "name": "Idempotency-Key", "in": "header", "required": false,
                "description": "Unique to the attempt: a repetition with the same key is done once.",
                "schema": ["type": "string"],
            ])
        }
        return parameters.isEmpty ? nil : .array(parameters)
    }

    private static func body(_ schema: JSONValue, isRequired: Bool) -> JSONValue {
        ["required": .bool(isRequired), "content": ["application/json": ["schema": schema]]]
    }

    private static let refusal: JSONValue = ["$ref": "#/components/responses/problem"]

    private static func responses(_ schema: JSONValue) -> JSONValue {
        [
            "200": ["description": "The result.", "content": ["application/json": ["schema": schema]]],
            "default": refusal,
        ]
    }
}
