package import Contract

/// What exceptions open at one instant: no store shields it. Several exceptions are united.
package struct OpenSubjects: Hashable, Sendable {
    /// Apps, and domains with their subdomains.
    package private(set) var subjects: Set<Subject> = []
    /// Categories of apps, and below, of domains. They also open what a store lists by name.
    private var appCategories: Set<String> = []
    private var domainCategories: Set<String> = []

    package init() {}

    package var isEmpty: Bool { subjects.isEmpty && appCategories.isEmpty && domainCategories.isEmpty }

    /// Opens one more subject.
    /// - Parameter name: an app, a domain in its canonical spelling, or a category; the category
    ///   ``ShieldPolicy/everyCategory`` opens all.
    package mutating func insert(_ kind: SubjectKind, _ name: String) {
        switch kind {
        case .app: subjects.insert(.app(name))
        case .domain: subjects.insert(.domain(name))
        case .category: appCategories.insert(name)
        case .domainCategory: domainCategories.insert(name)
        }
    }

    package func categories(of kind: Subject.Kind) -> Set<String> {
        kind == .app ? appCategories : domainCategories
    }

    /// - Parameter category: nil if it is not known.
    package func open(_ subject: Subject, _ category: String?) -> Bool {
        if subjects.names(subject) { return true }
        let categories = categories(of: subject.kind)
        return categories.contains(ShieldPolicy.everyCategory) || category.map(categories.contains) ?? false
    }
}
