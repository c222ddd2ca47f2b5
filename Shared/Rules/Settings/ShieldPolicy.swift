package import Contract
import Units

/// The merged stores of one member. As in Apple's ManagedSettings the most restrictive wins: a subject is
/// shielded if any active store lists it, or covers its category without excepting it. Subjects that the
/// guardian always allows, and those of exceptions, are not shielded.
package struct ShieldPolicy: Hashable, Sendable {
    /// Name of the subject of a shield that covers all categories.
    package static let everyCategory = "all"

    /// All stores of the member, also inactive ones.
    package let stores: [ShieldStore]
    /// Apps, and domains with their subdomains, that are never shielded.
    package let alwaysAllowed: Set<Subject>
    /// Categories that rules about categories do not cover; a subject that a store names itself is shielded
    /// nevertheless.
    package let alwaysAllowedCategories: Set<String>
    /// What no store shields now, whatever it says.
    package let exceptions: OpenSubjects

    package init(
        _ stores: [ShieldStore], alwaysAllowed: Set<Subject> = [], alwaysAllowedCategories: Set<String> = [],
        exceptions: OpenSubjects = OpenSubjects()
    ) {
        self.stores = stores
        self.alwaysAllowed = alwaysAllowed
        self.alwaysAllowedCategories = alwaysAllowedCategories
        self.exceptions = exceptions
    }

    /// The reasons for shielding a subject; empty if it is not shielded. The first one configures the
    /// shield's look: the oldest of those that name the subject directly, or else the oldest.
    package func reasons(for subject: Subject, category: String) -> [ShieldReason] {
        if isOpen(subject, category) { return [] }
        let isUncovered = alwaysAllowedCategories.contains(category) || Self.isCanary(subject)
        let covered = isUncovered ? nil : category
        return Self.sorted(stores.flatMap { $0.reasons(for: subject, covered) })
    }

    /// Whether no store shields a subject, whatever it says.
    private func isOpen(_ subject: Subject, _ category: String?) -> Bool {
        guard !Self.isCanary(subject) else { return false }
        return isAlwaysAllowed(subject) || exceptions.open(subject, category)
    }

    /// Only what names it shields the canary, and nothing opens it: a check shows the same whatever else is
    /// shielded, and changes nothing that the person sees.
    private static func isCanary(_ subject: Subject) -> Bool { subject == .app(CanaryApp.id) }

    /// The same member's policy with other stores.
    package func with(_ stores: [ShieldStore]) -> ShieldPolicy {
        ShieldPolicy(
            stores, alwaysAllowed: alwaysAllowed, alwaysAllowedCategories: alwaysAllowedCategories,
            exceptions: exceptions)
    }

    /// The same policy without exceptions.
    package var withoutExceptions: ShieldPolicy {
        ShieldPolicy(
            stores, alwaysAllowed: alwaysAllowed, alwaysAllowedCategories: alwaysAllowedCategories)
    }

    /// Whether a store, active or not, lists or excepts the subject itself, or it is always allowed.
    package func names(_ subject: Subject) -> Bool {
        isAlwaysAllowed(subject) || stores.contains { $0.names(subject) }
    }

    /// Whether a subject is never shielded.
    package func isAlwaysAllowed(_ subject: Subject) -> Bool { alwaysAllowed.names(subject) }

    /// All shields: one for each listed app and domain, and one for each covered category of apps or of
    /// domains (`everyCategory` for a rule that covers all), with the apps or domains that all covering
    /// stores except. Sorted by kind and subject.
    ///
    /// What is always allowed, and an exception, remove the shields of their own subjects from the list; an
    /// exception for a category also those of listed apps of it. A wider shield that they only open in part
    /// stays as it is, so that they never make the list longer: ``reasons(for:category:)`` decides.
    /// - Parameter category: returns the category of a listed app; nil: unknown.
    package func shields(
        of member: String, category: (_ app: String) -> String? = { _ in nil }
    ) -> [EffectiveShield] {
        listed(.app, member, \.namedApps, category)
            + listed(.domain, member, \.webDomains) { _ in nil }
            + categories(.category, member, \.applicationCategories) { exceptedByAll($0) }
            + categories(.domainCategory, member, \.webDomainCategories) { exceptedDomains($0) }
    }

    private func listed(
        _ kind: Subject.Kind, _ member: String, _ names: KeyPath<ShieldStore, Set<String>>,
        _ category: (String) -> String?
    ) -> [EffectiveShield] {
        var subjects: Set<String> = []
        for store in stores where store.isActive { subjects.formUnion(store[keyPath: names]) }
        return subjects.sorted().compactMap { id in
            let subject = Subject(kind, id)
            guard !isOpen(subject, category(id)) else { return nil }
            let reasons = Self.sorted(stores.flatMap { $0.reasons(for: subject, nil) })
            return Self.shield(member, subject.subjectKind, id, reasons)
        }
    }

    /// - Parameter excepted: returns what all covering stores except.
    private func categories(
        _ kind: SubjectKind, _ member: String, _ rule: KeyPath<ShieldStore, CategoryRule>,
        excepted: ([ShieldStore]) -> Set<String>
    ) -> [EffectiveShield] {
        let subjectKind = kind == .category ? Subject.Kind.app : .domain
        let open = exceptions.categories(of: subjectKind)
        guard !open.contains(Self.everyCategory) else { return [] }
        var names: Set<String> = []
        for store in stores where store.isActive {
            switch store[keyPath: rule] {
            case .none: break
            case .specific(let categories, _): names.formUnion(categories)
            case .all: names.insert(Self.everyCategory)
            }
        }
        names.subtract(alwaysAllowedCategories.union(open))
        // A store may list a category with the name of the shield for all.
        let coversAll = stores.contains { store in
            if store.isActive, case .all = store[keyPath: rule] { true } else { false }
        }
        if !coversAll { names.remove(Self.everyCategory) }
        let shieldRule = kind == .category ? ShieldRule.applicationCategories : .webDomainCategories
        return names.sorted().map { name in
            let covering = stores.filter { $0.isActive && $0[keyPath: rule].coversAll(named: name) }
            let except = excepted(covering)
            let reasons = Self.sorted(covering.map { $0.reason(shieldRule, name) })
            var shield = Self.shield(member, kind, name, reasons)
            shield.except = except.isEmpty ? nil : except.sorted()
            return shield
        }
    }

    private func exceptedByAll(_ stores: [ShieldStore]) -> Set<String> {
        let exceptions = stores.map(\.exceptedApps)
        return exceptions.dropFirst().reduce(exceptions.first ?? []) { $0.intersection($1) }
    }

    /// An excepted domain includes its subdomains, so of two names the narrower one is excepted by both.
    private func exceptedDomains(_ stores: [ShieldStore]) -> Set<String> {
        let exceptions = stores.map(\.webDomainCategories.exceptions)
        let named = exceptions.reduce(into: Set<String>()) { $0.formUnion($1) }
        return named.filter { name in exceptions.allSatisfy { $0.covering(host: name) != nil } }
    }

    private static func shield(
        _ member: String, _ kind: SubjectKind, _ subject: String, _ reasons: [ShieldReason]
    ) -> EffectiveShield {
        EffectiveShield(
            member: member, kind: kind, subject: subject, reasons: reasons,
            since: reasons.map(\.since).min() ?? 0)
    }

    private static func sorted(_ reasons: [ShieldReason]) -> [ShieldReason] {
        func place(_ reason: ShieldReason) -> (Int, Instant, String, String, String) {
            let isDirect = ShieldRule(rawValue: reason.rule)?.isDirect ?? false
            return (isDirect ? 0 : 1, reason.since, reason.client, reason.store, reason.rule)
        }
        return reasons.sorted { place($0) < place($1) }
    }
}

