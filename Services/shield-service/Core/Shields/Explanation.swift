import Contract
import Rules

/// Why an app or a domain is shielded or not, in sentences.
struct Explanation {
    let state: ShieldState
    let member: String
    private let policy: ShieldPolicy

    init(_ state: ShieldState, member: String) {
        self.state = state
        self.member = member
        policy = state.policy(of: member)
    }

    /// - category: nil when the caller does not know it; rules about single categories are then not judged.
    func explain(_ name: String, category: String?) -> ShieldExplain.Result {
        // An app id and a domain may be spelt alike; whatever is shielded by this name is meant.
        let both = [Subject.app(name), .domain(DomainName.spelling(of: name))]
        let allowed = both.filter(policy.isAlwaysAllowed)
        let subjects = allowed.isEmpty ? both : allowed
        for subject in subjects {
            let reasons = policy.reasons(for: subject, category: category ?? "")
            guard !reasons.isEmpty else { continue }
            let shield = shield(subject, reasons, category)
            return ShieldExplain.Result(
                shielded: true, shield: shield,
                explanation: sentences(name, reasons) + others(subjects, category) + webSettings(name))
        }
        return ShieldExplain.Result(
            shielded: false, shield: nil,
            explanation: [unshielded(name, subjects, category)] + others(subjects, category)
                + webSettings(name))
    }

    private func unshielded(_ name: String, _ subjects: [Subject], _ category: String?) -> String {
        if subjects.contains(where: policy.isAlwaysAllowed) {
            return "'\(name)' is always allowed: no store shields it."
        }
        if let category, policy.alwaysAllowedCategories.contains(category) {
            return "'\(name)' is not shielded: its category '\(category)' is always allowed."
        }
        return "'\(name)' is not shielded: no active store lists or covers it."
    }

    /// As it was told, or made up for an app that only its category shields.
    private func shield(_ subject: Subject, _ reasons: [ShieldReason], _ category: String?) -> EffectiveShield
    {
        let kind: SubjectKind = subject.kind == .app ? .app : .domain
        if let known = state.shields[ShieldKey(member: member, kind: kind, subject: subject.id)] {
            var shield = known
            shield.reasons = reasons
            return shield
        }
        return EffectiveShield(
            member: member, kind: kind, subject: subject.id, reasons: reasons,
            since: reasons.map(\.since).min() ?? 0)
    }

    private func sentences(_ name: String, _ reasons: [ShieldReason]) -> [String] {
        reasons.enumerated().map { index, reason in
            let draws = index == 0 && reasons.count > 1 ? "; it draws the shield" : ""
            return "Store '\(reason.store)' of \(reason.client) shields '\(name)' by \(reason.rule) since "
                + "\(UTCTime.text(reason.since))\(draws)."
        }
    }

    // MARK: stores that do not shield it, and why

    private func others(_ subjects: [Subject], _ category: String?) -> [String] {
        policy.stores.flatMap { store in
            [
                inactive(store, subjects, category), excepted(store, subjects, category),
                unjudged(store, category),
            ]
            .compactMap { $0 }
        }
    }

    private func inactive(_ store: ShieldStore, _ subjects: [Subject], _ category: String?) -> String? {
        guard !store.isActive else { return nil }
        var active = store
        active.isActive = true
        let alone = ShieldPolicy([active])
        guard subjects.contains(where: { !alone.reasons(for: $0, category: category ?? "").isEmpty }) else {
            return nil
        }
        let key = StoreKey(client: store.client, member: member, name: store.name)
        let isOwnWish = state.stores[key]?.store.inactive == true
        return "Store '\(store.name)' of \(store.client) would shield it, but "
            + (isOwnWish
                ? "that client made it inactive." : "the restrictions of that client are switched off.")
    }

    private func excepted(_ store: ShieldStore, _ subjects: [Subject], _ category: String?) -> String? {
        guard store.isActive else { return nil }
        var strict = store
        strict.applicationCategories = store.applicationCategories.withoutExceptions
        strict.webDomainCategories = store.webDomainCategories.withoutExceptions
        let (lax, hard) = (ShieldPolicy([store]), ShieldPolicy([strict]))
        let spared = subjects.contains {
            hard.reasons(for: $0, category: category ?? "").count
                > lax.reasons(for: $0, category: category ?? "").count
        }
        guard spared else { return nil }
        return "Store '\(store.name)' of \(store.client) covers its category and excepts it."
    }

    private func unjudged(_ store: ShieldStore, _ category: String?) -> String? {
        guard category == nil, store.isActive else { return nil }
        var names: Set<String> = []
        for rule in [store.applicationCategories, store.webDomainCategories] {
            if case .specific(let categories, _) = rule { names.formUnion(categories) }
        }
        guard !names.isEmpty else { return nil }
        return "Store '\(store.name)' of \(store.client) shields the categories "
            + "\(names.sorted().joined(separator: ", ")); the category of this one was not given."
    }
}

extension CategoryRule {
    fileprivate var withoutExceptions: CategoryRule {
        switch self {
        case .none: .none
        case .specific(let categories, _): .specific(categories, except: [])
        case .all: .all(except: [])
        }
    }
}
