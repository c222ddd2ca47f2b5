/// Identifies an app without revealing it.
public typealias ApplicationToken = Token<Application>
/// Identifies a category without revealing it.
public typealias ActivityCategoryToken = Token<ActivityCategory>
/// Identifies a web domain without revealing it.
public typealias WebDomainToken = Token<WebDomain>

/// An app, by identifier, token or both.
public struct Application: Equatable, Hashable, Sendable {
    /// The app's identifier; on Linux its desktop-file id without `.desktop`. Present in shield-configuration
    /// and report extensions, for clients with data access, and if the program created the value from it.
    public let bundleIdentifier: String?
    /// Nil if the value was created from an identifier.
    public let token: ApplicationToken?
    /// The app's name in the person's language. Present in shield-configuration and report extensions and for
    /// clients with data access.
    public let localizedDisplayName: String?

    /// An app by its identifier, without a token. Shields need a token.
    public init(bundleIdentifier: String) {
        self.init(bundleIdentifier: bundleIdentifier, token: nil, localizedDisplayName: nil)
    }

    /// An app by its token, without a name.
    public init(token: ApplicationToken) {
        self.init(bundleIdentifier: nil, token: token, localizedDisplayName: nil)
    }

    /// Made by extensions that may see names.
    package init(bundleIdentifier: String?, token: ApplicationToken?, localizedDisplayName: String?) {
        self.bundleIdentifier = bundleIdentifier
        self.token = token
        self.localizedDisplayName = localizedDisplayName
    }
}

/// A category of apps and web domains.
public struct ActivityCategory: Equatable, Hashable, Sendable {
    /// Nil if the host did not supply one.
    public let token: ActivityCategoryToken?
    /// The category's name. Present in shield-configuration and report extensions and for clients with data
    /// access.
    public let localizedDisplayName: String?
    /// The category's name in the catalogue; not in Apple's API. Present if the display name is.
    package let identifier: String?

    /// A category by its token, without a name.
    public init(token: ActivityCategoryToken) {
        self.init(identifier: nil, token: token, localizedDisplayName: nil)
    }

    /// Made by extensions that may see names.
    package init(identifier: String?, token: ActivityCategoryToken?, localizedDisplayName: String?) {
        self.identifier = identifier
        self.token = token
        self.localizedDisplayName = localizedDisplayName
    }
}

/// A web domain including its subdomains.
public struct WebDomain: Equatable, Hashable, Sendable {
    /// A host name. Present in shield-configuration and report extensions, for clients with data access, and
    /// if the program created the value from it.
    public let domain: String?
    /// Nil if the value was created from a host name.
    public let token: WebDomainToken?

    /// A domain by its host name, without a token. Shields need a token.
    public init(domain: String) { self.init(domain: domain, token: nil) }

    /// A domain by its token, without a name.
    public init(token: WebDomainToken) { self.init(domain: nil, token: token) }

    /// Made by extensions that may see names.
    package init(domain: String?, token: WebDomainToken?) {
        self.domain = domain
        self.token = token
    }
}
