import Contract
import Rules

/// What a changed policy shields that the present one does not.
struct ShieldPrediction {
    let before: ShieldPolicy
    let after: ShieldPolicy
    /// What the change itself names.
    let named: Set<ShieldTarget>
    /// Categories of subjects, as they are and as they would be.
    let category: (Subject) -> (before: String, after: String)

    /// Categories stand for what is in them: a subject is listed beside its category only if the change names
    /// it.
    /// - Parameter subjects: all that may become shielded otherwise than by its category.
    /// - Returns: sorted.
    func covered(among subjects: Set<Subject>) -> [ShieldTarget] {
        let (ofApps, ofDomains) = (categories(of: .app), categories(of: .domain))
        let listed = subjects.compactMap { subject -> ShieldTarget? in
            let (present, next) = category(subject)
            guard before.reasons(for: subject, category: present).isEmpty,
                !after.reasons(for: subject, category: next).isEmpty
            else { return nil }
            let target = ShieldTarget(subject.subjectKind, subject.id)
            let categories = subject.kind == .app ? ofApps : ofDomains
            return categories.contains(next) && !named.contains(target) ? nil : target
        }
        return (listed + summary(ofApps, .category) + summary(ofDomains, .domainCategory)).sorted()
    }

    /// Categories whose subjects become shielded: as a subject shows that nothing names.
    private func categories(of kind: Subject.Kind) -> Set<String> {
        let any = Subject(kind, "")
        return Set(Categories.names).filter {
            before.reasons(for: any, category: $0).isEmpty && !after.reasons(for: any, category: $0).isEmpty
        }
    }

    private func summary(_ categories: Set<String>, _ kind: SubjectKind) -> [ShieldTarget] {
        let all = ShieldTarget(kind, ShieldPolicy.everyCategory)
        let isAll = named.contains(all) && !categories.isEmpty || categories.count == Categories.names.count
        return isAll ? [all] : categories.map { ShieldTarget(kind, $0) }
    }
}

extension ShieldTarget: Comparable {
    init(_ kind: SubjectKind, _ subject: String) {
        self.init()
        self.kind = kind
        self.subject = kind == .domain ? DomainName.spelling(of: subject) : subject
    }

    static func < (left: ShieldTarget, right: ShieldTarget) -> Bool {
        (left.kind.rawValue, left.subject) < (right.kind.rawValue, right.subject)
    }

    /// The app or the domain that it is; nil for a category.
    var single: Subject? {
        switch kind {
        case .app: .app(subject)
        case .domain: .domain(DomainName.spelling(of: subject))
        case .category, .domainCategory: nil
        }
    }
}
