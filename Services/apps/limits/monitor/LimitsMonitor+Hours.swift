import Contract
import ExtensionLink
import LimitsCore
import Time
import Units

extension LimitsMonitor {
    /// Shields the targets with hours today that are outside of them, and lifts the other shields. All
    /// follows from the registered activities and the present intervals, so the next callback corrects a lost
    /// or late one.
    /// - Parameter target: the callback's target; its hours may have been deleted.
    func settleHours(_ target: LimitTarget, _ context: CallbackContext) throws {
        let about = context.about
        let registered = try Self.registered(context)
        let hours = Hours(registered.map { (name: $0.activity.name, runs: $0.inInterval) })
        for target in hours.targets.union([target]) {
            let name = PlanName.hoursStore(target)
            let store = try context.host.readSettings(store: name, member: about.member)
            let settings = hours.isShut(target) ? Reached.settings(shielding: [target.event]) : []
            guard store.settings != settings else { continue }
            try context.host.writeSettings(settings, store: name, member: about.member, clearAll: true)
        }
    }
}

extension LimitsMonitor {
    /// Says that a target closes soon, unless it stays open or this comes late.
    func intervalWillEndWarning(for activity: String, _ context: CallbackContext) throws {
        var about = context.about
        guard let target = Self.hours(activity), !about.late else { return }
        let registered = try Self.registered(context)
        guard Hours(registered, at: about.occurrenceEnd).isShut(target) else { return }
        let marks = try context.host.readSettings(store: AllowedSettings.store, member: about.member)
        guard !Marks(marks.settings)[.allow].contains(target) else { return }
        about.definition = target.event
        // A change within these minutes makes it due at once. Rounded up: it takes a moment to be told.
        let left = about.occurrenceEnd - max(about.at, WallTime.now)
        let minutes = (left + .minute - 1).flooredQuotient(.minute)
        (about.total, about.threshold) = (0, minutes * Milliseconds.minute)
        let words = Words(about)
        try context.host.postNotification(
            identifier: words.identifier(.intervalWillEndWarning), title: words.warningTitle,
            body: words.warning)
    }

    /// The person's limits and hours, without those of other programs.
    private static func registered(_ context: CallbackContext) throws -> [MonitoredActivity] {
        let about = context.about
        return try context.host.monitored(member: about.member).filter {
            $0.client == about.client && $0.member == about.member
        }
    }
}

extension LimitTarget {
    fileprivate var event: EventDefinition {
        var event = EventDefinition()
        fill(&event)
        return event
    }
}
