internal import AppSupport
internal import FamilyControls
internal import Foundation
internal import ManagedSettings

/// What is unshielded now, and the resulting stores.
package enum Doors {
    /// Reasons for lifting shields. Each has a separate key, so that callbacks do not overwrite each other's.
    package enum Reason: String {
        /// It is between 17:00 and 20:00.
        case evening = "open.evening"
        /// Today's goal is reached.
        case goal = "open.goal"
    }

    package static func set(_ reason: Reason, _ isOpen: Bool) throws {
        try note(reason, isOpen)
        try apply()
    }

    /// Does not change the stores; see ``apply()``.
    static func note(_ reason: Reason, _ isOpen: Bool) throws {
        try Rules.storage.defaults().set(isOpen, forKey: reason.rawValue)
    }

    package static func isOpen(_ reason: Reason) throws -> Bool {
        try Rules.storage.defaults().bool(forKey: reason.rawValue)
    }

    /// The reasons that hold now.
    private struct Standing: Equatable {
        let rules: Rules?
        let goal: Bool
        let evening: Bool

        init() throws {
            rules = try Rules.saved()
            goal = try rules?.goal != nil && isOpen(.goal)
            evening = try rules?.evenings == true && isOpen(.evening)
        }
    }

    /// Whether the end of the evening shields social media.
    package static func willShut() throws -> Bool {
        let now = try Standing()
        return now.evening && !now.goal
    }

    /// Writes both stores. The evening lifts the shields of social media only; the goal lifts all. A command
    /// and a callback may do this at the same time: the one that finds different values afterwards writes
    /// again.
    /// - Throws: also if a store refused the write.
    package static func apply() throws {
        // Earlier errors do not concern these writes.
        _ = StoreFailures.take()
        var now = try Standing()
        while true {
            write(now)
            if let failure = StoreFailures.take() { throw failure }
            let next = try Standing()
            guard next != now else { return }
            now = next
        }
    }

    private static func write(_ now: Standing) {
        guard let rules = now.rules else { return clear() }
        write(.gaming, now.goal ? nil : rules.gaming, withApps: false)
        write(.social, now.goal || now.evening ? nil : rules.social, withApps: true)
    }

    /// Whether a store shields anything.
    static func isShut(_ name: ManagedSettingsStore.Name) -> Bool {
        let shield = ManagedSettingsStore(named: name).shield
        return shield.webDomainCategories != nil || shield.webDomains != nil
            || shield.applicationCategories != nil || shield.applications != nil
    }

    package static func clear() {
        for name in [ManagedSettingsStore.Name.gaming, .social] {
            ManagedSettingsStore(named: name).clearAllSettings()
        }
    }

    private static func write(
        _ name: ManagedSettingsStore.Name, _ selection: FamilyActivitySelection?, withApps: Bool
    ) {
        let store = ManagedSettingsStore(named: name)
        guard let selection else { return store.clearAllSettings() }
        let categories = selection.categoryTokens
        store.shield.webDomainCategories = categories.isEmpty ? nil : .specific(categories)
        store.shield.webDomains = selection.webDomainTokens.isEmpty ? nil : selection.webDomainTokens
        guard withApps else { return }
        store.shield.applicationCategories = categories.isEmpty ? nil : .specific(categories)
        store.shield.applications =
            selection.applicationTokens.isEmpty ? nil : selection.applicationTokens
    }
}
