import Contract
import Engine

/// Names a shield.
struct ShieldKey: Hashable, Comparable {
    var member: String
    var kind: SubjectKind
    var subject: String

    static func < (left: ShieldKey, right: ShieldKey) -> Bool {
        (left.member, left.kind.rawValue, left.subject) < (right.member, right.kind.rawValue, right.subject)
    }
}

extension EffectiveShield {
    var key: ShieldKey { ShieldKey(member: member, kind: kind, subject: subject) }
}

/// What a change of stores means for the shields.
enum ShieldChange {
    case applied(EffectiveShield)
    case lifted(ShieldKey)
}

/// All stores and the shields that follow from them. A value: a change is tried on a copy, written to the
/// database, and only then becomes the state, so that a refused or failed request leaves nothing behind.
struct ShieldState {
    private(set) var stores: [StoreKey: StoredStore] = [:]
    private(set) var rules: [StoreKey: ShieldStore] = [:]
    private(set) var shields: [ShieldKey: EffectiveShield] = [:]

    /// - Throws: when a stored setting no longer has its shape.
    init(stores: [StoredStore] = [], shields: [EffectiveShield] = []) throws(ShieldSettingError) {
        for store in stores { try set(store) }
        for shield in shields { self.shields[shield.key] = shield }
    }

    mutating func set(_ store: StoredStore) throws(ShieldSettingError) {
        rules[store.key] = try store.rules()
        stores[store.key] = store
    }

    mutating func remove(_ key: StoreKey) {
        rules[key] = nil
        stores[key] = nil
    }

    func policy(of member: String) -> ShieldPolicy {
        let allowed = AlwaysAllowed(stores[AlwaysAllowed.store(of: member)]?.store.settings ?? [])
        return ShieldPolicy(
            rules.filter { $0.key.member == member }.sorted { $0.key < $1.key }.map(\.value),
            alwaysAllowed: allowed.subjects, alwaysAllowedCategories: allowed.categories)
    }

    var members: Set<String> { Set(stores.keys.map(\.member)).union(shields.keys.map(\.member)) }

    /// Draws the consequences of changed stores for one member. A shield that goes on for another reason
    /// keeps its `since_ms`.
    mutating func settle(_ member: String, nowMs: Int64) -> [ShieldChange] {
        var gone = Set(shields.keys.filter { $0.member == member })
        var changes: [(ShieldKey, ShieldChange)] = []
        for var shield in policy(of: member).shields(of: member) {
            let before = shields[shield.key]
            gone.remove(shield.key)
            shield.sinceMs = before?.sinceMs ?? nowMs
            guard shield != before else { continue }
            shields[shield.key] = shield
            changes.append((shield.key, .applied(shield)))
        }
        for key in gone {
            shields[key] = nil
            changes.append((key, .lifted(key)))
        }
        return changes.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
