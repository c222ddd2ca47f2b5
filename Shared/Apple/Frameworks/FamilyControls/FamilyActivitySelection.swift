internal import FoundationExtras
public import ManagedSettings

/// Apps, categories and web domains that the person chose.
///
/// Encodes as one object with Apple's seven keys, for JSON and property lists alike. Missing keys decode as
/// empty. Tokens are written in the order of their bytes, so equal selections have equal encodings.
public struct FamilyActivitySelection: Codable, Equatable, Sendable {
    /// Whether choosing a category also adds the tokens of the apps and domains in it.
    public let includeEntireCategory: Bool
    /// The chosen apps. Tokens are opaque; ``DeviceActivityEvent`` and ``ShieldSettings`` accept them.
    public var applicationTokens: Set<ApplicationToken> = []
    /// The chosen categories.
    public var categoryTokens: Set<ActivityCategoryToken> = []
    /// The chosen web domains.
    public var webDomainTokens: Set<WebDomainToken> = []
    private var untokenized = Untokenized()

    /// Identifiers without tokens in an encoding by Apple. They are kept and encoded again.
    private struct Untokenized: Equatable, Sendable {
        var applications: Set<String> = []
        var categories: Set<String> = []
        var webDomains: Set<String> = []
    }

    /// The chosen apps with their tokens. Only extensions that render names receive names.
    public var applications: Set<Application> {
        Set(applicationTokens.map { Application(token: $0) }).union(
            untokenized.applications.map { Application(bundleIdentifier: $0) })
    }
    /// The chosen categories with their tokens.
    public var categories: Set<ActivityCategory> { Set(categoryTokens.map { ActivityCategory(token: $0) }) }
    /// The chosen domains with their tokens.
    public var webDomains: Set<WebDomain> {
        Set(webDomainTokens.map { WebDomain(token: $0) }).union(
            untokenized.webDomains.map { WebDomain(domain: $0) })
    }

    /// An empty selection. - Parameter includeEntireCategory: see ``includeEntireCategory``.
    public init(includeEntireCategory: Bool) { self.includeEntireCategory = includeEntireCategory }

    /// An empty selection in which a category adds no tokens of its members.
    public init() { self.init(includeEntireCategory: false) }

    // MARK: coding

    private enum CodingKeys: String, CodingKey {
        case applicationTokens, categoryTokens, includeEntireCategory, untokenizedApplicationIdentifiers
        case untokenizedCategoryIdentifiers, untokenizedWebDomainIdentifiers, webDomainTokens
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func names(_ key: CodingKeys) throws -> Set<String> {
            try values.decodeIfPresent(Set<String>.self, forKey: key) ?? []
        }
        includeEntireCategory = try values.decodeIfPresent(Bool.self, forKey: .includeEntireCategory) ?? false
        applicationTokens = try values.decodeIfPresent(Set.self, forKey: .applicationTokens) ?? []
        categoryTokens = try values.decodeIfPresent(Set.self, forKey: .categoryTokens) ?? []
        webDomainTokens = try values.decodeIfPresent(Set.self, forKey: .webDomainTokens) ?? []
        untokenized.applications = try names(.untokenizedApplicationIdentifiers)
        untokenized.categories = try names(.untokenizedCategoryIdentifiers)
        untokenized.webDomains = try names(.untokenizedWebDomainIdentifiers)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(applicationTokens.inOrder(), forKey: .applicationTokens)
        try values.encode(categoryTokens.inOrder(), forKey: .categoryTokens)
        try values.encode(includeEntireCategory, forKey: .includeEntireCategory)
        try values.encode(untokenized.applications.sorted(), forKey: .untokenizedApplicationIdentifiers)
        try values.encode(untokenized.categories.sorted(), forKey: .untokenizedCategoryIdentifiers)
        try values.encode(untokenized.webDomains.sorted(), forKey: .untokenizedWebDomainIdentifiers)
        try values.encode(webDomainTokens.inOrder(), forKey: .webDomainTokens)
    }
}

extension Set {
    /// Tokens sorted by their bytes.
    fileprivate func inOrder<T>() -> [Token<T>] where Element == Token<T> {
        sorted { $0.data.lexicographicallyPrecedes($1.data) }
    }
}
