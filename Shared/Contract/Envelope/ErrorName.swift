package import JSON

/// The reasons for refusing a request, each with a stable name and number. Programs branch on these, never on
/// the message.
package enum ErrorName: String, NameEnum, Error {
    // JSON-RPC 2.0, section 5.1
    case parseError, invalidRequest, methodNotFound, invalidParams, internalError
    // The bus
    case unavailable, deadlineExceeded, messageTooLong, tooManyRequests, wrongUser, logTrimmed
    case logRewound, idempotencyConflict, limitExceeded, shuttingDown
    // State
    case storageFull, storageDamaged, storageFailed, notFound, alreadyExists, conflict
    // Rights
    case notAuthorized, accessDenied
    // Apple's FamilyControlsError, by its own names
    case restricted, invalidAccountType, invalidArgument, authorizationConflict, authorizationCanceled
    case networkError, authenticationMethodUnavailable
    // Apple's DeviceActivityCenter.MonitoringError, by its own names
    case excessiveActivities, intervalTooLong, intervalTooShort, invalidDateComponents, unauthorized
    // Tokens
    case tokenRevoked, tokenForeign, tokenDamaged
    // The log
    case logForked

    /// The number in `error.code`. A number is never reused for another name.
    package var code: Int64 { entry.code }
    /// When a service answers it; a sentence for the contract document.
    package var meaning: String { entry.meaning }

    private var entry: (code: Int64, meaning: String) {
        switch self {
        case .parseError: (-32_700, "The message is not exactly one UTF-8 JSON value (RFC 8259).")
        case .invalidRequest:
            (-32_600, "The message is JSON, but no JSON-RPC 2.0 request of this contract.")
        case .methodNotFound: (-32_601, "The service has no such method.")
        case .invalidParams: (-32_602, "The parameters do not fit the method's schema.")
        case .internalError: (-32_603, "A bug in the service; its log has more.")
        case .unavailable: (-32_005, "The service cannot be reached, or something it needs is missing.")
        case .deadlineExceeded:
            (-32_006, "The deadline passed; a write may be done: repeat it with the same idempotency_key.")
        case .messageTooLong: (-32_007, "The message has more bytes than message_bytes_max.")
        case .tooManyRequests:
            (-32_008, "Open requests exceed open_requests_max, open_bytes_per_peer_max or open_bytes_max.")
        case .wrongUser: (-32_009, "The caller's uid is not that of this instance.")
        case .logTrimmed: (-32_010, "The log begins after the position asked for: call events.snapshot.")
        case .logRewound:
            (-32_011, "The log ends before a position already seen: its database was restored from a backup.")
        case .idempotencyConflict:
            (-32_012, "The idempotency_key was used for another method or other parameters.")
        case .limitExceeded: (-32_013, "A named limit was exceeded.")
        case .shuttingDown: (-32_014, "The service is stopping; ask again when it is back.")
        case .storageFull: (-32_015, "The disk is full; nothing of the request was stored.")
        case .storageDamaged: (-32_016, "The database is damaged.")
        case .storageFailed: (-32_017, "Reading or writing the database failed.")
        case .notFound: (-32_018, "What the request names does not exist.")
        case .alreadyExists: (-32_019, "What the request would make exists already.")
        case .conflict: (-32_020, "The request contradicts the present state.")
        case .notAuthorized:
            (-32_021, "The client is not authorized for this member: call authorization.request.")
        case .accessDenied: (-32_022, "The method is for the person, not for clients.")
        case .restricted: (-32_023, "Apple's FamilyControlsError: restrictions forbid it.")
        case .invalidAccountType:
            (-32_024, "Apple's FamilyControlsError: not possible for this kind of member.")
        case .invalidArgument: (-32_025, "An argument has the right type and a value that is not allowed.")
        case .authorizationConflict:
            (-32_026, "Apple's FamilyControlsError: another client already acts for this member.")
        case .authorizationCanceled: (-32_027, "The person declined, or did not answer before the deadline.")
        case .networkError: (-32_028, "Apple's FamilyControlsError: the network is needed and missing.")
        case .authenticationMethodUnavailable:
            (-32_029, "Apple's FamilyControlsError: the person cannot be asked here.")
        case .excessiveActivities: (-32_030, "More activities than this instance allows.")
        case .intervalTooLong: (-32_031, "The schedule's interval is longer than allowed.")
        case .intervalTooShort: (-32_032, "The schedule's interval is shorter than allowed.")
        case .invalidDateComponents: (-32_033, "The schedule's date components do not describe a time.")
        case .unauthorized:
            (-32_034, "Apple's MonitoringError: the client may not monitor: call authorization.request.")
        case .tokenRevoked:
            (-32_035, "The token's authorization was revoked; it stays invalid. Let the person choose again.")
        case .tokenForeign: (-32_036, "The token was made for another client or member.")
        case .tokenDamaged: (-32_037, "The bytes are not a token of this instance.")
        case .logForked:
            (
                -32_038,
                "The position asked for was made by another run of the owner: its database was restored from "
                    + "an older copy. Call events.runs."
            )
        }
    }
}

/// A refusal: what failed, why, and what to do. The only error type that crosses process boundaries.
package struct ServiceError: Error, Equatable, Sendable {
    /// The stable name to branch on.
    package var name: ErrorName
    /// What failed and why, in a sentence without private values.
    package var message: String
    /// What the caller can do, in a sentence.
    package var remedy: String

    /// An error with a message and a remedy, both for a person.
    package init(_ name: ErrorName, _ message: String, remedy: String) {
        self.name = name
        self.message = message
        self.remedy = remedy
    }
}

/// `error` of a JSON-RPC answer.
@Record
package struct ErrorObject: Record {
    /// Stable number; -32700 to -32603 as in JSON-RPC 2.0.
    package var code: Int64 = 0
    /// What was wrong, for a person.
    @Field(.publicText) package var message: String = ""
    /// The stable name and the remedy.
    package var data: ErrorDetail = ErrorDetail()

    /// Shortens long texts, because a message may quote what somebody sent.
    package init(_ error: ServiceError) {
        code = error.name.code
        message = VisibleText.shortened(error.message)
        data.name = error.name.rawValue
        data.remedy = VisibleText.shortened(error.remedy)
    }

    /// The typed error. A name that this build does not know becomes `internalError` with the same message.
    package var serviceError: ServiceError {
        ServiceError(ErrorName(rawValue: data.name) ?? .internalError, message, remedy: data.remedy)
    }
}

/// `error.data` of a JSON-RPC answer.
@Record
package struct ErrorDetail: Record {
    /// Stable name of the error; branch on it.
    @Field(.publicText) package var name: String = ""
    /// What the caller can do.
    @Field(.publicText) package var remedy: String = ""
}
