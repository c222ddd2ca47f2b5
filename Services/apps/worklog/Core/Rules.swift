package import AppSupport
package import DeviceActivity
package import FamilyControls
internal import Foundation
package import ManagedSettings

/// What is shielded, and what lifts the shields.
package struct Rules: Codable, Equatable {
    package static let client = "org.screentime.worklog"
    package static let storage = GroupStorage("group.org.screentime.worklog")
    static let key = "rules"

    package var gaming: FamilyActivitySelection
    package var social: FamilyActivitySelection
    /// The names by which the two were chosen; nil in rules of before they were kept.
    package var gamingName: String?
    package var socialName: String?
    /// Whether social media are unshielded from 17:00 to 20:00.
    package var evenings = false
    /// The goal that must be reached before shields are lifted.
    package var goal: Goal?

    /// An amount of use of a selection each day.
    package struct Goal: Codable, Equatable {
        package var selectionName: String
        package var selection: FamilyActivitySelection
        /// 1 to 1440.
        package var minutes: Int

        package var event: DeviceActivityEvent {
            DeviceActivityEvent(
                applications: selection.applicationTokens, categories: selection.categoryTokens,
                webDomains: selection.webDomainTokens,
                threshold: DateComponents(hour: minutes / 60, minute: minutes % 60),
                includesPastActivity: true)
        }
    }

    package init(gaming: FamilyActivitySelection, social: FamilyActivitySelection) {
        self.gaming = gaming
        self.social = social
    }

    package static func saved() throws -> Rules? { try storage.read(Rules.self, key) }
    package func save() throws { try Self.storage.write(self, Self.key) }
    package static func forget() throws { try storage.write(Rules?.none, key) }
}

extension ManagedSettingsStore.Name {
    package static let gaming = Self("gaming")
    package static let social = Self("social")
}

extension DeviceActivityName {
    package static let evenings = Self("evenings")
    package static let goal = Self("goal")
}

extension DeviceActivityEvent.Name {
    package static let goal = Self("goal")
}

extension DeviceActivitySchedule {
    package static let evenings = DeviceActivitySchedule(
        intervalStart: DateComponents(hour: 17), intervalEnd: DateComponents(hour: 20), repeats: true,
        warningTime: DateComponents(minute: 5))
    package static let wholeDay = DeviceActivitySchedule(
        intervalStart: DateComponents(hour: 0, minute: 0, second: 0),
        intervalEnd: DateComponents(hour: 24), repeats: true)
}
