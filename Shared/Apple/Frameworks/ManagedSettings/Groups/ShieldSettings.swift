internal import Contract
internal import JSON

/// What is shielded: apps are stopped and a shield explains why. The shields of all active stores are
/// combined.
public struct ShieldSettings: ManagedSettingsGroup, Sendable {
    /// Apps to shield. There is no maximum, except in strict mode (Apple's 50): then a longer list is refused
    /// and the store keeps its previous value.
    public var applications: Set<ApplicationToken>?
    /// Empty by default: no app is shielded.
    public static let applications = SettingMetadata<Set<ApplicationToken>>(defaultValue: [])

    /// Categories whose apps are shielded. Exceptions apply to this store only.
    public var applicationCategories: ActivityCategoryPolicy<Application>?
    /// `none` by default.
    public static let applicationCategories = SettingMetadata<ActivityCategoryPolicy<Application>>(
        defaultValue: .none)

    /// Web domains to shield, including their subdomains.
    public var webDomains: Set<WebDomainToken>?
    /// Empty by default: no domain is shielded.
    public static let webDomains = SettingMetadata<Set<WebDomainToken>>(defaultValue: [])

    /// Categories whose web domains are shielded. Exceptions apply to this store only.
    public var webDomainCategories: ActivityCategoryPolicy<WebDomain>?
    /// `none` by default.
    public static let webDomainCategories = SettingMetadata<ActivityCategoryPolicy<WebDomain>>(
        defaultValue: .none)

    init() {}

    /// The categories that a shield covers.
    ///
    /// The compiler reads `.none` for an optional as `Optional.none`, as on Apple's systems. Write
    /// `ShieldSettings.ActivityCategoryPolicy.none`, or nil, which shields nothing either.
    public enum ActivityCategoryPolicy<Activity>: Equatable, Sendable {
        /// No category.
        case none
        /// These categories without the exceptions.
        case specific(Set<ActivityCategoryToken>, except: Set<Token<Activity>> = [])
        /// Every category without the exceptions. Never covers the app that owns the store.
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
