package import AppSupport
package import DeviceActivity
package import FamilyControls
package import ManagedSettings

/// The values shared with the extensions: what is shielded, and when.
package struct Plan: Codable, Equatable {
    package static let client = "org.screentime.downtime"
    package static let storage = GroupStorage("group.org.screentime.downtime")
    static let key = "plan"

    /// Name of the selection.
    package var selectionName: String
    package var selection: FamilyActivitySelection
    /// Hour and minute, in the person's zone.
    package var from: DateComponents
    /// Hour and minute; if it is before `from`, on the next day.
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

    /// The daily schedule, with a warning five minutes before its end.
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
