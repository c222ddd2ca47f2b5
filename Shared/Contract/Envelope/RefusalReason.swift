/// Why a message was not taken, as counted by `health.check`.
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

    /// Whether each that it happens to is named in the log, not only the first.
    package var namesWhom: Bool {
        [.unreadAnswers, .tooManyConnections, .tooManyRequests, .unreadEvents, .tooManySubscriptions]
            .contains(self)
    }

    /// What is counted and what its sender gets, a sentence for the contract document.
    package var meaning: String {
        switch self {
        case .malformedHandshake:
            "A connection that greeted wrongly or not at all: no ZMTP 3, silence, a name with a zero byte in front; closed."
        case .tooManyConnections:
            "A connection over what one process may hold, or over what all may; closed at once."
        case .malformedSubscription:
            "A subscription to what is neither a type, a topic ~, nor the beginning of one; dropped. What is no subscription; disconnected."
        case .tooManySubscriptions:
            "A subscriber with too many topics ~sync. at a time, or that changes its subscriptions without pause; disconnected, and free to come again."
        case .wrongUser: "A request or subscription of another uid; a request is answered wrongUser."
        case .wrongFrames: "A request of more than one body frame; dropped."
        case .invalidJSON: "Bytes that are not JSON; answered parseError with id null."
        case .invalidRequest: "JSON that is no request; answered invalidRequest."
        case .unknownMethod: "A method the service does not have; answered methodNotFound."
        case .invalidParams: "Parameters that do not fit the schema; answered invalidParams."
        case .notAuthorized: "A client without authorization, or a method for the person only; answered so."
        case .tooLong:
            "A request over message_bytes_max; answered messageTooLong with id null. One of more than twice as many bytes, or of more than 16 frames; disconnected."
        case .tooManyRequests:
            "A request over what one process may have open, or one that waited and whose process had the most open when all had too much; answered tooManyRequests."
        case .overdue:
            "A request that waited for its turn beyond its deadline, or until its asker had left; not begun, and answered deadlineExceeded."
        case .peerGone: "An answer whose asker had left; dropped."
        case .unreadAnswers:
            "A peer that left too many bytes of answers unread, or a request of it since; it gets no more."
        case .unreadEvents:
            "A subscriber that left too many bytes of events unread; disconnected, and free to come again."
        case .unknownEvent: "A followed event of a type this build does not know; passed over."
        case .malformedEvent: "A followed event that cannot be read; passed over."
        }
    }
}
