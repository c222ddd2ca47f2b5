/// Why a message was refused or dropped; the names of counters in `health.check`.
package enum RefusalReason: String, Sendable, CaseIterable {
    case malformedHandshake = "malformed_handshake"
    case tooManyConnections = "too_many_connections"
    case malformedSubscription = "malformed_subscription"
    case tooManySubscriptions = "too_many_subscriptions"
    case wrongUser = "wrong_user"
    case wrongFrames = "wrong_frames"
    case invalidJSON = "invalid_json"
    case invalidRequest = "invalid_request"
    case unknownMethod = "unknown_method"
    case invalidParams = "invalid_params"
    case notAuthorized = "not_authorized"
    case tooLong = "too_long"
    case tooManyRequests = "too_many_requests"
    case overdue
    case peerGone = "peer_gone"
    case unreadAnswers = "unread_answers"
    case unreadEvents = "unread_events"
    case unknownEvent = "unknown_event"
    case malformedEvent = "malformed_event"

    /// Whether the log names every process this happens to, instead of only the first.
    package var namesWhom: Bool {
        [.unreadAnswers, .tooManyConnections, .tooManyRequests, .unreadEvents, .tooManySubscriptions]
            .contains(self)
    }

    /// What is counted and what the sender receives; a sentence for the contract document.
    package var meaning: String {
        switch self {
        case .malformedHandshake:
            "A connection with a wrong handshake or none: no ZMTP 3, silence, an identity that begins with a zero byte; closed."
        case .tooManyConnections:
            "A connection over the limit of one process or of all processes; closed."
        case .malformedSubscription:
            "A subscription to something that is no event type, no topic with ~, and no prefix of one; dropped. A message that is no subscription; disconnected."
        case .tooManySubscriptions:
            "A subscriber with too many ~sync. topics at a time, or with too frequent changes of subscriptions; disconnected, it may reconnect."
        case .wrongUser: "A request or subscription of another uid; a request is answered wrongUser."
        case .wrongFrames: "A request of more than one body frame; dropped."
        case .invalidJSON: "A request that is not JSON; answered parseError with id null."
        case .invalidRequest: "JSON that is not a request; answered invalidRequest."
        case .unknownMethod: "A method the service does not have; answered methodNotFound."
        case .invalidParams: "Parameters that do not fit the schema; answered invalidParams."
        case .notAuthorized:
            "A client without authorization, or a method for the person only; answered notAuthorized or accessDenied."
        case .tooLong:
            "A request over message_bytes_max; answered messageTooLong with id null. One of more than twice as many bytes, or of more than 16 frames; disconnected."
        case .tooManyRequests:
            "A request over the limit of one process, or a waiting request of the process with the most open bytes when the limit of all is exceeded; answered tooManyRequests."
        case .overdue:
            "A request whose deadline passed, or whose caller disconnected, before it was begun; answered deadlineExceeded."
        case .peerGone: "An answer whose caller had disconnected; dropped."
        case .unreadAnswers:
            "A peer with too many bytes of unread answers, or a later request of it; it gets no further answers."
        case .unreadEvents:
            "A subscriber with too many bytes of unread events; disconnected, it may reconnect."
        case .unknownEvent: "A followed event of a type this build does not know; skipped."
        case .malformedEvent: "A followed event that cannot be decoded; skipped."
        }
    }
}
