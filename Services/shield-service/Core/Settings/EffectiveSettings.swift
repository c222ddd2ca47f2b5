import Contract
import JSON
import Rules

/// Merges all stores, setting by setting. As in Apple's ManagedSettings the most restrictive value wins
/// (``SettingShape/merged(_:)``). Policies of shields and filters, and keys that are not in the table, cannot
/// be merged: each value is returned, with the stores that set it.
enum EffectiveSettings {
    /// - Parameters:
    ///   - stores: of one member; inactive ones are ignored.
    ///   - client: the caller, which sees only the names in its own stores, and which of those decide. Nil
    ///     for the person, who sees all.
    static func merge(_ stores: [SettingsStore], for client: String? = nil) -> [EffectiveSetting] {
        var said: [String: [(store: DecidingStore, value: JSONValue)]] = [:]
        for store in stores where store.active {
            let place = DecidingStore(client: store.client, store: store.store)
            let isSeen = client == nil || store.client == client
            for setting in store.settings where isSeen || !namesSubjects(setting.key) {
                said[setting.key, default: []].append((place, setting.value))
            }
        }
        return said.sorted { $0.key < $1.key }.flatMap { key, values in
            guard let known = SettingTable[key], let value = known.shape.merged(values.map(\.value))
            else { return each(key, values) }
            let deciding = values.filter { known.shape.decides($0.value, value) }.map(\.store)
                .filter { client == nil || $0.client == client }
            return [
                EffectiveSetting(
                    key: key, value: value, stores: deciding, enforcement: known.effect.enforcement)
            ]
        }
    }

    /// One entry for each value.
    private static func each(
        _ key: String, _ values: [(store: DecidingStore, value: JSONValue)]
    ) -> [EffectiveSetting] {
        var entries: [EffectiveSetting] = []
        for (store, value) in values {
            if let known = entries.firstIndex(where: { $0.value == value }) {
                entries[known].stores.append(store)
            } else {
                let enforcement = SettingTable[key]?.effect.enforcement
                entries.append(
                    EffectiveSetting(key: key, value: value, stores: [store], enforcement: enforcement))
            }
        }
        return entries
    }

    private static func namesSubjects(_ key: String) -> Bool {
        SettingTable[key].map { $0.shape.namesSubjects } ?? true
    }
}
