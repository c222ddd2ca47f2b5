import Contract
import JSON
import Rules

/// What no store shields, by the person's decision in the store `marks` of the built-in limits app.
struct AlwaysAllowed: Equatable {
    private(set) var subjects: Set<Subject> = []
    private(set) var categories: Set<String> = []

    /// The only store in which these settings have an effect.
    static func store(of member: String) -> StoreKey {
        StoreKey(client: BuiltInClient.limits, member: member, name: AllowedSettings.store)
    }

    init(_ settings: [Setting]) {
        for setting in settings {
            let names = (setting.value.arrayValue ?? []).compactMap(\.stringValue)
            switch setting.key {
            case AllowedSettings.applications: subjects.formUnion(names.map { .app($0) })
            case AllowedSettings.webDomains:
                subjects.formUnion(names.map { .domain(DomainName.spelling(of: $0)) })
            case AllowedSettings.categories: categories.formUnion(names)
            default: break
            }
        }
    }
}
