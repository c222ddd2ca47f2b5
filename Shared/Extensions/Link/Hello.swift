package import Contract
package import JSON

/// The program's first request; its host answers it itself.
package enum Hello {
    package static let method = "hello"

    @Record
    package struct Params: Record {
        /// True: subjects are shown and taken as tokens.
        package var tokens: Bool = true
    }

    /// Who the program is, as its host knows it.
    @Record("hello.answer")
    package struct Answer: Record, Sendable {
        /// Bundle id of the app it belongs to.
        package var client: String = ""
        /// Bundle id of the extension; absent: the app itself.
        @Field(name: "extension") package var program: String?
        /// What the extension is for; absent: the app itself.
        package var point: ExtensionPoint?
        /// Id of the member whose screen time it is about.
        package var member: String = ""
        /// App groups that its client's entitlements registered.
        package var groups: [AppGroup] = []
        /// Why it is not known which groups its client has beside these; absent: these are all.
        package var groupsUnknown: String?
        /// Its bundle directory; absent: none is known.
        package var bundlePath: String?
        /// Directory of its own for defaults and files; absent: none.
        package var containerPath: String?
        /// True: its entitlements let it ask for names of apps and sites.
        package var dataAccess: Bool?
    }
}

/// A directory that an app and its extensions share.
@Record
package struct AppGroup: Record, Sendable {
    /// As in the entitlements.
    package var id: String = ""
    /// Absolute path of the directory.
    package var path: String = ""
    /// False: this program may only read there.
    package var writable: Bool = false
}

/// Asks the host to push events of the bus; it answers this itself. A later one replaces an earlier one.
package enum Subscribe {
    package static let method = "subscribe"

    @Record
    package struct Params: Record {
        /// Types of events of the contract.
        package var types: [String] = []
    }
}

/// Says what tokens stand for, for showing it to the person.
///
/// The host answers this itself.
@Method("token.describe", of: .auth, .read, for: .authorizedClient)
package enum DescribeTokens: Method {
    @Record("token.describe.params")
    package struct Params: Record {
        /// `token:BASE64`; at most 500.
        package var tokens: [String] = []
    }

    @Record("token.describe.result")
    package struct Result: Record, Sendable {
        /// One for each token, in their order.
        package var subjects: [DescribedToken] = []
    }
}

/// What a person calls the subject of a token.
@Record
package struct DescribedToken: Record, Sendable {
    /// App, category or domain.
    package var kind: TokenKind = .app
    /// In the person's language, where that is known.
    package var name: String = ""
    /// Name or path of an app's icon (Icon Theme Specification).
    package var icon: String?
}

/// Tokens for names, for an app that may see names.
///
/// The host answers this itself.
@Method("token.named", of: .auth, .read, for: .authorizedClient)
package enum NameTokens: Method {
    /// Subjects of one request.
    package static let subjectsMax = 1_000

    @Record("token.named.params")
    package struct Params: Record {
        /// At most 1000.
        package var subjects: [TokenSubject] = []
    }

    @Record("token.named.result")
    package struct Result: Record {
        /// `token:BASE64` for each subject, in their order.
        package var tokens: [String] = []
    }
}
