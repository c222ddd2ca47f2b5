package import AppSupport
package import DeviceActivity
package import FamilyControls
internal import Foundation

/// The person's promise: an amount of use each day, and the sentence of its reminder.
package struct Promise: Codable, Equatable {
    package static let client = "org.screentime.encouragement"
    package static let storage = GroupStorage("group.org.screentime.encouragement")
    static let key = "promise"

    package var selectionName: String
    package var selection: FamilyActivitySelection
    /// Use each day: hour and minute.
    package var limit: DateComponents
    /// The person's own text, shown literally.
    package var sentence: String

    package init(
        selectionName: String, selection: FamilyActivitySelection, limit: DateComponents,
        sentence: String
    ) {
        self.selectionName = selectionName
        self.selection = selection
        self.limit = limit
        self.sentence = sentence
    }

    /// Seconds of use a day.
    package var limitSeconds: Int { (limit.hour ?? 0) * 3_600 + (limit.minute ?? 0) * 60 }

    /// The complete day, every day. The reminder comes five minutes before the limit, for shorter limits at
    /// half of it.
    package var schedule: DeviceActivitySchedule {
        let warning = min(300, limitSeconds / 2)
        return DeviceActivitySchedule(
            intervalStart: DateComponents(hour: 0, minute: 0),
            intervalEnd: DateComponents(hour: 24), repeats: true,
            warningTime: DateComponents(minute: warning / 60, second: warning % 60))
    }

    package var event: DeviceActivityEvent {
        DeviceActivityEvent(
            applications: selection.applicationTokens, categories: selection.categoryTokens,
            webDomains: selection.webDomainTokens, threshold: limit)
    }

    package static func saved() throws -> Promise? { try storage.read(Promise.self, key) }
    package func save() throws { try Self.storage.write(self, Self.key) }
    package static func forget() throws { try storage.write(Promise?.none, key) }
}

extension DeviceActivityName {
    package static let daily = Self("daily")
}

extension DeviceActivityEvent.Name {
    package static let encouraged = Self("encouraged")
}
