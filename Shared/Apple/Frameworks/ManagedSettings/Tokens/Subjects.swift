/// Names an app.
public typealias ApplicationToken = Token<Application>
/// Names a category of apps and web domains.
public typealias ActivityCategoryToken = Token<ActivityCategory>
/// Names a web domain.
public typealias WebDomainToken = Token<WebDomain>

/// An app, by its identifier, its token or both.
public struct Application: Equatable, Hashable, Sendable {
    /// The app's identifier: on Linux its desktop-file id without `.desktop`. Known in shield-configuration
    /// and report extensions, to clients with data access, and where the program made the value itself.
    public let bundleIdentifier: String?
    /// Nil where the value was made from an identifier.
    public let token: ApplicationToken?
    /// The name a person knows it by, in the person's language. Known in shield-configuration and report
    /// extensions and to clients with data access.
    public let localizedDisplayName: String?

    public init(bundleIdentifier: String) {
        self.init(bundleIdentifier: bundleIdentifier, token: nil, localizedDisplayName: nil)
    }

    public init(token: ApplicationToken) {
        self.init(bundleIdentifier: nil, token: token, localizedDisplayName: nil)
    }

    package init(bundleIdentifier: String?, token: ApplicationToken?, localizedDisplayName: String?) {
        self.bundleIdentifier = bundleIdentifier
        self.token = token
        self.localizedDisplayName = localizedDisplayName
    }
}

/// A category of apps and web domains.
public struct ActivityCategory: Equatable, Hashable, Sendable {
    public let token: ActivityCategoryToken?
    /// The name a person knows it by. Known in shield-configuration and report extensions and to clients with
    /// data access.
    public let localizedDisplayName: String?
    /// The category's name in the catalogue; Apple's value has none. Known where the display name is.
    package let identifier: String?

    public init(token: ActivityCategoryToken) {
        self.init(identifier: nil, token: token, localizedDisplayName: nil)
    }

    package init(identifier: String?, token: ActivityCategoryToken?, localizedDisplayName: String?) {
        self.identifier = identifier
        self.token = token
        self.localizedDisplayName = localizedDisplayName
    }
}

/// A web domain with its subdomains.
public struct WebDomain: Equatable, Hashable, Sendable {
    /// A host name. Known in shield-configuration and report extensions, to clients with data access, and
    /// where the program made the value itself.
    public let domain: String?
    /// Nil where the value was made from a domain.
    public let token: WebDomainToken?

    public init(domain: String) { self.init(domain: domain, token: nil) }

    public init(token: WebDomainToken) { self.init(domain: nil, token: token) }

    package init(domain: String?, token: WebDomainToken?) {
        self.domain = domain
        self.token = token
    }
}
