package import Contract
import Monitoring
package import Rules
package import Schedules

/// What monitoring would have told over a recorded time: a function of what was observed, of the activities
/// and of the zone, whatever the order of the observations. All devices belong to one member.
package struct Replay {
    /// Moved in time, in order.
    private let devices: [ImportedDevice]
    /// The last observation.
    private let end_ms: Int64
    private let first_ms: Int64

    /// - Parameters:
    ///   - devices: a device without a model is not live: what nothing closes is no use.
    ///   - shift_ms: added to every stamp.
    /// - Returns: nil when there is no observation.
    package init?(_ devices: [ImportedDevice], shift_ms: Int64 = 0) {
        self.devices = devices.map { device in
            var moved = device
            moved.changes = UsageChange.ordered(device.changes).map { $0.moved(by: shift_ms) }
            return moved
        }
        let stamps = self.devices.flatMap { $0.changes.lazy.map(\.at_ms) }
        guard let first_ms = stamps.min(), let last_ms = stamps.max() else { return nil }
        self.first_ms = first_ms
        end_ms = last_ms
    }

    /// The instant before whose observations activities are registered by default.
    package var firstObservation_ms: Int64 { first_ms }
    package var lastObservation_ms: Int64 { end_ms }

    /// Every callback, as ``tell(_:zone:registered_ms:_:)`` gives them.
    package func callbacks(
        of activities: [ActivityDefinition], zone: Zone, registered_ms: Int64? = nil
    ) throws -> [ReplayedCallback] {
        var callbacks: [ReplayedCallback] = []
        try tell(activities, zone: zone, registered_ms: registered_ms) { callbacks.append($0) }
        return callbacks
    }

    /// Gives every callback up to the last observation, its instant included, in the order in which they are
    /// told live, each as soon as it is known.
    /// - Parameter registered_ms: nil: the first observation.
    /// - Throws: what is wrong with an activity.
    package func tell(
        _ activities: [ActivityDefinition], zone: Zone, registered_ms: Int64? = nil,
        _ body: (ReplayedCallback) -> Void
    ) throws {
        let registered_ms = registered_ms ?? first_ms
        guard registered_ms <= end_ms else { return }
        let rules = MonitorRules(catalogue)
        for (number, device) in devices.enumerated() { try rules.take(change(device, number)) }
        for (number, activity) in activities.enumerated() {
            try rules.register(
                activity, as: ActivityName(client: Self.client, member: Self.member, name: activity.name),
                registration: Int64(number + 1), registered_ms: registered_ms, zone: zone)
        }
        while let next_ms = rules.nextDue_ms, next_ms <= end_ms {
            for due in try rules.due(until: max(next_ms, registered_ms)) where due.isTold {
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

    /// What everybody knows, and what the observations say of their apps.
    private var catalogue: Catalogue {
        var facts: [String: AppFacts] = [:]
        for device in devices {
            for (id, app) in device.apps {
                if let categories = app.categories {
                    facts[id, default: AppFacts()].take(freedesktop: categories)
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
    package let callback: CallbackName
    package let activity: String
    package let event: String?
    package let at_ms: Int64
    package let occurrenceStart_ms: Int64
    package let occurrenceEnd_ms: Int64
    /// Time counted at `at_ms`; nil for those of the interval.
    package let total_ms: Int64?

    init(_ due: DueCallback) {
        callback = due.callback
        activity = due.name.name
        event = due.event?.name
        at_ms = due.at_ms
        occurrenceStart_ms = due.occurrence.start_ms
        occurrenceEnd_ms = due.occurrence.end_ms
        total_ms = due.total_ms
    }
}

extension UsageChange {
    fileprivate func moved(by shift_ms: Int64) -> UsageChange {
        UsageChange(at_ms: at_ms + shift_ms, ordinal: ordinal, boot: boot, kind)
    }
}
