package import JSON

/// Every way a request can be refused: a stable name and number. Branch on these, never on words.
package enum ErrorName: String, NameEnum, Error {
    // JSON-RPC 2.0, section 5.1
    case parseError, invalidRequest, methodNotFound, invalidParams, internalError
    // The bus
    case unavailable, deadlineExceeded, messageTooLong, tooManyRequests, wrongUser, logTrimmed
    case logRewound, idempotencyConflict, limitExceeded, shuttingDown
    // State
    case storageFull, storageDamaged, storageFailed, notFound, alreadyExists, conflict
    // Who may
    case notAuthorized, accessDenied
    // Apple's FamilyControlsError, by its own names
    case restricted, invalidAccountType, invalidArgument, authorizationConflict, authorizationCanceled
    case networkError, authenticationMethodUnavailable
    // Apple's DeviceActivityCenter.MonitoringError, by its own names
    case excessiveActivities, intervalTooLong, intervalTooShort, invalidDateComponents, unauthorized

    /// The number that travels in `error.code`.
    package var code: Int64 {
        switch self {
        case .parseError: -32700
        case .invalidRequest: -32600
        case .methodNotFound: -32601
        case .invalidParams: -32602
        case .internalError: -32603
        default: -32_000 - Int64(Self.allCases.firstIndex(of: self) ?? 0)
        }
    }
}

/// A refusal: what was tried, what was wrong, what to do. The only error that crosses a process border.
package struct ServiceError: Error, Equatable, Sendable {
    package var name: ErrorName
    /// What was wrong, in a sentence; no private value in it.
    package var message: String
    /// What the caller can do about it.
    package var remedy: String

    package init(_ name: ErrorName, _ message: String, remedy: String) {
        self.name = name
        self.message = message
        self.remedy = remedy
    }
}

/// `error` of a JSON-RPC answer.
package struct ErrorObject: Record {
    package var code: Int64 = 0
    package var message = ""
    package var data = ErrorDetail()

    package init() {}
    package init(_ error: ServiceError) {
        code = error.name.code
        message = error.message
        data.name = error.name.rawValue
        data.remedy = error.remedy
    }

    /// The typed error; an error name that this build does not know becomes `internalError` with its words kept.
    package var serviceError: ServiceError {
        ServiceError(ErrorName(rawValue: data.name) ?? .internalError, message, remedy: data.remedy)
    }

    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("code", &code, "Stable number; -32700 to -32603 as in JSON-RPC 2.0.")
        try visitor.field("message", &message, "What was wrong, for a person.")
        try visitor.field("data", &data, "The stable name and the remedy.")
    }
}

package struct ErrorDetail: Record {
    package var name = ""
    package var remedy = ""

    package init() {}
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("name", &name, "Stable name of the error; branch on it.")
        try visitor.field("remedy", &remedy, "What the caller can do.")
    }
}
