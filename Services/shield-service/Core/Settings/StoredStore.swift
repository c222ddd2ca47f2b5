import Contract
import JSON
import Rules
import Units

/// Identifies a store.
struct StoreKey: Hashable, Comparable {
    var client: String
    var member: String
    var name: String

    static func < (left: StoreKey, right: StoreKey) -> Bool {
        (left.client, left.member, left.name) < (right.client, right.member, right.name)
    }
}

/// Since when an entry of a store has its present value, UTC milliseconds.
@Record
struct StandsSince: Record {
    /// Name of the setting, or of an entry in it.
    @Field(.subject(.appOrDomain)) var name: String = ""
    /// UTC milliseconds.
    var since: Instant = 0

    init(_ name: String, _ since: Instant) {
        self.name = name
        self.since = since
    }
}

/// The ages of the entries of one shield rule.
@Record
struct RuleAges: Record {
    /// For example shield.applications.
    var rule: String = ""
    /// Since when the rule is set.
    var since: Instant = 0
    /// Its entries.
    var names: [StandsSince] = []
}

/// A store with the age of each shield rule and of each name in it. Adding an app to a list does not change
/// the ages of the others.
@Record
struct StoredStore: Record {
    /// The store as others see it.
    var store: SettingsStore = SettingsStore()
    /// Ages of its shield rules.
    var ages: [RuleAges] = []

    init(_ store: SettingsStore) { self.store = store }

    var key: StoreKey { StoreKey(client: store.client, member: store.member, name: store.store) }

    /// Its shield rules.
    func rules() throws(ShieldSettingError) -> ShieldStore {
        var since: [ShieldRule: Instant] = [:]
        var named: [ShieldRule: [String: Instant]] = [:]
        for age in ages {
            guard let rule = ShieldRule(rawValue: age.rule) else { continue }
            since[rule] = age.since
            // The names of a rule are unique, and so are their ages.
            named[rule] = Dictionary(age.names.map { ($0.name, $0.since) }) { first, _ in first }
        }
        var rules = try ShieldStore(store, since: since)
        rules.namedSince = named
        return rules
    }

    /// The store after a write: `settings` replace settings with the same key; null removes one.
    func changed(_ settings: [Setting], clearAll: Bool, now: Instant) throws(ShieldSettingError)
        -> StoredStore
    {
        var values: [String: JSONValue] = [:]
        if !clearAll { for setting in store.settings { values[setting.key] = setting.value } }
        for setting in settings {
            // Not `= nil`: here that literal is JSON's null.
            if setting.value.isNull {
                values.removeValue(forKey: setting.key)
            } else {
                values[setting.key] = setting.value
            }
        }
        var next = self
        next.store.settings = values.sorted { $0.key < $1.key }.map { Setting(key: $0.key, value: $0.value) }
        next.ages = try Self.ages(of: next.store, after: ages, now)
        return next
    }

    private static func ages(
        of store: SettingsStore, after old: [RuleAges], _ now: Instant
    ) throws(ShieldSettingError) -> [RuleAges] {
        let rules = try ShieldStore(store)
        return ShieldRule.allCases.compactMap { rule in
            guard store.settings.contains(where: { $0.key == rule.rawValue }) else { return nil }
            let before = old.first { $0.rule == rule.rawValue }
            // Names are unique, as above.
            let known = Dictionary((before?.names ?? []).map { ($0.name, $0.since) }) { first, _ in first }
            var age = RuleAges()
            age.rule = rule.rawValue
            age.since = before?.since ?? now
            age.names = rules.names(of: rule).sorted().map { StandsSince($0, known[$0] ?? now) }
            return age
        }
    }
}

extension ShieldStore {
    /// The names in a rule: apps, domains, or categories (``ShieldPolicy/everyCategory`` for all).
    fileprivate func names(of rule: ShieldRule) -> Set<String> {
        switch rule {
        case .applications: applications
        case .blockedApplications: blockedApplications
        case .webDomains: webDomains
        case .applicationCategories: applicationCategories.names
        case .webDomainCategories: webDomainCategories.names
        }
    }
}

extension CategoryRule {
    fileprivate var names: Set<String> {
        switch self {
        case .none: []
        case .specific(let categories, _): categories
        case .all: [ShieldPolicy.everyCategory]
        }
    }
}
