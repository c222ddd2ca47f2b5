import Contract
internal import ExtensionLink
internal import Rules

/// The shields and exceptions of the member at one moment, and what is always allowed: a wider shield stays
/// in the list although they open a part of it.
struct LimitShields {
    private let shields: [EffectiveShield]
    /// What exceptions open.
    private var open = OpenSubjects()
    private let allowed: Set<LimitTarget>

    /// - Parameter allowed: what is marked as always allowed.
    /// - Throws: `ServiceError` if shield-service does not answer.
    init(allowed: Set<LimitTarget>) throws(ServiceError) {
        self.allowed = allowed
        let member = try Limits.member()
        shields = try Link.shared.call(ShieldList.self, ShieldList.Params(member: member)).shields
        let exceptions = try Link.shared.call(ExceptionList.self, ExceptionList.Params(member: member))
        for exception in exceptions.exceptions { open.insert(exception.kind, exception.subject) }
    }

    /// Why a target is shielded; empty: it is not, an exception opens it, or it is always allowed.
    func reasons(for target: LimitTarget) throws(ServiceError) -> [ShieldReason] {
        guard !allowed.contains(target) else { return [] }
        let all = ShieldPolicy.everyCategory
        switch target.kind {
        case .total:
            return shields.filter { $0.kind.isCategory && $0.subject == all }.flatMap(\.reasons)
        case .category:
            return shields.filter { shield in
                guard let kind = shield.kind.coveredKind else { return false }
                return [target.subject, all].contains(shield.subject)
                    && open.categories(of: kind).isDisjoint(with: [target.subject, all])
            }.flatMap(\.reasons)
        case .app:
            let category = try Link.shared.call(CatalogResolve.self, CatalogTarget(app: target.subject))
            guard !open.open(.app(target.subject), category.category) else { return [] }
            let isUncovered = allowed.contains(LimitTarget(.category, category.category))
            return shields.filter { shield in
                switch shield.kind {
                case .app: shield.subject == target.subject
                case .category:
                    !isUncovered && [category.category, all].contains(shield.subject)
                        && shield.except?.contains(target.subject) != true
                case .domain, .domainCategory: false
                }
            }.flatMap(\.reasons)
        case .domain:
            let category = try Link.shared.call(CatalogResolve.self, CatalogTarget(host: target.subject))
            guard !open.open(.domain(target.subject), category.category) else { return [] }
            let names = Set(DomainNames(of: target.subject))
            guard allowed.isDisjoint(with: names.map { LimitTarget(.domain, $0) }) else { return [] }
            let isUncovered = allowed.contains(LimitTarget(.category, category.category))
            return shields.filter { shield in
                switch shield.kind {
                case .domain: names.contains(shield.subject)
                case .domainCategory:
                    !isUncovered && [category.category, all].contains(shield.subject)
                        && names.isDisjoint(with: shield.except ?? [])
                case .app, .category: false
                }
            }.flatMap(\.reasons)
        }
    }
}

extension SubjectKind {
    /// What a category of this kind has in it; nil: this is no category.
    fileprivate var coveredKind: Subject.Kind? {
        switch self {
        case .category: .app
        case .domainCategory: .domain
        case .app, .domain: nil
        }
    }

    fileprivate var isCategory: Bool { coveredKind != nil }
}
