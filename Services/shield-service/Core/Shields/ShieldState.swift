import Contract
import Rules
import Units

/// Identifies a shield.
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

/// A shield that follows from a change of stores.
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
    /// By the id of their request.
    private(set) var exceptions: [String: StoredException] = [:]
    /// Ids of exceptions that are over, while their end is not stored yet, as on a full disk.
    var lapsed: Set<String> = []

    /// - Throws: if a stored setting does not have the shape of its key.
    init(
        stores: [StoredStore] = [], shields: [EffectiveShield] = [], exceptions: [StoredException] = []
    ) throws(ShieldSettingError) {
        for store in stores { try set(store) }
        for shield in shields { self.shields[shield.key] = shield }
        for exception in exceptions { set(exception) }
    }

    mutating func set(_ stored: StoredException) { exceptions[stored.exception.id] = stored }

    mutating func removeException(_ id: String) { exceptions[id] = nil }

    /// The exceptions of a member that open something now; nil: of all members.
    func openExceptions(of member: String? = nil) -> [ShieldException] {
        exceptions.values.filter { stored in
            stored.isInEffect && !lapsed.contains(stored.exception.id)
                && (member == nil || member == stored.exception.member)
        }.map(\.exception)
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
        let allowed = allowed(for: member)
        return ShieldPolicy(
            rules.filter { $0.key.member == member }.sorted { $0.key < $1.key }.map(\.value),
            alwaysAllowed: allowed.subjects, alwaysAllowedCategories: allowed.categories,
            exceptions: open(for: member))
    }

    /// What is always allowed to a member.
    func allowed(for member: String) -> AlwaysAllowed {
        AlwaysAllowed(stores[AlwaysAllowed.store(of: member)]?.store.settings ?? [])
    }

    /// What the exceptions of a member open now.
    func open(for member: String) -> OpenSubjects {
        var open = OpenSubjects()
        for exception in openExceptions(of: member) { open.insert(exception.kind, exception.subject) }
        return open
    }

    /// The part that a client may see: its own stores, and the shields that follow from them alone.
    /// - Parameters:
    ///   - client: nil for the person, who sees all.
    ///   - category: returns the category of an app.
    func seen(by client: String?, category: (String) -> String?) -> ShieldState {
        guard let client else { return self }
        var own = self
        // What is always allowed is in a store of the person; without it, shields would be listed that do not
        // exist.
        own.stores = stores.filter { key, _ in
            key.client == client || key == AlwaysAllowed.store(of: key.member)
        }
        own.rules = rules.filter { $0.key.client == client }
        own.shields = [:]
        for member in Set(own.rules.keys.map(\.member)) {
            let stores = own.rules.filter { $0.key.member == member }.values
            let excepted = stores.reduce(into: Set<String>()) { $0.formUnion($1.exceptedNames) }
            for var shield in own.policy(of: member).shields(of: member, category: category) {
                shield.since = shield.reasons.map(\.since).min() ?? 0
                shield.except = shield.except?.filter(excepted.contains)
                own.shields[shield.key] = shield
            }
        }
        return own
    }

    /// The state with the restrictions of all stores on for which `isApproved` is true; nil if they are on.
    func withAllRestricting(now: Instant, _ isApproved: (StoreKey) -> Bool) -> ShieldState? {
        let silent = stores.filter { key, stored in
            !stored.store.active && stored.store.inactive != true && isApproved(key)
        }.keys
        guard !silent.isEmpty else { return nil }
        var all = self
        for key in silent {
            all.stores[key]?.store.active = true
            all.rules[key]?.isActive = true
        }
        for member in Set(silent.map(\.member)) { _ = all.settle(member, now: now) { _ in nil } }
        return all
    }

    /// The state without exceptions: what is shielded when they end.
    func withoutExceptions(now: Instant) -> ShieldState {
        let open = exceptions.values.filter(\.isInEffect).map(\.exception.member)
        guard !open.isEmpty else { return self }
        var strict = self
        strict.exceptions = [:]
        for member in Set(open) { _ = strict.settle(member, now: now) { _ in nil } }
        return strict
    }

    var members: Set<String> { Set(stores.keys.map(\.member)).union(shields.keys.map(\.member)) }

    /// Recomputes the shields of one member. A shield that stays for another reason keeps its `since`.
    /// - Parameter category: returns the category of an app.
    mutating func settle(
        _ member: String, now: Instant, category: (String) -> String?
    ) -> [ShieldChange] {
        var gone = Set(shields.keys.filter { $0.member == member })
        var changes: [(ShieldKey, ShieldChange)] = []
        for var shield in policy(of: member).shields(of: member, category: category) {
            let before = shields[shield.key]
            gone.remove(shield.key)
            let key = shields.stored(shield.key)
            (shield.member, shield.subject) = (key.member, key.subject)
            shield.since = before?.since ?? now
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

extension ShieldStore {
    /// What the store excepts from its categories.
    fileprivate var exceptedNames: Set<String> {
        [applicationCategories, webDomainCategories].reduce(into: []) { names, rule in
            switch rule {
            case .none: break
            case .specific(_, let except), .all(let except): names.formUnion(except)
            }
        }
    }
}
