package import Contract
package import JSON

/// The program's first request; its host answers it itself.
package enum Hello {
    package static let method = "hello"

    /// How the program wants to name subjects.
    @Record
    package struct Params: Record {
        /// True: subjects are sent and received as tokens.
        package var tokens: Bool = true
    }

    /// The identity of the program, as its host knows it.
    @Record("hello.answer")
    package struct Answer: Record, Sendable {
        /// Bundle id of the app it belongs to.
        package var client: String = ""
        /// Bundle id of the extension; absent: the app itself.
        @Field(name: "extension") package var program: String?
        /// Extension point; absent for the app itself.
        package var point: ExtensionPoint?
        /// Member id of the person whose screen time it manages.
        package var member: String = ""
        /// App groups of its client's entitlements.
        package var groups: [AppGroup] = []
        /// Why the list of groups may be incomplete; absent if it is complete.
        package var groupsUnknown: String?
        /// Its bundle directory; absent if unknown.
        package var bundlePath: String?
        /// Its directory for defaults and files; absent: none.
        package var containerPath: String?
        /// True: its entitlements allow it to ask for names of apps and sites.
        package var dataAccess: Bool?
    }
}

/// A directory that an app and its extensions share.
@Record
package struct AppGroup: Record, Sendable {
    /// Id in the entitlements.
    package var id: String = ""
    /// Absolute path of the directory.
    package var path: String = ""
    /// False: this program may only read it.
    package var writable: Bool = false
}

/// Asks the host to push events of the bus; the host answers it itself. A later request replaces an earlier
/// one.
package enum Subscribe {
    package static let method = "subscribe"

    /// The complete list of types; empty ends the subscription.
    @Record
    package struct Params: Record {
        /// Types of events of the contract to push.
        package var types: [String] = []
    }
}

/// Describes the subjects of tokens, to show them to the person.
///
/// The host answers this itself.
@Method("token.describe", of: .auth, .read, for: .authorizedClient)
package enum DescribeTokens: Method {
    /// The tokens to describe.
    @Record("token.describe.params")
    package struct Params: Record {
        /// `token:BASE64`; at most 500.
        package var tokens: [String] = []
    }

    /// The descriptions.
    @Record("token.describe.result")
    package struct Result: Record, Sendable {
        /// One for each token, in their order.
        package var subjects: [DescribedToken] = []
    }
}

/// The display name and icon of a token's subject.
@Record
package struct DescribedToken: Record, Sendable {
    /// App, category or domain.
    package var kind: TokenKind = .app
    /// Name in the person's language, if known.
    package var name: String = ""
    /// Name or path of an app's icon (Icon Theme Specification).
    package var icon: String?
}

/// Makes tokens for names, for an app that may see names.
///
/// The host answers this itself.
@Method("token.named", of: .auth, .read, for: .authorizedClient)
package enum NameTokens: Method {
    /// Maximum number of subjects in one request.
    package static let subjectsMax = 1_000

    /// The subjects to make tokens for.
    @Record("token.named.params")
    package struct Params: Record {
        /// At most 1000.
        package var subjects: [TokenSubject] = []
    }

    /// The tokens.
    @Record("token.named.result")
    package struct Result: Record {
        /// `token:BASE64` for each subject, in their order.
        package var tokens: [String] = []
    }
}
