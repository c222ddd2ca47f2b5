import Bus
import Contract
import ExtensionLink
import Hosting
import JSON

/// Hands the app's requests to the bus, in words of the bus, and the answers back in words of the app.
@BusActor final class AppRequests {
    typealias Completion = @BusActor (Result<RawJSON, ServiceError>) -> Void

    private let translator: TokenTranslator
    private let client: @BusActor (ServiceName) throws(ServiceError) -> RequestClient
    private let tracer: Tracer
    /// What the person allowed, as far as it was asked for; by member.
    private var grants: [String: Authorization] = [:]

    init(
        tracer: Tracer, translator: TokenTranslator,
        client: @escaping @BusActor (ServiceName) throws(ServiceError) -> RequestClient
    ) {
        self.tracer = tracer
        self.translator = translator
        self.client = client
    }

    func drop(_ authorization: Authorization) { grants[authorization.member] = nil }

    func pass(
        _ name: String, _ params: RawJSON, of app: AppIdentity, usesTokens: Bool, deadlineMs: Int64,
        _ completion: @escaping Completion
    ) {
        let methods = app.isThePerson ? Registry.methods : ProgramKind.app.relayedMethods
        guard let method = methods.first(where: { $0.name == name }) else {
            return completion(.failure(Self.unknown))
        }
        guard usesTokens else {
            return send(method, asked(method, params, app), app, deadlineMs, completion)
        }
        let owner = app.owner.named(by: params)
        translator.plain(asked(method, params, app), of: name, owner) { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let plain):
                guard Self.showsNames(method) else {
                    return send(method, plain, app, deadlineMs) { [self] in veil($0, owner, completion) }
                }
                checkDataAccess(app) { [self] error in
                    if let error { return completion(.failure(error)) }
                    send(method, plain, app, deadlineMs) { [self] in label($0, owner, completion) }
                }
            }
        }
    }

    private static let unknown = ServiceError(
        .accessDenied, "an app may not call this method",
        remedy: "It may call what the contract lets an authorized client call.")

    /// A question to the person says for itself whether it is about names: only what the app's entitlements
    /// allow is asked.
    private func asked(_ method: any Method.Type, _ params: RawJSON, _ app: AppIdentity) -> RawJSON {
        guard method is AuthorizationRequest.Type, !app.dataAccess else { return params }
        // Parameters that cannot be read are refused by the owner.
        guard var request = try? AuthorizationRequest.Params.decodeStrictly(params.bytes) else {
            return params
        }
        request.dataAccess = nil
        return RawJSON(encoding: request)
    }

    private func send(
        _ method: any Method.Type, _ params: RawJSON, _ app: AppIdentity, _ deadlineMs: Int64,
        _ completion: @escaping Completion
    ) {
        let span = tracer.start(method.name, .client, parent: nil)
        let options = CallOptions(
            deadlineMs: max(1, min(deadlineMs, Limits.requestDeadlineMsMax)), trace: span.context,
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

    private func veil(
        _ answer: Result<RawJSON, ServiceError>, _ owner: TokenOwner, _ completion: @escaping Completion
    ) {
        guard case .success(let raw) = answer else { return completion(answer) }
        translator.veiled(raw, owner, completion)
    }

    private func label(
        _ answer: Result<RawJSON, ServiceError>, _ owner: TokenOwner, _ completion: @escaping Completion
    ) {
        guard case .success(let raw) = answer else { return completion(answer) }
        translator.labelled(raw, owner, completion)
    }

    // MARK: names

    /// Methods whose answers are figures of use or the catalogue: without names they mean nothing.
    private static func showsNames(_ method: any Method.Type) -> Bool {
        ["usage.", "report.", "catalog."].contains { method.name.hasPrefix($0) }
    }

    /// Tokens for names that the app may see.
    func tokens(
        for subjects: [TokenSubject], _ app: AppIdentity,
        _ completion: @escaping @BusActor (Result<[String], ServiceError>) -> Void
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

    private func checkDataAccess(_ app: AppIdentity, _ verdict: @escaping @BusActor (ServiceError?) -> Void) {
        if let known = grants[app.owner.member] { return verdict(Self.refusal(known)) }
        translator.willAsk()
        do throws(ServiceError) {
            let options = CallOptions(client: app.client)
            try client(.auth).send(AuthorizationList.self, AuthorizationList.Params(), options: options) {
                [self] result in
                switch result {
                case .failure(let error): verdict(error)
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
