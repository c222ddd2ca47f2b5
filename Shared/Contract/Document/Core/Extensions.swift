internal import Contract
internal import JSON
import Units

/// Facts that AsyncAPI cannot express, as machine-readable `x-` members.
enum Extensions {
    static let sockets: JSONValue = [
        "requests": [
            "connect_with": ["DEALER", "REQ"],
            "frames_sent": ["an empty frame, by REQ sockets only", "the request"],
            "frames_received": ["an empty frame, if one was sent", "the answer"],
        ],
        "events": [
            "connect_with": ["SUB"],
            "subscribe_to": "the types wanted, then ~sync.<id>; topics match by prefix",
            "frames_received": ["the topic", "the event, or the head on ~sync.<id>, or the span on ~trace"],
        ],
        "options": [
            "ZMQ_LINGER": 0, "ZMQ_IMMEDIATE": 1, "ZMQ_MAXMSGSIZE": .integer(Int64(Limits.messageBytesMax)),
            "ZMQ_RCVHWM": .integer(Int64(Limits.queuedMessagesMax)),
        ],
        "sync_topic_prefix": "~sync.",
        "trace_topic": "~trace",
    ]

    static var services: JSONValue {
        .object(
            ServiceName.startOrder.map { service in
                let owned = Registry.methods.filter { $0.owner == service }
                let methods = (Registry.commonMethods + owned).map { $0.name }
                return (
                    service.rawValue,
                    [
                        "requests": .string("ipc://{runtime_directory}/\(service.rawValue).requests"),
                        "events": .string("ipc://{runtime_directory}/\(service.rawValue).events"),
                        "methods": .array(methods.map { .string($0) }),
                        "event_types": .array(Registry.eventTypes(of: service).map { .string($0) }),
                    ]
                )
            })
    }

    /// Agents: processes that own no state and publish no events, but report their health.
    static let hands: JSONValue = .object(
        [AgentName.desktopAgent, AgentName.shieldCover, AgentName.console].map { agent in
            (
                agent,
                [
                    "requests": .string("ipc://{runtime_directory}/\(agent).requests"),
                    "events": .string("ipc://{runtime_directory}/\(agent).events"),
                    "methods": .array(methods(ofAgent: agent).map { .string($0.name) }), "event_types": [],
                ]
            )
        })

    /// The methods of an agent, without those of the virtual clock.
    static func methods(ofAgent agent: String) -> [any Call.Type] {
        [HealthCheck.self, TraceRead.self] + Registry.agentMethods.filter { $0.agent == agent }
    }

    static var errors: JSONValue {
        .array(
            ErrorName.allCases.map {
                ["name": .string($0.rawValue), "code": .integer($0.code), "description": .string($0.meaning)]
            })
    }

    static var counters: JSONValue {
        .object(RefusalReason.allCases.map { ($0.rawValue, .string($0.meaning)) })
    }

    static let access: JSONValue = [
        "anyone": "Any process of this uid, also on behalf of a client that is not authorized.",
        "authorizedClient": "The person of this uid, and clients that the person authorized for the member.",
        "person": "The person of this uid: a request without the member client.",
    ]

    static let limits: JSONValue = [
        "message_bytes_max": .integer(Int64(Limits.messageBytesMax)),
        "queued_messages_max": .integer(Int64(Limits.queuedMessagesMax)),
        "connections_per_process_max": .integer(Int64(Limits.connectionsPerProcessMax)),
        "connections_max": .integer(Int64(Limits.connectionsMax)),
        "unread_bytes_per_peer_max": .integer(Int64(Limits.unreadBytesPerPeerMax)),
        "open_requests_max": .integer(Int64(Limits.openRequestsMax)),
        "open_bytes_per_peer_max": .integer(Int64(Limits.openBytesPerPeerMax)),
        "open_bytes_max": .integer(Int64(Limits.openBytesMax)),
        "open_bytes_reserved": .integer(Int64(Limits.openBytesReserved)),
        "positions_per_request_max": .integer(Int64(Limits.positionsPerRequestMax)),
        "requests_per_batch_max": .integer(Int64(Limits.requestsPerBatchMax)),
        "events_per_answer_max": .integer(Int64(Limits.eventsPerAnswerMax)),
        "event_bytes_per_answer_max": .integer(Int64(Limits.eventBytesPerAnswerMax)),
        "observations_per_request_max": .integer(Int64(Limits.observationsPerRequestMax)),
        "name_bytes_max": .integer(Int64(Limits.nameBytesMax)),
        "text_bytes_max": .integer(Int64(Limits.textBytesMax)),
        "spans_kept_max": .integer(Int64(Limits.spansKeptMax)),
        "request_deadline_ms": .integer(Limits.requestDeadline.count),
        "request_deadline_ms_max": .integer(Limits.requestDeadlineMax.count),
        "answers_kept_ms": .integer(Limits.answersKept.count),
        "log_events_kept": .integer(Limits.logEventsKept),
        "sync_retry_ms": .integer(Limits.syncRetry.count),
        "sync_topics_per_connection_max": .integer(Int64(Limits.syncTopicsPerConnectionMax)),
        "sync_topic_bytes_max": .integer(Int64(Limits.syncTopicBytesMax)),
        "sync_topics_max": .integer(Int64(Limits.syncTopicsMax)),
        "json_depth_max": .integer(Int64(JSONLimits.depthMax)),
        "socket_path_bytes_max": .integer(Int64(Limits.socketPathBytesMax)),
    ]
}
