package import Rules
import Units

/// All use of a member since some instant, as thresholds ask for it.
package struct MemberUse {
    /// Closed use, each device once.
    package var devices: [DeviceUse]
    /// By device: what is in use now.
    package var running: [String: [RunningUse]]
    /// By device: what is taken for over, and may yet change.
    package var provisional: [String: [Use]]
    /// Categories of hosts that the catalogue does not know yet: see ``MonitorRules/learn(_:of:)``.
    package var hostCategories: [String: String]

    package init(
        devices: [DeviceUse] = [], running: [String: [RunningUse]] = [:],
        provisional: [String: [Use]] = [:], hostCategories: [String: String] = [:]
    ) {
        self.devices = devices
        self.running = running
        self.provisional = provisional
        self.hostCategories = hostCategories
    }

    package var subjects: Set<Subject> {
        var subjects = Set(devices.flatMap(\.uses.keys))
        for uses in running.values { subjects.formUnion(uses.map(\.subject)) }
        for uses in provisional.values { subjects.formUnion(uses.map(\.subject)) }
        return subjects
    }

    /// The end of what runs now.
    static let forever = Instant.max
}

/// What all members' odometers ask where a subject belongs.
final class SharedCatalogue {
    var value: Catalogue

    init(_ value: Catalogue) { self.value = value }
}

/// How the use of one device by one member changed.
package struct UseChange {
    package var member: String
    package var device: String
    /// Closed stretches that are new, or not true any more. Those of one subject do not overlap.
    package var added: [Use]
    package var removed: [Use]
    /// All that is in use now.
    package var running: [RunningUse]
    /// All that is taken for over, and may yet change.
    package var provisional: [Use]

    package init(
        member: String, device: String, added: [Use] = [], removed: [Use] = [], running: [RunningUse] = [],
        provisional: [Use] = []
    ) {
        self.member = member
        self.device = device
        self.added = added
        self.removed = removed
        self.running = running
        self.provisional = provisional
    }

    package var subjects: Set<Subject> {
        Set((added + removed + provisional).map(\.subject)).union(running.map(\.subject))
    }
}
