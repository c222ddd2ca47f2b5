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

    package init(_ kind: TokenKind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    private var nameMark: FieldMark { .subject(kind.mark) }
}

/// Makes the tokens by which a client may name subjects; the same until its authorization is taken away.
@Method("token.make", of: .auth, .read, for: .person)
package enum TokenMake: Method {
    @Record("token.make.params")
    package struct Params: Record, MemberScoped {
        /// For whom; absent: for the person's own programs.
        package var client: String?
        /// Member id; default the person of the uid.
        package var member: String?
        /// At most 2000.
        package var subjects: [TokenSubject] = []
    }

    @Record("token.make.result")
    package struct Result: Record {
        /// One for each subject, in their order; base64.
        package var tokens: [String] = []
    }
}

/// One token read: exactly one of its fields is there.
@Record
package struct ResolvedToken: Record {
    /// What it stands for.
    package var subject: TokenSubject?
    /// tokenRevoked, tokenForeign or tokenDamaged.
    package var error: ErrorObject?

    package init(_ result: Swift.Result<TokenSubject, ServiceError>) {
        switch result {
        case .success(let subject): self.subject = subject
        case .failure(let error): self.error = ErrorObject(error)
        }
    }
}

/// Says what tokens of a client stand for, or for each why not.
@Method("token.resolve", of: .auth, .read, for: .person)
package enum TokenResolve: Method {
    @Record("token.resolve.params")
    package struct Params: Record, MemberScoped {
        /// Who showed them; absent: the person's own programs.
        package var client: String?
        /// Member id; default the person of the uid.
        package var member: String?
        /// At most 2000; base64.
        package var tokens: [String] = []
    }

    @Record("token.resolve.result")
    package struct Result: Record {
        /// One for each token, in their order.
        package var resolved: [ResolvedToken] = []
    }
}

/// Gives a client its valid tokens back as they are; a dead one is an error that says why it died.
@Method("token.refresh", of: .auth, .read, for: .anyone)
package enum TokenRefresh: Method {
    @Record("token.refresh.params")
    package struct Params: Record {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// At most 2000; base64.
        @Field(.publicText) package var tokens: [String] = []
    }

    @Record("token.refresh.result")
    package struct Result: Record {
        /// One for each token, in their order.
        package var refreshed: [RefreshedToken] = []
    }
}

/// One token refreshed: exactly one of its fields is there.
@Record
package struct RefreshedToken: Record {
    /// The one that is valid now; base64.
    @Field(.publicText) package var token: String?
    /// tokenRevoked, tokenForeign or tokenDamaged.
    package var error: ErrorObject?
}
