import Contract

/// Refusals that several methods share.
enum Refusal {
    static func noMember(_ id: String) -> ServiceError {
        ServiceError(
            .notFound, "there is no member '\(id)'",
            remedy: "Add one with `screentime member add NAME`; see `screentime member list`.")
    }

    static func otherPurpose(_ known: Authorization) -> ServiceError {
        let state = known.pending ? "is asking" : "is authorized"
        return ServiceError(
            .authorizationConflict, "the app \(state) for this member as \(known.forWhom.rawValue) already",
            remedy: "Ask for the same, or revoke it first.")
    }

    static func neverAsked(_ client: String) -> ServiceError {
        ServiceError(
            .notFound, "\(client) has not asked for authorization",
            remedy: "See `screentime authorization list`.")
    }

    /// Apple's authorizationCanceled: the guardian or the person cancelled the request.
    static let denied = ServiceError(
        .authorizationCanceled, "the person said no",
        remedy: "Explain what the app does with it before asking again.")

    static let noAnswer = ServiceError(
        .authorizationCanceled, "the person did not answer in time",
        remedy: "Ask again when they are there.")

    static let displaced = ServiceError(
        .tooManyRequests, "more was asked than the person can be shown, and this process asked the most",
        remedy: "Ask for less at once.")

    static let withdrawn = ServiceError(
        .authorizationCanceled, "the request was taken back", remedy: "Ask again if it is still wanted.")

    static let conflict = ServiceError(
        .authorizationConflict, "another app provides parental controls for this member",
        remedy: "Revoke it first; see `screentime authorization list`.")
}
