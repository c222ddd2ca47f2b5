internal import AppSupport
internal import FamilyControls
internal import Foundation
internal import ManagedSettings

/// What stands open now, and the stores that follow from it.
package enum Doors {
    /// Why something may be open. Each has a key of its own, so that no callback undoes another's.
    package enum Reason: String {
        /// It is between 17 and 20 o'clock.
        case evening = "open.evening"
        /// Today's goal is reached.
        case goal = "open.goal"
    }

    package static func set(_ reason: Reason, _ isOpen: Bool) throws {
        try note(reason, isOpen)
        try apply()
    }

    /// Without moving a door; see ``apply()``.
    static func note(_ reason: Reason, _ isOpen: Bool) throws {
        try Rules.storage.defaults().set(isOpen, forKey: reason.rawValue)
    }

    package static func isOpen(_ reason: Reason) throws -> Bool {
        try Rules.storage.defaults().bool(forKey: reason.rawValue)
    }

    /// What the stores follow from.
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

    /// Writes both stores. The evening opens social media alone; the goal opens everything. A command and a
    /// callback may both be at it: whoever finds afterwards that something else stands writes again.
    /// - Throws: also what a store refused.
    package static func apply() throws {
        // What failed earlier is no matter of these writes.
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

    /// Whether a store shuts anything.
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
