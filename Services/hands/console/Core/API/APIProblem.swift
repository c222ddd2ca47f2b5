package import Contract
package import JSON
import Units

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

    package init(_ problem: Problem, _ fields: [(name: String, value: String)] = []) {
        self.init(
            Int(problem.status),
            fields + [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")],
            .bytes(problem.encoded()))
    }

    /// A refusal of the console itself.
    static func refusal(_ title: ConsoleRefusal, _ detail: String, remedy: String) -> HTTPResponse {
        HTTPResponse(
            Problem(status: Int64(title.status), title: title.rawValue, detail: detail, remedy: remedy),
            // RFC 9110, 15.5.6: a 405 names what is answered.
            title == .methodNotAllowed ? [("Allow", "GET, HEAD, POST")] : [])
    }

    /// The same, for who may try again.
    /// - Parameter wait: rounded up to a whole second, the unit of `Retry-After`.
    static func refusal(
        _ title: ConsoleRefusal, _ detail: String, remedy: String, retryAfter wait: Milliseconds
    ) -> HTTPResponse {
        HTTPResponse(
            Problem(status: Int64(title.status), title: title.rawValue, detail: detail, remedy: remedy),
            [("Retry-After", String(max(1, (wait.count + 999) / 1_000)))])
    }

    static var tooLong: HTTPResponse {
        .refusal(
            .bodyTooLong, "the body has more than \(HTTPLimits.bodyBytesMax) bytes",
            remedy: "Send less at once.")
    }
}

/// Names of the refusals that are the console's own, as titles of problems.
enum ConsoleRefusal: String, CaseIterable {
    case notSignedIn, wrongToken, forbidden, notFound, methodNotAllowed, bodyTooLong, unsupportedMediaType
    case refused, wrongHost, tooManyRequests, tooManyStreams

    /// The HTTP status.
    var status: Int {
        switch self {
        case .notSignedIn: 401
        case .wrongToken, .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .bodyTooLong: 413
        case .unsupportedMediaType: 415
        case .wrongHost: 421
        case .refused: 422
        case .tooManyRequests: 429
        case .tooManyStreams: 503
        }
    }
}

extension ErrorName {
    /// The status that says the same to programs that know HTTP only.
    var status: Int {
        switch self {
        case .parseError, .invalidRequest, .invalidParams, .invalidArgument, .tokenDamaged, .tokenForeign,
            .intervalTooLong, .intervalTooShort, .invalidDateComponents, .invalidAccountType:
            400
        case .notAuthorized, .accessDenied, .wrongUser, .restricted, .unauthorized, .authorizationCanceled:
            403
        case .methodNotFound, .notFound: 404
        case .alreadyExists, .conflict, .idempotencyConflict, .authorizationConflict, .logRewound, .logForked:
            409
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
