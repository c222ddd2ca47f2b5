import Contract
import JSON
import Rules

/// Merges all stores, setting by setting. As in Apple's ManagedSettings the most restrictive value wins
/// (``SettingShape/merged(_:)``). Policies of shields and filters are explained elsewhere.
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
        return said.sorted { $0.key < $1.key }.compactMap { key, values in
            guard let known = SettingTable[key], let value = known.shape.merged(values.map(\.value))
            else { return nil }
            let deciding = values.filter { known.shape.decides($0.value, value) }.map(\.store)
                .filter { client == nil || $0.client == client }
            return EffectiveSetting(
                key: key, value: value, stores: deciding, enforcement: known.effect.enforcement)
        }
    }

    private static func namesSubjects(_ key: String) -> Bool {
        SettingTable[key].map { $0.shape.namesSubjects } ?? true
    }
}