extension ShieldStore {
    /// - Parameter category: nil ignores rules about categories.
    fileprivate func reasons(for subject: Subject, _ category: String?) -> [ShieldReason] {
        guard isActive else { return [] }
        var found: [ShieldReason] = []
        switch subject.kind {
        case .app:
            if applications.contains(subject.id) { found.append(reason(.applications, subject.id)) }
            if blockedApplications.contains(subject.id) {
                found.append(reason(.blockedApplications, subject.id))
            }
            if let category, applicationCategories.covers(category), !exceptedApps.contains(subject.id) {
                found.append(reason(.applicationCategories, category))
            }
        case .domain:
            if let name = webDomains.covering(host: subject.id) { found.append(reason(.webDomains, name)) }
            if let category, webDomainCategories.covers(category),
                webDomainCategories.exceptions.covering(host: subject.id) == nil
            {
                found.append(reason(.webDomainCategories, category))
            }
        }
        return found
    }

    fileprivate func names(_ subject: Subject) -> Bool {
        switch subject.kind {
        case .app: namedApps.contains(subject.id) || applicationCategories.exceptions.contains(subject.id)
        case .domain:
            webDomains.union(webDomainCategories.exceptions).covering(host: subject.id) != nil
        }
    }

    /// - Parameter name: what the rule names: an app, a domain or a category.
    fileprivate func reason(_ rule: ShieldRule, _ name: String) -> ShieldReason {
        let named = namedSince[rule]
        let since = named?[name] ?? named?[ShieldPolicy.everyCategory] ?? since[rule] ?? 0
        return ShieldReason(client: client, store: self.name, rule: rule.rawValue, since: since)
    }

    /// A rule that covers everything never covers the app that set it (Apple's `.all(except:)`).
    fileprivate var exceptedApps: Set<String> {
        guard case .all(let exceptions) = applicationCategories else {
            return applicationCategories.exceptions
        }
        return exceptions.union([client])
    }
}

extension CategoryRule {
    /// Whether it covers the category. Only a rule about all categories covers `everyCategory`.
    fileprivate func coversAll(named category: String) -> Bool {
        if category != ShieldPolicy.everyCategory { return covers(category) }
        if case .all = self { return true }
        return false
    }
}

extension Set where Element == String {
    /// The host or its nearest parent domain that is in the set.
    package func covering(host: String) -> String? {
        if isEmpty { return nil }
        for name in DomainNames(of: host) where contains(name) { return name }
        return nil
    }
}

extension Set where Element == Subject {
    /// Whether it has the subject, or a domain above it.
    func names(_ subject: Subject) -> Bool {
        if isEmpty { return false }
        guard subject.kind == .domain else { return contains(subject) }
        for name in DomainNames(of: subject.id) where contains(.domain(name)) { return true }
        return false
    }
}
