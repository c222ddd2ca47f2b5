import Contract
import Rules

/// The answer of `shield.explain`: why an app or a domain is shielded or not, in sentences.
struct Explanation {
    let state: ShieldState
    let member: String
    /// Else an exception is not described: its request may name what the client does not.
    private let isForPerson: Bool
    private let policy: ShieldPolicy

    init(_ state: ShieldState, member: String, isForPerson: Bool) {
        self.state = state
        self.member = member
        self.isForPerson = isForPerson
        policy = state.policy(of: member)
    }

    /// An app and a domain may have the same name.
    static func subjects(named name: String) -> [Subject] {
        [.app(name), .domain(DomainName.spelling(of: name))]
    }

    /// - Parameter answers: of the subjects with this name.
    func explain(_ name: String, _ answers: [Subject: CatalogueCopy.Answer]) -> ShieldExplain.Result {
        // The name means the one of both that is shielded.
        let both = meant(by: name, answers)
        let settings = both.contains { $0.kind == .domain } ? webSettings(name) : []
        let allowed = both.filter(policy.isAlwaysAllowed)
        let subjects = (allowed.isEmpty ? both : allowed).map {
            Judged($0, answers[$0]?.category ?? Categories.other)
        }
        let shielded = subjects.map { ($0, reasons($0, in: policy)) }.filter { !$0.1.isEmpty }
        // Of both, the one that a store itself names: a category may shield any name.
        let named = shielded.first { ShieldRule(rawValue: $0.1[0].rule)?.isDirect == true }
        if let (one, reasons) = named ?? shielded.first {
            return ShieldExplain.Result(
                shielded: true, category: one.category, shield: shield(one.subject, reasons),
                explanation: sentences(name, reasons) + others(subjects) + settings)
        }
        return ShieldExplain.Result(
            shielded: false, category: meant(subjects).category, shield: nil,
            explanation: [unshielded(name, subjects)] + others(subjects) + settings)
    }

    /// The name of a known app is a host's, too, only where a store names the host.
    private func meant(by name: String, _ answers: [Subject: CatalogueCopy.Answer]) -> [Subject] {
        let both = Self.subjects(named: name)
        guard answers[.app(name)]?.isKnown == true else { return both }
        return both.filter { $0.kind == .app || policy.names($0) }
    }

    private struct Judged {
        let subject: Subject
        let category: String

        init(_ subject: Subject, _ category: String) {
            self.subject = subject
            self.category = category
        }
    }

    private func reasons(_ one: Judged, in policy: ShieldPolicy) -> [ShieldReason] {
        policy.reasons(for: one.subject, category: one.category)
    }

    /// Of an app and a domain with this name: the one that has a category.
    private func meant(_ subjects: [Judged]) -> Judged {
        subjects.first { $0.category != Categories.other } ?? subjects[0]
    }

    private func unshielded(_ name: String, _ subjects: [Judged]) -> String {
        if subjects.contains(where: { policy.isAlwaysAllowed($0.subject) }) {
            return "'\(name)' is always allowed: no store shields it."
        }
        if let open = exception(subjects) { return sentence(name, open, subjects) }
        let category = meant(subjects).category
        if policy.alwaysAllowedCategories.contains(category) {
            return "'\(name)' is not shielded: its category '\(category)' is always allowed."
        }
        let isExcepted = policy.stores.contains { excepted($0, subjects) != nil }
        return "'\(name)' is not shielded: no active store lists it, and none covers its category "
            + "'\(category)'\(isExcepted ? " without excepting it" : "")."
    }

    // MARK: exceptions

    /// The exception that opens it longest, if a store would shield it.
    private func exception(_ subjects: [Judged]) -> ShieldException? {
        let strict = policy.withoutExceptions
        guard subjects.contains(where: { !reasons($0, in: strict).isEmpty }) else { return nil }
        return state.openExceptions(of: member).filter { exception in
            var open = OpenSubjects()
            open.insert(exception.kind, exception.subject)
            return subjects.contains { open.open($0.subject, $0.category) }
        }.max { ($0.end, $0.id) < ($1.end, $1.id) }
    }

    private func sentence(_ name: String, _ exception: ShieldException, _ subjects: [Judged]) -> String {
        guard isForPerson else { return "'\(name)' is not shielded now: it has an exception." }
        let what =
            switch exception.kind {
            case .app, .domain:
                exception.subject == name ? "" : " for '\(exception.kind.readable(exception.subject))'"
            case .category, .domainCategory: " for its category '\(exception.subject)'"
            }
        let who =
            switch exception.decider {
            case .guardian: "a guardian approved more time\(what)"
            case .member: "more time\(what) was approved by the member themselves"
            case .rule: "it is the one more minute of the day"
            }
        let shielding = subjects.flatMap { reasons($0, in: policy.withoutExceptions) }
        let stores = Set(shielding.map { "'\($0.store)' of \($0.client)" }).sorted().joined(separator: ", ")
        let end = UTCTime.text(exception.end.secondNotBefore)
        return "'\(name)' is not shielded until \(end): \(who) (request "
            + "\(exception.id)). Then it is shielded again by \(stores)."
    }

    /// The published shield, or a new one if only its category is shielded.
    private func shield(_ subject: Subject, _ reasons: [ShieldReason]) -> EffectiveShield {
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

    // MARK: stores that do not shield it

    private func others(_ subjects: [Judged]) -> [String] {
        policy.stores.flatMap { store in
            [inactive(store, subjects), excepted(store, subjects)].compactMap { $0 }
        }
    }

    private func inactive(_ store: ShieldStore, _ subjects: [Judged]) -> String? {
        guard !store.isActive else { return nil }
        var active = store
        active.isActive = true
        let alone = policy.with([active])
        guard subjects.contains(where: { !reasons($0, in: alone).isEmpty }) else { return nil }
        let key = StoreKey(client: store.client, member: member, name: store.name)
        let isOwnWish = state.stores[key]?.store.inactive == true
        return "Store '\(store.name)' of \(store.client) would shield it, but "
            + (isOwnWish
                ? "that client made it inactive." : "the restrictions of that client are switched off.")
    }

    private func excepted(_ store: ShieldStore, _ subjects: [Judged]) -> String? {
        guard store.isActive else { return nil }
        var strict = store
        strict.applicationCategories = store.applicationCategories.withoutExceptions
        strict.webDomainCategories = store.webDomainCategories.withoutExceptions
        let (lax, hard) = (policy.with([store]), policy.with([strict]))
        let spared = subjects.contains { reasons($0, in: hard).count > reasons($0, in: lax).count }
        guard spared else { return nil }
        return "Store '\(store.name)' of \(store.client) covers its category and excepts it."
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
