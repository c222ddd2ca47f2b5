import Contract
import JSON
import Rules

/// What no store shields: the person's word, in a store of their own client.
struct AlwaysAllowed {
    private(set) var subjects: Set<Subject> = []
    private(set) var categories: Set<String> = []

    /// The only store in which these settings mean anything.
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
