import Bus
import Contract
import ExtensionLink
import Hosting
import JSON
import Loop
import Units

/// Passes the app's requests to the bus with names instead of tokens, and the answers back with tokens.
@LoopActor final class AppRequests {
    private let translator: TokenTranslator
    private let client: @LoopActor (ServiceName) throws(ServiceError) -> RequestClient
    private let relay: Relay
    /// The authorizations that were read, by member.
    private var grants: [String: Authorization] = [:]
    /// Incremented with each change: an answer that was requested before it may be older, and is not used.
    private var revision = 0

    init(
        tracer: Tracer, translator: TokenTranslator,
        client: @escaping @LoopActor (ServiceName) throws(ServiceError) -> RequestClient
    ) {
        relay = Relay(tracer: tracer, client: client)
        self.translator = translator
        self.client = client
    }

    /// Call for each `authorization.changed`.
    func drop(_ authorization: Authorization) {
        grants[authorization.member] = nil
        revision += 1
    }

    /// Call when changes may have been missed.
    func dropAll() {
        grants = [:]
        revision += 1
    }

    /// Sends a request of the app and returns the answer.
    func pass(
        _ name: String, _ params: RawJSON, of app: AppIdentity, usesTokens: Bool, deadline: Milliseconds
    ) async throws(ServiceError) -> RawJSON {
        let methods = app.isThePerson ? Registry.methods : ProgramKind.app.relayedMethods
        guard let method = methods.first(where: { $0.name == name }) else { throw Self.unknown }
        // The person's own programs choose whether to use tokens; other programs may not.
        if app.isThePerson, !usesTokens { return try await send(method, params, app, deadline) }
        let owner = app.owner.named(by: params, of: method)
        guard method.showsNames else {
            return try await exchange(method, params, app, owner, .tokens, deadline)
        }
        try await checkDataAccess(app)
        return try await exchange(method, params, app, owner, .tokensAndNames, deadline)
    }

    /// Sends a request with names and returns the answer with tokens.
    private func exchange(
        _ method: any Method.Type, _ params: RawJSON, _ app: AppIdentity, _ owner: TokenOwner,
        _ naming: TokenTranslator.Naming, _ deadline: Milliseconds
    ) async throws(ServiceError) -> RawJSON {
        let plain = try await translator.plain(asked(method, params, app), of: method, owner, naming)
        let answer: RawJSON
        do throws(ServiceError) {
            answer = try await send(method, plain.params, app, deadline)
        } catch { throw plain.shown(error) }
        switch naming {
        case .tokens: return try await translator.tokenizedResult(answer, of: method, owner)
        case .tokensAndNames: return try await translator.labelledResult(answer, of: method, owner)
        }
    }

    private func send(
        _ method: any Method.Type, _ params: RawJSON, _ app: AppIdentity, _ deadline: Milliseconds
    ) async throws(ServiceError) -> RawJSON {
        try await relay.send(
            method, params, as: app.isThePerson ? nil : app.client, trace: nil, deadline: deadline)
    }

    private static let unknown = ServiceError(
        .accessDenied, "an app may not call this method",
        remedy: "Call only methods that the contract allows authorized clients.")

    /// An authorization request itself states whether it asks for names; it may do so only if the app's
    /// entitlements allow that.
    private func asked(_ method: any Method.Type, _ params: RawJSON, _ app: AppIdentity) -> RawJSON {
        guard method is AuthorizationRequest.Type, !app.dataAccess else { return params }
        // The owner refuses invalid parameters.
        guard var request = try? AuthorizationRequest.Params.decodeStrictly(params.bytes) else {
            return params
        }
        request.dataAccess = nil
        return RawJSON(encoding: request)
    }

    // MARK: names

    /// Creates tokens for names that the app may see.
    func tokens(
        for subjects: [TokenSubject], _ app: AppIdentity
    ) async throws(ServiceError) -> [String] {
        guard subjects.count <= NameTokens.subjectsMax else {
            throw ServiceError(
                .limitExceeded, "\(subjects.count) names, \(NameTokens.subjectsMax) are allowed",
                remedy: "Split the request.")
        }
        try await checkDataAccess(app)
        let tokens = try await translator.tokens(for: subjects, app.owner)
        return subjects.map { tokens[$0.key] ?? Wire.tokenPrefix }
    }

    /// - Throws: `unauthorized` if the person did not grant the app access to names, or why that is unknown.
    func checkDataAccess(_ app: AppIdentity) async throws(ServiceError) {
        guard !app.isThePerson else { return }
        while grants[app.owner.member] == nil {
            translator.willAsk()
            let revision = revision
            let list = try await client(.auth).call(
                AuthorizationList.self, AuthorizationList.Params(), options: CallOptions(client: app.client))
            guard self.revision == revision else { continue }
            for grant in list.authorizations { grants[grant.member] = grant }
            break
        }
        let grant = grants[app.owner.member]
        guard grant?.status == .approved, grant?.dataAccess == true else { throw Self.noDataAccess }
    }

    private static let noDataAccess = ServiceError(
        .unauthorized, "the app has no access to names of apps and sites",
        remedy: "Put com.apple.developer.family-controls.app-and-website-usage into its entitlements and "
            + "call requestAuthorization.")
}
