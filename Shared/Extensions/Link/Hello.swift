package import Contract
package import JSON

/// The program's first request; its host answers it itself.
package enum Hello {
    package static let method = "hello"

    package struct Params: Record {
        package var tokens = true

        package init() {}
        package init(tokens: Bool) { self.tokens = tokens }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("tokens", &tokens, "True: subjects are shown and taken as tokens.")
        }
    }

    /// Who the program is, as its host knows it.
    package struct Answer: Record, Sendable {
        package static var title: String { "hello.answer" }
        package var client = ""
        package var program: String?
        package var point: ExtensionPoint?
        package var member = ""
        package var groups: [AppGroup] = []
        package var groupsUnknown: String?
        package var bundlePath: String?
        package var containerPath: String?
        package var dataAccess: Bool?

        package init() {}
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("client", &client, "Bundle id of the app it belongs to.")
            try visitor.field("extension", &program, "Bundle id of the extension; absent: the app itself.")
            try visitor.field("point", &point, "What the extension is for; absent: the app itself.")
            try visitor.field("member", &member, "Id of the member whose screen time it is about.")
            try visitor.field("groups", &groups, "App groups that its client's entitlements registered.")
            try visitor.field(
                "groups_unknown", &groupsUnknown,
                "Why it is not known which groups its client has beside these; absent: these are all.")
            try visitor.field("bundle_path", &bundlePath, "Its bundle directory; absent: none is known.")
            try visitor.field(
                "container_path", &containerPath, "Directory of its own for defaults and files; absent: none."
            )
            try visitor.field(
                "data_access", &dataAccess, "True: its entitlements let it ask for names of apps and sites.")
        }
    }
}

/// A directory that an app and its extensions share.
package struct AppGroup: Record, Sendable {
    package var id = ""
    package var path = ""
    package var writable = false

    package init() {}
    package init(id: String, path: String, writable: Bool) {
        self.id = id
        self.path = path
        self.writable = writable
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("id", &id, "As in the entitlements.")
        try visitor.field("path", &path, "Absolute path of the directory.")
        try visitor.field("writable", &writable, "False: this program may only read there.")
    }
}

/// Asks the host to push events of the bus; it answers this itself. A later one replaces an earlier one.
package enum Subscribe {
    package static let method = "subscribe"

    package struct Params: Record {
        package var types: [String] = []

        package init() {}
        package init(types: [String]) { self.types = types }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("types", &types, "Types of events of the contract.")
        }
    }
}

/// Says what tokens stand for, for showing it to the person; the host answers this itself.
package enum DescribeTokens: Method {
    package static let name = "token.describe"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "Says what tokens stand for, for showing it to the person."

    package struct Params: Record {
        package static var title: String { "token.describe.params" }
        package var tokens: [String] = []

        package init() {}
        package init(tokens: [String]) { self.tokens = tokens }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("tokens", &tokens, "`token:BASE64`; at most 500.")
        }
    }

    package struct Result: Record, Sendable {
        package static var title: String { "token.describe.result" }
        package var subjects: [DescribedToken] = []

        package init() {}
        package init(subjects: [DescribedToken]) { self.subjects = subjects }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("subjects", &subjects, "One for each token, in their order.")
        }
    }
}

/// What a person calls the subject of a token.
package struct DescribedToken: Record, Sendable {
    package var kind: TokenKind = .app
    package var name = ""
    package var icon: String?

    package init() {}
    package init(kind: TokenKind, name: String, icon: String? = nil) {
        self.kind = kind
        self.name = name
        self.icon = icon
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("kind", &kind, "App, category or domain.")
        try visitor.field("name", &name, "In the person's language, where that is known.")
        try visitor.field("icon", &icon, "Name or path of an app's icon (Icon Theme Specification).")
    }
}

/// Tokens for names, for an app that may see names; its host answers this itself.
package enum NameTokens: Method {
    package static let name = "token.named"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "Tokens for names, for an app that may see names."
    /// Subjects of one request.
    package static let subjectsMax = 1_000

    package struct Params: Record {
        package static var title: String { "token.named.params" }
        package var subjects: [TokenSubject] = []

        package init() {}
        package init(subjects: [TokenSubject]) { self.subjects = subjects }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("subjects", &subjects, "At most 1000.")
        }
    }

    package struct Result: Record {
        package static var title: String { "token.named.result" }
        package var tokens: [String] = []

        package init() {}
        package init(tokens: [String]) { self.tokens = tokens }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("tokens", &tokens, "`token:BASE64` for each subject, in their order.")
        }
    }
}
