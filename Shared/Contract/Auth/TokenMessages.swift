package import JSON

/// What a token can stand for.
package enum TokenKind: String, NameEnum {
    case app
    case category
    case domain
}

/// What a token stands for.
@Record
package struct TokenSubject: Record {
    /// App, category or domain.
    package var kind: TokenKind = .app
    /// App id, category or domain.
    @Field(markedBy: "nameMark") package var name: String = ""

    /// The subject of this kind with this name: an app id, a category or a domain.
    package init(_ kind: TokenKind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    private var nameMark: FieldMark { .subject(kind.mark) }
}

/// Makes the tokens by which a client names subjects. They are the same at each call until the client's
/// authorization is revoked.
@Method("token.make", of: .auth, .read, for: .person)
package enum TokenMake: Method {
    /// The subjects to make tokens for.
    @Record("token.make.params")
    package struct Params: Record, MemberScoped {
        /// Bundle id of the client; absent: the person's own programs.
        package var client: String?
        /// Member id; default the person of the uid.
        package var member: String?
        /// At most 2000.
        package var subjects: [TokenSubject] = []
    }

    /// The tokens, one for each subject.
    @Record("token.make.result")
    package struct Result: Record {
        /// One for each subject, in their order; base64.
        package var tokens: [String] = []
    }
}

/// A resolved token: exactly one of its fields is set.
@Record
package struct ResolvedToken: Record {
    /// What it stands for.
    package var subject: TokenSubject?
    /// tokenRevoked, tokenForeign or tokenDamaged.
    package var error: ErrorObject?

    /// Makes the wire form of a result of resolving a token.
    package init(_ result: Swift.Result<TokenSubject, ServiceError>) {
        switch result {
        case .success(let subject): self.subject = subject
        case .failure(let error): self.error = ErrorObject(error)
        }
    }
}

/// Resolves tokens of a client; each gets its subject, or the error that says why it is invalid.
@Method("token.resolve", of: .auth, .read, for: .person)
package enum TokenResolve: Method {
    /// The tokens to resolve, and whose they are.
    @Record("token.resolve.params")
    package struct Params: Record, MemberScoped {
        /// Bundle id of the client that presents them; absent: the person's own programs.
        package var client: String?
        /// Member id; default the person of the uid.
        package var member: String?
        /// At most 2000; base64.
        package var tokens: [String] = []
    }

    /// Subjects or errors, one for each token.
    @Record("token.resolve.result")
    package struct Result: Record {
        /// One for each token, in their order.
        package var resolved: [ResolvedToken] = []
    }
}

/// Returns the valid tokens of a client unchanged, and for each invalid one the error that says why.
@Method("token.refresh", of: .auth, .read, for: .anyone)
package enum TokenRefresh: Method {
    /// The tokens to check.
    @Record("token.refresh.params")
    package struct Params: Record {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// At most 2000; base64.
        @Field(.publicText) package var tokens: [String] = []
    }

    /// Tokens or errors, one for each token.
    @Record("token.refresh.result")
    package struct Result: Record {
        /// One for each token, in their order.
        package var refreshed: [RefreshedToken] = []
    }
}

/// A refreshed token: exactly one of its fields is set.
@Record
package struct RefreshedToken: Record {
    /// The valid token; base64.
    @Field(.publicText) package var token: String?
    /// tokenRevoked, tokenForeign or tokenDamaged.
    package var error: ErrorObject?
}
