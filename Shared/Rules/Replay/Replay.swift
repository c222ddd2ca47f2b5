package import Contract
import Monitoring
package import Rules
package import Schedules
package import Units

/// What monitoring would have told over a recorded time: a function of what was observed, of the activities
/// and of the zone, whatever the order of the observations. All devices belong to one member.
package struct Replay {
    /// Moved in time, in order.
    private let devices: [ImportedDevice]
    /// The last observation.
    private let end: Instant
    private let first: Instant

    /// - Parameters:
    ///   - devices: a device without a model is not live: what nothing closes is no use.
    ///   - shift: added to every stamp.
    /// - Returns: nil when there is no observation.
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

    /// The instant before whose observations activities are registered by default.
    package var firstObservation: Instant { first }
    package var lastObservation: Instant { end }

    /// Every callback, as ``tell(_:zone:registered:_:)`` gives them.
    package func callbacks(
        of activities: [ActivityDefinition], zone: Zone, registered: Instant? = nil
    ) throws -> [ReplayedCallback] {
        var callbacks: [ReplayedCallback] = []
        try tell(activities, zone: zone, registered: registered) { callbacks.append($0) }
        return callbacks
    }

    /// Gives every callback up to the last observation, its instant included, in the order in which they are
    /// told live, each as soon as it is known.
    /// - Parameter registered: nil: the first observation.
    /// - Throws: what is wrong with an activity.
    package func tell(
        _ activities: [ActivityDefinition], zone: Zone, registered: Instant? = nil,
        _ body: (ReplayedCallback) -> Void
    ) throws {
        let registered = registered ?? first
        guard registered <= end else { return }
        let rules = MonitorRules(catalogue)
        for (number, device) in devices.enumerated() { try rules.take(change(device, number)) }
        for (number, activity) in activities.enumerated() {
            try rules.register(
                activity, as: ActivityName(client: Self.client, member: Self.member, name: activity.name),
                registration: Int64(number + 1), registered: registered, zone: zone)
        }
        while let next = rules.nextDue, next <= end {
            for due in try rules.due(until: max(next, registered)) where due.isTold {
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
    package let at: Instant
    package let occurrenceStart: Instant
    package let occurrenceEnd: Instant
    /// Time counted at `at`; nil for those of the interval.
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
