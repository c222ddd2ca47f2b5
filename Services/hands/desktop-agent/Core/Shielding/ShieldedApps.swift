import Contract
import Rules

/// Which apps the present shields mean.
struct ShieldedApps: Equatable {
    private var apps: Set<String> = []
    private var categories: [String: Set<String>] = [:]
    /// Categories that the person gave to apps.
    private let overrides: [String: String]

    init(_ shields: [EffectiveShield] = [], overrides: [String: String] = [:]) {
        self.overrides = overrides
        for shield in shields {
            switch shield.kind {
            case .app: apps.insert(shield.subject)
            case .category: categories[shield.subject] = Set(shield.except ?? [])
            case .domain, .domainCategory: break  // The browser's hand shows those.
            }
        }
    }

    /// Apps without a desktop entry that a shield or the person named: `exe:` and a path.
    var namedPrograms: [String] {
        (apps.union(overrides.keys)).filter { $0.hasPrefix(AppIdentity.programPrefix) }.sorted()
    }

    /// The subject of the shield that an app is behind; nil: none.
    func subject(for app: AppIdentity) -> String? {
        if apps.contains(app.id) { return app.id }
        return [category(of: app), ShieldPolicy.everyCategory].first { name in
            categories[name].map { !$0.contains(app.id) } ?? false
        }
    }

    /// As activity-center has it: the person's word, the desktop entry's, our table's.
    private func category(of app: AppIdentity) -> String {
        var facts = AppFacts()
        facts.take(freedesktop: app.categories)
        var catalogue = Catalogue()
        catalogue.appCategories[app.id] = overrides[app.id] ?? facts.category
        return catalogue.category(of: .app(app.id))
    }
}
