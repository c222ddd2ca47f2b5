internal import Contract
internal import JSON

/// Restrictions on web content.
///
/// Stored and read back. No browser on Linux reads them yet. ``ShieldSettings/webDomains`` shields sites.
public struct WebContentSettings: ManagedSettingsGroup, Sendable {
    /// The sites that a browser must block. Not enforced on Linux.
    public var blockedByFilter: FilterPolicy?
    /// `none` by default.
    public static let blockedByFilter = SettingMetadata<FilterPolicy>(defaultValue: .none)

    init() {}

    /// The sites that a filter blocks.
    public enum FilterPolicy: Equatable, Sendable {
        /// No site.
        case none
        /// These sites.
        case specific(_: Set<WebDomain>)
        /// Adult content and these sites, without the exceptions.
        case auto(_: Set<WebDomain> = [], except: Set<WebDomain> = [])
        /// All sites except these.
        case all(except: Set<WebDomain> = [])
    }
}

extension WebContentSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("webContent.blockedByFilter", &blockedByFilter)
    }
}

extension WebContentSettings.FilterPolicy: SettingValue {
    var json: JSONValue {
        switch self {
        case .none: Self.json("none", [], [])
        case .specific(let domains): Self.json("specific", domains, [])
        case .auto(let domains, let except): Self.json("auto", domains, except)
        case .all(let except): Self.json("all", [], except)
        }
    }

    init?(json: JSONValue) {
        let domains = Self.domains(json, "domains")
        let except = Self.domains(json, "except")
        switch json["policy"]?.stringValue {
        case "none": self = .none
        case "specific": self = .specific(domains)
        case "auto": self = .auto(domains, except: except)
        case "all": self = .all(except: except)
        default: return nil
        }
    }

    /// Domains that the program passed by name are stored apart from tokens, so that they read back as names.
    private static func json(_ policy: JSONValue, _ domains: Set<WebDomain>, _ except: Set<WebDomain>)
        -> JSONValue
    {
        [
            "policy": policy, "domains": domains.tokens.json, "except": except.tokens.json,
            "domainsByName": domains.named.json, "exceptByName": except.named.json,
        ]
    }

    private static func domains(_ json: JSONValue, _ key: String) -> Set<WebDomain> {
        let tokens = json[key].flatMap { Set<WebDomain>(json: $0) } ?? []
        return tokens.union(json[key + "ByName"].flatMap { Set<WebDomain>(json: $0) } ?? [])
    }
}

extension Set<WebDomain> {
    fileprivate var tokens: Self { filter { $0.token != nil } }
    fileprivate var named: Self { filter { $0.token == nil } }
}
