package import Contract
package import JSON

/// An error as HTTP knows it: problem details (RFC 9457), with the contract's name, sentence and remedy.
@Record
package struct Problem: Record {
    /// Always `about:blank`: ``title`` says which error it is.
    package var type: String = "about:blank"
    /// The HTTP status.
    package var status: Int64 = 500
    /// A name of the contract's errors, or one of the console's own.
    package var title: String = ""
    /// What was tried and what was wrong, in a sentence.
    package var detail: String = ""
    /// What to do about it, in a sentence.
    package var remedy: String = ""
}

extension HTTPResponse {
    /// - Parameter error: of a service, or of the console itself.
    package init(_ error: ServiceError) {
        self.init(
            Problem(
                status: Int64(error.name.status), title: error.name.rawValue, detail: error.message,
                remedy: error.remedy))
    }

    package init(_ problem: Problem) {
        self.init(
            Int(problem.status), [("Content-Type", "application/problem+json")], .bytes(problem.encoded()))
    }
}

extension ErrorName {
    /// The status that says the same to programs that know HTTP only.
    var status: Int {
        switch self {
        case .parseError, .invalidRequest, .invalidParams, .invalidArgument, .tokenDamaged, .tokenForeign,
            .intervalTooLong, .intervalTooShort, .invalidDateComponents, .invalidAccountType:
            400
        case .notAuthorized, .accessDenied, .wrongUser, .restricted, .unauthorized, .authorizationCanceled: 403
        case .methodNotFound, .notFound: 404
        case .alreadyExists, .conflict, .idempotencyConflict, .authorizationConflict, .logRewound, .logForked: 409
        case .logTrimmed, .tokenRevoked: 410
        case .messageTooLong: 413
        case .limitExceeded, .excessiveActivities: 422
        case .tooManyRequests: 429
        case .internalError, .storageDamaged, .storageFailed: 500
        case .unavailable, .shuttingDown, .networkError, .authenticationMethodUnavailable: 503
        case .deadlineExceeded: 504
        case .storageFull: 507
        }
    }
}
