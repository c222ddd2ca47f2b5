package import Contract
import Monitoring
package import Rules
package import Schedules
package import Units

/// Computes the callbacks that monitoring would have delivered over a recorded time: a function of the
/// observations, the activities and the zone, independent of the order of the observations. All devices
/// belong to one member.
package struct Replay {
    /// The devices with their changes shifted in time, in order.
    private let devices: [ImportedDevice]
    /// The last observation.
    private let end: Instant
    private let first: Instant

    /// - Parameters:
    ///   - devices: a device without a model is not live: use that nothing closes does not count.
    ///   - shift: added to every instant.
    /// - Returns: nil if there are no observations.
    package init?(_ devices: [ImportedDevice], shift: Milliseconds = 0) {
        self.devices = devices.map { device in
            var moved = device
            moved.changes = UsageChange.ordered(device.changes).map { $0.moved(by: shift) }
            return moved
        }
        let stamps = self.devices.flatMap { $0.changes.lazy.map(\.at) }
        guard let first = stamps.min(), let last = stamps.max() else { return nil }
        self.first = first
        end = last
    }

    /// Instant of the first observation; by default activities are registered then.
    package var firstObservation: Instant { first }
    /// Instant of the last observation.
    package var lastObservation: Instant { end }

    /// All callbacks, as ``tell(_:zone:registered:_:)`` returns them one by one.
    package func callbacks(
        of activities: [ActivityDefinition], zone: Zone, registered: Instant? = nil
    ) throws -> [ReplayedCallback] {
        var callbacks: [ReplayedCallback] = []
        try tell(activities, zone: zone, registered: registered) { callbacks.append($0) }
        return callbacks
    }

    /// Calls a closure with each callback up to and including the last observation, in the order of live
    /// delivery, each as soon as it is known.
    /// - Parameter registered: nil for the first observation.
    /// - Throws: what is wrong with an activity.
    package func tell(
        _ activities: [ActivityDefinition], zone: Zone, registered: Instant? = nil,
        _ body: (ReplayedCallback) -> Void
    ) throws {
        let registered = registered ?? first
        guard registered <= end else { return }
        let rules = MonitorRules(catalogue)
        for (number, device) in devices.enumerated() { try rules.apply(change(device, number)) }
        for (number, activity) in activities.enumerated() {
            try rules.register(
                activity, as: ActivityName(client: Self.client, member: Self.member, name: activity.name),
                registration: Int64(number + 1), registered: registered, zone: zone)
        }
        while let next = rules.nextDue, next <= end {
            for due in try rules.due(until: max(next, registered)) where due.isDelivered {
                body(ReplayedCallback(due))
            }
        }
    }

    private static let client = "replay"
    private static let member = "replay"

    private func change(_ device: ImportedDevice, _ number: Int) -> UseChange {
        let name = device.name ?? "device \(number)"
        let use = UsageTables.use(
            of: name, device.changes, isLive: device.model.map(ImportFormat.isLive) ?? false)
        let added = use.uses.flatMap { subject, time in time.intervals.map { Use(subject, $0) } }
        return UseChange(member: Self.member, device: name, added: added)
    }

    /// The built-in table, and the apps that the observations describe.
    private var catalogue: Catalogue {
        var facts: [String: AppFacts] = [:]
        for device in devices {
            for (id, app) in device.apps {
                if let categories = app.categories {
                    facts[id, default: AppFacts()].apply(freedesktop: categories)
                }
            }
            for change in device.changes {
                if case .domain(_, let browser?) = change.kind {
                    facts[browser, default: AppFacts()].isBrowser = true
                }
            }
        }
        var catalogue = Catalogue()
        for (id, facts) in facts { catalogue.set(id, facts) }
        return catalogue
    }
}

/// One callback of a replay.
package struct ReplayedCallback: Hashable, Sendable {
    /// Which callback.
    package let callback: CallbackName
    /// Name of the activity.
    package let activity: String
    /// Name of the event, for the two threshold callbacks.
    package let event: String?
    /// The boundary or crossing it reports.
    package let at: Instant
    /// Start of the occurrence.
    package let occurrenceStart: Instant
    /// End of the occurrence.
    package let occurrenceEnd: Instant
    /// Use counted at `at`; nil for callbacks of the interval.
    package let total: Milliseconds?

    init(_ due: DueCallback) {
        callback = due.callback
        activity = due.name.name
        event = due.event?.name
        at = due.at
        occurrenceStart = due.occurrence.start
        occurrenceEnd = due.occurrence.end
        total = due.total
    }
}

extension UsageChange {
    fileprivate func moved(by shift: Milliseconds) -> UsageChange {
        UsageChange(at: at + shift, ordinal: ordinal, boot: boot, kind)
    }
}
