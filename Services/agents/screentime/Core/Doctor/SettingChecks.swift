import Contract
import Loop

/// Settings that somebody relies on and that mean nothing here.
enum SettingChecks {
    /// None where shield-service is down: that is a finding already.
    @LoopActor static func all(_ session: Session) async -> [Finding] {
        guard session.somebodyListens(at: .shield) else { return [] }
        do throws(ServiceError) {
            let stores = try await session.call(
                SettingsList.self, SettingsList.Params(), deadline: 1_000
            ).stores
            return findings(stores)
        } catch {
            return []
        }
    }

    static func findings(_ stores: [SettingsStore]) -> [Finding] {
        var clients: [String: Set<String>] = [:]
        for store in stores where store.active {
            for setting in store.settings where SettingTable[setting.key]?.whyWithoutEffect != nil {
                clients[setting.key, default: []].insert(store.client)
            }
        }
        return clients.sorted { $0.key < $1.key }.map { key, clients in
            .warning(
                "settings",
                "\(clients.sorted().joined(separator: ", ")) set \(key), which is kept and has no effect "
                    + "here: \(SettingTable[key]?.whyWithoutEffect ?? "")",
                "Do not rely on it.")
        }
    }
}
