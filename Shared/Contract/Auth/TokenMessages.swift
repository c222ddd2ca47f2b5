package import JSON

/// What a token can stand for.
package enum TokenKind: String, NameEnum {
    case app
    case category
    case domain
}

/// What a token stands for.
package struct TokenSubject: Record {
    package var kind: TokenKind = .app
    package var name = ""

    package init() {}
    package init(_ kind: TokenKind, _ name: String) {
        self.kind = kind
        self.name = name
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("kind", &kind, "App, category or domain.")
        try visitor.field("name", &name, "App id, category or domain.", .subject(kind.mark))
    }
}

/// Makes the tokens by which a client may name subjects: the same ones for the same client, member and
/// subject, until the person takes the client's authorization away.
package enum TokenMake: Method {
    package static let name = "token.make"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "Makes the tokens by which a client may name subjects; the same until its authorization is taken away."

    package struct Params: Record, MemberScoped {
        package static var title: String { "token.make.params" }
        package var client: String?
        package var member: String?
        package var subjects: [TokenSubject] = []

        package init() {}
        package init(client: String? = nil, member: String? = nil, subjects: [TokenSubject] = []) {
            self.client = client
            self.member = member
            self.subjects = subjects
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("client", &client, "For whom; absent: for the person's own programs.")
            try visitor.field("member", &member, "Member id; default the person of the uid.")
            try visitor.field("subjects", &subjects, "At most 2000.")
        }
    }

    package struct Result: Record {
        package static var title: String { "token.make.result" }
        package var tokens: [String] = []

        package init() {}
        package init(tokens: [String]) { self.tokens = tokens }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("tokens", &tokens, "One for each subject, in their order; base64.")
        }
    }
}

/// One token read: exactly one of its fields is there.
package struct ResolvedToken: Record {
    package var subject: TokenSubject?
    package var error: ErrorObject?

    package init() {}
    package init(_ result: Swift.Result<TokenSubject, ServiceError>) {
        switch result {
        case .success(let subject): self.subject = subject
        case .failure(let error): self.error = ErrorObject(error)
        }
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("subject", &subject, "What it stands for.")
        try visitor.field("error", &error, "tokenRevoked, tokenForeign or tokenDamaged.")
    }
}

/// Says what tokens of a client stand for, or for each why not.
package enum TokenResolve: Method {
    package static let name = "token.resolve"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "Says what tokens of a client stand for, or for each why not."

    package struct Params: Record, MemberScoped {
        package static var title: String { "token.resolve.params" }
        package var client: String?
        package var member: String?
        package var tokens: [String] = []

        package init() {}
        package init(client: String? = nil, member: String? = nil, tokens: [String] = []) {
            self.client = client
            self.member = member
            self.tokens = tokens
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("client", &client, "Who showed them; absent: the person's own programs.")
            try visitor.field("member", &member, "Member id; default the person of the uid.")
            try visitor.field("tokens", &tokens, "At most 2000; base64.")
        }
    }

    package struct Result: Record {
        package static var title: String { "token.resolve.result" }
        package var resolved: [ResolvedToken] = []

        package init() {}
        package init(resolved: [ResolvedToken]) { self.resolved = resolved }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("resolved", &resolved, "One for each token, in their order.")
        }
    }
}

/// Gives a client its valid tokens back as they are; a dead one is an error that says why it died.
package enum TokenRefresh: Method {
    package static let name = "token.refresh"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.anyone
    package static let summary = "Gives a client its valid tokens back as they are; a dead one is an error that says why it died."

    package struct Params: Record {
        package static var title: String { "token.refresh.params" }
        package var member: String?
        package var tokens: [String] = []

        package init() {}
        package init(member: String? = nil, tokens: [String] = []) {
            self.member = member
            self.tokens = tokens
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field("tokens", &tokens, "At most 2000; base64.", .publicText)
        }
    }

    package struct Result: Record {
        package static var title: String { "token.refresh.result" }
        package var refreshed: [RefreshedToken] = []

        package init() {}
        package init(refreshed: [RefreshedToken]) { self.refreshed = refreshed }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("refreshed", &refreshed, "One for each token, in their order.")
        }
    }
}

/// One token refreshed: exactly one of its fields is there.
package struct RefreshedToken: Record {
    package var token: String?
    package var error: ErrorObject?

    package init() {}
    package init(token: String? = nil, error: ErrorObject? = nil) {
        self.token = token
        self.error = error
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("token", &token, "The one that is valid now; base64.", .publicText)
        try visitor.field("error", &error, "tokenRevoked, tokenForeign or tokenDamaged.")
    }
}
