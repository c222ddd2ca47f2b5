package import Units

/// What one managed-settings store says about shields.
package struct ShieldStore: Hashable, Sendable {
    /// Bundle id of the store's owner.
    package var client: String
    package var name: String
    /// False while the person switched the client's restrictions off: the store then says nothing.
    package var isActive: Bool
    package var applications: Set<String>
    package var applicationCategories: CategoryRule
    /// Each covers its subdomains.
    package var webDomains: Set<String>
    package var webDomainCategories: CategoryRule
    /// Since when each rule stands as it is; 1970 where nobody knows.
    package var since: [ShieldRule: Instant]
    /// Since when a rule names an app, domain or category, where that is later than the rule itself; a name
    /// that is not here stands since `since`.
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

/// The settings that shield, by Apple's dotted names.
package enum ShieldRule: String, Hashable, Sendable, CaseIterable {
    case applications = "shield.applications"
    case applicationCategories = "shield.applicationCategories"
    case webDomains = "shield.webDomains"
    case webDomainCategories = "shield.webDomainCategories"

    /// Whether the rule names the subject itself, not its category.
    package var isDirect: Bool { self == .applications || self == .webDomains }
}

/// Apple's ShieldSettings.ActivityCategoryPolicy.
package enum CategoryRule: Hashable, Sendable {
    case none
    case specific(Set<String>, except: Set<String>)
    case all(except: Set<String>)

    /// Whether it covers the category, whatever it excepts there.
    func covers(_ category: String) -> Bool {
        switch self {
        case .none: false
        case .specific(let categories, _): categories.contains(category)
        case .all: true
        }
    }

    var exceptions: Set<String> {
        switch self {
        case .none: []
        case .specific(_, let exceptions), .all(let exceptions): exceptions
        }
    }

    func mappingExceptions(_ map: (Set<String>) -> Set<String>) -> CategoryRule {
        switch self {
        case .none: .none
        case .specific(let categories, let exceptions): .specific(categories, except: map(exceptions))
        case .all(let exceptions): .all(except: map(exceptions))
        }
    }
}
