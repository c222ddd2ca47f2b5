internal import Contract
internal import JSON

/// What is shielded: stopped, under a screen that says so. Shields of all active stores add up.
public struct ShieldSettings: ManagedSettingsGroup, Sendable {
    /// Apps to shield. No cap, unless the system runs in strict mode (Apple's 50): then a longer list is
    /// refused, and the store keeps what it has.
    public var applications: Set<ApplicationToken>?
    public static let applications = SettingMetadata<Set<ApplicationToken>>(defaultValue: [])

    /// Categories whose apps to shield, with exceptions that hold against this store only.
    public var applicationCategories: ActivityCategoryPolicy<Application>?
    public static let applicationCategories = SettingMetadata<ActivityCategoryPolicy<Application>>(
        defaultValue: .none)

    /// Web domains to shield, with their subdomains.
    public var webDomains: Set<WebDomainToken>?
    public static let webDomains = SettingMetadata<Set<WebDomainToken>>(defaultValue: [])

    /// Categories whose web domains to shield, with exceptions that hold against this store only.
    public var webDomainCategories: ActivityCategoryPolicy<WebDomain>?
    public static let webDomainCategories = SettingMetadata<ActivityCategoryPolicy<WebDomain>>(
        defaultValue: .none)

    init() {}

    /// Which categories a shield covers.
    ///
    /// `.none` beside an optional is read as `Optional.none` by the compiler, as on Apple's systems: write
    /// `ShieldSettings.ActivityCategoryPolicy.none`, or nil, which shields nothing either.
    public enum ActivityCategoryPolicy<Activity>: Equatable, Sendable {
        /// No category.
        case none
        /// These categories, but not what is excepted.
        case specific(Set<ActivityCategoryToken>, except: Set<Token<Activity>> = [])
        /// Every category, but not what is excepted; never the app the store belongs to.
        case all(except: Set<Token<Activity>> = [])
    }
}

extension ShieldSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("shield.applications", &applications)
        visitor.setting("shield.applicationCategories", &applicationCategories)
        visitor.setting("shield.webDomains", &webDomains)
        visitor.setting("shield.webDomainCategories", &webDomainCategories)
    }
}

extension ShieldSettings.ActivityCategoryPolicy: SettingValue {
    var json: JSONValue {
        switch self {
        case .none: ["policy": "none"]
        case .specific(let categories, let except):
            ["policy": "specific", "categories": categories.json, "except": except.json]
        case .all(let except): ["policy": "all", "except": except.json]
        }
    }

    init?(json: JSONValue) {
        let except = json["except"].flatMap { Set<Token<Activity>>(json: $0) } ?? []
        switch json["policy"]?.stringValue {
        case "none": self = .none
        case "all": self = .all(except: except)
        case "specific":
            let categories = json["categories"].flatMap { Set<ActivityCategoryToken>(json: $0) }
            self = .specific(categories ?? [], except: except)
        default: return nil
        }
    }
}
