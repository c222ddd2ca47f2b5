package import Bus
package import Contract
package import Loop

/// The owner of tokens.
package struct TokenOwner: Hashable, Sendable {
    /// Nil for the person's own programs.
    package var client: String?
    /// Member id.
    package var member: String

    package init(client: String?, member: String) {
        self.client = client
        self.member = member
    }
}

/// Translates between programs, which use tokens, and the bus, which uses names. Answers of auth-service are
/// cached until the authorization changes, so the same token is resolved once.
@LoopActor package final class TokenTranslator {
    package typealias Completion<Value> = @LoopActor (Result<Value, ServiceError>) -> Void

    private struct Known {
        var tokens: [TokenSubject.Key: String] = [:]
        var subjects: [String: TokenSubject] = [:]
    }

    /// Maximum number of tokens cached per owner, and per request to auth-service.
    private static let knownMax = 20_000
    private static let batchMax = 2_000

    private let client: @LoopActor (ServiceName) throws(ServiceError) -> RequestClient
    /// Called before auth-service is asked: from then on ``drop(_:)`` must be called for every change.
    package var willAsk: @LoopActor () -> Void = {}
    private var known: [TokenOwner: Known] = [:]
    /// Incremented when an authorization changes: an answer that was requested before is not cached.
    private var generations: [TokenOwner: Int] = [:]
    private var allGenerations = 0

    /// - Parameter client: returns the connection to a service.
    package init(client: @escaping @LoopActor (ServiceName) throws(ServiceError) -> RequestClient) {
        self.client = client
    }

    /// Clears the cache of a client; call it for each `authorization.changed`.
    package func drop(_ authorization: Authorization) {
        let owner = TokenOwner(client: authorization.client, member: authorization.member)
        known[owner] = nil
        generations[owner, default: 0] += 1
    }

    /// Clears the cache, because auth-service was restored, or removed events before they were read.
    package func dropAll() {
        known = [:]
        allGenerations += 1
    }

    private func generation(of owner: TokenOwner) -> Int { generations[owner, default: 0] + allGenerations }

    // MARK: what a program says

    /// Resolves tokens.
    /// - Parameter tokens: `token:BASE64`.
    /// - Throws: as above.
    package func subjects(
        of tokens: [String], _ owner: TokenOwner, _ completion: @escaping Completion<[String: TokenSubject]>
    ) {
        var found: [String: TokenSubject] = [:]
        for token in tokens { found[token] = known[owner]?.subjects[token] }
        let missing = tokens.filter { found[$0] == nil }
        guard !missing.isEmpty else { return completion(.success(found)) }
        let generation = generation(of: owner)
        inBatches(
            missing,
            { [weak self] batch, next in
                let params = TokenResolve.Params(
                    client: owner.client, member: owner.member,
                    tokens: batch.map { String($0.dropFirst(RawToken.prefix.count)) })
                self?.send(TokenResolve.self, params) { result in next(result.map(\.resolved)) }
            }
        ) { [weak self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let resolved):
                for (token, one) in zip(missing, resolved) {
                    if let error = one.error { return completion(.failure(error.serviceError)) }
                    found[token] = one.subject
                }
                self?.keep(found, owner, generation)
                completion(.success(found))
            }
        }
    }

    // MARK: what the bus says

    /// Makes tokens for subjects, `token:BASE64`.
    package func tokens(
        for subjects: [TokenSubject], _ owner: TokenOwner,
        _ completion: @escaping Completion<[TokenSubject.Key: String]>
    ) {
        var found: [TokenSubject.Key: String] = [:]
        var missing: [TokenSubject] = []
        var asked: Set<TokenSubject.Key> = []
        for subject in subjects where asked.insert(subject.key).inserted {
            if let token = known[owner]?.tokens[subject.key] {
                found[subject.key] = token
            } else {
                missing.append(subject)
            }
        }
        guard !missing.isEmpty else { return completion(.success(found)) }
        let generation = generation(of: owner)
        inBatches(
            missing,
            { [weak self] batch, next in
                let params = TokenMake.Params(client: owner.client, member: owner.member, subjects: batch)
                self?.send(TokenMake.self, params) { result in next(result.map(\.tokens)) }
            }
        ) { [weak self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let tokens):
                var made: [String: TokenSubject] = [:]
                for (subject, token) in zip(missing, tokens) {
                    found[subject.key] = RawToken.prefix + token
                    made[RawToken.prefix + token] = subject
                }
                self?.keep(made, owner, generation)
                completion(.success(found))
            }
        }
    }

    // MARK: asking

    private func send<M: Method>(
        _ method: M.Type, _ params: M.Params, _ completion: @escaping Completion<M.Result>
    ) {
        willAsk()
        let options = CallOptions(deadline: HostingLimits.tokens)
        do throws(ServiceError) {
            try client(.auth).send(method, params, options: options, completion: completion)
        } catch {
            completion(.failure(error))
        }
    }

    /// Splits items into requests, sent one after the other.
    private func inBatches<Item, Answer>(
        _ items: [Item], _ ask: @escaping @LoopActor ([Item], @escaping Completion<[Answer]>) -> Void,
        _ completion: @escaping Completion<[Answer]>
    ) {
        let batch = Array(items.prefix(Self.batchMax))
        ask(batch) { [weak self] result in
            guard case .success(let answers) = result, items.count > batch.count else {
                return completion(result)
            }
            let rest = Array(items.dropFirst(batch.count))
            self?.inBatches(rest, ask) { more in completion(more.map { answers + $0 }) }
        }
    }

    private func keep(_ pairs: [String: TokenSubject], _ owner: TokenOwner, _ generation: Int) {
        guard self.generation(of: owner) == generation else { return }
        var known = known[owner] ?? Known()
        if known.subjects.count + pairs.count > Self.knownMax { known = Known() }
        for (token, subject) in pairs {
            known.subjects[token] = subject
            known.tokens[subject.key] = token
        }
        self.known[owner] = known
    }
}

extension TokenSubject {
    /// The subject as a key of dictionaries.
    package struct Key: Hashable, Sendable {
        package var kind: TokenKind
        package var name: String
    }
    package var key: Key { Key(kind: kind, name: name) }
}
