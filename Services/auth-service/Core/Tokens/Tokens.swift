import Bus
import Contract
import ServiceKit

/// Tokens: names of subjects that mean something to one client only.
extension AuthService {
    func answerTokenMethods() {
        service.read(TokenMake.self) { [unowned self] params, _ in try makeTokens(params) }
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

    private func makeTokens(_ params: TokenMake.Params) throws -> TokenMake.Result {
        try Self.checkCount(params.subjects.count)
        let sealer = try sealer()
        let grant = try grant(params.client, params.member)
        return TokenMake.Result(
            tokens: try params.subjects.map { subject in
                try Validation.subject(subject.name)
                return Base64.text(sealer.seal(subject, for: grant))
            })
    }

    private func open(
        _ tokens: [String], _ client: String?, _ member: String?
    ) throws -> [Result<TokenSubject, ServiceError>] {
        try Self.checkCount(tokens.count)
        let sealer = try sealer()
        let grant = try grant(client, member)
        return tokens.map { text in
            Result { () throws(ServiceError) in
                guard let bytes = Base64.bytes(text) else { throw TokenRefusal.damaged }
                return try sealer.open(bytes, for: grant)
            }
        }
    }

    private func grant(_ client: String?, _ member: String?) throws -> TokenSealer.Grant {
        let (client, member) = (client ?? "", service.member(member))
        return TokenSealer.Grant(
            client: client, member: member, generation: try grants.generation(client: client, member: member))
    }

    private func sealer() throws -> TokenSealer {
        if let tokenSealer { return tokenSealer }
        guard let master = try grants.master() else {
            throw ServiceError(.unavailable, "auth-service is still starting", remedy: "Ask again.")
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
}
