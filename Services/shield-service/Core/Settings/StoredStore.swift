import Contract
import JSON
import Rules
import Units

/// Names a store.
struct StoreKey: Hashable, Comparable {
    var client: String
    var member: String
    var name: String

    static func < (left: StoreKey, right: StoreKey) -> Bool {
        (left.client, left.member, left.name) < (right.client, right.member, right.name)
    }
}

/// Since when something in a store stands as it is, UTC milliseconds.
@Record
struct StandsSince: Record {
    /// Of a setting, or of what a setting names.
    @Field(.subject(.appOrDomain)) var name: String = ""
    /// UTC milliseconds.
    var since: Instant = 0

    init(_ name: String, _ since: Instant) {
        self.name = name
        self.since = since
    }
}

/// The ages of what one shield rule names.
@Record
struct RuleAges: Record {
    /// For example shield.applications.
    var rule: String = ""
    /// Since when the rule is set at all.
    var since: Instant = 0
    /// What it names.
    var names: [StandsSince] = []
}

/// A store with the age of each shield rule and of each name in it: adding an app to a list leaves the
/// others' "since" as it was.
@Record
struct StoredStore: Record {
    /// As told to others.
    var store: SettingsStore = SettingsStore()
    /// Of its shield rules.
    var ages: [RuleAges] = []

    init(_ store: SettingsStore) { self.store = store }

    var key: StoreKey { StoreKey(client: store.client, member: store.member, name: store.store) }

    /// What it says about shields.
    func rules() throws(ShieldSettingError) -> ShieldStore {
        var since: [ShieldRule: Instant] = [:]
        var named: [ShieldRule: [String: Instant]] = [:]
        for age in ages {
            guard let rule = ShieldRule(rawValue: age.rule) else { continue }
            since[rule] = age.since
            // A rule names nothing twice, so neither does the list of its ages.
            named[rule] = Dictionary(age.names.map { ($0.name, $0.since) }) { first, _ in first }
        }
        var rules = try ShieldStore(store, since: since)
        rules.namedSince = named
        return rules
    }

    /// The store after a write: `settings` replace what has the same key, null removes it.
    func changed(_ settings: [Setting], clearAll: Bool, now: Instant) throws(ShieldSettingError)
        -> StoredStore
    {
        var values: [String: JSONValue] = [:]
        if !clearAll { for setting in store.settings { values[setting.key] = setting.value } }
        for setting in settings {
            // Not `= nil`: that literal is JSON's null here.
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
            // As above: no name twice.
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
    /// What a rule names: apps, domains, or categories (``ShieldPolicy/everyCategory`` for all).
    fileprivate func names(of rule: ShieldRule) -> Set<String> {
        switch rule {
        case .applications: applications
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
