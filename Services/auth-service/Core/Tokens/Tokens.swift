import Bus
import Contract
import ServiceKit

/// Tokens: names of subjects that only one client can use.
extension AuthService {
    func answerTokenMethods() {
        service.later(TokenMake.self) { [unowned self] params, context in
            let result = try makeTokens(params, context.trace)
            try await service.committed()
            return result
        }
        service.read(TokenResolve.self) { [unowned self] params, _ in
            let results = try open(params.tokens, params.client, params.member)
            return TokenResolve.Result(resolved: results.map { ResolvedToken($0) })
        }
        service.read(TokenRefresh.self) { [unowned self] params, context in
            let results = try open(params.tokens, context.client, params.member)
            let refreshed = zip(params.tokens, results).map { token, result in
                switch result {
                case .success: RefreshedToken(token: token)
                case .failure(let error): RefreshedToken(error: ErrorObject(error))
                }
            }
            return TokenRefresh.Result(refreshed: refreshed)
        }
    }

    /// Once for each store.
    func ensureMaster() throws {
        guard try grants.master() == nil else { return }
        try grants.insert(master: TokenSealer.newMaster())
    }

    private func makeTokens(_ params: TokenMake.Params, _ trace: TraceContext) throws -> TokenMake.Result {
        try Self.checkCount(params.subjects.count)
        let sealer = try sealer()
        let grant = try grant(params.client, params.member)
        let tokens = try params.subjects.map { subject in
            try Validation.subject(subject.name)
            return Base64.text(sealer.seal(subject, for: grant))
        }
        try keepLongNames(params.subjects.map(\.name), sealer, trace)
        return TokenMake.Result(tokens: tokens)
    }

    /// Stores the names of which tokens contain only the digest.
    private func keepLongNames(_ names: [String], _ sealer: TokenSealer, _ trace: TraceContext) throws {
        let new = try Set(names.filter { $0.utf8.count > TokenSealer.nameBytesMax }).filter { name in
            try grants.name(sealer.digest(name)) == nil
        }
        guard !new.isEmpty else { return }
        try service.transact(trace: trace) { _ in
            try checkNamesCount()
            for name in new { try grants.keep(name: name, sealer.digest(name)) }
        }
    }

    private func subject(_ content: TokenSealer.Content) throws -> TokenSubject {
        switch content {
        case .subject(let subject): return subject
        case .digest(let kind, let digest):
            guard let name = try grants.name(digest) else { throw TokenRefusal.forgotten }
            return TokenSubject(kind, name)
        }
    }

    private func open(
        _ tokens: [String], _ client: String?, _ member: String?
    ) throws -> [Result<TokenSubject, ServiceError>] {
        try Self.checkCount(tokens.count)
        let sealer = try sealer()
        let grant = try grant(client, member)
        let results: [Result<TokenSubject, ServiceError>] = try tokens.map { (text) throws in
            do {
                guard let bytes = Base64.bytes(text) else { throw TokenRefusal.damaged }
                return .success(try subject(try sealer.open(bytes, for: grant)))
            } catch let refusal as ServiceError {
                return .failure(refusal)
            }
        }
        audit(results, grant)
        return results
    }

    /// A program that presents another program's tokens got them unexpectedly, so it is logged.
    private func audit(_ results: [Result<TokenSubject, ServiceError>], _ grant: TokenSealer.Grant) {
        let foreign = results.count { result in
            if case .failure(let error) = result { error.name == .tokenForeign } else { false }
        }
        guard foreign > 0 else { return }
        service.count("foreign_tokens")
        service.log.warning(
            "refused tokens made for another app or member",
            [
                ("client", .text(grant.client)), ("member", .text(grant.member)),
                ("tokens", .number(Int64(foreign))),
            ])
    }

    private func grant(_ client: String?, _ member: String?) throws -> TokenSealer.Grant {
        let (client, member) = (client ?? "", service.member(member))
        return TokenSealer.Grant(
            client: client, member: member, generation: try grants.generation(client: client, member: member))
    }

    private func sealer() throws -> TokenSealer {
        if let tokenSealer { return tokenSealer }
        guard let master = try grants.master() else {
            throw ServiceError(.unavailable, "auth-service is still starting", remedy: "Repeat the request.")
        }
        let made = TokenSealer(master: master)
        tokenSealer = made
        return made
    }

    private static func checkCount(_ count: Int) throws(ServiceError) {
        guard count <= AuthLimits.tokensMax else {
            throw ServiceError(
                .limitExceeded, "\(count) tokens in one request, \(AuthLimits.tokensMax) are allowed",
                remedy: "Split it.")
        }
    }

    private func checkNamesCount() throws {
        guard try grants.namesCount() >= AuthLimits.tokenNamesMax else { return }
        throw ServiceError(
            .limitExceeded,
            "too many names that do not fit into a token; tokenNamesMax is \(AuthLimits.tokenNamesMax)",
            remedy: "Use names of up to \(TokenSealer.nameBytesMax) bytes.")
    }
}
