import Bus
import Contract
import ExtensionLink
import Hosting
import JSON
import Loop
import Units

/// Passes the app's requests to the bus with names instead of tokens, and the answers back with tokens.
@LoopActor final class AppRequests {
    typealias Completion = @LoopActor (Result<RawJSON, ServiceError>) -> Void

    private let translator: TokenTranslator
    private let client: @LoopActor (ServiceName) throws(ServiceError) -> RequestClient
    private let tracer: Tracer
    /// The authorizations that were read, by member.
    private var grants: [String: Authorization] = [:]
    /// Incremented with each change: an answer that was requested before it may be older, and is not used.
    private var revision = 0

    init(
        tracer: Tracer, translator: TokenTranslator,
        client: @escaping @LoopActor (ServiceName) throws(ServiceError) -> RequestClient
    ) {
        self.tracer = tracer
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

    func pass(
        _ name: String, _ params: RawJSON, of app: AppIdentity, usesTokens: Bool, deadline: Milliseconds,
        _ completion: @escaping Completion
    ) {
        let methods = app.isThePerson ? Registry.methods : ProgramKind.app.relayedMethods
        guard let method = methods.first(where: { $0.name == name }) else {
            return completion(.failure(Self.unknown))
        }
        // The person's own programs choose whether to use tokens; other programs may not.
        if app.isThePerson, !usesTokens { return send(method, params, app, deadline, completion) }
        let owner = app.owner.named(by: params, of: method)
        guard method.showsNames else {
            return exchange(method, params, app, owner, .tokens, deadline, completion)
        }
        checkDataAccess(app) { [self] error in
            if let error { return completion(.failure(error)) }
            exchange(method, params, app, owner, .tokensAndNames, deadline, completion)
        }
    }

    /// Sends a request with names and returns the answer with tokens.
    private func exchange(
        _ method: any Method.Type, _ params: RawJSON, _ app: AppIdentity, _ owner: TokenOwner,
        _ naming: TokenTranslator.Naming, _ deadline: Milliseconds, _ completion: @escaping Completion
    ) {
        translator.plain(asked(method, params, app), of: method, owner, naming) { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let plain):
                send(method, plain.params, app, deadline) { [translator] answer in
                    switch (answer, naming) {
                    case (.failure(let error), _): completion(.failure(plain.shown(error)))
                    case (.success(let raw), .tokens):
                        translator.tokenizedResult(raw, of: method, owner, completion)
                    case (.success(let raw), .tokensAndNames):
                        translator.labelledResult(raw, of: method, owner, completion)
                    }
                }
            }
        }
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

    private func send(
        _ method: any Method.Type, _ params: RawJSON, _ app: AppIdentity, _ deadline: Milliseconds,
        _ completion: @escaping Completion
    ) {
        let span = tracer.start(method.name, .client, parent: nil)
        let options = CallOptions(
            deadline: max(1, min(deadline, Limits.requestDeadlineMax)), trace: span.context,
            client: app.isThePerson ? nil : app.client)
        do throws(ServiceError) {
            try client(method.owner).sendRaw(
                method: method.name, params: params.bytes, isWrite: method.effect == .write,
                traceparent: span.context.traceparent, options: options
            ) { [tracer] result in
                if case .failure(let error) = result {
                    tracer.end(span, outcome: error.name.rawValue)
                } else {
                    tracer.end(span)
                }
                completion(result)
            }
        } catch {
            tracer.end(span, outcome: error.name.rawValue)
            completion(.failure(error))
        }
    }

    // MARK: names

    /// Creates tokens for names that the app may see.
    func tokens(
        for subjects: [TokenSubject], _ app: AppIdentity,
        _ completion: @escaping @LoopActor (Result<[String], ServiceError>) -> Void
    ) {
        guard subjects.count <= NameTokens.subjectsMax else {
            return completion(
                .failure(
                    ServiceError(
                        .limitExceeded, "\(subjects.count) names, \(NameTokens.subjectsMax) are allowed",
                        remedy: "Split the request.")))
        }
        checkDataAccess(app) { [translator] error in
            if let error { return completion(.failure(error)) }
            translator.tokens(for: subjects, app.owner) { result in
                completion(result.map { tokens in subjects.map { tokens[$0.key] ?? Wire.tokenPrefix } })
            }
        }
    }

    /// Calls `verdict` with the reason if the app may not see names, or with nil if the person granted
    /// access.
    func checkDataAccess(_ app: AppIdentity, _ verdict: @escaping @LoopActor (ServiceError?) -> Void) {
        if app.isThePerson { return verdict(nil) }
        if let known = grants[app.owner.member] { return verdict(Self.refusal(known)) }
        translator.willAsk()
        let revision = revision
        do throws(ServiceError) {
            let options = CallOptions(client: app.client)
            try client(.auth).send(AuthorizationList.self, AuthorizationList.Params(), options: options) {
                [self] result in
                switch result {
                case .failure(let error): verdict(error)
                case .success where self.revision != revision: checkDataAccess(app, verdict)
                case .success(let list):
                    for grant in list.authorizations { grants[grant.member] = grant }
                    verdict(Self.refusal(grants[app.owner.member]))
                }
            }
        } catch {
            verdict(error)
        }
    }

    private static func refusal(_ grant: Authorization?) -> ServiceError? {
        if grant?.status == .approved, grant?.dataAccess == true { return nil }
        return ServiceError(
            .unauthorized, "the app has no access to names of apps and sites",
            remedy: "Put com.apple.developer.family-controls.app-and-website-usage into its entitlements and "
                + "call requestAuthorization.")
    }
}
