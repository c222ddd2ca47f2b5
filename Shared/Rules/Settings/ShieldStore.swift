package import Units

/// The shield settings of one managed-settings store.
package struct ShieldStore: Hashable, Sendable {
    /// Bundle id of the store's owner.
    package var client: String
    /// Name of the store; `default` for the unnamed one.
    package var name: String
    /// False while the person has switched the client's restrictions off: the store then has no effect.
    package var isActive: Bool
    /// App ids.
    package var applications: Set<String>
    /// Ids of apps that must not be used at all.
    package var blockedApplications: Set<String> = []
    /// Categories of apps.
    package var applicationCategories: CategoryRule
    /// Domains; each covers its subdomains.
    package var webDomains: Set<String>
    /// Categories of domains.
    package var webDomainCategories: CategoryRule
    /// When each rule got its present value; 1970 if unknown.
    package var since: [ShieldRule: Instant]
    /// When a rule first named an app, domain or category, if that is later than `since` of the rule.
    package var namedSince: [ShieldRule: [String: Instant]] = [:]

    package init(
        client: String, name: String, isActive: Bool = true, applications: Set<String> = [],
        applicationCategories: CategoryRule = .none, webDomains: Set<String> = [],
        webDomainCategories: CategoryRule = .none, since: [ShieldRule: Instant] = [:]
    ) {
        self.client = client
        self.name = name
        self.isActive = isActive
        self.applications = applications
        self.applicationCategories = applicationCategories
        self.webDomains = webDomains
        self.webDomainCategories = webDomainCategories
        self.since = since
    }
}

/// The settings that shield, with Apple's dotted names.
package enum ShieldRule: String, Hashable, Sendable, CaseIterable {
    case applications = "shield.applications"
    case blockedApplications = "application.blockedApplications"
    case applicationCategories = "shield.applicationCategories"
    case webDomains = "shield.webDomains"
    case webDomainCategories = "shield.webDomainCategories"

    /// Whether the rule names subjects themselves instead of categories.
    package var isDirect: Bool {
        switch self {
        case .applications, .blockedApplications, .webDomains: true
        case .applicationCategories, .webDomainCategories: false
        }
    }
}

extension ShieldStore {
    /// The apps that the store names, to shield or to block them.
    package var namedApps: Set<String> { applications.union(blockedApplications) }
}

/// Apple's ShieldSettings.ActivityCategoryPolicy.
package enum CategoryRule: Hashable, Sendable {
    case none
    case specific(Set<String>, except: Set<String>)
    case all(except: Set<String>)

    /// Whether it covers the category, regardless of its exceptions.
    func covers(_ category: String) -> Bool {
        switch self {
        case .none: false
        case .specific(let categories, _): categories.contains(category)
        case .all: true
        }
    }

    /// The excepted apps or domains; empty for `none`.
    package var exceptions: Set<String> {
        switch self {
        case .none: []
        case .specific(_, let exceptions), .all(let exceptions): exceptions
        }
    }

    /// The same rule with its exceptions replaced.
    func mappingExceptions(_ map: (Set<String>) -> Set<String>) -> CategoryRule {
        switch self {
        case .none: .none
        case .specific(let categories, let exceptions): .specific(categories, except: map(exceptions))
        case .all(let exceptions): .all(except: map(exceptions))
        }
    }
}
