package import Contract
import ExtensionLink
package import JSON

/// Translates messages between tokens and names, according to the marks of their fields.
extension TokenTranslator {
    /// How a program names subjects.
    package enum Naming: Sendable {
        /// Only by its tokens.
        case tokens
        /// By tokens or by name: the person gave it access to names.
        case tokensAndNames
    }

    /// A request of a program with names instead of tokens.
    package struct DetokenizedRequest {
        /// The parameters for the bus.
        package var params: RawJSON
        /// Whether it contained tokens.
        fileprivate var hasTokens = false

        /// An error in a form that the program may read. Messages may repeat the names behind tokens, and
        /// also what the program itself wrote. Omitting them only if they contain such a name would tell a
        /// program that guesses when it is right. So for a request with tokens, no message is passed on.
        package func shown(_ error: ServiceError) -> ServiceError {
            guard hasTokens else { return error }
            return ServiceError(
                error.name, error.name.meaning,
                remedy: "What exactly is wrong could tell what a token stands for; make the same request "
                    + "without tokens to read it.")
        }
    }

    // MARK: what a program says

    /// The parameters with names in place of tokens.
    /// - Parameter owner: the owner, for a request that names no member.
    /// - Throws: the error of the first token that is not the owner's; `invalidParams` for a name in place of
    ///   a token, and for text without a mark that allows it from a program.
    package func plain(
        _ params: RawJSON, of method: any Method.Type, _ owner: TokenOwner, _ naming: Naming = .tokens
    ) async throws(ServiceError) -> DetokenizedRequest {
        try await read(params, of: method, owner, naming)
    }

    private func read<M: Method>(
        _ raw: RawJSON, of method: M.Type, _ owner: TokenOwner, _ naming: Naming
    ) async throws(ServiceError) -> DetokenizedRequest {
        let params = try Self.params(method, raw)
        var tokens: [String] = []
        var seen: Set<String> = []
        _ = try Self.said(params, naming) { _, token throws(JSONError) in
            if seen.insert(token).inserted { tokens.append(token) }
            return token
        }
        let subjects = try await subjects(of: tokens, owner.named(by: params))
        let plain = try Self.said(params, naming) { place, token throws(JSONError) in
            guard let subject = subjects[token], place.takes(subject.kind) else {
                throw JSONError(.wrongType, at: 0, "has a token of another kind")
            }
            return subject.name
        }
        guard plain.weight <= Limits.clientMessageBytesMax else { throw Self.tooLong }
        return DetokenizedRequest(params: RawJSON(encoding: plain), hasTokens: !tokens.isEmpty)
    }

    /// Refused here, before the bus would refuse it by its real bytes, which reveal the length of names.
    private static let tooLong = ServiceError(
        .messageTooLong,
        "the parameters have more than \(Limits.clientMessageBytesMax) bytes, \(Limits.subjectBytes) for each token",
        remedy: "Split the request.")

    private static func params<M: Method>(_ method: M.Type, _ raw: RawJSON) throws(ServiceError) -> M.Params {
        do throws(JSONError) { return try M.Params.decodeStrictly(raw.bytes) } catch {
            throw ServiceError(
                .invalidParams, "the parameters of \(M.name) are wrong: \(error.message)",
                remedy: "See the schema \(M.name).params of the contract.")
        }
    }

    /// A program's message with each of its tokens replaced.
    private static func said<R: Record>(
        _ params: R, _ naming: Naming, _ token: @escaping SubjectWalk.Change
    ) throws(ServiceError) -> R {
        let walk = SubjectWalk(
            personal: .kept, unknownSettings: .refused,
            ownName: { name throws(JSONError) in
                if name.hasPrefix(RawToken.prefix) {
                    throw JSONError(.wrongType, at: 0, "is a token, not a name")
                }
            }
        ) { place, text throws(JSONError) in
            if text.hasPrefix(RawToken.prefix) { return try token(place, text) }
            guard naming == .tokensAndNames else {
                throw JSONError(.wrongType, at: 0, "names an app, a category or a site, and is no token")
            }
            return text
        }
        do throws(JSONError) { return try walk.changed(params) } catch {
            throw ServiceError(
                .invalidParams, "'\(error.path)' \(error.detail)",
                remedy: "Name what the person chose for the app, by its tokens.")
        }
    }

    // MARK: what the bus says

