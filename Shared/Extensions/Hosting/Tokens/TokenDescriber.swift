package import Bus
package import Contract
package import ExtensionLink
package import Loop

/// Finds display names for the subjects of a program's own tokens.
@LoopActor package struct TokenDescriber {
    /// Maximum number of tokens in one request.
    private static let tokensMax = 500

    private let translator: TokenTranslator
    private let client: @LoopActor (ServiceName) throws(ServiceError) -> RequestClient

    package init(
        _ translator: TokenTranslator,
        client: @escaping @LoopActor (ServiceName) throws(ServiceError) -> RequestClient
    ) {
        self.translator = translator
        self.client = client
    }

    /// - Throws: the error of the first token that is not the owner's; `limitExceeded`.
    package func describe(
        _ params: DescribeTokens.Params, _ owner: TokenOwner
    ) async throws(ServiceError) -> DescribeTokens.Result {
        guard params.tokens.count <= Self.tokensMax else {
            throw ServiceError(
                .limitExceeded, "\(params.tokens.count) tokens, \(Self.tokensMax) are allowed",
                remedy: "Split the request.")
        }
        let subjects = try await translator.subjects(of: params.tokens, owner)
        var described: [DescribedToken] = []
        for subject in params.tokens.compactMap({ subjects[$0] }) { described.append(await name(subject)) }
        return DescribeTokens.Result(subjects: described)
    }

    /// A subject that the catalogue does not know, or without an answer of it, keeps its own name.
    private func name(_ subject: TokenSubject) async -> DescribedToken {
        guard subject.kind == .app else {
            return DescribedToken(
                kind: subject.kind,
                name: subject.kind == .category ? Self.capitalised(subject.name) : subject.name)
        }
        // Without the catalogue, the app's id is shown.
        let item = try? await client(.activity).call(CatalogResolve.self, CatalogTarget(app: subject.name))
        return DescribedToken(kind: .app, name: item?.name ?? subject.name, icon: item?.icon)
    }

    private static func capitalised(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst().map { $0 == "_" || $0 == "-" ? " " : $0 }
    }
}
