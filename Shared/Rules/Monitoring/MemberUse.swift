package import Rules
import Units

/// The use of a member since an instant, from which thresholds are computed.
package struct MemberUse {
    /// Closed use, each device once.
    package var devices: [DeviceUse]
    /// Use in progress, by device.
    package var running: [String: [RunningUse]]
    /// Use by device that is considered over, but may still change.
    package var provisional: [String: [Use]]
    /// Categories of hosts that the catalogue does not have yet: see ``MonitorRules/learn(_:of:)``.
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

    /// All subjects with any use.
    package var subjects: Set<Subject> {
        var subjects = Set(devices.flatMap(\.uses.keys))
        for uses in running.values { subjects.formUnion(uses.map(\.subject)) }
        for uses in provisional.values { subjects.formUnion(uses.map(\.subject)) }
        return subjects
    }

    /// The end of use in progress.
    static let forever = Instant.max
}

/// The catalogue that all members' odometers share.
final class SharedCatalogue {
    var value: Catalogue

    init(_ value: Catalogue) { self.value = value }
}

/// A change of the use of one device by one member.
package struct UseChange {
    /// Member id.
    package var member: String
    /// Name of the device.
    package var device: String
    /// Closed intervals that are new. Those of one subject do not overlap.
    package var added: [Use]
    /// Closed intervals that are no longer valid.
    package var removed: [Use]
    /// All use in progress.
    package var running: [RunningUse]
    /// All use that is considered over, but may still change.
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

    /// All subjects of the change.
    package var subjects: Set<Subject> {
        Set((added + removed + provisional).map(\.subject)).union(running.map(\.subject))
    }
}
