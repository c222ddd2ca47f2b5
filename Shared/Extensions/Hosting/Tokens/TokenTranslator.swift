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
    /// - Throws: the error of the first token that is not the owner's, or why auth-service did not answer.
    package func subjects(
        of tokens: [String], _ owner: TokenOwner
    ) async throws(ServiceError) -> [String: TokenSubject] {
        var found: [String: TokenSubject] = [:]
        for token in tokens { found[token] = known[owner]?.subjects[token] }
        let missing = tokens.filter { found[$0] == nil }
        guard !missing.isEmpty else { return found }
        let generation = generation(of: owner)
        for batch in Self.batches(of: missing) {
            let params = TokenResolve.Params(
                client: owner.client, member: owner.member,
                tokens: batch.map { String($0.dropFirst(RawToken.prefix.count)) })
            for (token, one) in zip(batch, try await ask(TokenResolve.self, params).resolved) {
                if let error = one.error { throw error.serviceError }
                found[token] = one.subject
            }
        }
        keep(found, owner, generation)
        return found
    }

    // MARK: what the bus says

    /// Makes tokens for subjects, `token:BASE64`.
    /// - Throws: why auth-service made none.
    package func tokens(
        for subjects: [TokenSubject], _ owner: TokenOwner
    ) async throws(ServiceError) -> [TokenSubject.Key: String] {
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
        guard !missing.isEmpty else { return found }
        let generation = generation(of: owner)
        var made: [String: TokenSubject] = [:]
        for batch in Self.batches(of: missing) {
            let params = TokenMake.Params(
                client: owner.client, member: owner.member, subjects: Array(batch))
            for (subject, token) in zip(batch, try await ask(TokenMake.self, params).tokens) {
                found[subject.key] = RawToken.prefix + token
                made[RawToken.prefix + token] = subject
            }
        }
        keep(made, owner, generation)
        return found
    }

    // MARK: asking

    private func ask<M: Method>(
        _ method: M.Type, _ params: M.Params
    ) async throws(ServiceError) -> M.Result {
        willAsk()
        return try await client(.auth).call(
            method, params, options: CallOptions(deadline: HostingLimits.tokens))
    }

    private static func batches<Item>(of items: [Item]) -> [ArraySlice<Item>] {
        stride(from: 0, to: items.count, by: batchMax).map { items[$0..<min($0 + batchMax, items.count)] }
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
