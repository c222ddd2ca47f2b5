import Contract
import JSON
import Units

/// The events of one occurrence that reached their threshold. The store's shields follow from them; the
/// record is in the store, too.
@Record
struct Reached: Record {
    /// Start of the occurrence.
    private var occurrenceStart: Instant = 0
    /// The events at the time they were reached.
    private(set) var events: [EventDefinition] = []

    static let key = "org.screentime.limits.reached"

    /// The store's record of this occurrence; empty if it is about another one.
    init(in store: SettingsStore, occurrenceStart: Instant) {
        let kept = store.settings.first { $0.key == Self.key }?.value
        // Another program may have written this value; it is ignored then.
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

    /// Removes events that were changed or are no longer registered.
    mutating func keep(_ registered: [EventDefinition]) {
        events.removeAll { event in !registered.contains { Self.counts($0) == Self.counts(event) } }
    }

    /// The event without its message.
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

    /// The complete store. An event without subjects means everything.
    var settings: [Setting] {
        guard !events.isEmpty else { return [] }
        return [Setting(key: Self.key, value: kept)] + Self.settings(shielding: events)
    }

    /// The shield rules for the subjects of these events.
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
        // A record is encoded as one JSON value.
        (try? JSONValue.decode(encoded())) ?? .null
    }
}
