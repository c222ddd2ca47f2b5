import Contract
import Engine

/// Which apps the present shields mean.
struct ShieldedApps: Equatable {
    private var apps: Set<String> = []
    private var categories: [String: Set<String>] = [:]

    init(_ shields: [EffectiveShield] = []) {
        for shield in shields {
            switch shield.kind {
            case .app: apps.insert(shield.subject)
            case .category: categories[shield.subject] = Set(shield.except ?? [])
            case .domain: break  // The browser's hand shows those.
            }
        }
    }

    /// The subject of the shield that an app is behind; nil: none.
    func subject(for app: AppIdentity) -> String? {
        if apps.contains(app.id) { return app.id }
        let own = Categories.category(of: app.categories)
        return [own, ShieldPolicy.everyCategory].first { name in
            categories[name].map { !$0.contains(app.id) } ?? false
        }
    }
}
