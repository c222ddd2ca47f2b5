import Contract
import JSON
import Units

/// The events of one occurrence that reached their threshold: all that the store's shields follow from. It is
/// kept in the store itself, beside them.
@Record
struct Reached: Record {
    /// When it began.
    private var occurrenceStart: Instant = 0
    /// As they were when they were reached.
    private(set) var events: [EventDefinition] = []

    static let key = "org.screentime.limits.reached"

    /// What the store says of this occurrence; nothing, when it speaks of another one.
    init(in store: SettingsStore, occurrenceStart: Instant) {
        let kept = store.settings.first { $0.key == Self.key }?.value
        // Somebody else may have written there; then it says nothing of use.
        if let kept, let known = try? Self.decode(kept.encoded()),
            known.occurrenceStart == occurrenceStart
        {
            self = known
        }
        self.occurrenceStart = occurrenceStart
    }

    mutating func add(_ event: EventDefinition) {
        events.removeAll { $0.name == event.name }
        events.append(event)
    }

    /// Forgets events that are no longer registered as they were.
    mutating func keep(_ registered: [EventDefinition]) {
        events.removeAll { event in !registered.contains { Self.counts($0) == Self.counts(event) } }
    }

    /// What matters for counting: all but the words.
    private static func counts(_ event: EventDefinition) -> EventDefinition {
        var event = event
        event.message = nil
        event.applications = (event.applications ?? []).sorted()
        event.categories = (event.categories ?? []).sorted()
        event.webDomains = (event.webDomains ?? []).sorted()
        event.includesPastActivity = event.includesPastActivity ?? false
        return event
    }

    // MARK: shields

    /// The whole store. An event that names nothing means everything.
    var settings: [Setting] {
        guard !events.isEmpty else { return [] }
        return [Setting(key: Self.key, value: kept)] + Self.settings(shielding: events)
    }

    /// What shields all that these name.
    static func settings(shielding events: [EventDefinition]) -> [Setting] {
        var settings: [Setting] = []
        func add(_ key: String, _ names: [String]) {
            guard !names.isEmpty else { return }
            settings.append(Setting(key: key, value: list(names)))
        }
        add("shield.applications", events.flatMap { $0.applications ?? [] })
        add("shield.webDomains", events.flatMap { $0.webDomains ?? [] })
        let categories = events.flatMap { $0.categories ?? [] }
        let policy: JSONValue? =
            if events.contains(where: namesNothing) {
                ["policy": "all"]
            } else if !categories.isEmpty {
                ["policy": "specific", "categories": list(categories)]
            } else {
                nil as JSONValue?
            }
        if let policy {
            for key in ["shield.applicationCategories", "shield.webDomainCategories"] {
                settings.append(Setting(key: key, value: policy))
            }
        }
        return settings
    }

    private static func namesNothing(_ event: EventDefinition) -> Bool {
        [event.applications, event.categories, event.webDomains].allSatisfy { $0?.isEmpty ?? true }
    }

    private static func list(_ names: [String]) -> JSONValue {
        .array(Set(names).sorted().map { .string($0) })
    }

    /// This record as a setting's value.
    private var kept: JSONValue {
        // What a record writes is one value of JSON.
        (try? JSONValue.decode(encoded())) ?? .null
    }
}
