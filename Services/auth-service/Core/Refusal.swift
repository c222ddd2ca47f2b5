import Contract

/// Errors that several methods share.
enum Refusal {
    static func noMember(_ id: String) -> ServiceError {
        ServiceError(
            .notFound, "there is no member '\(id)'",
            remedy: "Add one with `screentime member add NAME`; see `screentime member list`.")
    }

    static func otherPurpose(_ known: Authorization) -> ServiceError {
        let state = known.pending ? "is asking" : "is authorized"
        return ServiceError(
            .authorizationConflict, "the app already \(state) for this member as \(known.forWhom.rawValue)",
            remedy: "Ask for the same purpose, or revoke it first.")
    }

    static func neverAsked(_ client: String) -> ServiceError {
        ServiceError(
            .notFound, "\(client) has not asked for authorization",
            remedy: "See `screentime authorization list`.")
    }

    /// Apple's authorizationCanceled: the guardian or the person cancelled the request.
    static let denied = ServiceError(
        .authorizationCanceled, "the person refused",
        remedy: "Explain why the app needs the access before asking again.")

    static let noAnswer = ServiceError(
        .authorizationCanceled, "the person did not answer in time",
        remedy: "Ask again when the person is present.")

    static let displaced = ServiceError(
        .tooManyRequests, "there are too many open questions, and this process asked the most",
        remedy: "Ask fewer questions at once.")

    static let withdrawn = ServiceError(
        .authorizationCanceled, "the request was withdrawn", remedy: "Ask again if it is still needed.")

    static let conflict = ServiceError(
        .authorizationConflict, "another app provides parental controls for this member",
        remedy: "Revoke it first; see `screentime authorization list`.")
}