    /// A result for the program: with tokens in place of names, without fields for the person only.
    package func tokenizedResult(
        _ result: RawJSON, of method: any Method.Type, _ owner: TokenOwner
    ) async throws(ServiceError) -> RawJSON {
        func tokenize<M: Method>(_ method: M.Type) async throws(ServiceError) -> RawJSON {
            try await tokenized(result, as: M.Result.self, owner)
        }
        return try await tokenize(method)
    }

    /// The same for the data of an event.
    /// - Throws: `accessDenied` for an event that programs may not receive.
    package func tokenizedEvent(
        _ data: RawJSON, of type: String, _ owner: TokenOwner
    ) async throws(ServiceError) -> RawJSON {
        func tokenize<E: EventData>(_ event: E.Type) async throws(ServiceError) -> RawJSON {
            try await tokenized(data, as: E.self, owner)
        }
        guard let event = ProgramKind.receivableEvents.first(where: { $0.type == type }) else {
            throw ServiceError(.accessDenied, "'\(type)' is not for programs", remedy: "Subscribe to others.")
        }
        return try await tokenize(event)
    }

    /// A record for the program: with tokens in place of names, without fields for the person only.
    package func tokenized<R: Record>(
        _ raw: RawJSON, as type: R.Type, _ owner: TokenOwner
    ) async throws(ServiceError) -> RawJSON {
        try await exchange(try Self.readable(raw, as: type), owner) { body in
            SubjectWalk(
                sortsNames: true, personal: .leftOut, unknownSettings: .leftOut
            ) { place, name throws(JSONError) in
                guard let kind = place.tokenKind else {
                    throw JSONError(.wrongType, at: 0, "names something of a kind that is not said")
                }
                return body(TokenSubject(kind, name))
            }
        }
    }

    /// A message for a program that may see names, with its tokens in the fields beside them.
    package func labelled<R: Record>(
        _ message: R, _ owner: TokenOwner
    ) async throws(ServiceError) -> RawJSON {
        try await exchange(message, owner) { body in
            SubjectWalk(
                personal: .kept, unknownSettings: .leftOut,
                token: { place, name in place.tokenKind.map { body(TokenSubject($0, name)) } ?? "" }
            ) { _, name throws(JSONError) in name }
        }
    }

    /// A result for a program that may see names, with its tokens beside them.
    package func labelledResult(
        _ result: RawJSON, of method: any Method.Type, _ owner: TokenOwner
    ) async throws(ServiceError) -> RawJSON {
        func label<M: Method>(_ method: M.Type) async throws(ServiceError) -> RawJSON {
            try await labelled(try Self.readable(result, as: M.Result.self), owner)
        }
        return try await label(method)
    }

    /// - Parameter walk: calls its argument for each subject, and puts the result into the message.
    private func exchange<R: Record>(
        _ message: R, _ owner: TokenOwner, walk: (@escaping (TokenSubject) -> String) -> SubjectWalk
    ) async throws(ServiceError) -> RawJSON {
        var found: [TokenSubject] = []
        _ = try Self.walked(
            message,
            walk { subject in
                found.append(subject)
                return ""
            })
        let tokens = try await tokens(for: found, owner)
        return RawJSON(encoding: try Self.walked(message, walk { tokens[$0.key] ?? RawToken.prefix }))
    }

    private static func walked<R: Record>(_ message: R, _ walk: SubjectWalk) throws(ServiceError) -> R {
        do throws(JSONError) { return try walk.changed(message) } catch { throw unreadable(error) }
    }

    private static func readable<R: Record>(_ raw: RawJSON, as type: R.Type) throws(ServiceError) -> R {
        do throws(JSONError) { return try R.decode(raw.bytes) } catch { throw unreadable(error) }
    }

    private static func unreadable(_ error: JSONError) -> ServiceError {
        ServiceError(
            .internalError, "'\(error.path)' \(error.detail)", remedy: "Run one version of all parts.")
    }
}

extension TokenOwner {
    /// The owner for a request: if the request names a member, that member.
    package func named(by params: some Record) -> TokenOwner {
        (params as? any MemberScoped)?.member.map { TokenOwner(client: client, member: $0) } ?? self
    }

    package func named(by params: RawJSON, of method: any Method.Type) -> TokenOwner {
        func owner<M: Method>(_ method: M.Type) -> TokenOwner {
            // Parameters that cannot be decoded are refused when they are translated.
            (try? M.Params.decode(params.bytes)).map { named(by: $0) } ?? self
        }
        return owner(method)
    }
}
