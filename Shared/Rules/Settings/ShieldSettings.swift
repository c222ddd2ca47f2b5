package import Contract
import JSON
package import Units

/// A shield setting whose value has the wrong shape.
package struct ShieldSettingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The setting.
    package let key: String
    /// The expected shape, to follow "is not".
    package let expected: String

    package var description: String {
        "the setting '\(key)' is not \(expected); write such a value, or null to clear it"
    }
}

extension ShieldStore {
    /// Reads the shield settings of a store; other keys are ignored. Shapes:
    /// - `shield.applications`, `shield.webDomains`, `application.blockedApplications`: a list of names;
    /// - `shield.applicationCategories`, `shield.webDomainCategories`: `{"policy":"none"}`,
    ///   `{"policy":"specific","categories":[…],"except":[…]}` or `{"policy":"all","except":[…]}`; `except`
    ///   is optional. Domains may have any spelling.
    ///
    /// - Parameter since: when each rule was set; default the creation of the store.
    package init(_ store: SettingsStore, since: [ShieldRule: Instant] = [:]) throws(ShieldSettingError) {
        self.init(client: store.client, name: store.store, isActive: store.active)
        for setting in store.settings {
            guard let rule = ShieldRule(rawValue: setting.key), !setting.value.isNull else { continue }
            self.since[rule] = since[rule] ?? store.created
            switch rule {
            case .applications: applications = try Self.names(setting.value, setting.key)
            case .blockedApplications: blockedApplications = try Self.names(setting.value, setting.key)
            case .webDomains: webDomains = Self.hosts(try Self.names(setting.value, setting.key))
            case .applicationCategories: applicationCategories = try Self.categoryRule(setting)
            case .webDomainCategories:
                webDomainCategories = try Self.categoryRule(setting).mappingExceptions(Self.hosts)
            }
        }
    }

    private static func categoryRule(_ setting: Setting) throws(ShieldSettingError) -> CategoryRule {
        let exceptions = try setting.value["except"].map { (value) throws(ShieldSettingError) in
            try names(value, setting.key + ".except")
        }
        switch setting.value["policy"]?.stringValue {
        case "none": return .none
        case "all": return .all(except: exceptions ?? [])
        case "specific":
            let categories = try names(setting.value["categories"] ?? .null, setting.key + ".categories")
            return .specific(categories, except: exceptions ?? [])
        default:
            throw ShieldSettingError(
                key: setting.key, expected: "an object whose policy is none, specific or all")
        }
    }

    private static func hosts(_ names: Set<String>) -> Set<String> {
        Set(names.map { DomainName.spelling(of: $0) })
    }

    private static func names(_ value: JSONValue, _ key: String) throws(ShieldSettingError) -> Set<String> {
        guard let values = value.arrayValue else {
            throw ShieldSettingError(key: key, expected: "a list of names")
        }
        var names: Set<String> = []
        for value in values {
            guard let name = value.stringValue, !name.isEmpty else {
                throw ShieldSettingError(key: key, expected: "a list of names, none empty")
            }
            names.insert(name)
        }
        return names
    }
}
