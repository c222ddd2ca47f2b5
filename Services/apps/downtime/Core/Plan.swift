package import AppSupport
package import DeviceActivity
package import FamilyControls
package import ManagedSettings

/// What the app and its extensions know: what is shut when.
package struct Plan: Codable, Equatable {
    package static let client = "org.screentime.downtime"
    package static let storage = GroupStorage("group.org.screentime.downtime")
    static let key = "plan"

    /// Name of the selection it was made from.
    package var selectionName: String
    package var selection: FamilyActivitySelection
    /// Hour and minute, in the person's zone.
    package var from: DateComponents
    /// Hour and minute; before `from` it means the next day.
    package var to: DateComponents

    package init(
        selectionName: String, selection: FamilyActivitySelection, from: DateComponents,
        to: DateComponents
    ) {
        self.selectionName = selectionName
        self.selection = selection
        self.from = from
        self.to = to
    }

    /// Every day, with a warning five minutes before each end.
    package var schedule: DeviceActivitySchedule {
        DeviceActivitySchedule(
            intervalStart: from, intervalEnd: to, repeats: true, warningTime: DateComponents(minute: 5))
    }

    package static func saved() throws -> Plan? { try storage.read(Plan.self, key) }
    package func save() throws { try Self.storage.write(self, Self.key) }
    package static func forget() throws { try storage.write(Plan?.none, key) }
}

extension DeviceActivityName {
    package static let daily = Self("daily")
}

extension ManagedSettingsStore.Name {
    package static let daily = Self("daily")
}
