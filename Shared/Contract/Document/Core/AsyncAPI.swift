internal import Contract
internal import JSON

/// The AsyncAPI 3.0 document, from the perspective of a client: `send` is what a client sends, `receive` what
/// it receives. AsyncAPI has no ZeroMQ binding, so `x-` members and the text describe the sockets.
enum AsyncAPI {
    typealias Members = [(key: String, value: JSONValue)]

    static func document() -> JSONValue {
        var builder = SchemaBuilder(prefix: "#/components/schemas/")
        let messages = Message.all.map { message in
            (key: message.name, value: component(message, message.schema(&builder)))
        }
        return [
            "asyncapi": "3.0.0",
            "id": "urn:screentime:contract",
            "info": [
                "title": "screentime", "version": .string(Registry.version),
                "description": .string(Prose.text),
                "license": ["name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"],
            ],
            "defaultContentType": "application/json",
            "servers": .object(ServiceName.startOrder.flatMap(servers) + agents.map(requestServer)),
            "channels": .object(
                ServiceName.startOrder.map { requestChannel($0.rawValue, methods(of: $0)) }
                    + agents.map { requestChannel($0, Extensions.methods(ofAgent: $0)) }
                    + Registry.events.map(eventChannel) + [sync, trace]),
            "operations": .object(
                ServiceName.startOrder.flatMap { requests($0.rawValue, methods(of: $0)) }
                    + agents.flatMap { requests($0, Extensions.methods(ofAgent: $0)) }
                    + Registry.events.map(following) + [syncOperation, traceOperation]),
            "components": ["messages": .object(messages), "schemas": Message.components(of: builder)],
            "x-zeromq": Extensions.sockets,
            "x-services": Extensions.services,
            "x-hands": Extensions.hands,
            "x-errors": Extensions.errors,
            "x-counters": Extensions.counters,
            "x-access": Extensions.access,
            "x-limits": Extensions.limits,
        ]
    }

    private static func component(_ message: Message, _ payload: JSONValue) -> JSONValue {
        [
            "name": .string(message.name), "summary": .string(message.summary),
            "contentType": "application/json", "payload": payload,
        ]
    }

    /// The agents that have methods of their own.
    private static let agents = [AgentName.desktopAgent, AgentName.shieldCover, AgentName.console]

    // MARK: where

    private static func servers(_ service: ServiceName) -> Members {
        [
            requestServer(service.rawValue),
            server(
                service.rawValue, "events", "Events of \(service.rawValue): CloudEvents 1.0.", binds: "XPUB",
                connect: ["SUB"]),
        ]
    }

    private static func requestServer(_ name: String) -> (key: String, value: JSONValue) {
        server(
            name, "requests", "Requests to \(name): JSON-RPC 2.0.", binds: "ROUTER",
            connect: ["DEALER", "REQ"])
    }

    private static func server(
        _ name: String, _ door: String, _ description: String, binds: String, connect: JSONValue
    ) -> (key: String, value: JSONValue) {
        let path = "{runtime_directory}/\(name).\(door)"
        return (
            "\(name)-\(door)",
            [
                "host": "localhost", "protocol": "zeromq-ipc", "protocolVersion": "ZMTP 3.0",
                "pathname": .string(path), "description": .string(description),
                "variables": [
                    "runtime_directory": [
                        "default": "/run/screentime",
                        "description": .string(
                            "$SCREENTIME_RUNTIME_DIR, else $XDG_RUNTIME_DIR/screentime, else "
                                + "/run/screentime; absolute."),
                    ]
                ],
                "x-endpoint": .string("ipc://" + path), "x-service": .string(name),
                "x-bound-socket": .string(binds), "x-connect-with": connect,
            ]
        )
    }

    private static func reference(_ path: String) -> JSONValue { ["$ref": .string("#/" + path)] }
    private static func server(_ name: String, _ door: String) -> JSONValue {
        reference("servers/\(name)-\(door)")
    }
    private static func messages(_ names: [String]) -> JSONValue {
        .object(names.map { ($0, reference("components/messages/\($0)")) })
    }

    // MARK: requests

    private static func methods(of service: ServiceName) -> [any Call.Type] {
        Registry.commonMethods + Registry.methods.filter { $0.owner == service }
    }

    private static func requestChannel(
        _ name: String, _ methods: [any Call.Type]
    ) -> (key: String, value: JSONValue) {
        let names =
            methods.flatMap { [$0.name + ".request", $0.name + ".answer"] } + ["refusal.answer"]
        return (
            name + ".requests",
            [
                "address": nil, "description": .string("Methods of \(name)."),
                "servers": [server(name, "requests")], "messages": messages(names),
            ]
        )
    }

    private static func requests(_ name: String, _ methods: [any Call.Type]) -> Members {
        methods.map { method in
            let isCommon = Registry.commonMethods.contains { $0.name == method.name }
            let channel = "channels/\(name).requests"
            let body: JSONValue = [
                "action": "send", "channel": reference(channel), "summary": .string(method.summary),
                "messages": [reference("\(channel)/messages/\(method.name).request")],
                "reply": [
                    "channel": reference(channel),
                    "messages": [reference("\(channel)/messages/\(method.name).answer")],
                ],
                "x-method": .string(method.name), "x-service": .string(name),
                "x-effect": .string(method.effect.rawValue), "x-access": .string(method.access.rawValue),
            ]
            return ((isCommon ? name + "." : "") + method.name, body)
        }
    }

    // MARK: events

    private static func eventChannel(_ event: any EventData.Type) -> (key: String, value: JSONValue) {
        (
            event.type,
            [
                "address": .string(event.type), "description": .string(event.summary),
                "servers": [server(event.owner.rawValue, "events")],
                "messages": messages([event.type + ".event"]),
                "x-access": "anyone",
            ]
        )
    }

    private static func following(_ event: any EventData.Type) -> (key: String, value: JSONValue) {
        let channel = "channels/\(event.type)"
        return (
            event.type,
            [
                "action": "receive", "channel": reference(channel), "summary": .string(event.summary),
                "messages": [reference("\(channel)/messages/\(event.type).event")],
                "x-service": .string(event.owner.rawValue), "x-access": "anyone",
            ]
        )
    }

    // MARK: topics that are no events

    private static let everywhere = JSONValue.array(
        ServiceName.startOrder.map { server($0.rawValue, "events") })

    private static let sync: (key: String, value: JSONValue) = (
        "sync",
        [
            "address": "~sync.{id}",
            "description": "A subscription requests the head of the service's log.",
            "servers": everywhere, "messages": messages(["sync.head"]),
            "parameters": [
                "id": ["description": "New for each request, for example 16 random hex digits."]
            ],
            "x-access": "anyone",
        ]
    )
    private static let trace: (key: String, value: JSONValue) = (
        "trace",
        [
            "address": "~trace", "description": "Spans of a service, sent as they end.",
            "servers": everywhere, "messages": messages(["trace.span"]), "x-access": "anyone",
        ]
    )
    private static let syncOperation = receive(
        "sync", "sync.head", "The head of a log, once per subscription.")
    private static let traceOperation = receive(
        "trace", "trace.span", "Spans as they end; none is stored for later subscribers.")

    private static func receive(
        _ channel: String, _ message: String, _ summary: String
    ) -> (key: String, value: JSONValue) {
        (
            channel,
            [
                "action": "receive", "channel": reference("channels/\(channel)"),
                "summary": .string(summary),
                "messages": [reference("channels/\(channel)/messages/\(message)")],
                "x-access": "anyone",
            ]
        )
    }
}
