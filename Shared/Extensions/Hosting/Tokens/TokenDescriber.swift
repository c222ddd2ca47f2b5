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
        _ params: DescribeTokens.Params, _ owner: TokenOwner,
        _ completion: @escaping @LoopActor (Result<DescribeTokens.Result, ServiceError>) -> Void
    ) {
        guard params.tokens.count <= Self.tokensMax else {
            return completion(
                .failure(
                    ServiceError(
                        .limitExceeded, "\(params.tokens.count) tokens, \(Self.tokensMax) are allowed",
                        remedy: "Split the request.")))
        }
        translator.subjects(of: params.tokens, owner) { result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let subjects):
                name(params.tokens.compactMap { subjects[$0] }[...], []) {
                    completion(.success(DescribeTokens.Result(subjects: $0)))
                }
            }
        }
    }

    /// One at a time. A subject that the catalogue does not know keeps its own name.
    private func name(
        _ rest: ArraySlice<TokenSubject>, _ done: [DescribedToken],
        _ completion: @escaping @LoopActor ([DescribedToken]) -> Void
    ) {
        guard let next = rest.first else { return completion(done) }
        guard next.kind == .app else {
            let shown = next.kind == .category ? Self.capitalised(next.name) : next.name
            return name(rest.dropFirst(), done + [DescribedToken(kind: next.kind, name: shown)], completion)
        }
        lookUp(next.name) { item in
            let described = DescribedToken(kind: .app, name: item?.name ?? next.name, icon: item?.icon)
            name(rest.dropFirst(), done + [described], completion)
        }
    }

    private func lookUp(_ app: String, _ completion: @escaping @LoopActor (CatalogItem?) -> Void) {
        do throws(ServiceError) {
            try client(.activity).send(CatalogResolve.self, CatalogTarget(app: app)) { result in
                // Without the catalogue, the app's id is shown.
                completion(try? result.get())
            }
        } catch {
            completion(nil)
        }
    }

    private static func capitalised(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst().map { $0 == "_" || $0 == "-" ? " " : $0 }
    }
}
