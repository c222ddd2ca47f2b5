import Contract
import JSON

/// The shield settings of a store after one more event reached its threshold. An event that names nothing
/// means everything.
struct Shielding {
    private(set) var settings: [Setting] = []

    init(adding event: EventDefinition?, to present: [Setting]) {
        let applications = event?.applications ?? []
        let categories = event?.categories ?? []
        let domains = event?.webDomains ?? []
        if applications.isEmpty, categories.isEmpty, domains.isEmpty {
            for key in ["shield.applicationCategories", "shield.webDomainCategories"] {
                settings.append(Setting(key: key, value: ["policy": "all"]))
            }
            return
        }
        func value(_ key: String) -> JSONValue? { present.first { $0.key == key }?.value }
        func add(_ names: [String], _ key: String) {
            guard !names.isEmpty else { return }
            settings.append(Setting(key: key, value: Self.union(value(key), names)))
        }
        add(applications, "shield.applications")
        add(domains, "shield.webDomains")
        for key in ["shield.applicationCategories", "shield.webDomainCategories"] where !categories.isEmpty {
            // A rule that covers all covers these too.
            guard value(key)?["policy"]?.stringValue != "all" else { continue }
            let all = Self.union(value(key)?["categories"], categories)
            settings.append(Setting(key: key, value: ["policy": "specific", "categories": all]))
        }
    }

    private static func union(_ present: JSONValue?, _ names: [String]) -> JSONValue {
        let known = present?.arrayValue?.compactMap(\.stringValue) ?? []
        return .array(Set(known).union(names).sorted().map { .string($0) })
    }
}
